package memory

import "math"

// Machine is how many bytes this process may come to hold: what the machine
// has, or what its control group or resource limits allow if that is less.
// bound names the limit that a shell has set, and is empty otherwise. What
// cannot be known is not a limit.
func Machine() (bytes float64, bound string) {
	bytes = math.Inf(1)
	if b, ok := physical(); ok {
		bytes = b
	}
	if b, ok := group(); ok {
		bytes = min(bytes, b)
	}
	total, _ := usage()
	for _, r := range resources() {
		if b := max(0, r.left) + total; b < bytes {
			bytes, bound = b, r.name
		}
	}
	return bytes, bound
}

// resource is a limit of the shell and how much of it is left.
type resource struct {
	name string
	left float64
}
