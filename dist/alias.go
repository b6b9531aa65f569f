package dist

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Alias draws from one discrete distribution in constant time, by Walker's (1977) table as Vose (1991) builds it. After
// Set it builds itself anew at the next draw, which is as good as it gets where many draws follow some changes; where
// they alternate, Dynamic is better. Draw may run in several goroutines at once, but for the first one after Set.
type Alias struct {
	cells []aliasCell
	small []int32 // scratch of fill

	w        []float64
	total    float64 // of w
	positive int     // how many of w are
	stale    bool    // Set was called since the table was filled
}

// aliasCell is one of the cells, all as likely.
type aliasCell struct {
	keep  uint64 // stay where 64 random bits are below this
	alias int32  // or go here
}

// NewAlias is a table for the weights w, which need not sum to 1.
func NewAlias(w []float64) (*Alias, error) {
	a := new(Alias)
	return a, a.Build(w)
}

// Build fills the table anew in O(len(w)), reusing its memory. The error names the weight at fault: none may be
// negative, infinite or NaN, and one must be positive.
func (a *Alias) Build(w []float64) error {
	total, err := checkTable("an alias table", w)
	if err != nil {
		return err
	}
	a.resize(len(w))
	copy(a.w, w)
	a.total, a.positive = total, 0
	for _, v := range w {
		if v > 0 {
			a.positive++
		}
	}
	a.stale = false
	a.fill()
	return nil
}

// Set changes the weight of index i in O(1). The error names a weight that is negative, infinite or NaN, an index
// that is none, and the change after which no weight would be positive or their sum might overflow; nothing is changed
// then.
func (a *Alias) Set(i int, weight float64) error {
	if i < 0 || i >= len(a.w) {
		return fmt.Errorf("dist: an alias table of %d weights has no weight %d (index %d)", len(a.w), i+1, i)
	}
	if !(weight >= 0) || math.IsInf(weight, 1) {
		return fmt.Errorf("dist: weight %d of an alias table is set to %v; it must be finite and not negative", i+1, weight)
	}
	positive := a.positive
	if a.w[i] > 0 {
		positive--
	}
	if weight > 0 {
		positive++
	}
	total := a.total - a.w[i] + weight
	switch {
	case positive == 0:
		return fmt.Errorf("dist: setting weight %d of an alias table to 0 leaves no positive weight", i+1)
	case !(total < math.MaxFloat64/2):
		return fmt.Errorf("dist: setting weight %d of an alias table to %v makes the sum too large; divide all weights by a constant", i+1, weight)
	}
	a.w[i], a.total, a.positive, a.stale = weight, total, positive, true
	return nil
}

// refill fills the table after changes, with a sum of the weights that is free of their rounding.
func (a *Alias) refill() {
	a.total = 0
	for _, v := range a.w {
		a.total += v
	}
	a.fill()
	a.stale = false
}

// checkTable returns the sum of the weights of a table, or what is wrong with them.
func checkTable(table string, w []float64) (total float64, err error) {
	if len(w) == 0 || len(w) > math.MaxInt32 {
		return 0, fmt.Errorf("dist: %s needs 1 to %d weights, not %d", table, math.MaxInt32, len(w))
	}
	for i, v := range w {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("dist: weight %d of %s is %v; it must be finite and not negative", i+1, table, v)
		}
		total += v
	}
	switch {
	case total == 0:
		return 0, fmt.Errorf("dist: the weights of %s are all zero; at least one must be positive", table)
	case math.IsInf(total, 1):
		return 0, fmt.Errorf("dist: the sum of the weights of %s overflows; divide them all by a constant", table)
	}
	return total, nil
}

func (a *Alias) resize(n int) {
	if cap(a.cells) < n {
		a.cells, a.small, a.w = make([]aliasCell, n), make([]int32, n), make([]float64, n)
	}
	a.cells, a.small, a.w = a.cells[:n], a.small[:n], a.w[:n]
}

// fill pairs each cell of less than average mass with one of more. The stack of small cells grows from the front of
// a.small, that of large ones from its back. Until a cell is paired, its mass lies in the bits of keep.
func (a *Alias) fill() {
	n := len(a.w)
	lo, hi := 0, n
	for i, v := range a.w {
		m := float64(v / a.total * float64(n))
		a.cells[i].keep = math.Float64bits(m)
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
		mass := math.Float64frombits(a.cells[s].keep)
		a.cells[s] = aliasCell{threshold(mass), l}
		mass = math.Float64frombits(a.cells[l].keep) - (1 - mass)
		a.cells[l].keep = math.Float64bits(mass)
		if mass < 1 {
			hi++
			a.small[lo] = l
			lo++
		}
	}
	// Rounding alone leaves cells in either stack: their mass is 1.
	for _, i := range a.small[:lo] {
		a.cells[i] = aliasCell{math.MaxUint64, i}
	}
	for _, i := range a.small[hi:] {
		a.cells[i] = aliasCell{math.MaxUint64, i}
	}
}

// threshold is m·2⁶⁴ for 0 ≤ m < 1.
func threshold(m float64) uint64 { return uint64(m * 0x1p64) }

// Len is the number of weights.
func (a *Alias) Len() int { return len(a.w) }

// Draw returns an index below Len with probability proportional to its weight. It uses one 64-bit word: the high half
// of its product with Len is the cell, the low half the position in the cell.
func (a *Alias) Draw(r *rand.Rand) int {
	if a.stale {
		a.refill()
	}
	i, pos := bits.Mul64(r.Uint64(), uint64(len(a.cells)))
	c := &a.cells[i]
	k := int(c.alias)
	if pos < c.keep { // a conditional move: the processor could not foresee a branch
		k = int(i)
	}
	return k
}
