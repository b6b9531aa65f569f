package diag

import "math"

// ESSBulk is the effective sample size of the rank-normalised split chains:
// how well the centre of the distribution is explored.
func ESSBulk(chains [][]float64) float64 {
	w := loaded(chains)
	_, ess := w.bulk()
	return ess
}

// ESSTail is the lesser of the effective sample sizes of the 5 % and 95 % quantiles.
func ESSTail(chains [][]float64) float64 {
	w := loaded(chains)
	return min(w.essQuantile(0.05), w.essQuantile(0.95))
}

// ESSMean is the effective sample size for the mean: of the split chains as they are.
func ESSMean(chains [][]float64) float64 { return loaded(chains).essMean() }

// ESSSD is the effective sample size for the standard deviation: that of
// (x - x̄)².
func ESSSD(chains [][]float64) float64 {
	return loaded(chains).essSD()
}

// ESSQuantile is the effective sample size for the p-quantile: that of the
// indicator x <= quantile.
func ESSQuantile(chains [][]float64, p float64) float64 { return loaded(chains).essQuantile(p) }

// ESSMedian is ESSQuantile at 0.5.
func ESSMedian(chains [][]float64) float64 { return ESSQuantile(chains, 0.5) }

// ESSBasic is the effective sample size of the chains as they are, neither
// split nor ranked.
func ESSBasic(chains [][]float64) float64 {
	w := loaded(chains)
	return w.ess(w.x, w.chains, w.n, w.mean)
}

func (w *Work) essMean() float64 {
	return w.ess(w.halves(w.x), 2*w.chains, w.half(), w.mean)
}

func (w *Work) essSD() float64 {
	w.square()
	return w.ess(w.halves(w.seq), 2*w.chains, w.half(), 0)
}

func (w *Work) essQuantile(p float64) float64 {
	if !w.valued() || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	w.sort()
	return w.essBelow(quantile(w.sorted, p))
}

// essBelow is the effective sample size of the indicator x <= q. It needs the
// draws sorted.
func (w *Work) essBelow(q float64) float64 {
	m, h := 2*w.chains, w.half()
	below := upperBound(w.halfSorted, q)
	if h < 3 || below == 0 || below == len(w.halfSorted) {
		return math.NaN()
	}
	chosen := w.halfOrder[:below]
	if below > len(w.halfOrder)/2 { // the indicator of the others does as well
		chosen = w.halfOrder[below:]
	}
	w.indicate(chosen, m, h)
	w.counting = true
	ess := w.size(m, h)
	w.counting = false
	return ess
}
