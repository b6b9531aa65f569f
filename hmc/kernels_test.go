package hmc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// sampled is a target with exact draws.
type sampled struct {
	name string
	dim  int
	TargetFunc
	draw func(r *rand.Rand, x []float64)
}

// targets are densities that can be drawn exactly, each awkward in its way.
func targets() []sampled {
	return []sampled{
		{"correlated normal", 3, func(x, g []float64) float64 {
			// x₀ ~ N(1, 1), x₁ ~ N(0.9 x₀, 0.2²), x₂ ~ N(x₁ − x₀, 1).
			a, b, c := x[0]-1, (x[1]-0.9*x[0])/0.2, x[2]-x[1]+x[0]
			if g != nil {
				g[0], g[1], g[2] = -a+0.9*b/0.2-c, -b/0.2+c, -c
			}
			return -(a*a + b*b + c*c) / 2
		}, func(r *rand.Rand, x []float64) {
			x[0] = 1 + dist.StdNormal(r)
			x[1] = 0.9*x[0] + 0.2*dist.StdNormal(r)
			x[2] = x[1] - x[0] + dist.StdNormal(r)
		}},
		{"banana", 2, func(x, g []float64) float64 {
			a, b := x[0], (x[1]-x[0]*x[0])/0.5
			if g != nil {
				g[0], g[1] = -a+2*x[0]*b/0.5, -b/0.5
			}
			return -(a*a + b*b) / 2
		}, func(r *rand.Rand, x []float64) {
			x[0] = dist.StdNormal(r)
			x[1] = x[0]*x[0] + 0.5*dist.StdNormal(r)
		}},
		{"funnel", 2, func(x, g []float64) float64 {
			v := math.Exp(-x[0])
			if g != nil {
				g[0], g[1] = -x[0]-0.5+x[1]*x[1]*v/2, -x[1]*v
			}
			return -x[0]*x[0]/2 - x[0]/2 - x[1]*x[1]*v/2
		}, func(r *rand.Rand, x []float64) {
			x[0] = dist.StdNormal(r)
			x[1] = math.Exp(x[0]/2) * dist.StdNormal(r)
		}},
		// A density that ends: what the integrator meets beyond is zero.
		{"exponential", 1, func(x, g []float64) float64 {
			if x[0] < 0 {
				return math.Inf(-1)
			}
			if g != nil {
				g[0] = -1
			}
			return -x[0]
		}, func(r *rand.Rand, x []float64) { x[0] = r.ExpFloat64() }},
		// Tails so heavy that they have no variance.
		{"Student's t, 2 degrees", 2, func(x, g []float64) float64 {
			sum := 0.0
			for i, v := range x {
				sum -= 1.5 * math.Log1p(v*v/2)
				if g != nil {
					g[i] = -1.5 * v / (1 + v*v/2)
				}
			}
			return sum
		}, func(r *rand.Rand, x []float64) {
			for i := range x {
				x[i] = dist.StdNormal(r) / math.Sqrt(r.ExpFloat64())
			}
		}},
		// Not a number in a part of the space of density zero, and a gradient of zero.
		{"uniform", 1, func(x, g []float64) float64 {
			if math.Abs(x[0]) > 1 {
				return math.NaN()
			}
			if g != nil {
				g[0] = 0
			}
			return 0
		}, func(r *rand.Rand, x []float64) { x[0] = 2*r.Float64() - 1 }},
	}
}

// metrics are inverse mass matrices of every form, none of them that of a target.
func metrics(dim int) []scaling {
	unit := unitScaling(dim)
	diagonal, dense, ranked := unitScaling(dim), unitScaling(dim), unitScaling(dim)
	dense.Lower = make([]float64, dim*dim)
	u := make([]float64, dim)
	for i := range dim {
		diagonal.Scale[i] = 0.5 + float64(i)
		ranked.Scale[i] = 1 / (1 + float64(i))
		u[i] = 1 / math.Sqrt(float64(dim))
		for j := range i + 1 {
			dense.Lower[i+j*dim] = 0.3
		}
		dense.Lower[i+i*dim] = 1 - 0.2*float64(i)
	}
	ranked.Vectors, ranked.Stretch = u, []float64{2.5}
	return []scaling{unit, diagonal, dense, ranked}
}

// kernel is one under test, with its sampler.
type kernel struct {
	name string
	mcmc.Kernel[*mcmc.Point]
	*sampler
}

func kernels(t *testing.T, target Target, dim int, eps float64) []kernel {
	t.Helper()
	set := Settings{StepSize: eps, MaxDepth: 4}
	nuts, err := NewNUTS(target, dim, set)
	if err != nil {
		t.Fatal(err)
	}
	all := []kernel{{"NUTS", nuts, &nuts.sampler}}
	halvings := 12
	if eps > 1 { // steps this long are divided often, and often cannot be taken back
		halvings = 3
	}
	walnuts, err := NewWALNUTS(target, dim, WALNUTSSettings{set, 0.3, halvings})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, kernel{"WALNUTS", walnuts, &walnuts.sampler})
	chees, err := NewChEES(target, dim, ChEESSettings{set, 6 * eps})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, kernel{"ChEES", chees, &chees.sampler})
	for _, s := range []StaticSettings{{set, 1, false}, {set, 5, false}, {set, 5, true}} {
		k, err := NewStatic(target, dim, s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, kernel{fmt.Sprintf("static %d %v", s.Steps, s.Random), k, &k.sampler})
	}
	return all
}

// TestKernelsLeaveTargetsInvariant compares exact draws after six steps with fresh ones: 6 targets × 4 metrics × 6 kernels, with steps so long
// that energies are far from kept: weights differ along trajectories, which turn, are rejected and diverge. The probability of a false
// alarm is 10⁻⁶/144 each.
func TestKernelsLeaveTargetsInvariant(t *testing.T) {
	for _, target := range targets() {
		t.Run(target.name, func(t *testing.T) {
			t.Parallel()
			for m, metric := range metrics(target.dim) {
				for _, k := range kernels(t, target, target.dim, 1.3) {
					replicates := 8000
					if m == 0 && (k.name == "NUTS" || k.name == "WALNUTS" || k.name == "static 5 true") {
						replicates = 120_000 // which shows a temperature of 0.9 in place of 1
					}
					k.tuning.Scaling = metric
					k.renew()
					err := kerneltest.Invariant(kerneltest.Sampled[*mcmc.Point]{
						Draw: func(r *rand.Rand) *mcmc.Point {
							x := make([]float64, target.dim)
							target.draw(r, x)
							return mcmc.NewPoint(target, x)
						},
						Kernel: k.Kernel,
						Stats: func(s *mcmc.Point) []float64 {
							stats := append([]float64(nil), s.X...)
							sum := 0.0
							for i, v := range s.X {
								stats = append(stats, v*s.X[0])
								sum += v * float64(1+i%2)
							}
							return append(stats, sum, s.LogP)
						},
						Check: func(s *mcmc.Point) error {
							if want := target.LogDensity(s.X); s.LogP != want {
								return fmt.Errorf("the log density is said to be %v at %v, and is %v", s.LogP, s.X, want)
							}
							return nil
						},
					}, kerneltest.Settings{Seed: uint64(m + 1), Steps: 6, Replicates: replicates, Alpha: 1e-6 / 144})
					if err != nil {
						t.Errorf("%s, metric %d: %v", k.name, m, err)
					}
				}
			}
		})
	}
}

// TestKernelsConverge starts far off and compares with exact draws after the tuning of a short warm-up.
func TestKernelsConverge(t *testing.T) {
	target := targets()[0]
	for _, k := range kernels(t, target, target.dim, 0.25) {
		if k.name == "static 1 false" {
			continue // needs more steps than a test has time for
		}
		err := kerneltest.Converges(kerneltest.Sampled[*mcmc.Point]{
			Draw: func(r *rand.Rand) *mcmc.Point {
				x := make([]float64, target.dim)
				target.draw(r, x)
				return mcmc.NewPoint(target, x)
			},
			Kernel: k.Kernel,
			Stats:  func(s *mcmc.Point) []float64 { return append([]float64{s.X[0] * s.X[1]}, s.X...) },
		}, func(*rand.Rand) *mcmc.Point { return mcmc.NewPoint(target, []float64{-3, 3, 3}) },
			kerneltest.Settings{Seed: 1, Steps: 150, Replicates: 2000})
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}

// TestStepsAllocateNothing holds both kernels and all metrics to it.
func TestStepsAllocateNothing(t *testing.T) {
	target := targets()[0]
	for m, metric := range metrics(target.dim) {
		for _, k := range kernels(t, target, target.dim, 0.2) {
			k.tuning.Scaling = metric
			k.renew()
			s := mcmc.NewPoint(target, []float64{1, 1, 0})
			r := rand.New(rand.NewPCG(1, 2))
			if n := testing.AllocsPerRun(100, func() { k.Step(s, r) }); n != 0 {
				t.Errorf("%s, metric %d: %v allocations a step", k.name, m, n)
			}
		}
	}
}
