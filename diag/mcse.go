package diag

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// MCSEMean is the Monte Carlo standard error of the mean: sd/√[ESSMean].
func MCSEMean(chains [][]float64) float64 {
	w := loaded(chains)
	w.square()
	return w.sd() / math.Sqrt(w.essMean())
}

// MCSESD is the Monte Carlo standard error of the standard deviation, by the
// delta method from the variance of (x - x̄)² and its effective sample size
// (Kenney and Keeping, Mathematics of Statistics, part 2, 1951, p. 141).
func MCSESD(chains [][]float64) float64 {
	w := loaded(chains)
	ess := w.essSD()
	return w.mcseSD(ess)
}

// square puts the squared distances from the mean into w.seq.
func (w *Work) square() {
	w.seq = resize(w.seq, len(w.x))
	for i, x := range w.x {
		w.seq[i] = (x - w.mean) * (x - w.mean)
	}
	w.m2, w.m4 = sumLess(w.seq, 0), dot(w.seq, w.seq)
}

// sd needs m2.
func (w *Work) sd() float64 {
	if len(w.x) < 2 {
		return math.NaN()
	}
	return math.Sqrt(w.m2 / float64(len(w.x)-1))
}

// mcseSD needs m2 and m4.
func (w *Work) mcseSD(ess float64) float64 {
	size := float64(len(w.x))
	m2, m4 := w.m2/size, w.m4/size
	return math.Sqrt((m4 - m2*m2) / ess / m2 / 4)
}

// MCSEQuantile is the Monte Carlo standard error of the p-quantile: half the
// distance between the order statistics at the 16 % and 84 % points of the
// Beta(ESS·p + 1, ESS·(1-p) + 1) distribution of the quantile's rank
// (Vehtari et al. 2021, section 4.4).
func MCSEQuantile(chains [][]float64, p float64) float64 {
	w := loaded(chains)
	return w.mcseQuantile(p, w.essQuantile(p))
}

// MCSEMedian is MCSEQuantile at 0.5.
func MCSEMedian(chains [][]float64) float64 { return MCSEQuantile(chains, 0.5) }

// mcseQuantile needs the draws sorted.
func (w *Work) mcseQuantile(p, ess float64) float64 {
	const below, above = 0.15865525393145707, 0.8413447460685429 // Φ(∓1)
	if math.IsNaN(ess) {
		return math.NaN()
	}
	size := len(w.sorted)
	a, b := ess*p+1, ess*(1-p)+1
	lo := max(betaRank(a, b, below, size), 1)
	hi := min(betaRank(a, b, above, size)+1, size)
	return (w.sorted[hi-1] - w.sorted[lo-1]) / 2
}

// betaRank is ⌊size·q⌋ for the prob-quantile q of Beta(a, b). The rank is an
// integer, so bisection over ranks needs no inverse function.
func betaRank(a, b, prob float64, size int) int {
	lo, hi := 0, size // I(lo/size) <= prob < I(hi/size)
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if mathext.RegIncBeta(a, b, float64(mid)/float64(size)) <= prob {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
