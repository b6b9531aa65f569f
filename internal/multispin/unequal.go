package multispin

import "math/bits"

func unequalGo(r *Row, neighbours int) int {
	count := 0
	for i, s := range r.Self {
		live := r.Live[i]
		b := r.Beside[i : i+3]
		count += bits.OnesCount64((s^b[1])&live) + bits.OnesCount64((s^b[2]^(b[0]^b[2])&r.Before)&live)
		for _, a := range r.Across[:neighbours-2] {
			count += bits.OnesCount64((s ^ a[i]) & live)
		}
	}
	return count
}
