package lattice

import (
	"math/bits"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// fourSums are sums of what the weights of the values of four neighbours rise by, for one way in which these are equal.
type fourSums struct {
	second, third float64 // of the first two, and three
	total         float64 // of all, and q
	_             float64 // for a size that is a power of 2
}

// newFourSums are the sums for q values by alikeOfFour.
func newFourSums(q float64, rise [mostFew + 1]float64) (all [64]fourSums) {
	for key := range all {
		ba, cb, dc, da, ca, db := key&1, key>>1&1, key>>2&1, key>>3&1, key>>4&1, key>>5&1
		x := &all[key]
		x.second = rise[0] + rise[ba]
		x.third = x.second + rise[ca+cb]
		x.total = q + (x.third + rise[da+db+dc])
	}
	return all
}

// alikeOfFour says which of four values, a byte each, a lowest, are equal: bits for a and b, b and c, c and d, a and d, a and c, b and d, from
// the lowest.
func alikeOfFour(near uint32) uint64 {
	// The bytes of x are 0 where two are equal: the value before each, in a circle, and in two more the one before that.
	x := uint64(near^bits.RotateLeft32(near, 24)) | uint64((near^near>>16)&0xffff)<<32
	differ := (x&^tops + (tops - ones) | x) & tops
	// Byte k's bit comes to bit 58 + k of the product.
	return ^differ & (tops >> 16) >> 7 * 0x0408102040800000 >> 58
}

// value is drawn by random bits: from the q values alike, each with weight 1, or as a neighbour, with what the weight of its value rises by.
func (f *fourSums) value(near uint32, first, q float64, u uint64) uint8 {
	y := float64(streams.Unit(u) * f.total)
	beyond := y - q
	k := one(beyond >= 0) + one(beyond >= first) + one(beyond >= f.second) + one(beyond >= f.third)
	return uint8((uint64(near)<<8 | uint64(uint8(int(y)))) >> (8 * k & 63))
}
