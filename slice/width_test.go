package slice

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

// A first width wrong by 10⁶ either way is right after a short warm-up: on a normal target
// of sd 1, about 4 for stepping out and 8 for doubling, at which a step takes 4.8 and 6.8
// evaluations; jumps of 1000 steps put the width within a third of that.
func TestWidthIsLearnt(t *testing.T) {
	logp := targets[0].logp
	for _, c := range []struct {
		method Method
		want   float64
		evals  float64
	}{{SteppingOut, 4.2, 5.5}, {Doubling, 8.5, 7.5}} {
		for _, width := range []float64{1e-6, 1, 1e6} {
			r := rand.New(rand.NewPCG(1, 1))
			u := Univariate{Method: c.method, Width: width}
			x, fx := 0.3, logp(0.3)
			for range 1000 {
				x, fx, _ = u.Adapt1(r, x, fx, -inf, inf, logp)
			}
			if u.Width < c.want*2/3 || u.Width > c.want*3/2 {
				t.Errorf("method %d: width %v became %v, want about %v", c.method, width, u.Width, c.want)
			}
			sum, n := 0, 0
			for range 2000 {
				x, fx, n = u.Step1(r, x, fx, -inf, inf, logp)
				sum += n
			}
			if mean := float64(sum) / 2000; mean > c.evals {
				t.Errorf("method %d: %v evaluations a step, want at most %v", c.method, mean, c.evals)
			}
		}
	}
}

// A frozen sampler whose width was learnt leaves each target invariant.
func TestInvariantAfterWarmup(t *testing.T) {
	for _, target := range targets {
		for _, m := range []Method{SteppingOut, Doubling} {
			r := rand.New(rand.NewPCG(1, 1))
			u := Univariate{Method: m}
			x := target.draw(r)
			fx := target.logp(x)
			for range 300 {
				x, fx, _ = u.Adapt1(r, x, fx, target.lo, target.hi, target.logp)
			}
			if err := kerneltest.Invariant(target.sampled(&u), kerneltest.Settings{Replicates: 4000, Steps: 2}); err != nil {
				t.Errorf("%s, method %d: %v", target.name, m, err)
			}
		}
	}
}

// A sampler restored in the middle of its warm-up goes on bit for bit.
func TestMarshal(t *testing.T) {
	logp := targets[4].logp
	r := rand.New(rand.NewPCG(5, 5))
	var u Univariate
	x, fx := 0.0, logp(0)
	for range 37 {
		x, fx, _ = u.Adapt1(r, x, fx, -inf, inf, logp)
	}
	b, err := u.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var v Univariate
	if err := v.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	if v != u {
		t.Errorf("%+v became %+v", u, v)
	}
	for n := range b {
		if v.UnmarshalBinary(b[:n]) == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(b))
		}
	}
}

// What is learnt of jumps that are not numbers is nothing.
func TestLearnNothing(t *testing.T) {
	var u Univariate
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		u.Adapt1(r, math.NaN(), 0, -inf, inf, func(float64) float64 { return 0 })
		u.Adapt1(r, inf, 0, -inf, inf, func(float64) float64 { return 0 })
	}
	if w := u.width(); w != 1 {
		t.Errorf("width %v", w)
	}
}
