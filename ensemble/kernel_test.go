package ensemble

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
)

var moves = []Move{
	Stretch{}, Stretch{A: 4}, Walk{}, Walk{Size: 2, Scale: 2}, DifferentialEvolution{},
	DifferentialEvolution{Gamma: 0.6, Jump: -1, Spread: 0.5}, Snooker{},
}

// Every move in both orders leaves every law invariant; kerneltest's false-alarm rate is
// 1e-6 each.
func TestInvariant(t *testing.T) {
	for _, l := range laws {
		for _, m := range moves {
			for _, serial := range []bool{false, true} {
				const walkers = 7 // odd, so that halves differ
				k, err := New(l, walkers, l.dim, m, Settings{Serial: serial})
				if err != nil {
					t.Fatal(err)
				}
				if err := kerneltest.Invariant(l.sampled(walkers, k), kerneltest.Settings{Steps: 3, Replicates: 4000}); err != nil {
					t.Errorf("%T%+v on %s, serial %v: %v", m, m, l.name, serial, err)
				}
			}
		}
	}
}

// From a small ball away from the bulk an ensemble comes to all of the target. Snooker and
// differential evolution are tried as they are used, mixed.
func TestConverges(t *testing.T) {
	l, walkers := laws[1], 12
	make := func(m Move, serial bool) mcmc.Kernel[*State] {
		k, err := New(l, walkers, l.dim, m, Settings{Serial: serial})
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	mixed, err := mcmc.Mixture([]float64{0.9, 0.1}, make(DifferentialEvolution{}, false), make(Snooker{}, false))
	if err != nil {
		t.Fatal(err)
	}
	start := func(r *rand.Rand) *State {
		x := []float64{}
		for range walkers {
			x = append(x, 4+0.1*r.Float64(), 1+0.1*r.Float64())
		}
		s, err := NewState(l, l.dim, x)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, k := range map[string]mcmc.Kernel[*State]{
		"stretch": make(Stretch{}, false), "serial stretch": make(Stretch{}, true), "walk": make(Walk{}, false), "mixed": mixed,
	} {
		if err := kerneltest.Converges(l.sampled(walkers, k), start, kerneltest.Settings{Steps: 400, Replicates: 600}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// twisted is a move whose factor is wrong by a power of the step's.
type twisted struct {
	Move
	power float64
}

func (m twisted) Propose(y, x []float64, o *Complement, r *rand.Rand) float64 {
	return m.power * m.Move.Propose(y, x, o, r)
}

// atOnce moves all walkers at the same time, each from the previous positions of the others: the
// mistake that the split into halves avoids (Foreman-Mackey et al. 2013).
type atOnce struct{ *Kernel }

func (k atOnce) Step(s *State, r *rand.Rand) (info mcmc.Info) {
	k.complement.of = s
	n := s.Walkers()
	k.proposals, k.factor, k.logp = make([]float64, n*s.Dim), make([]float64, n), make([]float64, n)
	for i := range k.order {
		k.order[i] = i
	}
	k.update(s, k.order, k.order, r, &info)
	return info
}

// The suite sees the mistakes that are easily made: the power d in place of d−1 (with d = 2 a factor
// squared), no factor, and walkers that move at once.
func TestMistakesAreSeen(t *testing.T) {
	l, walkers := laws[1], 6
	set := kerneltest.Settings{Steps: 10, Replicates: 10_000}
	for _, m := range []Move{twisted{Stretch{}, 2}, twisted{Stretch{}, 0}, twisted{Snooker{}, 0}} {
		k, err := New(l, walkers, l.dim, m, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if kerneltest.Invariant(l.sampled(walkers, k), set) == nil {
			t.Errorf("%+v passes", m)
		}
	}
	l, walkers = laws[0], 4
	k, _ := New(l, walkers, l.dim, DifferentialEvolution{Gamma: 1}, Settings{})
	set.Steps = 30
	if kerneltest.Invariant(l.sampled(walkers, atOnce{k}), set) == nil {
		t.Error("walkers that all move at once pass")
	}
}

// A walker on zero density leaves it, whatever is unusable about it; the others never go
// where the density is not a number.
func TestUnusableDensities(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		l := law{"patchy", 1, func(x []float64) float64 {
			if x[0] < 0 {
				return bad
			}
			return -x[0]
		}, nil}
		k, _ := New(l, 8, 1, Stretch{}, Settings{})
		s, err := NewState(l, 1, []float64{-1, -0.5, 1, 2, 3, 4, 5, 6})
		if err != nil {
			t.Fatal(err)
		}
		r := newRand(3)
		for range 500 {
			k.Step(s, r)
		}
		for w, f := range s.LogP {
			if s.X[w] < 0 || f != -s.X[w] {
				t.Errorf("density %v: walker %d at %v with %v", bad, w, s.X[w], f)
			}
		}
	}
}

func TestThreads(t *testing.T) {
	l := laws[2]
	for _, m := range moves {
		var want *State
		for _, threads := range []int{0, 1, 2, 5} {
			k, _ := New(l, 9, l.dim, m, Settings{Threads: threads})
			r := newRand(5)
			s := l.state(9, r)
			for range 100 {
				k.Step(s, r)
			}
			if want == nil {
				want = s
			}
			if !reflect.DeepEqual(s, want) {
				t.Errorf("%T: %d threads come to another ensemble", m, threads)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	l := laws[2]
	for _, m := range moves {
		for _, set := range []Settings{{}, {Serial: true}, {Threads: 3}} {
			k, _ := New(l, 8, l.dim, m, set)
			r := newRand(6)
			s := l.state(8, r)
			k.Step(s, r)
			if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
				t.Errorf("%T, %+v: %v allocations a step", m, set, n)
			}
		}
	}
}

// An ensemble and a random walk agree on a mean that is not known in closed form.
func TestAgreesWithRandomWalk(t *testing.T) {
	l := laws[1]
	r := newRand(9)
	k, _ := New(l, 10, 2, Stretch{}, Settings{})
	s, ensemble := l.state(10, r), 0.0
	for range 20_000 {
		k.Step(s, r)
		for w := range 10 {
			ensemble += s.Walker(w)[1] / 200_000
		}
	}
	walk, _ := mh.NewRandomWalk(l, []float64{1, 1})
	p, single := mcmc.NewPoint(l, []float64{1, 1}), 0.0
	for range 200_000 {
		walk.Step(p, r)
		single += p.X[1] / 200_000
	}
	// Both have a mean of 1 and a standard error of about √(1.25 · 30 / 2·10⁵) = 0.014.
	if math.Abs(ensemble-1) > 0.08 || math.Abs(single-1) > 0.08 {
		t.Errorf("means %v and %v, want 1", ensemble, single)
	}
}

// Frozen draws: a change of these bits changes what seeds give, and other processors give the
// same.
func TestGoldenDraws(t *testing.T) {
	l := law{"golden", 2, func(x []float64) float64 {
		d := x[1] - x[0]
		return -float64(x[0]*x[0])/2 - float64(2*d*d)
	}, nil}
	s, err := NewState(l, 2, []float64{0, 1, 1, 0, 2, 3, -1, 1, 0.5, 0.25, 3, 3, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	r, got := newRand(11), []uint64{}
	for i, m := range moves {
		k, err := New(l, 7, 2, m, Settings{Serial: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			k.Step(s, r)
		}
		got = append(got, math.Float64bits(s.X[0]))
	}
	want := []uint64{
		0x3ff8699d9f0a30e5, 0xbfb27fc85c94b290, 0xc002caa5b5abb725, 0x3ff27faffbca172c,
		0x3fe41009bf5fe52e, 0xbff9c3d96655dbc2, 0x3fd69a44dc809eb2,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %#x, want %#x", got, want)
	}
}
