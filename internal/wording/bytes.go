package wording

import "fmt"

// Bytes is an amount of memory or disk: 1.5 GB.
func Bytes(bytes float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	k := 0
	for bytes >= 999.5 && k < len(units)-1 {
		bytes /= 1000
		k++
	}
	return fmt.Sprintf("%.3g %s", bytes, units[k])
}
