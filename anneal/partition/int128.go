package partition

import (
	"math"
	"math/bits"
)

// int128 is a whole number, as two's complement of 128 bits. Sums of fewer than 2⁶² numbers of 64 bits fit.
type int128 struct{ Hi, Lo uint64 }

func (x int128) plus(y int128) int128 {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(x.Hi, y.Hi, carry)
	return int128{hi, lo}
}

func (x int128) minus(y int128) int128 {
	lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
	hi, _ := bits.Sub64(x.Hi, y.Hi, borrow)
	return int128{hi, lo}
}

func (x int128) negative() bool { return int64(x.Hi) < 0 }

func (x int128) abs() int128 {
	if x.negative() {
		return int128{}.minus(x)
	}
	return x
}

// float rounds to the nearest float64; what is below 2⁵³ is exact.
func (x int128) float() float64 {
	a := x.abs()
	f := float64(a.Lo)
	if a.Hi != 0 {
		sticky := uint64(0) // the 64 leading bits, of which the last is set where one behind it is, round as all do
		shift := uint(bits.LeadingZeros64(a.Hi))
		top := a.Hi<<shift | a.Lo>>(64-shift)
		if a.Lo<<shift != 0 {
			sticky = 1
		}
		f = float64(top|sticky) * math.Float64frombits(uint64(1023+64-shift)<<52)
	}
	if x.negative() {
		return -f
	}
	return f
}
