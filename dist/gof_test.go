package dist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// falseAlarm is the probability with which each statistical test below would fail for a correct sampler and a random
// seed. The seeds are fixed.
const falseAlarm = 1e-7

func testRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20240229)) }

// chiSquareFits holds counts of n draws to probabilities (Pearson 1900). Cells with fewer than 10 expected draws are
// pooled; the last one takes what the probabilities leave.
func chiSquareFits(t *testing.T, name string, counts []int, probs []float64, n int) {
	t.Helper()
	stat, cells := 0.0, 0
	pooledCount, pooledProb := 0, 0.0
	restCount, restProb := n, 1.0
	for i, c := range counts {
		restCount -= c
		restProb -= probs[i]
		pooledCount += c
		pooledProb += probs[i]
		if e := pooledProb * float64(n); e >= 10 && restProb*float64(n) >= 10 {
			d := float64(pooledCount) - e
			stat += d * d / e
			cells++
			pooledCount, pooledProb = 0, 0
		}
	}
	if e := (pooledProb + max(restProb, 0)) * float64(n); e > 0 {
		d := float64(pooledCount+restCount) - e
		stat += d * d / e
		cells++
	}
	if cells < 2 {
		t.Fatalf("%s: fewer than two cells with 10 expected draws", name)
	}
	if p := mathext.GammaIncRegComp(float64(cells-1)/2, stat/2); p < falseAlarm {
		t.Errorf("%s: chi-square %.1f on %d degrees of freedom, p = %.2g", name, stat, cells-1, p)
	}
}

// ksFits holds draws to a continuous distribution function by the Kolmogorov–Smirnov statistic D, with Massart's
// (1990) bound P(D > d) ≤ 2 exp(−2nd²). Where draws tie, as at the least double, only the right limit is compared.
func ksFits(t *testing.T, name string, draws []float64, cdf func(x float64) float64) {
	t.Helper()
	slices.Sort(draws)
	n := float64(len(draws))
	d := 0.0
	for i, x := range draws {
		f := cdf(x)
		if math.IsNaN(f) {
			t.Fatalf("%s: the distribution function is NaN at %v", name, x)
		}
		tieLeft, tieRight := i > 0 && draws[i-1] == x, i+1 < len(draws) && draws[i+1] == x
		if !tieRight {
			d = max(d, math.Abs(float64(i+1)/n-f))
		}
		if !tieLeft && !tieRight {
			d = max(d, math.Abs(f-float64(i)/n))
		}
	}
	if bound := 2 * math.Exp(-2*n*d*d); bound < falseAlarm {
		t.Errorf("%s: D = %.5f with %d draws, p ≤ %.2g", name, d, len(draws), bound)
	}
}

// meanFits holds the mean of draws to its expectation by the normal approximation, given the exact standard deviation
// of one draw.
func meanFits(t *testing.T, name string, sum float64, n int, mean, sd float64) {
	t.Helper()
	z := (sum/float64(n) - mean) / (sd / math.Sqrt(float64(n)))
	if p := math.Erfc(math.Abs(z) / math.Sqrt2); !(p >= falseAlarm) {
		t.Errorf("%s: mean %v, want %v: %.1f standard errors off", name, sum/float64(n), mean, z)
	}
}

// discreteFits draws n values and holds them to the probabilities exp(logProb) of lo, lo+1, …, hi.
func discreteFits(t *testing.T, name string, n int, lo, hi float64, draw func() float64, logProb func(x float64) float64) {
	t.Helper()
	counts := make([]int, int(hi-lo)+1)
	probs := make([]float64, len(counts))
	for i := range probs {
		probs[i] = math.Exp(logProb(lo + float64(i)))
	}
	for range n {
		x := draw()
		if math.IsNaN(x) || math.Floor(x) != x {
			t.Fatalf("%s: drew %v", name, x)
		}
		if x >= lo && x <= hi {
			counts[int(x-lo)]++
		}
	}
	chiSquareFits(t, name, counts, probs, n)
}
