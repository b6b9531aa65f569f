package diag

import "math/bits"

// spectrum is what autocovariances by Fourier transform need.
type spectrum struct {
	transform
	half  [maxLog2][]complex128 // exp(-2πi·t/2L), t < L, by log2 L
	even  []complex128          // of the block before: the transform's even and odd frequencies
	odd   []complex128
	even2 []complex128 // of the block at hand
	odd2  []complex128
	cross [2][]complex128 // sum of the cross spectra of a block and what follows it
}

func (s *spectrum) halfTurn(log2 int) []complex128 {
	if s.half[log2] == nil {
		n := 1 << log2
		t := make([]complex128, n)
		for k := range t {
			t[k] = root(k, 2*n)
		}
		s.half[log2] = t
	}
	return s.half[log2]
}

// spectral gives w.acov at the lags below at least the given number: the
// autocovariance averaged over the m centred sequences. The sequences are cut
// into blocks as long as the lags reach, and each block's spectrum, padded to
// twice its length, is multiplied with that of the block and its successor,
// which is the sum of their own with alternating signs (Rader 1970, "An
// improved algorithm for high speed autocorrelation with applications to
// spectral estimation"). So the cost grows with the logarithm of the lags.
// Two real sequences make a complex one: the real part of its autocovariance
// is the sum of theirs.
func (w *Work) spectral(m, h, lags int) {
	log2 := max(bits.Len(uint(min(lags, h)-1)), 4)
	size := 1 << log2
	s := &w.spectrum
	for _, b := range []*[]complex128{&s.even, &s.odd, &s.even2, &s.odd2, &s.cross[0], &s.cross[1]} {
		*b = resize(*b, size)
	}
	clear(s.cross[0])
	clear(s.cross[1])
	for j := 0; j < m; j += 2 {
		re, im := w.centred[j*h:(j+1)*h], []float64(nil)
		if j+1 < m {
			im = w.centred[(j+1)*h : (j+2)*h]
		}
		s.accumulate(re, im, log2)
	}
	w.acov = resize(w.acov, min(size, h))
	s.lags(w.acov, log2, 1/(2*float64(size)*float64(m)*float64(h)))
}

// accumulate adds the cross spectra of all blocks of re + i·im.
func (s *spectrum) accumulate(re, im []float64, log2 int) {
	size := 1 << log2
	s.block(s.even, s.odd, re, im, log2)
	for len(re) > size {
		re = re[size:]
		if im != nil {
			im = im[size:]
		}
		s.block(s.even2, s.odd2, re, im, log2)
		addCross(s.cross[0], s.even, s.even2, 1)
		addCross(s.cross[1], s.odd, s.odd2, -1)
		s.even, s.even2, s.odd, s.odd2 = s.even2, s.even, s.odd2, s.odd
	}
	addPower(s.cross[0], s.even)
	addPower(s.cross[1], s.odd)
}

// block transforms the first values of re + i·im, followed by as many zeros:
// the even frequencies are those of the values, the odd ones those of the
// values times exp(-πi·t/size).
func (s *spectrum) block(even, odd []complex128, re, im []float64, log2 int) {
	size := 1 << log2
	n := min(size, len(re))
	re, even, odd = re[:n], even[:size], odd[:size]
	turns := s.halfTurn(log2)
	if im == nil {
		for t, x := range re {
			even[t], odd[t] = complex(x, 0), complex(x*real(turns[t]), x*imag(turns[t]))
		}
	} else {
		im, turns = im[:n], turns[:n]
		for t := range re {
			z := complex(re[t], im[t])
			even[t], odd[t] = z, z*turns[t]
		}
	}
	clear(even[n:])
	clear(odd[n:])
	s.forward(even, log2)
	s.forward(odd, log2)
}

// addCross adds conj(a)·(a ± b).
func addCross(sum, a, b []complex128, sign float64) {
	a, b = a[:len(sum)], b[:len(sum)]
	for k := range sum {
		sr, si := real(a[k])+sign*real(b[k]), imag(a[k])+sign*imag(b[k])
		re := real(a[k])*sr + imag(a[k])*si
		im := real(a[k])*si - imag(a[k])*sr
		sum[k] += complex(re, im)
	}
}

func addPower(sum, a []complex128) {
	a = a[:len(sum)]
	for k, z := range a {
		sum[k] += complex(real(z)*real(z)+imag(z)*imag(z), 0)
	}
}

// lags transforms the cross spectra back.
func (s *spectrum) lags(dst []float64, log2 int, scale float64) {
	s.inverse(s.cross[0], log2)
	s.inverse(s.cross[1], log2)
	turns := s.halfTurn(log2)
	for t := range dst {
		a, b, w := s.cross[0][t], s.cross[1][t], turns[t]
		dst[t] = (real(a) + real(b)*real(w) + imag(b)*imag(w)) * scale
	}
}
