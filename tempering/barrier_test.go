package tempering

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// runShift warms a kernel up and makes n steps.
func runShift(t *testing.T, mu float64, set Settings, warmup, n int) (*Kernel[*mcmc.Point], Report) {
	t.Helper()
	path := shift(mu)
	k, err := New(path, exactly(path, func(x []float64, beta float64, r *rand.Rand) {
		x[0] = beta*mu + r.NormFloat64()
	}), set)
	if err != nil {
		t.Fatal(err)
	}
	s, r := points(path, k.betas, func(float64) []float64 { return []float64{0} }), newRand(7)
	warm(k, s, warmup, r)
	for range n {
		k.Step(s, r)
	}
	return k, k.Report()
}

// For N(βμ, 1) and replicas that are drawn independently at each step, exact values are known: a swap of
// rungs δ/μ apart is rejected with probability erf(δ/2) (the log ratio is N(−δ², 2δ²)), log Z is μ²/2, and
// the rate of round trips with equal rejections r over N swaps is 1/(2 + 2N r/(1−r)) with
// the deterministic scheme, 1/(2N + 2N r/(1−r)) with the reversible one (SBDD). Counts of round trips
// have a smaller variance than Poisson counts; all are within five standard errors, so each comparison
// fails by chance once in 1.7 million.
func TestShiftedNormal(t *testing.T) {
	const mu, swaps, steps = 6.0, 8, 100_000
	reject := math.Erf(mu / swaps / 2)
	for _, reversible := range []bool{false, true} {
		_, rep := runShift(t, mu, Settings{Betas: Even(swaps + 1), Fixed: true, Reversible: reversible}, 10, steps)
		for i, a := range rep.Swaps {
			// Acceptance probabilities lie in [0, 1], so their variance is at most ¼.
			if math.Abs(1-a-reject) > 5*math.Sqrt(0.25/(steps*0.49)) {
				t.Errorf("swap %d is rejected with %v, want %v", i, 1-a, reject)
			}
		}
		if want := swaps * reject; math.Abs(rep.Barrier-want) > 5*math.Sqrt(swaps*0.25/(steps*0.49)) {
			t.Errorf("barrier %v, want %v", rep.Barrier, want)
		}
		if !(rep.LogZError < 0.02) || math.Abs(rep.LogZ-mu*mu/2) > 5*rep.LogZError {
			t.Errorf("log Z %v ± %v, want %v", rep.LogZ, rep.LogZError, mu*mu/2)
		}
		first := 1.0
		if reversible {
			first = swaps
		}
		want := steps / (2*first + 2*swaps*reject/(1-reject))
		if math.Abs(float64(rep.RoundTrips)-want) > 5*math.Sqrt(want) {
			t.Errorf("reversible %v: %d round trips, want %.0f", reversible, rep.RoundTrips, want)
		}
		if float64(rep.RoundTrips) > rep.BestRate()*steps {
			t.Errorf("%d round trips are more than the best rate %v allows", rep.RoundTrips, rep.BestRate())
		}
	}
}

// With many rungs the barrier converges to its limit, μ/√π for N(βμ, 1) (the mean absolute difference of
// two energies is 2μ/√π): for 40 swaps or more, N erf(μ/2N) is within 0.1 % of it.
func TestBarrierLimit(t *testing.T) {
	const mu, swaps = 4.0, 40
	if limit := mu / math.Sqrt(math.Pi); math.Abs(swaps*math.Erf(mu/swaps/2)/limit-1) > 1e-3 {
		t.Fatal("the formulas disagree")
	}
	_, rep := runShift(t, mu, Settings{Betas: Even(swaps + 1)}, 4000, 20_000)
	if limit := mu / math.Sqrt(math.Pi); math.Abs(rep.Barrier/limit-1) > 0.02 {
		t.Errorf("barrier %v, want %v", rep.Barrier, limit)
	}
}

// On the path of precisions p(β) from 1 to 10⁴ an even ladder has all its rejections in one interval. In
// two dimensions rungs of precisions a < b are swapped with probability 2a/(a+b), so the adapted ladder,
// with equal rejections, has precisions in constant ratio. log Z falls by log 10⁴.
func TestLadderBecomesEven(t *testing.T) {
	const p0, p1, swaps = 1.0, 1e4, 16
	path := shrink(p0, p1)
	k, err := New(path, exactly(path, func(x []float64, beta float64, r *rand.Rand) {
		sd := 1 / math.Sqrt(p0+beta*(p1-p0))
		x[0], x[1] = sd*r.NormFloat64(), sd*r.NormFloat64()
	}), Settings{Betas: Even(swaps + 1)})
	if err != nil {
		t.Fatal(err)
	}
	s, r := points(path, k.betas, func(float64) []float64 { return []float64{0, 0} }), newRand(8)
	warm(k, s, 1<<14, r)
	for range 50_000 {
		k.Step(s, r)
	}
	rep := k.Report()
	factor := math.Pow(p1/p0, 1.0/swaps)
	want := (factor - 1) / (factor + 1)
	for i, a := range rep.Swaps {
		// The ladder was adapted to 4096 steps, 2048 proposals of each swap: the standard error of a
		// rejection rate is at most 0.5/√2048 = 0.011, and the interpolation adds as much.
		if math.Abs(1-a-want) > 0.06 {
			t.Errorf("swap %d is rejected with %.3f, want %.3f: ladder %v", i, 1-a, want, rep.Betas)
		}
	}
	if math.Abs(rep.Barrier/(swaps*want)-1) > 0.02 {
		t.Errorf("barrier %v, want %v", rep.Barrier, swaps*want)
	}
	if logZ := -math.Log(p1 / p0); !(rep.LogZError < 0.05) || math.Abs(rep.LogZ-logZ) > 5*rep.LogZError {
		t.Errorf("log Z %v ± %v, want %v", rep.LogZ, rep.LogZError, logZ)
	}
}

// The standard error of log Z is that of repeated runs: over 60 runs Σ z² is chi-squared with
// 60 degrees, above 130 or below 18 once in a million. Walks, not exact draws, so that
// steps correlate.
func TestLogZErrorIsHonest(t *testing.T) {
	const mu, runs = 3.0, 60
	path := shift(mu)
	square := 0.0
	for i := range runs {
		k, err := New(path, walks(path, 1), Settings{Betas: Even(5)})
		if err != nil {
			t.Fatal(err)
		}
		s, r := points(path, k.betas, func(b float64) []float64 { return []float64{b * mu} }), newRand(100+uint64(i))
		warm(k, s, 300, r)
		for range 8000 {
			k.Step(s, r)
		}
		rep := k.Report()
		z := (rep.LogZ - mu*mu/2) / rep.LogZError
		square += z * z
	}
	if square < 18 || square > 130 {
		t.Errorf("Σ z² = %.1f over %d runs", square, runs)
	}
}

func TestEqualise(t *testing.T) {
	dst := make([]float64, 5)
	// Equal rejections: the ladder does not change.
	betas := []float64{0, 0.1, 0.3, 0.7, 1}
	equalise(dst, betas, []float64{0.2, 0.2, 0.2, 0.2})
	for i := range betas {
		if math.Abs(dst[i]-betas[i]) > 1e-12 {
			t.Errorf("an even ladder moved to %v", dst)
		}
	}
	// Whatever the rejections, the ladder is increasing between its ends.
	r := newRand(9)
	for range 1000 {
		rejection := make([]float64, 4)
		for i := range rejection {
			rejection[i] = math.Pow(r.Float64(), 8)
			if r.IntN(4) == 0 {
				rejection[i] = 0
			}
		}
		equalise(dst, betas, rejection)
		if dst[0] != 0 || dst[4] != 1 || checkLadder(dst) != nil {
			t.Fatalf("rejections %v give %v", rejection, dst)
		}
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct{ iteration, total, start, end int }{
		{0, 1000, 0, 62}, {61, 1000, 0, 62}, {62, 1000, 62, 125}, {499, 1000, 250, 500}, {500, 1000, 500, 1000}, {999, 1000, 500, 1000},
		{0, 10, 0, 10}, {63, 63, 0, 63}, {5, 64, 0, 32}, {32, 64, 32, 64},
	} {
		if start, end := round(c.iteration, c.total); start != c.start || end != c.end {
			t.Errorf("%+v: round from %d to %d", c, start, end)
		}
	}
}
