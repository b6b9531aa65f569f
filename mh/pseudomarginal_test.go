package mh

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// blurred is a law whose density is known up to log-normal noise of mean 1.
type blurred struct {
	law
	sd float64
}

func (b blurred) LogEstimate(x []float64, r *rand.Rand) float64 {
	return b.logp(x) + b.sd*dist.StdNormal(r) - b.sd*b.sd/2
}

// sampled is the law together with its estimates: where a chain with the estimate of log
// error e is found has density π(x) exp(e) p(e), which for p = N(−σ²/2, σ²) is N(σ²/2, σ²).
func (b blurred) sampled(k mcmc.Kernel[*mcmc.State[vector]]) kerneltest.Sampled[*mcmc.State[vector]] {
	return kerneltest.Sampled[*mcmc.State[vector]]{
		Draw: func(r *rand.Rand) *mcmc.State[vector] {
			x := make([]float64, b.dim)
			b.draw(x, r)
			return &mcmc.State[vector]{X: x, LogP: b.logp(x) + b.sd*r.NormFloat64() + b.sd*b.sd/2}
		},
		Kernel: k,
		Stats: func(s *mcmc.State[vector]) []float64 {
			return append([]float64{s.LogP - b.logp(s.X)}, s.X...)
		},
	}
}

// forgetful estimates the density of the state anew at each step.
type forgetful struct {
	*PseudoMarginal[vector]
	b blurred
}

func (k forgetful) Step(s *mcmc.State[vector], r *rand.Rand) mcmc.Info {
	s.LogP = k.b.LogEstimate(s.X, r)
	return k.PseudoMarginal.Step(s, r)
}

func TestPseudoMarginal(t *testing.T) {
	for _, l := range []law{laws[1], laws[3]} {
		b := blurred{l, 1.2}
		k := must(NewPseudoMarginal(b, Move[vector](newWalk(l.dim, WalkSettings{}))))
		r := newRand(1)
		start := func(r *rand.Rand) *mcmc.State[vector] {
			x := make([]float64, l.dim)
			x[0] = 0.2
			return NewEstimatedState(b, x, r)
		}
		s := start(r)
		for i := range 2000 {
			k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 2000})
		}
		if err := kerneltest.Invariant(b.sampled(k), kerneltest.Settings{Steps: 5}); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		if err := kerneltest.Converges(b.sampled(k), start, kerneltest.Settings{Steps: 500, Replicates: 1000}); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		wrong := b.sampled(forgetful{k, b})
		wrong.Stats = func(s *mcmc.State[vector]) []float64 { return s.X }
		if kerneltest.Invariant(wrong, kerneltest.Settings{Steps: 5}) == nil {
			t.Errorf("%s: estimating anew is not noticed", l.name)
		}
		if n := testing.AllocsPerRun(200, func() { k.Step(s, r) }); n != 0 {
			t.Errorf("%s: %v allocations a step", l.name, n)
		}
	}
	if _, err := NewPseudoMarginal[vector](nil, nil); err == nil {
		t.Error("no target is accepted")
	}
}

// An estimate of zero, or one that is NaN, is rejected and the state keeps its own.
func TestPseudoMarginalNaN(t *testing.T) {
	bad := blurred{law{logp: func([]float64) float64 { return math.NaN() }, dim: 1}, 1}
	k := must(NewPseudoMarginal(bad, Move[vector](newWalk(1, WalkSettings{}))))
	s := &mcmc.State[vector]{X: []float64{1}, LogP: -3}
	if info := k.Step(s, newRand(1)); info.Accepted || !info.Divergent || s.LogP != -3 || s.X[0] != 1 {
		t.Errorf("a step to NaN: %+v, state %+v", info, s)
	}
}
