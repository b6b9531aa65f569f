package dist

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Dynamic draws from a discrete distribution whose weights change between draws. A change costs O(1) and is exact at
// the next draw: nothing is rebuilt, and no sum of weights is kept that rounding could spoil. Weights with the same binary
// exponent e share a level, of mass 2^e times their number, above theirs; a draw picks a level, one of its members, and
// accepts it with probability w/2^e ≥ ½ (Rajasekaran and Ross 1993, "Fast algorithms for generating discrete random
// variates with changing distributions", ACM TOMACS 3(1); Slepoy, Thompson and Plimpton 2008, J. Chem. Phys. 128). So
// a draw takes two tries or fewer in the mean, each O(L) in the number L of levels in use, the largest first: few
// where weights are of one size, at most 1974. An Alias draws faster, and is built anew in O(n) after a change.
type Dynamic struct {
	w     []float64
	level []*weightLevel // of each weight; nil for weight 0
	place []int          // where it is there

	levels []*weightLevel // in descending order of size
	byExp  map[int]*weightLevel
	total  float64 // of the masses of levels
	stale  bool    // total is to be summed anew
}

// weightLevel holds the indices of weights that are in [top/2, top) when multiplied by lift.
type weightLevel struct {
	top     float64
	members []int
}

func (l *weightLevel) mass() float64 { return float64(float64(len(l.members)) * l.top) }

// Weights are below heaviest, and lifted in levels, so that no sum of masses overflows and none is subnormal.
const (
	heaviest = 0x1p900
	lift     = 0x1p80
)

// NewDynamic is a table for the weights w, which need not sum to 1 and may all be zero.
func NewDynamic(w []float64) (*Dynamic, error) {
	d := &Dynamic{
		w: make([]float64, len(w)), level: make([]*weightLevel, len(w)), place: make([]int, len(w)),
		byExp: make(map[int]*weightLevel),
	}
	for i, v := range w {
		if err := d.Set(i, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Len is the number of weights.
func (d *Dynamic) Len() int { return len(d.w) }

// Weight is the weight of index i.
func (d *Dynamic) Weight(i int) float64 { return d.w[i] }

// Set changes the weight of index i, in O(1). It is an error that i is not an index, or that the weight is negative,
// NaN or not below 2⁹⁰⁰; nothing is changed then.
func (d *Dynamic) Set(i int, weight float64) error {
	if i < 0 || i >= len(d.w) {
		return fmt.Errorf("dist: a dynamic table of %d weights has no weight %d (index %d)", len(d.w), i+1, i)
	}
	if !(weight >= 0 && weight < heaviest) {
		return fmt.Errorf("dist: weight %d of a dynamic table is %v; it must be at least 0 and below 2^900", i+1, weight)
	}
	d.w[i] = weight
	_, exp := math.Frexp(weight * lift)
	from, to := d.level[i], d.byExp[exp]
	if weight == 0 {
		to = nil
	} else if to == nil {
		to = d.newLevel(exp)
	}
	if from == to {
		return nil
	}
	d.stale = true
	d.level[i] = to
	if from != nil { // its last member takes the place
		last := len(from.members) - 1
		moved := from.members[last]
		from.members[d.place[i]] = moved
		d.place[moved] = d.place[i]
		from.members = from.members[:last]
	}
	if to != nil {
		d.place[i] = len(to.members)
		to.members = append(to.members, i)
	}
	return nil
}

// newLevel makes a level that there was none of; it stays when its members leave.
func (d *Dynamic) newLevel(exp int) *weightLevel {
	l := &weightLevel{top: math.Ldexp(1, exp)}
	d.byExp[exp] = l
	at, _ := slices.BinarySearchFunc(d.levels, l.top, func(l *weightLevel, top float64) int { return cmp.Compare(top, l.top) })
	d.levels = slices.Insert(d.levels, at, l)
	return l
}

// Draw returns an index below Len with probability proportional to its weight, or −1 where all weights are zero.
func (d *Dynamic) Draw(r *rand.Rand) int {
	if d.stale {
		d.total = 0
		for _, l := range d.levels {
			d.total += l.mass()
		}
		d.stale = false
	}
	if d.total == 0 {
		return -1
	}
	for {
		l := d.pick(float64(uniform(r) * d.total))
		place, share := bits.Mul64(r.Uint64(), uint64(len(l.members)))
		i := l.members[place]
		if share < threshold(d.w[i]*lift/l.top) {
			return i
		}
	}
}

// pick is the level at u of the total.
func (d *Dynamic) pick(u float64) *weightLevel {
	var last *weightLevel
	for _, l := range d.levels {
		if len(l.members) == 0 {
			continue
		}
		last = l
		if u -= l.mass(); u < 0 {
			break
		}
	}
	return last
}
