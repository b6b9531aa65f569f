package plan

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/sparse"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// inPlace is a chain of draws that are always accepted: of the Student t itself.
type inPlace struct {
	*expansion
	keep float64
	df   float64 // of the target
}

func (k inPlace) Step(x []float64, r *rand.Rand) mcmc.Info {
	for i, v := range x {
		k.step[i] = -v // the mean is 0
	}
	k.whiten()
	k.draw(r, k.keep)
	for i, d := range k.delta {
		x[i] += d
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (k inPlace) Draw(r *rand.Rand) []float64 {
	x := make([]float64, len(k.z))
	f := 1.0
	if k.df > 0 {
		f = 1 / math.Sqrt(dist.Gamma(r, 0.5*k.df, 0.5*k.df))
	}
	for i := range x {
		x[i] = f * dist.StdNormal(r)
	}
	k.q.Spread(x, x)
	return x
}

// quad is xᵀQx.
func quad(q *sparse.Sym, x []float64) float64 {
	z := make([]float64, len(x))
	q.Whiten(z, x)
	return square(z)
}

// Moves of a block keep the law that they come from, however short they are.
func TestDrawKeepsItsLaw(t *testing.T) {
	q := sparse.New(3, [][]int32{{0, 1}, {1, 2}})
	for i, v := range map[[2]int32]float64{{0, 0}: 2, {1, 1}: 3, {2, 2}: 1, {0, 1}: -1, {1, 2}: 0.5} {
		q.Val[q.Slot(i[0], i[1])] = v
	}
	if !q.Factor() {
		t.Fatal("the precision is positive definite")
	}
	f := func() []float64 { return make([]float64, 3) }
	for _, df := range []float64{0, 5} {
		for _, keep := range []float64{0, 0.5, 0.99} {
			x := &expansion{block: &block{q: q, cells: make([]int32, 3)}, df: df, z: f(), delta: f(), step: f()}
			k := inPlace{x, keep, df}
			stats := func(x []float64) []float64 { return []float64{x[0], x[1], x[2], x[0] * x[1], quad(q, x)} }
			target := kerneltest.Sampled[[]float64]{Draw: k.Draw, Kernel: k, Stats: stats}
			if err := kerneltest.Invariant(target, kerneltest.Settings{Seed: 1, Replicates: 100_000, Steps: 3}); err != nil {
				t.Errorf("df %v, keep %v: %v", df, keep, err)
			}
		}
	}
	// The suite sees a t whose scale does not follow the point.
	wrong := inPlace{&expansion{block: &block{q: q, cells: make([]int32, 3)}, z: f(), delta: f(), step: f()}, 0.5, 5}
	target := kerneltest.Sampled[[]float64]{Draw: wrong.Draw, Kernel: wrong, Stats: func(x []float64) []float64 { return []float64{quad(q, x)} }}
	if kerneltest.Invariant(target, kerneltest.Settings{Seed: 1, Replicates: 100_000, Steps: 3}) == nil {
		t.Error("a Gaussian's move kept a Student t")
	}
}
