package function

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func read(t testing.TB, text string) *Problem {
	t.Helper()
	p, err := Read("f.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func walkerOf(t testing.TB, p *Problem, seed uint64) (*walker, *rand.Rand) {
	w, r := newWalker(p), rng.New(seed, "function test").Rand
	w.Start(r)
	return w, r
}

// sweep is Sweep at a temperature as a kernel.
type sweep float64

func (t sweep) Step(w *walker, r *rand.Rand) mcmc.Info {
	w.Sweep(float64(t), r)
	return mcmc.Info{}
}

// densities that are sampled here by rejection: with wells, correlated and cut by bounds, infinite in a part, and flat.
var densities = []string{
	"x ~ dunif(-1, 2)\nminimise <- 3*cos(5*x) + x",
	"for (i in 1:2) { x[i] ~ dunif(0, 1) }\nmaximise <- -20*(x[1] - x[2])^2 - 3*x[1]",
	"x ~ dunif(-1, 1)\ny ~ dunif(0, 3)\nminimise <- sqrt(x + 0.5) + x*y",
	"for (i in 1:3) { x[i] ~ dunif(-1, 1) }\nminimise <- 0*x[1]",
}

// Sweeps whose steps are tuned leave e^{−f/T} invariant, and come to it from a corner. Exact draws are by rejection from the uniform
// distribution. False alarms: 10⁻⁶ a check.
func TestStationary(t *testing.T) {
	for k, text := range densities {
		for _, temperature := range []float64{1, 4} {
			p := read(t, text)
			w, r := walkerOf(t, p, uint64(k))
			least := math.Inf(1)
			for range 100_000 {
				w.scatter(r)
				least = min(least, w.Value)
			}
			for range tuned + 1 {
				w.Sweep(temperature, r)
			}
			f := kerneltest.Sampled[*walker]{Kernel: sweep(temperature), Check: func(w *walker) error {
				if e, err := p.Evaluate(w.X); err != nil || math.Abs(e-w.Value) > 1e-12*max(1, math.Abs(e)) {
					return fmt.Errorf("%v has the energy %v, and the walker says %v: %v", w.X, e, w.Value, err)
				}
				return nil
			}}
			f.Draw = func(r *rand.Rand) *walker {
				for {
					w.scatter(r)
					if r.Float64() < math.Exp((least-0.1-w.Value)/temperature) {
						return w
					}
				}
			}
			f.Stats = func(w *walker) []float64 {
				return []float64{w.X[0], w.X[len(w.X)-1], w.X[0] - w.X[len(w.X)-1]*w.X[len(w.X)-1], w.Value}
			}
			set := kerneltest.Settings{Seed: 1, Replicates: 3000}
			if err := kerneltest.Invariant(f, set); err != nil {
				t.Errorf("%s, T = %v: %v", text, temperature, err)
			}
			corner := func(r *rand.Rand) *walker {
				if err := w.Set(0, p.high); err != nil {
					t.Fatal(err)
				}
				return w
			}
			set.Steps = map[bool]int{true: 250, false: 50}[len(p.cells) == 1] // wells of one variable are left seldom
			if err := kerneltest.Converges(f, corner, set); err != nil {
				t.Errorf("%s, T = %v, from a corner: %v", text, temperature, err)
			}
		}
	}
}

// At temperature 0 the value never rises, and infinite ones are left as soon as something finite is met.
func TestZeroTemperature(t *testing.T) {
	for k, text := range append(densities, "x ~ dunif(-1000, 1)\nminimise <- sqrt(x)") {
		w, r := walkerOf(t, read(t, text), uint64(k))
		for range 300 {
			before := w.Value
			if w.Sweep(0, r); w.Value > before || w.Best(0) != w.Value {
				t.Fatalf("%s: from %v to %v, best %v", text, before, w.Value, w.Best(0))
			}
		}
		if math.IsInf(w.Value, 0) || math.IsNaN(w.Value) {
			t.Errorf("%s: %v", text, w.Value)
		}
	}
	w, r := walkerOf(t, read(t, "x ~ dunif(0, 1)\nminimise <- log(-x - 1)"), 1) // finite nowhere
	if w.Sweep(1, r); !math.IsInf(w.Energy(0), 1) || !math.IsInf(w.Best(0), 1) {
		t.Error(w.Value)
	}
}

// classics have minima of 0 in n variables; sources as Surjanovic and Bingham list them.
var classics = map[string]string{
	"Rastrigin":  "for (i in 1:%[1]d) { x[i] ~ dunif(-5.12, 5.12) }\nminimise <- 10*%[1]d + sum(x^2 - 10*cos(2*pi*x))",
	"Rosenbrock": "for (i in 1:%[1]d) { x[i] ~ dunif(-5, 10) }\nfor (i in 2:%[1]d) { y[i-1] <- 100*(x[i] - x[i-1]^2)^2 + (1 - x[i-1])^2 }\nminimise <- sum(y)",
	"Ackley":     "for (i in 1:%[1]d) { x[i] ~ dunif(-32, 32) }\nminimise <- -20*exp(-0.2*sqrt(mean(x^2))) - exp(mean(cos(2*pi*x))) + 20 + exp(1)",
	"Griewank":   "for (i in 1:%[1]d) { x[i] ~ dunif(-600, 600); c[i] <- cos(x[i]/sqrt(i)) }\nminimise <- 1 + sum(x^2)/4000 - prod(c)",
}

// Annealing finds the minima of test functions within 10⁻³. Griewank's wells lie two coordinates apart, between which walkers pass only while it is hot:
// of reads in five variables one in sixteen ends in the right one, of those in ten variables one in five hundred.
func TestClassics(t *testing.T) {
	for name, text := range classics {
		sizes, reads := []int{2, 10}, 0
		if name == "Griewank" {
			sizes, reads = []int{2, 5}, 100
		}
		for _, n := range sizes {
			p := read(t, fmt.Sprintf(text, n))
			set := anneal.Settings{Seed: 1, Threads: 2, Sweeps: 4000, Reads: reads, Target: 1e-4, HasTarget: true}
			found, err := anneal.Run(t.Context(), p, set)
			if err != nil {
				t.Fatal(err)
			}
			if found.Best > 1e-3 {
				t.Errorf("%s in %d variables: %v at %v", name, n, found.Best, found.Solution)
			}
			if e, err := p.Evaluate(found.Solution); err != nil || math.Abs(e-found.Best) > 1e-9 {
				t.Errorf("%s: %v, and %v when computed anew: %v", name, found.Best, e, err)
			}
		}
	}
}

func TestBytesAndCopies(t *testing.T) {
	p := read(t, densities[1])
	w, r := walkerOf(t, p, 3)
	for range 50 {
		w.Sweep(0.1, r)
	}
	b, err := w.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	back := newWalker(p)
	if err := back.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	was := ""
	for i, one := range []*walker{w, back} {
		text, r := "", rng.New(6, "function on").Rand
		for k := range 60 {
			one.Sweep([]float64{0.1, 0.01}[k/30], r)
			text += fmt.Sprint(one.Energy(0), one.Best(0), one.State(0), one.Solution(0))
		}
		if i == 0 {
			was = text
		} else if text != was {
			t.Errorf("walker %d goes on otherwise", i)
		}
	}
	twin := newWalker(p)
	twin.Copy(0, w, 0)
	if fmt.Sprint(twin.Energy(0), twin.Best(0), twin.State(0), twin.Solution(0)) != fmt.Sprint(w.Energy(0), w.Best(0), w.State(0), w.Solution(0)) {
		t.Error("a copy is another")
	}
	if back.UnmarshalBinary(b[:len(b)/2]) == nil || newWalker(read(t, densities[0])).UnmarshalBinary(b) == nil || back.Set(0, []float64{0, 2}) == nil {
		t.Error("half the bytes, those of another function, or a point beyond a bound make a walker")
	}
}

func TestSweepDoesNotAllocate(t *testing.T) {
	for name, text := range classics {
		w, r := walkerOf(t, read(t, fmt.Sprintf(text, 8)), 7)
		w.Sweep(1, r)
		if n := testing.AllocsPerRun(100, func() { w.Sweep(1, r) }); n > 0 {
			t.Errorf("%s: %v allocations a sweep", name, n)
		}
	}
}

// Places beyond a bound are reflected, as often as it takes.
func TestFold(t *testing.T) {
	for x, want := range map[float64]float64{0.25: 0.25, -0.25: 0.25, 1.25: 0.75, 2.25: 0.25, -1.75: 0.25, 4.5: 0.5, 1: 1} {
		if got := fold(x, 1); got != want || !vec.Finite(got) {
			t.Errorf("%v is at %v, not %v", x, got, want)
		}
	}
}

// The walks of a seed do not change, nor depend on the machine.
func TestGoldenWalks(t *testing.T) {
	text := ""
	for k, name := range []string{"Rastrigin", "Rosenbrock", "Ackley", "Griewank"} {
		p := read(t, fmt.Sprintf(classics[name], 3))
		w, r := walkerOf(t, p, uint64(k))
		hot, cold := p.Temperatures()
		accepted := int64(0)
		for s := range 90 {
			_, a := w.Sweep([]float64{hot, hot * 1e-3, 0, cold}[s/30], r)
			accepted += a
		}
		text += fmt.Sprintln(accepted, w.State(0), w.Energy(0), w.Best(0), hot, cold)
	}
	if text != golden {
		t.Errorf("\n%s", text)
	}
}

const golden = `121 [0.0002794544198711326 0.0019333426077224676 -0.00036775041633482016] 0.000783867567974994 0.000783867567974994 19.659516419401694 1.9659516419401696e-09
155 [0.681900365362817 0.48921819325056703 0.2823293520435427] 0.6056513743618099 0.6056513743618099 332437.56444294425 3.3243756444294424e-05
60 [0.002350610221308822 0.003155969794955092 -0.004068768741046114] 0.013640893498337636 0.013640893498337636 1.2560049028413423 1.2560049028413424e-10
117 [-3.1562794259095965 22.139278453729904 -10.729742006831856] 0.1592238045984351 0.1592238045984351 52.22053649309546 5.222053649309546e-09
`

func BenchmarkSweep(b *testing.B) {
	for name, text := range classics {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			w, r := walkerOf(b, read(b, fmt.Sprintf(text, 10)), 1)
			for range b.N {
				w.Sweep(1, r)
			}
		})
	}
}
