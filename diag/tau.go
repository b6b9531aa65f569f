package diag

import "math"

const (
	directLags = 64   // autocovariances at more are cheaper by FFT
	countLags  = 1024 // the same of indicators, by counting
)

// ess is the effective sample size m·h/τ of m sequences of length h (Vehtari
// et al. 2021, equations 10-13); shift is a number near their mean.
func (w *Work) ess(seq []float64, m, h int, shift float64) float64 {
	if m == 0 || h < 3 || !varies(seq) {
		return math.NaN()
	}
	w.centre(seq, m, h, shift)
	return w.size(m, h)
}

// size is the effective sample size of the centred sequences. τ is at
// least 1/log₁₀(m·h), which bounds what antithetic chains can claim.
func (w *Work) size(m, h int) float64 {
	if w.acov = w.acov[:0]; !w.counting {
		w.lagged(m, h)
	} else {
		w.counted(m, h)
	}
	if math.IsNaN(w.acov[0]) || math.IsInf(w.acov[0], 0) {
		return math.NaN()
	}
	total := float64(m) * float64(h)
	return total / max(w.tau(m, h), 1/math.Log10(total))
}

// tau is the integrated autocorrelation time of the centred sequences:
// autocorrelations that also count the variance between the sequences, cut by
// Geyer's initial monotone sequence.
func (w *Work) tau(m, h int) float64 {
	within := w.acov[0] * float64(h) / float64(h-1)
	plus := w.acov[0]
	if m > 1 {
		plus += variance(w.means, mean(w.means))
	}
	rho := func(lag int) float64 {
		for lag >= len(w.acov) {
			w.reach(m, h, lag, 1-within/plus)
		}
		return 1 - (within-w.acov[lag])/plus
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

// reach extends w.acov to a lag, and as far beyond as will soon be asked for.
// The autocorrelations fall towards floor, which is not 0 where the
// sequences disagree.
func (w *Work) reach(m, h, lag int, floor float64) {
	known := len(w.acov)
	if w.counting && known < directLags {
		w.counted(m, h)
		return
	}
	ahead := w.ahead(m, h, floor)
	if w.counting && known < countLags && ahead < countLags {
		w.counted(m, h)
		return
	}
	if w.counting {
		w.uncount(m, h)
	}
	if known < directLags && ahead < directLags {
		w.lagged(m, h)
		return
	}
	if known > directLags { // by FFT already, and not far enough
		ahead = max(ahead, 4*float64(known))
	}
	w.spectral(m, h, int(max(min(ahead, float64(h)), float64(lag+1))))
}

// ahead is about the lag at which the autocorrelations, if they go on to fall
// as far as they are known, drown in their noise: √(τ/(m·h)) by Bartlett's
// formula.
func (w *Work) ahead(m, h int, floor float64) float64 {
	last := len(w.acov) - 1
	r := w.acov[last] / w.acov[0]
	if !(r > 0) {
		return 0
	}
	tau := float64(last) / -math.Log(min(r, 0.999999))
	noise := math.Sqrt(min(tau/float64(m*h), 1))
	if floor > 3*noise {
		return float64(h)
	}
	return tau * max(-1.5*math.Log(noise), 1)
}
