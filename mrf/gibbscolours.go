package mrf

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Coloured is [Gibbs] with the variables of one colour, none of which is in another's blanket, drawn at the same time: see
// [gibbs.Parallel]. Draws do not depend on the number of threads.
type Coloured struct {
	f        *Field
	parallel *gibbs.Parallel[*State]
}

// NewColoured returns a kernel for the model; 0 threads are all cores.
func NewColoured(f *Field, threads int) (*Coloured, error) {
	if len(f.free) == 0 {
		return &Coloured{f: f}, nil
	}
	blankets, err := gibbs.Undirected(len(f.cards), func(yield func(i, j int) bool) {
		for i := range f.cards {
			for _, j := range f.near.of(int32(i)) {
				if int(j) > i && !yield(i, int(j)) {
					return
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var observed []int
	for i, v := range f.fixed {
		if v >= 0 {
			observed = append(observed, i)
		}
	}
	w := f.target()
	parallel, err := gibbs.NewParallel[*State](&blind{f: f, w: w, table: f.tables(&w)}, gibbs.ParallelSettings{Blankets: blankets, Observed: observed, Threads: threads})
	return &Coloured{f, parallel}, err
}

// Colours is the number of colours.
func (k *Coloured) Colours() int {
	if k.parallel == nil {
		return 0
	}
	return k.parallel.Colours()
}

// Step draws each free variable once.
func (k *Coloured) Step(s *State, r *rand.Rand) mcmc.Info {
	if k.parallel == nil {
		return mcmc.Info{Accepted: true, AcceptProb: 1}
	}
	s.stale, s.known = true, false
	return k.parallel.Step(s, r)
}

// blind draws a variable from the values of its blanket, without the slots of a state, which neighbours share.
type blind struct {
	f     *Field
	w     weights
	table []uint64
}

// mostBases is how many factors of a variable have their places kept during a draw.
const mostBases = 64

// Draw implements [gibbs.Conditional].
func (k *blind) Draw(s *State, node int, r *rand.Rand) {
	f, i, u := k.f, int32(node), r.Uint64()>>1
	if at := f.plan.at[i]; at >= 0 {
		for j, n := range f.near.of(i) {
			at += s.X[n] * f.plan.strides.of(i)[j]
		}
		s.X[i] = reached(k.table[at:at+f.cards[i]-1], u)
		return
	}
	var kept [mostBases]int32
	base := kept[:0]
	if in := f.in.of(i); len(in) <= mostBases {
		base = kept[:len(in)]
		f.bases(base, s.X, i)
	}
	s.X[i] = k.choose(s, i, base, u)
}

// choose is the value that a random number draws from a product of rows.
func (k *blind) choose(s *State, i int32, base []int32, u uint64) int32 {
	sum, top := 0.0, math.NaN() // of logarithms, where products are too small
	for v := range k.f.cards[i] {
		sum += k.entry(s, i, base, v, top)
	}
	if sum < least {
		top = math.Inf(-1)
		for v := range k.f.cards[i] {
			top = max(top, k.log(s, i, base, v))
		}
		sum = 0
		for v := range k.f.cards[i] {
			sum += k.entry(s, i, base, v, top)
		}
	}
	cumulative, last := 0.0, k.f.cards[i]-1
	for v := range last {
		if cumulative += k.entry(s, i, base, v, top); u < uint64(cumulative/sum*whole) {
			return v
		}
	}
	return last
}

// entry is the product of the factors' entries at a value, or where top is a number, exp(sum of logarithms − top).
func (k *blind) entry(s *State, i int32, base []int32, v int32, top float64) float64 {
	switch {
	case math.IsInf(top, -1):
		return 1
	case !math.IsNaN(top):
		return vec.Exp(k.log(s, i, base, v) - top)
	}
	x, y := 1.0, 1.0 // as in Field.product
	for j := range k.f.in.of(i) {
		if z := k.w.lin[k.place(s, i, base, j, v)]; j%2 == 0 {
			x *= z
		} else {
			y *= z
		}
	}
	return float64(x * y)
}

func (k *blind) log(s *State, i int32, base []int32, v int32) float64 {
	sum := 0.0
	for j := range k.f.in.of(i) {
		sum += k.w.log[k.place(s, i, base, j, v)]
	}
	return sum
}

// place is where the j-th factor of variable i has its entry when the variable has value v.
func (k *blind) place(s *State, i int32, base []int32, j int, v int32) int32 {
	m := k.f.in.of(i)[j]
	if len(base) > 0 {
		return base[j] + v*m.stride
	}
	h := &k.f.factors[m.factor]
	return int32(h.at+h.index(s.X)) + (v-s.X[i])*m.stride
}
