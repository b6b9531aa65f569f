package markov_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func simulated(t *testing.T, c markov.Chain, pi []float64) kerneltest.Finite[*int] {
	logs := make([]float64, len(pi))
	for i, v := range pi {
		logs[i] = math.Log(v)
	}
	return kerneltest.Finite[*int]{
		LogWeight: logs,
		State:     func(i int) *int { return &i },
		Index:     func(s *int) int { return *s },
		Kernel:    markov.NewSimulator(c),
	}
}

// A simulated chain keeps its stationary distribution, reaches it, and is reversible where the matrix is.
func TestSimulator(t *testing.T) {
	c := dense(t, social)
	pi, err := markov.StationaryOf(c)
	if err != nil {
		t.Fatal(err)
	}
	set := kerneltest.Settings{Replicates: 50_000, Steps: 3, Alpha: 1e-7}
	if err := kerneltest.Exact(simulated(t, c, pi), set); err != nil {
		t.Error(err)
	}
	ring, even := drifting(t, 4, 0.5, 0.2)
	if err := kerneltest.DetailedBalance(simulated(t, ring, even), set); err == nil {
		t.Error("the ring is not reversible, and the test does not notice")
	}
	both, err := markov.Additive(c, pi)
	if err != nil {
		t.Fatal(err)
	}
	if err := kerneltest.DetailedBalance(simulated(t, both, pi), set); err != nil {
		t.Error(err)
	}
	set.Steps = 60
	if err := kerneltest.Reaches(simulated(t, c, pi), 2, set); err != nil {
		t.Error(err)
	}
}

func TestSimulatorAllocates(t *testing.T) {
	sim := markov.NewSimulator(dense(t, social))
	r := rng.New(1, "chain").Rand
	at := 0
	if n := testing.AllocsPerRun(1000, func() { sim.Step(&at, r) }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
	if _, err := sim.Path(3, 10, r); err == nil {
		t.Error("a start that is no state")
	}
}

// TestGolden freezes a path and a draw of a posterior stationary distribution.
func TestGolden(t *testing.T) {
	r := rng.New(1, "chain").Rand
	path, err := markov.NewSimulator(dense(t, social)).Path(0, 15, r)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 0, 0, 0, 0, 1, 0, 2, 1, 2, 2, 2, 2, 1, 1}; !slices.Equal(path, want) {
		t.Errorf("path %v", path)
	}
	p, err := markov.Estimate([][]float64{{10, 2, 1}, {3, 8, 2}, {0, 1, 4}}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	pi, err := p.DrawStationary(r)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{0.2908446365371195, 0.31190347458503354, 0.39725188887784685}; !slices.Equal(pi, want) {
		t.Errorf("stationary distribution %v", pi)
	}
}

func TestEstimate(t *testing.T) {
	counts, err := markov.Counts(3, []int{0, 1, 1, 2, 0, 1}, []int{2, 2, 1}, []int{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0, 2, 0}, {0, 1, 1}, {1, 1, 1}}
	for i := range want {
		if !slices.Equal(counts[i], want[i]) {
			t.Errorf("row %d of the counts is %v", i, counts[i])
		}
	}
	p, err := markov.Estimate(counts, 1, "a", "b", "c")
	if err != nil {
		t.Fatal(err)
	}
	mean, sd := p.Mean(), p.SD()
	close(t, "the mean", mean.At(0, 1), 3.0/5, 1e-15)
	close(t, "the sd", sd[0][1], math.Sqrt(0.6*0.4/6), 1e-15)
	// Draws have these means and sds: with 20 000 draws, 5.5 standard errors are exceeded with probability 4e-8 a
	// comparison, 7e-7 over the 18. The standard error of a sd is below that of normal draws: these are bounded.
	const draws = 20_000
	r := rng.New(2, "estimate").Rand
	var sum, square [3][3]float64
	for range draws {
		d := p.Draw(r)
		for i := range 3 {
			for j := range 3 {
				z := (d.At(i, j) - mean.At(i, j)) / sd[i][j]
				sum[i][j] += z
				square[i][j] += z * z
			}
		}
	}
	for i := range 3 {
		for j := range 3 {
			if z := sum[i][j] / math.Sqrt(draws); math.Abs(z) > 5.5 {
				t.Errorf("mean of entry %d, %d is off by %.1f standard errors", i, j, z)
			}
			// Var z² = kurtosis − 1, at most 4 for these shapes (α ≥ 1, total 4 to 6).
			if z := (square[i][j] - draws) / math.Sqrt(4*draws); math.Abs(z) > 5.5 {
				t.Errorf("sd of entry %d, %d is off by %.1f standard errors", i, j, z)
			}
		}
	}
}

// A long path's posterior of the stationary distribution covers the truth.
func TestEstimateStationary(t *testing.T) {
	c := dense(t, social)
	r := rng.New(3, "estimate").Rand
	path, err := markov.NewSimulator(c).Path(0, 20_000, r)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := markov.Counts(3, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := markov.Estimate(counts, 1)
	if err != nil {
		t.Fatal(err)
	}
	truth, _ := markov.StationaryOf(c)
	const draws = 2000
	var sum, square [3]float64
	for range draws {
		pi, err := p.DrawStationary(r)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range pi {
			sum[i] += v
			square[i] += v * v
		}
	}
	// The posterior is close to normal: the truth is beyond 5.5 sds with probability 4e-8.
	for i, v := range truth {
		mean := sum[i] / draws
		sd := math.Sqrt(square[i]/draws - mean*mean)
		if z := (mean - v) / sd; math.Abs(z) > 5.5 || sd > 0.02 || sd < 0.001 {
			t.Errorf("π_%d: %v ± %v, truth %v", i, mean, sd, v)
		}
	}
}

func TestBadEstimates(t *testing.T) {
	if _, err := markov.Counts(3, []int{0, 1}, []int{0, 3}); err == nil || !strings.Contains(err.Error(), "sequence 2 has state 3 at position 2") {
		t.Errorf("%v", err)
	}
	if _, err := markov.Counts(1, []int{0}); err == nil {
		t.Error("one state")
	}
	ok := [][]float64{{1, 1}, {1, 1}}
	for _, prior := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := markov.Estimate(ok, prior); err == nil {
			t.Errorf("prior %v", prior)
		}
	}
	for _, bad := range [][][]float64{{{1, 1}, {0, 0}}, {{1, 1}, {1}}, {{1, -1}, {1, 1}}, {{1, math.NaN()}, {1, 1}}, {{math.MaxFloat64, math.MaxFloat64}, {1, 1}}} {
		if _, err := markov.Estimate(bad, 0); err == nil {
			t.Errorf("counts %v", bad)
		}
	}
	if _, err := markov.NewPosterior(ok, ok[:1]); err == nil {
		t.Error("prior of another size")
	}
}
