package dist

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Cumulative draws from one discrete distribution by search of its cumulative weights: all of them where there are few,
// by halving where there are many. It needs a third of the memory of an Alias and is built faster; for a handful of
// outcomes its draws are as fast, for a thousand a fourth as fast.
type Cumulative struct {
	below []uint64 // of each index but the last of positive weight: the share of the indices to it, times 2⁶⁴
	n     int
}

// NewCumulative is a table for the weights w, which need not sum to 1.
func NewCumulative(w []float64) (*Cumulative, error) {
	c := new(Cumulative)
	return c, c.Build(w)
}

// Build fills the table anew in O(len(w)), reusing its memory. The error names the weight at fault: none may be
// negative, infinite or NaN, and one must be positive; the table is then as it was.
func (c *Cumulative) Build(w []float64) error {
	total, err := checkTable("a cumulative table", w)
	if err != nil {
		return err
	}
	c.below, c.n = c.below[:0], len(w)
	sum, last := 0.0, 0
	for i, v := range w {
		if v > 0 {
			last = i
		}
		sum += v
		share := uint64(math.MaxUint64) // where the rest is too light to be seen
		if sum < total {
			share = threshold(sum / total)
		}
		c.below = append(c.below, share)
	}
	c.below = c.below[:last]
	return nil
}

// Len is the number of weights.
func (c *Cumulative) Len() int { return c.n }

// countAll is how many weights are compared with a word rather than searched.
const countAll = 8

// Draw returns an index below Len with probability proportional to its weight. It uses one 64-bit word.
func (c *Cumulative) Draw(r *rand.Rand) int {
	u := r.Uint64()
	k := 0
	// Borrows in place of branches, which the processor could not foresee.
	if len(c.below) <= countAll {
		for _, share := range c.below {
			_, less := bits.Sub64(u, share, 0)
			k += 1 - int(less)
		}
		return k
	}
	for n := len(c.below); n > 0; { // the index is from k to k + n
		half := (n + 1) / 2
		_, less := bits.Sub64(u, c.below[k+half-1], 0)
		k += half & (int(less) - 1)
		n -= half
	}
	return k
}
