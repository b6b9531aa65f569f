package path

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

var background = context.Background()

// within checks that an estimate is within five standard errors of the truth: a false alarm in 1.7 million for a normal estimate,
// and seeds are fixed.
func within(t *testing.T, name string, r *Result, want float64) {
	t.Helper()
	if !(math.Abs(r.LogZ-want) < 5*r.SE) || !(r.SE < 0.2) {
		t.Errorf("%s: log Z = %.4f ± %.4f, exactly %.4f; warnings %q", name, r.LogZ, r.SE, want, r.Warnings)
	}
	if !(r.CI95[0] < r.LogZ && r.LogZ < r.CI95[1]) {
		t.Errorf("%s: %v is not an interval about %v", name, r.CI95, r.LogZ)
	}
	if r.Moves <= 0 || len(r.Trace) == 0 || len(r.PerRun) != r.Runs {
		t.Errorf("%s: %d moves, %d points of a trace, %d of %d runs", name, r.Moves, len(r.Trace), len(r.PerRun), r.Runs)
	}
}

func TestExact(t *testing.T) {
	g, l, m := newGaussian(5), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	s := must(Uniform(200))
	set := Settings{Seed: 1, Runs: 200}
	within(t, "gaussian", must(AIS(background, Family[[]float64](g), s, set)), g.logZ(1))
	within(t, "gaussian with ratio", must(AIS(background, Family[[]float64](exactGaussian{g}), s, set)), g.logZ(1))
	within(t, "ising", must(AIS(background, Family[[]int8](l), s, set)), l.logZ(1))
	within(t, "machine", must(AIS(background, Family[units](m), s, set)), m.logZ(1))
	within(t, "reverse", must(Reverse(background, Family[[]float64](g), s, g.target, set)), g.logZ(1))

	b := must(Sandwich(background, Family[[]int8](l), s, SandwichSettings{Settings: set}))
	within(t, "lower", b.Lower, l.logZ(1))
	within(t, "upper", b.Upper, l.logZ(1))
	within(t, "bridge", b.BAR, l.logZ(1))
	if b.BAR.SE >= b.Lower.SE {
		t.Errorf("the error of BAR, %v, is not below that of forward AIS, %v", b.BAR.SE, b.Lower.SE)
	}
}

// With few temperatures the forward estimate is low and the reverse high by far more than chance: half the variance
// of log w, which here is about 6. Means over 400 runs of log w have a standard deviation of about 0.12.
func TestBounds(t *testing.T) {
	g := newGaussian(20)
	s := must(Uniform(10))
	set := Settings{Seed: 2, Runs: 400}
	up := must(AIS(background, Family[[]float64](g), s, set))
	down := must(Reverse(background, Family[[]float64](g), s, g.target, set))
	if mean(up.PerRun) > g.logZ(1)-1 || mean(down.PerRun) < g.logZ(1)+1 {
		t.Errorf("mean log weights %.2f and %.2f do not enclose %.2f", mean(up.PerRun), mean(down.PerRun), g.logZ(1))
	}
	if len(up.Warnings) == 0 {
		t.Errorf("effective number of runs %.1f, share %.2f, and no warning", up.EffectiveRuns, up.MaxShare)
	}
}

// Of 200 intervals of level 95 %, fewer than 28 miss (binomial tail 9.6e-7). Nothing is asked of their width.
func TestCoverage(t *testing.T) {
	g := newGaussian(3)
	f := Family[[]float64](exactGaussian{g})
	for _, c := range []struct{ steps, runs int }{{100, 20}, {20, 50}, {5, 100}} {
		s := must(Uniform(c.steps))
		miss, short := 0, 0.0
		for seed := range uint64(200) {
			r := must(AIS(background, f, s, Settings{Seed: seed, Runs: c.runs, Threads: 1}))
			if g.logZ(1) < r.CI95[0] || g.logZ(1) > r.CI95[1] {
				miss++
			}
			short += r.SE / 200
		}
		t.Logf("%d steps, %d runs: %d of 200 intervals miss, mean standard error %.3f", c.steps, c.runs, miss, short)
		if p := binomialTail(200, miss, 0.05); p < 1e-6 {
			t.Errorf("%d steps, %d runs: %d of 200 intervals miss", c.steps, c.runs, miss)
		}
	}
}

// binomialTail is P(X ≥ k) of n trials.
func binomialTail(n, k int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(i + 1))
		c, _ := math.Lgamma(float64(n - i + 1))
		sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

func TestThreadsDoNotMatter(t *testing.T) {
	f := Family[[]float64](newGaussian(2))
	s := must(Uniform(30))
	one := must(AIS(background, f, s, Settings{Seed: 3, Runs: 17, Threads: 1}))
	if many := must(AIS(background, f, s, Settings{Seed: 3, Runs: 17, Threads: 5})); !reflect.DeepEqual(one, many) {
		t.Errorf("%+v with one thread, %+v with five", one, many)
	}
}

// stopping is a family that cancels the context after so many moves.
type stopping struct {
	*gaussian
	left   *int
	cancel func()
}

func (s stopping) Move(x []float64, beta float64, r *rand.Rand) {
	if *s.left--; *s.left == 0 {
		s.cancel()
	}
	s.gaussian.Move(x, beta, r)
}

func TestResume(t *testing.T) {
	g := newGaussian(2)
	s := must(Uniform(300))
	file := filepath.Join(t.TempDir(), "runs")
	set := Settings{Seed: 4, Runs: 12, Threads: 1, Checkpoint: file, Fingerprint: "g"}
	want := must(AIS(background, Family[[]float64](g), s, set))
	whole := must(os.ReadFile(file))

	ctx, cancel := context.WithCancel(background)
	left := 1500
	part, err := AIS(ctx, Family[[]float64](stopping{g, &left, cancel}), s, set)
	if !errors.Is(err, mcmc.ErrInterrupted) || part.Runs != 5 {
		t.Fatalf("interrupted in the sixth run: %d runs, error %v", part.Runs, err)
	}
	set.Resume = true
	if got := must(AIS(background, Family[[]float64](g), s, set)); !reflect.DeepEqual(got, want) {
		t.Errorf("resumed %+v, undisturbed %+v", got, want)
	}
	if !reflect.DeepEqual(must(os.ReadFile(file)), whole) {
		t.Error("the file of the resumed job differs from the undisturbed one's")
	}

	for name, change := range map[string]func(*Settings){
		"seed": func(s *Settings) { s.Seed++ }, "family": func(s *Settings) { s.Fingerprint = "h" },
	} {
		other := set
		change(&other)
		if _, err := AIS(background, Family[[]float64](g), s, other); err == nil {
			t.Errorf("resumed with another %s", name)
		}
	}
	for name, data := range map[string][]byte{"short": whole[:30], "damaged": append(whole[:len(whole)-1:len(whole)-1], 7), "empty": nil} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := AIS(background, Family[[]float64](g), s, set); err == nil {
			t.Errorf("resumed from a %s file", name)
		}
	}
}

type broken struct {
	*gaussian
	value float64
}

func (b broken) LogRatio([]float64, float64, float64) float64 { return b.value }

func TestBadFamily(t *testing.T) {
	s := must(Uniform(10))
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := AIS(background, Family[[]float64](broken{newGaussian(1), v}), s, Settings{}); !errors.Is(err, errNaN) {
			t.Errorf("ratio %v: error %v", v, err)
		}
	}
	r, err := AIS(background, Family[[]float64](broken{newGaussian(1), math.Inf(-1)}), s, Settings{})
	if err != nil || !math.IsInf(r.LogZ, -1) || len(r.Warnings) == 0 {
		t.Errorf("no weight anywhere: %+v, %v", r, err)
	}
	for _, set := range []Settings{{Runs: -1}, {Threads: -1}, {Resume: true}} {
		if _, err := AIS(background, Family[[]float64](newGaussian(1)), s, set); err == nil {
			t.Errorf("settings %+v are accepted", set)
		}
	}
	if _, err := AIS(background, Family[[]float64](newGaussian(1)), Schedule{0, 0.5, 0.4, 1}, Settings{}); err == nil {
		t.Error("a schedule out of order is accepted")
	}
}

// Bennett's equation on a pair of Gaussians with known ratio: draws of N(0,1) and N(1,1) with f the same but for a factor e^3.
func TestBAR(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	up, down := make([]float64, 20_000), make([]float64, 5000)
	ratio := func(x float64) float64 { return 3 + x - 0.5 }
	for i := range up {
		up[i] = ratio(r.NormFloat64())
	}
	for i := range down {
		down[i] = -ratio(1 + r.NormFloat64())
	}
	// The standard deviation, by repetition over seeds, is 0.0125.
	if got := barRatio(up, down); math.Abs(got-3) > 0.0625 {
		t.Errorf("Bennett's ratio %v, want 3", got)
	}
	if got := barRatio([]float64{math.Inf(-1)}, []float64{1}); !math.IsNaN(got) {
		t.Errorf("no overlap gives %v", got)
	}
	barRatio([]float64{1e308}, []float64{1e308}) // meaningless works: it must terminate
}
