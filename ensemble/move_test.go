package ensemble

import (
	"fmt"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Proposals are the same after a linear map of the space, bit for bit where the map is exact.
func TestAffineInvariance(t *testing.T) {
	l := laws[1]
	mapped := law{"mapped", 2, func(y []float64) float64 { return l.logp([]float64{y[0] / 4, y[1] / 1024}) }, nil}
	for _, m := range []Move{Stretch{}, Walk{}, Walk{Size: 3}, DifferentialEvolution{}} {
		a, _ := New(l, 8, 2, m, Settings{})
		b, _ := New(mapped, 8, 2, m, Settings{})
		s := l.state(8, newRand(1))
		y := append([]float64(nil), s.X...)
		for w := range 8 {
			y[2*w] *= 4
			y[2*w+1] *= 1024
		}
		u, _ := NewState(mapped, 2, y)
		r, q := newRand(2), newRand(2)
		for range 200 {
			if a.Step(s, r) != b.Step(u, q) {
				t.Fatalf("%T: the chains part", m)
			}
		}
		for w := range 8 {
			if s.Walker(w)[0]*4 != u.Walker(w)[0] || s.Walker(w)[1]*1024 != u.Walker(w)[1] {
				t.Fatalf("%T: walker %d at %v and %v", m, w, s.Walker(w), u.Walker(w))
			}
		}
	}
}

// Walkers in one place have no line between them: snooker stays, and stays finite.
func TestCoincidingWalkers(t *testing.T) {
	l := laws[1]
	for _, m := range moves {
		k, _ := New(l, 8, 2, m, Settings{})
		s := &State{Dim: 2, X: make([]float64, 16), LogP: make([]float64, 8)}
		r := newRand(4)
		for range 20 {
			k.Step(s, r)
		}
		for _, v := range append(s.X, s.LogP...) {
			if !vec.Finite(v) {
				t.Fatalf("%T: %+v", m, s)
			}
		}
	}
}

// The step of a walk has the covariance of the others it is taken from: with 2 others of
// distance 2, variance (1 + 1)/2 = 1 in the mean square of 10⁵ steps, whose standard
// deviation is √(2/10⁵); five of them are exceeded once in 1.7 million.
func TestWalkVariance(t *testing.T) {
	s := &State{Dim: 1, X: []float64{-1, 1, 7, 7}, LogP: make([]float64, 4)}
	o := &Complement{of: s, index: []int{0, 1}, spare: make([]float64, 1)}
	r, y, sum := newRand(7), []float64{0}, 0.0
	const n = 100_000
	for range n {
		Walk{}.Propose(y, []float64{7}, o, r)
		sum += (y[0] - 7) * (y[0] - 7) / n
	}
	if math.Abs(sum-1) > 5*math.Sqrt(2.0/n) {
		t.Errorf("variance %v", sum)
	}
	// Of four others two are taken, each of the six pairs as often.
	o.index, sum = []int{0, 1, 2, 3}, 0
	want := 0.0
	for i := range 4 {
		for j := range i {
			d := (s.X[i] - s.X[j]) / 2
			want += d * d / 6
		}
	}
	var fourth float64
	for range n {
		Walk{Size: 2}.Propose(y, []float64{7}, o, r)
		d := (y[0] - 7) * (y[0] - 7)
		sum += d / n
		fourth += d * d / n
	}
	if math.Abs(sum-want) > 5*math.Sqrt((fourth-sum*sum)/n) {
		t.Errorf("variance of pairs %v, want %v", sum, want)
	}
}

// Others are drawn without repetition, each ordered choice as often: the counts of 80 cells
// stay within seven standard deviations, with a false alarm in 10⁹.
func TestTriples(t *testing.T) {
	s := &State{Dim: 1, X: []float64{0, 1, 2, 3, 4}, LogP: make([]float64, 5)}
	o := &Complement{of: s, index: []int{0, 1, 2, 3, 4}}
	r, count, pairs := newRand(8), map[string]int{}, map[string]int{}
	const n = 60_000
	for range n {
		a, b, c := o.triple(r)
		count[fmt.Sprint(a, b, c)]++
		a, b = o.pair(r)
		pairs[fmt.Sprint(a, b)]++
	}
	for _, c := range []struct {
		count map[string]int
		cells float64
	}{{count, 60}, {pairs, 20}} {
		if len(c.count) != int(c.cells) {
			t.Errorf("%d different choices, want %v", len(c.count), c.cells)
		}
		for which, k := range c.count {
			if want := n / c.cells; math.Abs(float64(k)-want) > 7*math.Sqrt(want) {
				t.Errorf("%s came %d times, expected %v", which, k, want)
			}
		}
	}
}
