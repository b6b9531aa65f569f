package slice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// target is a univariate target with an exact sampler.
type target struct {
	name   string
	lo, hi float64
	logp   func(x float64) float64
	draw   func(r *rand.Rand) float64
}

var inf = math.Inf(1)

// targets have light and heavy tails, poles at the ends of the support, two modes.
var targets = []target{
	{"normal", -inf, inf,
		func(x float64) float64 { return -x * x / 2 },
		func(r *rand.Rand) float64 { return r.NormFloat64() }},
	{"Cauchy", -inf, inf,
		func(x float64) float64 { return -math.Log1p(x * x) },
		func(r *rand.Rand) float64 { return math.Tan(math.Pi * (r.Float64() - 0.5)) }},
	{"gamma with a pole at 0", 0, inf,
		func(x float64) float64 { return -0.6*math.Log(x) - x },
		func(r *rand.Rand) float64 { return dist.Gamma(r, 0.4, 1) }},
	{"arcsine, poles at both ends", 0, 1,
		func(x float64) float64 { return -0.5*math.Log(x) - 0.5*math.Log1p(-x) },
		func(r *rand.Rand) float64 { s := math.Sin(math.Pi / 2 * r.Float64()); return s * s }},
	{"two modes", -inf, inf,
		func(x float64) float64 {
			return math.Log(0.3*math.Exp(-(x+3)*(x+3)/2) + 0.7*math.Exp(-(x-3)*(x-3)/2))
		},
		func(r *rand.Rand) float64 {
			m := 3.0
			if r.Float64() < 0.3 {
				m = -3
			}
			return m + r.NormFloat64()
		}},
	{"uniform", -2, 5,
		func(x float64) float64 { return 1 },
		func(r *rand.Rand) float64 { return 7*r.Float64() - 2 }},
}

// place is the state of these tests.
type place struct{ x, fx float64 }

// mover is the univariate sampler as a kernel.
type mover struct {
	u      *Univariate
	lo, hi float64
	logp   func(float64) float64
}

func (m mover) Step(s *place, r *rand.Rand) mcmc.Info {
	s.x, s.fx, _ = m.u.Step1(r, s.x, s.fx, m.lo, m.hi, m.logp)
	return mcmc.Info{}
}

func (t target) sampled(u *Univariate) kerneltest.Sampled[*place] {
	return kerneltest.Sampled[*place]{
		Draw: func(r *rand.Rand) *place {
			x := t.draw(r)
			return &place{x, t.logp(x)}
		},
		Kernel: mover{u, t.lo, t.hi, t.logp},
		Stats:  func(s *place) []float64 { return []float64{s.x} },
		Check: func(s *place) error {
			if s.fx != t.logp(s.x) {
				return fmt.Errorf("at %v the log density is given as %v and is %v", s.x, s.fx, t.logp(s.x))
			}
			return nil
		},
	}
}

// Each combination of target, method and width, too small and too large, with limits that
// bind and that do not, leaves the target invariant. kerneltest's false-alarm rate is 1e-6 each.
func TestInvariant(t *testing.T) {
	for _, target := range targets {
		for _, u := range []Univariate{
			{},
			{Width: 0.1},
			{Width: 0.1, MaxSteps: 4},
			{Width: 50},
			{Method: Doubling},
			{Method: Doubling, Width: 0.1},
			{Method: Doubling, Width: 0.1, MaxSteps: 3},
			{Method: Doubling, Width: 50},
		} {
			err := kerneltest.Invariant(target.sampled(&u), kerneltest.Settings{Replicates: 4000, Steps: 3})
			if err != nil {
				t.Errorf("%s, %+v: %v", target.name, u, err)
			}
			if u.Exhausted > 0 {
				t.Errorf("%s, %+v: gave up %d times", target.name, u, u.Exhausted)
			}
		}
	}
}

// From one start far off, the sampler comes to all of the target.
func TestConverges(t *testing.T) {
	for _, target := range targets {
		for _, m := range []Method{SteppingOut, Doubling} {
			start := func(*rand.Rand) *place { return &place{0.9, target.logp(0.9)} }
			u := &Univariate{Width: 4, Method: m}
			if err := kerneltest.Converges(target.sampled(u), start, kerneltest.Settings{Replicates: 2000, Steps: 150}); err != nil {
				t.Errorf("%s, method %d: %v", target.name, m, err)
			}
		}
	}
}

// integers is a finite target over the whole numbers from lo, with states of zero
// probability and a gap.
func integers(u *Univariate, lo float64, logw []float64) kerneltest.Finite[*place] {
	logp := func(x float64) float64 {
		if x != math.Floor(x) {
			panic("a density over integers was asked between them")
		}
		return logw[int(x-lo)]
	}
	return kerneltest.Finite[*place]{
		LogWeight: logw,
		State:     func(i int) *place { return &place{lo + float64(i), logw[i]} },
		Index:     func(s *place) int { return int(s.x - lo) },
		Kernel:    mover{u, lo, lo + float64(len(logw)-1), logp},
		Check: func(s *place) error {
			if s.fx != logp(s.x) {
				return fmt.Errorf("at %v the log density is given as %v", s.x, s.fx)
			}
			return nil
		},
	}
}

func TestIntegers(t *testing.T) {
	logw := []float64{0, 1.5, -1, math.Inf(-1), 0.5, 2, 1, -3, 0}
	for _, lo := range []float64{0, -5, 1e6} {
		for _, u := range []Univariate{
			{Integer: true},
			{Integer: true, Width: 4},
			{Integer: true, Width: 0.3, MaxSteps: 5},
			{Integer: true, Method: Doubling},
			{Integer: true, Method: Doubling, Width: 3, MaxSteps: 1},
		} {
			f := integers(&u, lo, logw)
			if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
				t.Errorf("from %v, %+v: %v", lo, u, err)
			}
			if err := kerneltest.DetailedBalance(f, kerneltest.Settings{}); err != nil {
				t.Errorf("from %v, %+v: %v", lo, u, err)
			}
		}
		f := integers(&Univariate{Integer: true, Width: 4}, lo, logw)
		if err := kerneltest.Reaches(f, 7, kerneltest.Settings{Replicates: 3000, Steps: 100}); err != nil {
			t.Error(err)
		}
	}
}

// An integer variable of unbounded support: Poisson(3.7), states beyond 19 together.
func TestPoisson(t *testing.T) {
	const lambda, last = 3.7, 19
	logp := func(x float64) float64 {
		l, _ := math.Lgamma(x + 1)
		return x*math.Log(lambda) - lambda - l
	}
	logw, rest := make([]float64, last+2), 1.0
	for i := range last + 1 {
		logw[i] = logp(float64(i))
		rest -= math.Exp(logw[i])
	}
	logw[last+1] = math.Log(rest)
	for _, m := range []Method{SteppingOut, Doubling} {
		u := &Univariate{Integer: true, Method: m}
		err := kerneltest.Reaches(kerneltest.Finite[*place]{
			LogWeight: logw,
			State:     func(i int) *place { return &place{float64(i), logp(float64(i))} },
			Index:     func(s *place) int { return min(int(s.x), last+1) },
			Kernel:    mover{u, 0, inf, logp},
		}, 15, kerneltest.Settings{Steps: 40, Replicates: 5000})
		if err != nil {
			t.Errorf("method %d: %v", m, err)
		}
	}
}

// Whatever the density does, a step ends soon, stays on the support and returns the log
// density of where it is.
func TestStrangeDensities(t *testing.T) {
	calls := 0
	densities := map[string]func(x float64) float64{
		"NaN":             func(float64) float64 { return math.NaN() },
		"zero":            func(float64) float64 { return -inf },
		"infinite":        func(float64) float64 { return inf },
		"flat":            func(float64) float64 { return 0 },
		"growing":         func(x float64) float64 { return x },
		"growing fast":    func(x float64) float64 { return x * math.Abs(x) },
		"one point":       func(x float64) float64 { return -inf * math.Abs(x-1) },
		"spike":           func(x float64) float64 { return -1e300 * math.Abs(x-1) },
		"NaN to the left": func(x float64) float64 { return math.Sqrt(x) },
		"another each time": func(x float64) float64 {
			calls++
			return float64(calls%7) * -10
		},
	}
	r := rand.New(rand.NewPCG(1, 1))
	for name, logp := range densities {
		for _, u := range []Univariate{{}, {Method: Doubling}, {Width: 1e300}, {Width: 1e-300}, {Integer: true}, {Width: inf, Method: Doubling, MaxSteps: 1000}, {Width: math.NaN()}} {
			for _, b := range [][2]float64{{-inf, inf}, {0, inf}, {-1, 1}, {1, 1}, {-math.MaxFloat64, math.MaxFloat64}} {
				for _, x := range []float64{1, 0, -1, 1e15, -1e300, math.MaxFloat64} {
					x = math.Floor(min(max(x, b[0]), b[1]))
					fx := logp(x)
					for range 3 {
						x1, f1, evals := u.Step1(r, x, fx, b[0], b[1], logp)
						if !(x1 >= b[0] && x1 <= b[1]) {
							t.Fatalf("%s, %+v: from %v it went to %v, off [%v, %v]", name, u, x, x1, b[0], b[1])
						}
						if evals > 3000 {
							t.Errorf("%s, %+v: %d evaluations from %v", name, u, evals, x)
						}
						if calls == 0 && f1 != logp(x1) && !(math.IsNaN(f1) && math.IsNaN(logp(x1))) {
							t.Errorf("%s, %+v: at %v the log density is given as %v and is %v", name, u, x1, f1, logp(x1))
						}
						if u.Integer && x1 != math.Floor(x1) {
							t.Errorf("%s: an integer became %v", name, x1)
						}
						x, fx = x1, f1
					}
				}
			}
		}
		calls = 0
	}
}

// From a point of zero or undefined density the sampler finds its way.
func TestBadStart(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	logp := func(x float64) float64 {
		if x < 0 {
			return math.NaN()
		}
		return -x
	}
	for _, fx := range []float64{math.NaN(), -inf, inf} {
		for _, u := range []Univariate{{Width: 4}, {Width: 4, Method: Doubling}, {Width: 4, Integer: true}} {
			x, f := -1.0, fx
			for range 50 {
				x, f, _ = u.Step1(r, x, f, -inf, inf, logp)
			}
			if x < 0 || f != -x {
				t.Errorf("%+v from log density %v: at %v with %v after 50 steps", u, fx, x, f)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, u := range []Univariate{{}, {Method: Doubling}, {Integer: true}} {
		x, fx := 0.0, 0.0
		if n := testing.AllocsPerRun(200, func() {
			x, fx, _ = u.Adapt1(r, x, fx, -inf, inf, targets[0].logp)
		}); n != 0 {
			t.Errorf("%+v: %v allocations a step", u, n)
		}
	}
}

func BenchmarkStep1(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 3))
	for name, u := range map[string]Univariate{"stepping out": {Width: 2.5}, "doubling": {Width: 2.5, Method: Doubling}, "integer": {Width: 2.5, Integer: true}} {
		b.Run(name, func(b *testing.B) {
			x, fx, evals, sum := 0.0, 0.0, 0, 0
			for b.Loop() {
				x, fx, evals = u.Step1(r, x, fx, -inf, inf, targets[0].logp)
				sum += evals
			}
			b.ReportMetric(float64(sum)/float64(b.N), "evals/op")
		})
	}
}
