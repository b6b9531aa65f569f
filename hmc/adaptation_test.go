package hmc

import (
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// autoregression is a normal density in dim dimensions with standard deviations from 10⁻³ to 10³, whose neighbours have correlation 0.9.
type autoregression int

const (
	arCorrelation = 0.9
	arVariance    = 1 - arCorrelation*arCorrelation
)

func (dim autoregression) sd(i int) float64 {
	return math.Pow(10, -3+6*float64(i)/float64(dim-1))
}

func (dim autoregression) LogDensity(x []float64) float64 { return dim.Gradient(x, nil) }

func (dim autoregression) Gradient(x, grad []float64) float64 {
	sum, before := 0.0, 0.0
	clear(grad)
	for i, v := range x {
		z, variance := v/dim.sd(i), arVariance
		e := z - arCorrelation*before
		if i == 0 {
			e, variance = z, 1
		}
		sum -= e * e / variance / 2
		if grad != nil {
			grad[i] -= e / variance / dim.sd(i)
			if i > 0 {
				grad[i-1] += arCorrelation * e / variance / dim.sd(i-1)
			}
		}
		before = z
	}
	return sum
}

// adaptive are the ways to learn.
func adaptive() []Settings {
	return []Settings{{}, {Metric: Diagonal}, {Adaptation: Windows, Metric: Diagonal}, {Adaptation: Windows, Metric: Dense}}
}

// TestAdaptation samples a density whose scales span six orders of magnitude: means, standard deviations and a correlation must be
// within 6 Monte Carlo standard errors (false alarms below 10⁻⁶ over the 4 × 61 comparisons would need 6.2; the seed is fixed), and a metric that can
// learn correlations must make trajectories short.
func TestAdaptation(t *testing.T) {
	const dim = 20
	target := autoregression(dim)
	for _, set := range adaptive() {
		name := fmt.Sprintf("%v, %v", set.Adaptation, set.Metric)
		ms := mcmc.Settings{Seed: 1, Threads: 2}
		job, err := mcmc.NewPoints(mcmc.Points{Target: target, Dim: dim,
			Init: func(_ int, r *rand.Rand, x []float64) {
				for i := range x {
					x[i] = 4*r.Float64() - 2
				}
			},
			Move: func(int) (mcmc.Kernel[*mcmc.Point], error) { return NewNUTS(target, dim, set) }}, ms)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := mcmc.NewMemory(job.Variables(), ms)
		if err != nil {
			t.Fatal(err)
		}
		res, err := mcmc.Run(context.Background(), job, ms, rec, nil)
		if err != nil {
			t.Fatal(err)
		}
		compare := func(what string, chains [][]float64, want float64) {
			mean, n := 0.0, 0.0
			for _, c := range chains {
				for _, v := range c {
					mean, n = mean+v, n+1
				}
			}
			mean /= n
			if z := (mean - want) / diag.MCSEMean(chains); !(math.Abs(z) < 6.2) {
				t.Errorf("%s: %s is %v, want %v: %.1f standard errors", name, what, mean, want, z)
			}
		}
		scaled := make([][][]float64, dim)
		for i := range scaled {
			for c := range 4 {
				x := append([]float64(nil), rec.Draws().Chain(c, i)...)
				for k := range x {
					x[k] /= target.sd(i)
				}
				scaled[i] = append(scaled[i], x)
			}
			compare(fmt.Sprintf("mean %d", i), scaled[i], 0)
			compare(fmt.Sprintf("variance %d", i), products(scaled[i], scaled[i]), 1)
			if i > 0 {
				compare(fmt.Sprintf("correlation %d", i), products(scaled[i], scaled[i-1]), arCorrelation)
			}
		}
		steps := 0
		for c, chain := range res.Chains {
			for _, info := range rec.Infos(c) {
				steps += info.Evals
			}
			if !(chain.AcceptProb > 0.6 && chain.AcceptProb < 0.97) {
				t.Errorf("%s: chain %d accepts with probability %v, aimed at 0.8", name, c+1, chain.AcceptProb)
			}
		}
		if mean := float64(steps) / 4000; set.Metric == LowRank && mean > 8 {
			t.Errorf("%s: %v steps a trajectory; after the covariance is learnt a normal density needs 7", name, mean)
		}
	}
}

func products(a, b [][]float64) [][]float64 {
	all := make([][]float64, len(a))
	for c := range a {
		for i, v := range a[c] {
			all[c] = append(all[c], v*b[c][i])
		}
	}
	return all
}

// TestTuningMarshals takes each kernel away in the middle of its warm-up, every few steps: what comes back goes on byte for byte.
func TestTuningMarshals(t *testing.T) {
	target := targets()[0]
	for _, set := range adaptive() {
		whole, parted := sequence(t, target, set, 0), sequence(t, target, set, 7)
		if whole != parted {
			t.Errorf("%v, %v: a kernel that is marshalled every 7 steps goes another way", set.Adaptation, set.Metric)
		}
	}
}

// sequence is the way of a chain of 150 steps of warm-up and 50 more, with its step sizes; every so many steps the kernel is marshalled and made again.
func sequence(t *testing.T, target sampled, set Settings, every int) string {
	t.Helper()
	fresh := func() *NUTS {
		k, err := NewNUTS(target, target.dim, set)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	k, r := fresh(), rand.New(rand.NewPCG(1, 2))
	s := mcmc.NewPoint(target, make([]float64, target.dim))
	var way strings.Builder
	const warmup = 150
	for i := range warmup + 50 {
		if i == warmup {
			k.Freeze()
		}
		if i < warmup {
			k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: warmup})
		} else {
			k.Step(s, r)
		}
		if every > 0 && i%every == 0 {
			b, err := k.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			k = fresh()
			if err := k.UnmarshalBinary(b); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintln(&way, s.X, s.LogP, k.StepSize())
	}
	return way.String()
}

// TestGoldenDraws freezes the draws of a seed. The target's arithmetic is written so that no compiler fuses it.
func TestGoldenDraws(t *testing.T) {
	target := sampled{dim: 3, TargetFunc: func(x, g []float64) float64 {
		a, b := x[0], (x[1]-x[0])/0.5
		sum := float64(a*a) + float64(b*b) + float64(x[2]*x[2])/100
		if g != nil {
			g[0], g[1], g[2] = b/0.5-a, -b/0.5, -x[2]/100
		}
		return -sum / 2
	}}
	want := []string{"f1bbd425e3ac", "494fa5ecb846", "b6f1db63df37", "9ca67bdde421"}
	for i, set := range adaptive() {
		sum := sha256.Sum256([]byte(sequence(t, target, set, 0)))
		if got := hex.EncodeToString(sum[:6]); got != want[i] {
			t.Errorf("%v, %v: %s, want %s: a change of the draws of a seed is breaking", set.Adaptation, set.Metric, got, want[i])
		}
	}
}

func TestTuningOfOthersIsRefused(t *testing.T) {
	target := targets()[0]
	k, err := NewNUTS(target, 3, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewNUTS(TargetFunc(func(x, g []float64) float64 { return 0 }), 4, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := other.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range [][]byte{nil, []byte("x"), b} {
		if err := k.UnmarshalBinary(b); !errors.Is(err, tunings.ErrOther) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	target := targets()[0]
	for _, c := range []struct {
		set  Settings
		dim  int
		says string
	}{
		{Settings{}, 0, "length 0"},
		{Settings{Metric: 9}, 3, "metric 9"},
		{Settings{Metric: Dense}, 3, "dense metric is not learnt by Fisher"},
		{Settings{Adaptation: Windows}, 3, "low rank metric is not learnt by Windows"},
		{Settings{Adaptation: -1}, 3, "adaptation -1"},
		{Settings{Accept: 1}, 3, "probability 1"},
		{Settings{Accept: math.NaN()}, 3, "probability NaN"},
		{Settings{MaxDepth: 40}, 3, "MaxDepth is 40"},
		{Settings{StepSize: math.Inf(1)}, 3, "step size of +Inf"},
		{Settings{Scale: []float64{1}}, 3, "1 scales"},
		{Settings{Scale: []float64{1, 0, 1}}, 3, "scale 2 is 0"},
	} {
		if _, err := NewNUTS(target, c.dim, c.set); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.set, err, c.says)
		}
	}
	if _, err := NewNUTS(nil, 3, Settings{}); err == nil {
		t.Error("no target, no error")
	}
	if _, err := NewStatic(target, 3, StaticSettings{}); err == nil || !strings.Contains(err.Error(), "0 steps") {
		t.Error(err)
	}
}

// TestStartsWithoutGradient: where the gradient is no number a step says so and stays.
func TestStartsWithoutGradient(t *testing.T) {
	target := TargetFunc(func(x, g []float64) float64 {
		if g != nil {
			g[0] = math.NaN()
		}
		return 0
	})
	k, err := NewNUTS(target, 1, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	s := mcmc.NewPoint(target, []float64{1})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 100 {
		if info := k.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 100}); !info.Divergent || info.Accepted || s.X[0] != 1 {
			t.Fatalf("%+v at %v", info, s.X)
		}
	}
	k.Freeze()
	if info := k.Step(s, r); !info.Divergent {
		t.Error(info)
	}
}

func TestSchedule(t *testing.T) {
	// Stan's: windows end with iterations 100, 150, 250, 450, 950 of 1000.
	var ends []int
	for i := range 1000 {
		if stanSchedule(1000).ends(i) {
			ends = append(ends, i+1)
		}
	}
	if got := fmt.Sprint(ends); got != "[100 150 250 450 950]" {
		t.Error(got)
	}
	for total := range 300 {
		last := 0
		for i := range total {
			if stanSchedule(total).ends(i) {
				last = i + 1
			}
		}
		if total >= 20 && last != stanSchedule(total).Last {
			t.Errorf("of %d steps the last window ends with %d", total, last)
		}
	}
}

// A kernel without a warm-up finds a step size where it starts, keeps it, and marshals it. One with a step size keeps that.
func TestStepSizeWithoutWarmup(t *testing.T) {
	narrow := TargetFunc(func(x, g []float64) float64 { // N(0, 10⁻⁸), where the step size 1 diverges
		for i, v := range x {
			if g != nil {
				g[i] = -1e8 * v
			}
		}
		return -0.5e8 * dot(x, x)
	})
	for _, name := range []string{"NUTS", "static"} {
		build := func(eps float64) mcmc.Adapter[*mcmc.Point] {
			var k mcmc.Adapter[*mcmc.Point]
			var err error
			if name == "NUTS" {
				k, err = NewNUTS(narrow, 3, Settings{StepSize: eps, Metric: Unit})
			} else {
				k, err = NewStatic(narrow, 3, StaticSettings{Settings: Settings{StepSize: eps, Metric: Unit}, Steps: 3})
			}
			if err != nil {
				t.Fatal(err)
			}
			k.Freeze()
			return k
		}
		r, s := rand.New(rand.NewPCG(1, 2)), mcmc.NewPoint(narrow, []float64{1e-4, 0, 0})
		k := build(0)
		size := func(k mcmc.Kernel[*mcmc.Point]) float64 { x, _ := k.(mcmc.Teller).Statistic("step_size"); return x }
		moved := 0
		for range 100 {
			info := k.Step(s, r)
			if info.Divergent {
				t.Fatalf("%s: a step diverges with the step size %g", name, size(k))
			}
			if info.Accepted {
				moved++
			}
		}
		// Stable below 2·10⁻⁴, and accepted with a probability of 0.8 for about 10⁻⁴.
		if eps := size(k); eps < 2e-5 || eps > 2e-4 || moved < 50 {
			t.Errorf("%s: %d of 100 steps of size %g moved", name, moved, eps)
		}
		b, err := k.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		other := build(0)
		if err := other.(encoding.BinaryUnmarshaler).UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		x := mcmc.NewPoint(narrow, s.X)
		r1, r2 := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
		for range 10 {
			k.Step(s, r1)
			other.Step(x, r2)
		}
		if !slices.Equal(s.X, x.X) || size(other) != size(k) {
			t.Errorf("%s: after it was marshalled it goes to %v, not %v", name, x.X, s.X)
		}
		if given := build(1e-5); given.Step(s, r).Divergent || size(given) != 1e-5 {
			t.Errorf("%s: the step size 1e-5 that was given is %g", name, size(given))
		}
	}
}
