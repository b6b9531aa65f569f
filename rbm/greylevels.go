package rbm

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/f32"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/rbm/internal/ndarray"
)

// GreyLevels are cases whose units are on with given probabilities, such as
// grey images; training draws them anew in every epoch. Only units with
// positive probability are stored.
type GreyLevels struct {
	Cases, Visible int

	start []int     // of each case's units
	unit  []int32   // ascending within a case
	logit []float32 // of the probability of being on; nil where all are 1
}

// whiteLogit is the logit of units that are always on: a draw of 32 bits is off
// once in 2³².
const whiteLogit = 100

// ReadGreyLevels reads cases as ReadData does, with grey levels as the
// probabilities of units. array names the array, empty for the usual one.
func ReadGreyLevels(path, array string) (*GreyLevels, error) {
	return readCases(path, array, greyLevelsOf)
}

func greyLevelsOf(a *ndarray.Array) (*GreyLevels, error) {
	y, err := layoutOf(a)
	if err != nil {
		return nil, err
	}
	l := &GreyLevels{Cases: y.batches * y.cases, Visible: y.rows * y.columns, start: []int{0}}
	white, on := white(a), a.Positive()
	if err := memory.Room(float64(8*float64(on+l.Cases)) + float64(4*memory.Product(l.Visible))); err != nil {
		return nil, err
	}
	l.unit, l.logit = make([]int32, 0, on), make([]float32, 0, on)
	all := true
	err = y.each(func(n, i, k int) error {
		x := a.Flat(k)
		if !within(x, 0, 255) {
			return fmt.Errorf("case %d, unit %d is %v; grey levels are from 0 to 1 or from 0 to 255", n+1, i+1, x)
		}
		if x > 0 {
			logit := float32(whiteLogit)
			if x < white {
				logit = float32(vec.Logit(x / white))
				all = false
			}
			l.unit, l.logit = append(l.unit, int32(i)), append(l.logit, logit)
		}
		if i == l.Visible-1 {
			l.end()
		}
		return nil
	})
	if all {
		l.logit = nil
	}
	return l, err
}

// end ends a case.
func (l *GreyLevels) end() { l.start = append(l.start, len(l.unit)) }

// GreyLevels are the same cases with the probabilities 0 and 1.
func (d *Data) GreyLevels() *GreyLevels {
	l := &GreyLevels{Cases: d.Cases, Visible: d.Visible, start: []int{0}}
	for n := range d.Cases {
		l.unit = indices(l.unit, d.Case(n))
		l.end()
	}
	return l
}

// Split cuts the last n cases off.
func (l *GreyLevels) Split(n int) (first, last *GreyLevels, err error) {
	if n < 0 || n >= l.Cases {
		return nil, nil, fmt.Errorf("%d of %d cases cannot be set aside", n, l.Cases)
	}
	cut := l.Cases - n
	first, last = new(GreyLevels), new(GreyLevels)
	*first, *last = *l, *l
	first.Cases, first.start = cut, l.start[:cut+1]
	last.Cases, last.start = n, l.start[cut:]
	return first, last, nil
}

// draw writes the units of case n that are on to dst, in ascending order;
// dst and scratch have room for Visible and 16 numbers.
func (l *GreyLevels) draw(dst, scratch []int32, n int, lanes *f32.Lanes) []int32 {
	from, to := l.start[n], l.start[n+1]
	units := l.unit[from:to]
	if l.logit == nil {
		return append(dst[:0], units...)
	}
	k := f32.Bernoulli(scratch, l.logit[from:to], 1, lanes)
	dst = dst[:k]
	for i, at := range scratch[:k] {
		dst[i] = units[at]
	}
	return dst
}

// Draw makes data of the first n cases.
func (l *GreyLevels) Draw(n int, r *rand.Rand) *Data {
	n = min(n, l.Cases)
	var lanes f32.Lanes
	lanes.Seed(r)
	d := &Data{Cases: n, Visible: l.Visible, Units: make([]uint8, n*l.Visible)}
	dst, scratch := make([]int32, 0, l.Visible+drawRoom), make([]int32, 0, l.Visible+drawRoom)
	for c := range n {
		v := d.Case(c)
		for _, i := range l.draw(dst, scratch, c, &lanes) {
			v[i] = 1
		}
	}
	return d
}

// mean is the probability of each unit over all cases.
func (l *GreyLevels) mean() []float64 {
	m := make([]float64, l.Visible)
	for k := l.start[0]; k < l.start[l.Cases]; k++ {
		p := 1.0
		if l.logit != nil {
			p = vec.Ilogit(float64(l.logit[k]))
		}
		m[l.unit[k]] += p
	}
	for i := range m {
		m[i] /= float64(l.Cases)
	}
	return m
}
