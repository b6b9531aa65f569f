package slice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

func box(t *testing.T, d density, widths, lower, upper []float64) *Hyperrectangle {
	t.Helper()
	h, err := NewHyperrectangle(d, widths, lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// boxes are boxes for the wedge, too small, too large, uneven, and cut at the support.
func boxes(t *testing.T) []*Hyperrectangle {
	return []*Hyperrectangle{
		box(t, wedge, []float64{3, 3}, nil, nil),
		box(t, wedge, []float64{0.3, 0.3}, nil, nil),
		box(t, wedge, []float64{1e6, 40}, nil, nil),
		box(t, wedge, []float64{0.5, 100}, []float64{0, -inf}, nil),
		box(t, wedge, []float64{4, 4}, []float64{0, -inf}, []float64{inf, inf}),
	}
}

func TestHyperrectangle(t *testing.T) {
	for _, h := range boxes(t) {
		target := kerneltest.Sampled[*mcmc.Point]{Draw: drawWedge, Kernel: h, Stats: second, Check: current(wedge)}
		if err := kerneltest.Invariant(target, kerneltest.Settings{Steps: 3}); err != nil {
			t.Errorf("widths %v: %v", h.Widths(), err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		s := drawWedge(r)
		for i := range 300 {
			h.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 300})
		}
		h.Freeze()
		if err := kerneltest.Invariant(target, kerneltest.Settings{Steps: 3}); err != nil {
			t.Errorf("widths %v, learnt: %v", h.Widths(), err)
		}
		far := func(*rand.Rand) *mcmc.Point { return mcmc.NewPoint(density(wedge), []float64{20, -5}) }
		if err := kerneltest.Converges(target, far, kerneltest.Settings{Steps: 400, Replicates: 3000}); err != nil {
			t.Errorf("widths %v, learnt: %v", h.Widths(), err)
		}
		if h.Exhausted > 0 {
			t.Errorf("widths %v: gave up %d times", h.Widths(), h.Exhausted)
		}
	}
}

// A univariate target in one dimension, poles and two modes included.
func TestHyperrectangleOneDimension(t *testing.T) {
	for _, target := range targets {
		d := density(func(x []float64) float64 { return target.logp(x[0]) })
		h := box(t, d, []float64{4}, []float64{target.lo}, []float64{target.hi})
		err := kerneltest.Invariant(kerneltest.Sampled[*mcmc.Point]{
			Draw:   func(r *rand.Rand) *mcmc.Point { return mcmc.NewPoint(d, []float64{target.draw(r)}) },
			Kernel: h,
			Stats:  func(s *mcmc.Point) []float64 { return s.X },
			Check:  current(d),
		}, kerneltest.Settings{Steps: 3})
		if err != nil {
			t.Errorf("%s: %v", target.name, err)
		}
	}
}

// A box that always has the point in its middle is wrong, because the way back has another
// box, and the suite sees it on a normal target.
func TestHyperrectangleCentred(t *testing.T) {
	d := density(func(x []float64) float64 { return targets[0].logp(x[0]) })
	err := kerneltest.Invariant(kerneltest.Sampled[*mcmc.Point]{
		Draw:   func(r *rand.Rand) *mcmc.Point { return mcmc.NewPoint(d, []float64{r.NormFloat64()}) },
		Kernel: centred{box(t, d, []float64{2}, nil, nil)},
		Stats:  func(s *mcmc.Point) []float64 { return s.X },
	}, kerneltest.Settings{Steps: 20})
	if err == nil {
		t.Error("a box in a wrong place leaves the target invariant")
	}
}

type centred struct{ h *Hyperrectangle }

func (k centred) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	level := s.LogP - dist.StdExp(r)
	k.h.left[0], k.h.right[0] = s.X[0]-1, s.X[0]+1
	for {
		k.h.proposal[0] = between(k.h.left[0], k.h.right[0], r.Float64())
		if f := k.h.target.LogDensity(k.h.proposal); f > level {
			s.X[0], s.LogP = k.h.proposal[0], f
			return mcmc.Info{}
		}
		k.h.shrink(s.X)
	}
}

// Widths wrong by 10⁶ either way, or uneven by 10⁸, are right after a warm-up of 1000: on
// five normal coordinates of sds 1 and 100 about 2.8 sds (from runs of 5000), within a half, and
// a step then takes about 2.8 evaluations.
func TestBoxIsLearnt(t *testing.T) {
	sd := []float64{1, 100, 1, 1, 100}
	d := density(func(x []float64) float64 {
		f := 0.0
		for i, v := range x {
			f -= v / sd[i] * v / sd[i] / 2
		}
		return f
	})
	for _, widths := range [][]float64{{1, 1, 1, 1, 1}, {1e-6, 1e-6, 1e-6, 1e-6, 1e-6}, {1e8, 1e8, 1e8, 1e8, 1e8}, {1e-4, 1e-4, 1e4, 1, 1}} {
		h := box(t, d, widths, nil, nil)
		r := rand.New(rand.NewPCG(1, 1))
		s := mcmc.NewPoint(d, []float64{1, 100, -1, 0, -100})
		for i := range 1000 {
			h.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 1000})
		}
		for i, w := range h.Widths() {
			if w < 2.8*sd[i]/1.5 || w > 2.8*sd[i]*1.5 {
				t.Errorf("widths %v became %v", widths, h.Widths())
				break
			}
		}
		evals := 0
		for range 2000 {
			evals += h.Step(s, r).Evals
		}
		if mean := float64(evals) / 2000; mean > 3.5 {
			t.Errorf("widths %v: %v evaluations a step", widths, mean)
		}
	}
}

// A run that is interrupted in its warm-up and resumed has the draws of one that is not.
func TestHyperrectangleResumes(t *testing.T) {
	for _, at := range []int{5, 100, 180, 250} { // steps of the first chain
		set := mcmc.Settings{Seed: 2, Chains: 2, Warmup: 200, Draws: 100, Threads: 1}
		job := func(target mcmc.Target) *mcmc.PointsJob {
			j, err := mcmc.NewPoints(mcmc.Points{
				Target: target, Dim: 2,
				Init: func(_ int, r *rand.Rand, x []float64) { x[0], x[1] = r.Float64(), r.Float64() },
				Move: func(int) (mcmc.Kernel[*mcmc.Point], error) {
					return NewHyperrectangle(target, []float64{0.1, 9}, []float64{0, -inf}, nil)
				},
			}, set)
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		run := func(ctx context.Context, target mcmc.Target, rec *mcmc.Memory) error {
			_, err := mcmc.Run(ctx, job(target), set, rec, nil)
			return err
		}
		memory := func() *mcmc.Memory {
			m, err := mcmc.NewMemory(job(density(wedge)).Variables(), set)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		want, got := memory(), memory()
		if err := run(context.Background(), density(wedge), want); err != nil {
			t.Fatal(err)
		}
		set.Dir = t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		left := 3 * at
		stopping := density(func(x []float64) float64 {
			if left--; left == 0 {
				cancel()
			}
			return wedge(x)
		})
		if err := run(ctx, stopping, got); !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatal(err)
		}
		set.Resume, set.Threads = true, 2
		if err := run(context.Background(), density(wedge), got); err != nil {
			t.Fatal(err)
		}
		for c := range set.Chains {
			for e := range 2 {
				if !reflect.DeepEqual(got.Draws().Chain(c, e), want.Draws().Chain(c, e)) {
					t.Errorf("interrupted at %d: coordinate %d of chain %d differs", at, e, c)
				}
			}
		}
	}
}

func TestHyperrectangleMarshal(t *testing.T) {
	h := box(t, wedge, []float64{1, 2}, nil, nil)
	r := rand.New(rand.NewPCG(3, 3))
	s := drawWedge(r)
	for i := range 50 {
		h.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 50})
	}
	b, err := h.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	l := box(t, wedge, []float64{1, 2}, nil, nil)
	if err := l.UnmarshalBinary(b); err != nil || !reflect.DeepEqual(l.tune.shape.coords, h.tune.shape.coords) || l.tune.jumps != h.tune.jumps || l.tune.n != h.tune.n || !reflect.DeepEqual(l.Widths(), h.Widths()) {
		t.Errorf("%+v became %+v: %v", h, l, err)
	}
	for n := range b {
		if l.UnmarshalBinary(b[:n]) == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(b))
		}
	}
}

// Whatever the density does, a step ends, stays on the support and gives the log density of
// where it is; a start off the support comes to it.
func TestHyperrectangleStrange(t *testing.T) {
	densities := map[string]density{
		"NaN":      func([]float64) float64 { return math.NaN() },
		"zero":     func([]float64) float64 { return -inf },
		"infinite": func([]float64) float64 { return inf },
		"flat":     func([]float64) float64 { return 0 },
		"growing":  func(x []float64) float64 { return x[0] + x[1] },
		"spike":    func(x []float64) float64 { return -1e300 * (math.Abs(x[0]) + math.Abs(x[1]-1)) },
	}
	r := rand.New(rand.NewPCG(4, 4))
	for name, d := range densities {
		for _, w := range []float64{1, 1e300, 1e-300} {
			h := box(t, d, []float64{w, 1}, []float64{-1, -inf}, []float64{1e308, inf})
			for _, x := range [][]float64{{0, 1}, {1e308, -1e308}, {-1, 0}, {0, math.MaxFloat64}, {-5, 0}} {
				s := mcmc.NewPoint(d, x)
				for i := range 20 {
					h.Adapt(s, r, mcmc.Warmup{Iteration: i, Total: 20})
					if f := d(s.X); f != s.LogP && !(math.IsNaN(f) && math.IsNaN(s.LogP)) {
						t.Fatalf("%s: at %v the log density is given as %v", name, s.X, s.LogP)
					}
				}
				if (name == "flat" || name == "growing") && x[0] >= -1 && (s.X[0] < -1 || s.X[0] > 1e308) {
					t.Errorf("%s, width %v: from %v it went to %v", name, w, x, s.X)
				}
			}
			if s := mcmc.NewPoint(d, []float64{math.NaN(), inf}); h.Step(s, r).Evals > maxShrink {
				t.Errorf("%s: a start that is no place at all is searched for ever", name)
			}
		}
	}
}

func TestHyperrectangleRefuses(t *testing.T) {
	nan := math.NaN()
	for _, bad := range []struct {
		widths, lower, upper []float64
		want                 string
	}{
		{nil, nil, nil, "0 widths"},
		{[]float64{1, 0}, nil, nil, "width 2 of the box is 0"},
		{[]float64{nan, 1}, nil, nil, "width 1 of the box is NaN"},
		{[]float64{1, inf}, nil, nil, "width 2 of the box is +Inf"},
		{[]float64{1, 1}, []float64{0}, nil, "1 lower and 0 upper"},
		{[]float64{1, 1}, nil, []float64{0, 1, 2}, "0 lower and 3 upper"},
		{[]float64{1, 1}, []float64{0, 3}, []float64{1, 3}, "coordinate 2"},
		{[]float64{1, 1}, []float64{nan, 3}, nil, "coordinate 1"},
		{[]float64{1, 1}, []float64{0, inf}, nil, "coordinate 2"},
	} {
		if _, err := NewHyperrectangle(density(wedge), bad.widths, bad.lower, bad.upper); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%+v: got %v, want an error with %q", bad, err, bad.want)
		}
	}
	if _, err := NewHyperrectangle(nil, []float64{1}, nil, nil); err == nil {
		t.Error("no target is accepted")
	}
}

func TestHyperrectangleAllocations(t *testing.T) {
	h := box(t, wedge, []float64{1, 1}, nil, nil)
	r := rand.New(rand.NewPCG(5, 5))
	s := drawWedge(r)
	if n := testing.AllocsPerRun(100, func() { h.Adapt(s, r, mcmc.Warmup{}) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}
