package dist

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Alias draws from one discrete distribution in constant time, by Walker's (1977) table as Vose (1991) builds it.
type Alias struct {
	keep  []uint64 // stay in the cell where 64 random bits are below this
	alias []int32
	small []int32 // scratch of Build
	mass  []float64
}

// NewAlias is a table for the weights w, which need not sum to 1.
func NewAlias(w []float64) (*Alias, error) {
	a := new(Alias)
	return a, a.Build(w)
}

// Build fills the table anew in O(len(w)), reusing its memory. The error names the weight at fault: none may be
// negative, infinite or NaN, and one must be positive.
func (a *Alias) Build(w []float64) error {
	n := len(w)
	if n == 0 || n > math.MaxInt32 {
		return fmt.Errorf("dist: an alias table needs 1 to %d weights, not %d", math.MaxInt32, n)
	}
	total := 0.0
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("dist: weight %d of an alias table is %v; it must be finite and not negative", i+1, v)
		}
		total += v
	}
	switch {
	case total == 0:
		return errors.New("dist: the weights of an alias table are all zero; at least one must be positive")
	case math.IsInf(total, 1):
		return errors.New("dist: the sum of the weights of an alias table overflows; divide them all by a constant")
	}
	a.resize(n)
	a.fill(w, total)
	return nil
}

func (a *Alias) resize(n int) {
	if cap(a.keep) < n {
		a.keep, a.alias = make([]uint64, n), make([]int32, n)
		a.small, a.mass = make([]int32, n), make([]float64, n)
	}
	a.keep, a.alias, a.small, a.mass = a.keep[:n], a.alias[:n], a.small[:n], a.mass[:n]
}

// fill pairs each cell of less than average mass with one of more. The stack of small cells grows from the front of
// a.small, that of large ones from its back.
func (a *Alias) fill(w []float64, total float64) {
	n := len(w)
	lo, hi := 0, n
	for i, v := range w {
		m := float64(v / total * float64(n))
		a.mass[i] = m
		if m < 1 {
			a.small[lo] = int32(i)
			lo++
		} else {
			hi--
			a.small[hi] = int32(i)
		}
	}
	for lo > 0 && hi < n {
		s, l := a.small[lo-1], a.small[hi]
		lo--
		a.keep[s], a.alias[s] = threshold(a.mass[s]), l
		if a.mass[l] -= 1 - a.mass[s]; a.mass[l] < 1 {
			hi++
			a.small[lo] = l
			lo++
		}
	}
	// Rounding alone leaves cells in either stack: their mass is 1.
	for _, i := range a.small[:lo] {
		a.keep[i], a.alias[i] = math.MaxUint64, i
	}
	for _, i := range a.small[hi:] {
		a.keep[i], a.alias[i] = math.MaxUint64, i
	}
}

// threshold is m·2⁶⁴ for 0 ≤ m < 1.
func threshold(m float64) uint64 { return uint64(m * 0x1p64) }

// Len is the number of weights.
func (a *Alias) Len() int { return len(a.keep) }

// Draw returns an index below Len with probability proportional to its weight. It uses one 64-bit word: the high half
// of its product with Len is the cell, the low half the position in the cell.
func (a *Alias) Draw(r *rand.Rand) int {
	cell, pos := bits.Mul64(r.Uint64(), uint64(len(a.keep)))
	if pos < a.keep[cell] {
		return int(cell)
	}
	return int(a.alias[cell])
}
