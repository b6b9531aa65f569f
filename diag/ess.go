package diag

import (
	"math"
	"math/bits"
)

// ESSBulk is the effective sample size of the rank-normalised split chains:
// how well the centre of the distribution is explored.
func ESSBulk(chains [][]float64) float64 { return loaded(chains).essBulk() }

// ESSTail is the lesser of the effective sample sizes of the 5 % and 95 % quantiles.
func ESSTail(chains [][]float64) float64 {
	w := loaded(chains)
	return min(w.essQuantile(0.05), w.essQuantile(0.95))
}

// ESSMean is the effective sample size for the mean: of the split chains as they are.
func ESSMean(chains [][]float64) float64 { return loaded(chains).essMean() }

// ESSSD is the effective sample size for the standard deviation: that of
// (x - x̄)².
func ESSSD(chains [][]float64) float64 { return loaded(chains).essSD() }

// ESSQuantile is the effective sample size for the p-quantile: that of the
// indicator x <= quantile.
func ESSQuantile(chains [][]float64, p float64) float64 { return loaded(chains).essQuantile(p) }

// ESSMedian is ESSQuantile at 0.5.
func ESSMedian(chains [][]float64) float64 { return ESSQuantile(chains, 0.5) }

// ESSBasic is the effective sample size of the chains as they are, neither
// split nor ranked.
func ESSBasic(chains [][]float64) float64 {
	w := loaded(chains)
	return w.ess(w.x, w.chains, w.n)
}

func (w *Work) essBulk() float64 {
	if w.hasNaN || len(w.x) == 0 {
		return math.NaN()
	}
	w.sort()
	w.sortHalves()
	w.seq = w.scores(w.seq, w.halfSorted, w.halfOrder)
	return w.ess(w.seq, 2*w.chains, w.half())
}

func (w *Work) essMean() float64 {
	w.seq = w.splitInto(w.seq)
	return w.ess(w.seq, 2*w.chains, w.half())
}

func (w *Work) essSD() float64 {
	w.seq = w.splitInto(w.seq)
	for i, x := range w.seq {
		w.seq[i] = (x - w.mean) * (x - w.mean)
	}
	return w.ess(w.seq, 2*w.chains, w.half())
}

func (w *Work) essQuantile(p float64) float64 {
	if !w.valued() || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	w.sort()
	return w.essBelow(quantile(w.sorted, p))
}

// essBelow is the effective sample size of the indicator x <= q.
func (w *Work) essBelow(q float64) float64 {
	w.seq = w.splitInto(w.seq)
	for i, x := range w.seq {
		if x <= q {
			w.seq[i] = 1
		} else {
			w.seq[i] = 0
		}
	}
	return w.ess(w.seq, 2*w.chains, w.half())
}

// ess is the effective sample size m·h/τ of m sequences of length h (Vehtari et
// al. 2021, equations 10-13): autocorrelations that also count the variance
// between the sequences, cut by Geyer's initial monotone sequence. τ is at
// least 1/log₁₀(m·h), which bounds what antithetic chains can claim.
func (w *Work) ess(seq []float64, m, h int) float64 {
	if m == 0 || h < 3 {
		return math.NaN()
	}
	lo, hi := seq[0], seq[0]
	for _, x := range seq {
		lo, hi = min(lo, x), max(hi, x)
	}
	if !varied(lo, hi) {
		return math.NaN()
	}
	w.centre(seq, m, h)
	total := float64(m) * float64(h)
	return total / max(w.tau(m, h), 1/math.Log10(total))
}

// tau is the integrated autocorrelation time of the centred sequences.
func (w *Work) tau(m, h int) float64 {
	gamma0 := w.lagged(m, h, 0)
	within := gamma0 * float64(h) / float64(h-1)
	plus := gamma0
	if m > 1 {
		plus += variance(w.means, mean(w.means))
	}
	spectral := false
	direct := 3 * bits.Len(uint(h)) // about where the FFT becomes cheaper
	rho := func(lag int) float64 {
		if !spectral && lag > direct {
			w.spectralAutocovariance(m, h)
			spectral = true
		}
		if spectral {
			return 1 - (within-w.acov[lag])/plus
		}
		return 1 - (within-w.lagged(m, h, lag))/plus
	}

	// Pairs ρ(2k) + ρ(2k+1) of a reversible chain are positive and fall
	// with k: keep them while positive, then force them to fall.
	even, odd := 1.0, rho(1)
	w.rho = append(w.rho[:0], even, odd)
	last := 0
	for last < h-5 && even+odd > 0 {
		last += 2
		even, odd = rho(last), rho(last+1)
		if even+odd < 0 {
			even = max(even, 0)
			break
		}
		w.rho = append(w.rho, even, odd)
	}
	if last == 0 {
		return 2 // too short for one pair: what R's posterior assumes
	}
	sum, least := 0.0, math.Inf(1)
	for k := 0; k < last; k += 2 {
		least = min(least, w.rho[k]+w.rho[k+1])
		sum += least
	}
	return 2*sum - 1 + even
}
