package diag

import "math"

const (
	digitBits   = 11
	digitValues = 1 << digitBits
	digits      = (64 + digitBits - 1) / digitBits
)

// keyed is a draw on its way through the sort: its order-preserving key and
// the position that it came from.
type keyed struct {
	key uint64
	pos int32
}

// sortKey maps floats to integers in the same order, -0 just before +0.
func sortKey(x float64) uint64 {
	b := math.Float64bits(x)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

func keyValue(k uint64) float64 {
	return math.Float64frombits(k ^ (^uint64(int64(k)>>63) | 1<<63))
}

// radixSort sorts a by key, least digit first, with b as the other buffer; it
// returns the buffer that holds the result. The cost is linear, and digits
// that all keys share cost nothing.
func radixSort(a, b []keyed, count *[digits][digitValues]int32) []keyed {
	*count = [digits][digitValues]int32{}
	for i := range a {
		k := a[i].key
		for d := range digits {
			count[d][k&(digitValues-1)]++
			k >>= digitBits
		}
	}
	for d := range digits {
		c := &count[d]
		shift := d * digitBits
		if len(a) == 0 || int(c[a[0].key>>shift&(digitValues-1)]) == len(a) {
			continue
		}
		sum := int32(0)
		for v := range c {
			sum, c[v] = sum+c[v], sum
		}
		for i := range a {
			v := a[i].key >> shift & (digitValues - 1)
			b[c[v]] = a[i]
			c[v]++
		}
		a, b = b, a
	}
	return a
}
