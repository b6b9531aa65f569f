package diag

import "math"

// transform is the discrete Fourier transform of complex sequences whose
// length is a power of two, in radix 4. Its output is in digit-reversed order,
// which inverse takes: products of spectra need no other.
type transform struct {
	twiddle [maxLog2][]complex128 // w^j, w^2j, w^3j for j = 0, …, n/4-1 by log2 n, w = exp(-2πi/n)
}

const maxLog2 = 32

// factors are the twiddle factors of a stage over n = 1<<log2 values.
func (f *transform) factors(log2 int) []complex128 {
	if f.twiddle[log2] == nil {
		n := 1 << log2
		t := make([]complex128, 0, 3*n/4)
		for j := range n / 4 {
			for k := 1; k <= 3; k++ {
				t = append(t, root(j*k, n))
			}
		}
		f.twiddle[log2] = t
	}
	return f.twiddle[log2]
}

// root is exp(-2πi·k/n).
func root(k, n int) complex128 {
	sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(n))
	return complex(cos, -sin)
}

// forward transforms x, of length 1<<log2, in place.
func (f *transform) forward(x []complex128, log2 int) {
	for ; log2 > 2; log2 -= 2 {
		n := 1 << log2
		t := f.factors(log2)
		for from := 0; from < len(x); from += n {
			split(x[from:from+n], t)
		}
	}
	if log2 == 2 {
		for ; len(x) >= 4; x = x[4:] {
			p := (*[4]complex128)(x)
			s, d := p[0]+p[2], p[0]-p[2]
			u, v := p[1]+p[3], turn(p[1]-p[3])
			p[0], p[1], p[2], p[3] = s+u, d-v, s-u, d+v
		}
		return
	}
	for ; log2 == 1 && len(x) >= 2; x = x[2:] {
		x[0], x[1] = x[0]+x[1], x[0]-x[1]
	}
}

// inverse undoes forward, but for the factor 1<<log2.
func (f *transform) inverse(x []complex128, log2 int) {
	done := log2 % 2
	if done == 1 {
		for y := x; len(y) >= 2; y = y[2:] {
			y[0], y[1] = y[0]+y[1], y[0]-y[1]
		}
	} else if log2 > 0 {
		done = 2
		for y := x; len(y) >= 4; y = y[4:] {
			p := (*[4]complex128)(y)
			s, d := p[0]+p[2], p[0]-p[2]
			u, v := p[1]+p[3], turn(p[1]-p[3])
			p[0], p[1], p[2], p[3] = s+u, d+v, s-u, d-v
		}
	}
	for done += 2; done <= log2; done += 2 {
		n := 1 << done
		t := f.factors(done)
		for from := 0; from < len(x); from += n {
			join(x[from:from+n], t)
		}
	}
}

// split is a butterfly from one block to its four quarters: decimation in
// frequency.
func split(x, t []complex128) {
	q := len(x) / 4
	x0 := x[:q]
	x1, x2, x3 := x[q:][:len(x0)], x[2*q:][:len(x0)], x[3*q:][:len(x0)]
	for j := range x0 {
		w := (*[3]complex128)(t)
		t = t[3:]
		s, d := x0[j]+x2[j], x0[j]-x2[j]
		u, v := x1[j]+x3[j], turn(x1[j]-x3[j])
		x0[j] = s + u
		x1[j] = (d - v) * w[0]
		x2[j] = (s - u) * w[1]
		x3[j] = (d + v) * w[2]
	}
}

// join is the way back: decimation in time.
func join(x, t []complex128) {
	q := len(x) / 4
	x0 := x[:q]
	x1, x2, x3 := x[q:][:len(x0)], x[2*q:][:len(x0)], x[3*q:][:len(x0)]
	for j := range x0 {
		w := (*[3]complex128)(t)
		t = t[3:]
		a, b, c := x1[j]*conj(w[0]), x2[j]*conj(w[1]), x3[j]*conj(w[2])
		s, d := x0[j]+b, x0[j]-b
		u, v := a+c, turn(a-c)
		x0[j], x1[j], x2[j], x3[j] = s+u, d+v, s-u, d-v
	}
}

// turn is i·z.
func turn(z complex128) complex128 { return complex(-imag(z), real(z)) }

func conj(z complex128) complex128 { return complex(real(z), -imag(z)) }
