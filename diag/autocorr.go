package diag

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Autocovariance returns γ(t) = Σ_i (x_i - x̄)(x_{i+t} - x̄) / n for the lags
// t = 0, …, n-1: the biased estimate, whose variance stays bounded at large
// lags (Geyer 1992, section 3.1). By FFT, O(n log n).
func Autocovariance(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	w := new(Work)
	w.centre(x, 1, len(x))
	return w.spectralAutocovariance(1, len(x))
}

// Autocorrelation returns γ(t)/γ(0); NaN for a constant.
func Autocorrelation(x []float64) []float64 {
	acov := Autocovariance(x)
	if len(acov) == 0 {
		return acov
	}
	variance := acov[0]
	for t := range acov {
		acov[t] /= variance
	}
	return acov
}

// centre copies m sequences of length h without their means, and keeps the means.
func (w *Work) centre(seq []float64, m, h int) {
	w.centred, w.means = resize(w.centred, m*h), resize(w.means, m)
	for j := range m {
		part, dst := seq[j*h:(j+1)*h], w.centred[j*h:(j+1)*h]
		w.means[j] = mean(part)
		for i, x := range part {
			dst[i] = x - w.means[j]
		}
	}
}

// lagged is the autocovariance at one lag, averaged over the m centred
// sequences: cheaper than an FFT while the lags are few.
func (w *Work) lagged(m, h, lag int) float64 {
	total := 0.0
	for j := range m {
		a := w.centred[j*h : (j+1)*h-lag]
		b := w.centred[j*h+lag : (j+1)*h][:len(a)]
		var s0, s1, s2, s3 float64
		i := 0
		for ; i+4 <= len(a); i += 4 {
			s0 += a[i] * b[i]
			s1 += a[i+1] * b[i+1]
			s2 += a[i+2] * b[i+2]
			s3 += a[i+3] * b[i+3]
		}
		for ; i < len(a); i++ {
			s0 += a[i] * b[i]
		}
		total += s0 + s1 + s2 + s3
	}
	return total / float64(m) / float64(h)
}

// spectralAutocovariance is lagged at all lags. The power spectra of the
// sequences are added before the one way back.
func (w *Work) spectralAutocovariance(m, h int) []float64 {
	size := transformSize(2*h - 1)
	if w.fft == nil {
		w.fft = fourier.NewFFT(size)
	} else if w.fft.Len() != size {
		w.fft.Reset(size)
	}
	w.padded = resize(w.padded, size)
	w.coeff, w.power = resize(w.coeff, size/2+1), resize(w.power, size/2+1)
	clear(w.power)
	for j := range m {
		copy(w.padded, w.centred[j*h:(j+1)*h])
		clear(w.padded[h:])
		w.fft.Coefficients(w.coeff, w.padded)
		for k, c := range w.coeff {
			w.power[k] += complex(real(c)*real(c)+imag(c)*imag(c), 0)
		}
	}
	w.fft.Sequence(w.padded, w.power)
	w.acov = resize(w.acov, h)
	scale := 1 / (float64(size) * float64(m) * float64(h))
	for t := range w.acov {
		w.acov[t] = w.padded[t] * scale
	}
	return w.acov
}

// transformSize is the least even number from n on whose prime factors are 2, 3 and 5.
func transformSize(n int) int {
	best := math.MaxInt
	for p5 := 1; p5 < 2*n+2; p5 *= 5 {
		for p := p5; p < 2*n+2; p *= 3 {
			size := 2 * p
			if size < n {
				size <<= bits.Len(uint((n - 1) / size))
			}
			if size >= n {
				best = min(best, size)
			}
		}
	}
	return best
}
