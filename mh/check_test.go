package mh

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func checkOf(l law) MoveCheck[vector] {
	return MoveCheck[vector]{
		Target: l,
		Draw: func(r *rand.Rand) []float64 {
			x := make([]float64, l.dim)
			l.draw(x, r)
			return x
		},
		Stats: func(x []float64) []float64 { return x },
	}
}

func fill(dst, x []float64) []float64 {
	if len(dst) != len(x) {
		dst = make([]float64, len(x))
	}
	copy(dst, x)
	return dst
}

// claims gives a move another log ratio.
type claims struct {
	Conditional[vector]
	ratio float64
}

func (c claims) Propose(dst, x []float64, r *rand.Rand) ([]float64, float64) {
	to, _ := c.Conditional.Propose(dst, x, r)
	return to, c.ratio
}

// Right moves pass at a false-alarm rate of 1e-6 each, and the usual mistakes are found.
func TestCheckMove(t *testing.T) {
	gamma := checkOf(gammas)
	asymmetric := Symmetric[vector](func(dst, x []float64, r *rand.Rand) []float64 { // longer steps further out
		dst = fill(dst, x)
		dst[0] += dst[0] * r.NormFloat64()
		return dst
	})
	drift := Symmetric[vector](func(dst, x []float64, r *rand.Rand) []float64 {
		dst = fill(dst, x)
		dst[1] += r.NormFloat64() + 0.1
		return dst
	})
	inPlace := Symmetric[vector](func(_, x []float64, r *rand.Rand) []float64 {
		x[0] += r.NormFloat64()
		return x
	})
	outside := Symmetric[vector](func(dst, x []float64, _ *rand.Rand) []float64 {
		dst = fill(dst, x)
		dst[0] = -1
		return dst
	})
	for _, c := range []struct {
		name string
		move Move[vector]
		want string // "": nothing
	}{
		{"walk", newWalk(2, WalkSettings{}), ""},
		{"t walk", newWalk(2, WalkSettings{Increment: Student}), ""},
		{"multiply", must(NewMultiply(1)), ""},
		{"dilate", must(NewDilate(1)), ""},
		{"mixture density", must(NewMixtureDensity([]float64{1, 2}, Conditional[vector](newWalk(2, WalkSettings{})), must(NewMultiply(1)))), ""},
		{"mixture", must(NewMixture([]float64{1, 2}, Move[vector](newWalk(2, WalkSettings{})), must(NewDilate(1)))), ""},
		{"symmetric function", Symmetric[vector](func(dst, x []float64, r *rand.Rand) []float64 {
			dst = fill(dst, x)
			dst[r.IntN(2)] += r.Float64() - 0.5
			return dst
		}), ""},
		{"not symmetric", asymmetric, "statistic 1 went up"},
		{"drift", drift, "statistic 2 went up"},
		{"no Jacobian", claims{must(NewMultiply(1)), 0}, "gives the log ratio 0, but its log densities"},
		{"in place", inPlace, "changes the state"},
		{"never accepted", outside, "never accepted"},
		{"none", nil, "takes the move"},
	} {
		err := CheckMove(c.move, gamma)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	numbers := MoveCheck[int]{
		Target: table{0, 0, 0, 0, 0},
		Draw:   func(r *rand.Rand) int { return r.IntN(5) },
		Stats:  func(x int) []float64 { return []float64{float64(x), float64(x % 2)} },
	}
	if err := CheckMove(Move[int](must(NewNeighbours(ring(5)))), numbers); err != nil {
		t.Error(err)
	}
	said := Symmetric[int](func(_, x int, r *rand.Rand) int { return ring(5).Neighbour(0, x, r.IntN(ring(5).Count(x))) })
	if err := CheckMove(Move[int](said), numbers); err == nil {
		t.Error("neighbours of unequal number, said to be symmetric, pass")
	}
}

// asymmetric is a neighbourhood in which 0 and 1 have no neighbours, and 2 has 1.
type asymmetric struct{}

func (asymmetric) Count(x int) int               { return x / 2 }
func (asymmetric) Neighbour(_, _, _ int) int     { return 1 }
func (asymmetric) LogDensity(int) (logp float64) { return 0 }

func TestNeighboursAlone(t *testing.T) {
	k := must(New(mcmc.Density[int](asymmetric{}), Move[int](must(NewNeighbours(asymmetric{}))), MetropolisHastings))
	r := newRand(1)
	alone := &mcmc.State[int]{X: 1}
	if info := k.Step(alone, r); info.Accepted || info.Divergent || info.Evals != 0 || alone.X != 1 {
		t.Errorf("a state without neighbours: %+v, then at %d", info, alone.X)
	}
	oneWay := &mcmc.State[int]{X: 2}
	if info := k.Step(oneWay, r); info.Accepted || !info.Divergent || oneWay.X != 2 {
		t.Errorf("a step without a way back: %+v, then at %d", info, oneWay.X)
	}
}

// holes is a normal law whose log density cannot be computed above 1.
var holes = law{"holes", func(x []float64) float64 {
	if x[0] > 1 {
		return math.Sqrt(1 - x[0])
	}
	if x[0] < -2 {
		return inf
	}
	return -x[0] * x[0] / 2
}, nil, 1}

// NaN and +Inf are rejected, counted and named.
func TestNaNIsSaid(t *testing.T) {
	w := Watch[vector](holes)
	if err := w.Err(); err != nil {
		t.Error(err)
	}
	set := mcmc.Settings{Seed: 1, Chains: 2, Draws: 500}
	job := must(mcmc.NewPoints(mcmc.Points{Target: holes, Dim: 1,
		Init: func(_ int, _ *rand.Rand, x []float64) { x[0] = 0 },
		Move: func(int) (mcmc.Kernel[*mcmc.Point], error) {
			k, err := New[vector](w, newWalk(1, WalkSettings{}), MetropolisHastings)
			return k, err
		},
	}, set))
	rec := must(mcmc.NewMemory(job.Variables(), set))
	res, err := mcmc.Run(context.Background(), job, set, rec, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, chain := range rec.Draws().Element(0) {
		for _, x := range chain {
			if !(x >= -2 && x <= 1) {
				t.Fatalf("a draw of %v", x)
			}
		}
	}
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), "NaN at") || !strings.Contains(err.Error(), "+Inf at") {
		t.Errorf("the target is said to be: %v", err)
	}
	said := strings.Join(Advise(res, 1), "\n")
	if !strings.Contains(said, "chain 1 met") || !strings.Contains(said, "chain 2 met") {
		t.Errorf("the run is said to be: %q", said)
	}
	r := newRand(1)
	for name, k := range vectorKernels(holes) {
		s, told := mcmc.NewPoint(holes, []float64{0}), false
		for range 200 {
			told = told || k.Step(s, r).Divergent
		}
		if !told || !(s.X[0] >= -2 && s.X[0] <= 1) {
			t.Errorf("%s: said %v, and is at %v", name, told, s.X)
		}
	}
}

func TestAdvise(t *testing.T) {
	res := &mcmc.Result{Chains: []mcmc.ChainResult{{AcceptProb: 0.3}, {AcceptProb: 0.03}, {AcceptProb: 0.9, Divergences: 2}, {AcceptProb: math.NaN()}}}
	said := Advise(res, 2)
	if len(said) != 3 || !strings.Contains(said[0], "chain 2 accepted 3 %") || !strings.Contains(said[0], "from 25 % to 50 %") ||
		!strings.Contains(said[0], "shorter") || !strings.Contains(said[1], "longer") || !strings.Contains(said[2], "2 proposals") {
		t.Errorf("%q", said)
	}
	for d := 1; d < 20; d++ { // what warm-up tunes to is never complained of
		if said := Advise(&mcmc.Result{Chains: []mcmc.ChainResult{{AcceptProb: OptimalAcceptance(d)}}}, d); len(said) != 0 {
			t.Errorf("%d dimensions: %q", d, said)
		}
	}
}
