package vec

import (
	"math"
	"math/bits"
)

// π/2 as a sum of three: the first two have so few bits that their products with integers below 2²⁰ are exact.
const (
	halfPi1 = 1.5707963267341256
	halfPi2 = 6.077100506303966e-11
	halfPi3 = 2.0222662487959506e-21

	halfPiHi = 1.5707963267948966 // π/2 as a sum of two doubles
	halfPiLo = 6.123233995736766e-17
)

// Sin is the sine; its error is below 1 ulp for every finite x.
func Sin(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x // keeps -0
	}
	q, r, e := reduce(x)
	switch q & 3 {
	case 0:
		return sinKernel(r, e)
	case 1:
		return cosKernel(r, e)
	case 2:
		return -sinKernel(r, e)
	}
	return -cosKernel(r, e)
}

// Cos is the cosine; its error is below 1 ulp for every finite x.
func Cos(x float64) float64 {
	q, r, e := reduce(x)
	switch q & 3 {
	case 0:
		return cosKernel(r, e)
	case 1:
		return -sinKernel(r, e)
	case 2:
		return -cosKernel(r, e)
	}
	return sinKernel(r, e)
}

// Tan is the tangent; its error is below 2.5 ulp.
func Tan(x float64) float64 {
	if math.Abs(x) < 0x1p-27 {
		return x
	}
	q, r, e := reduce(x)
	s, c := sinKernel(r, e), cosKernel(r, e)
	if q&1 == 0 {
		return s / c
	}
	return -c / s
}

// reduce writes x as q·π/2 + r + e with |r| ≤ π/4 (nearly) and e the rounding error of r.
func reduce(x float64) (q int, r, e float64) {
	ax := math.Abs(x)
	switch {
	case ax <= math.Pi/4:
		return 0, x, 0
	case ax < 0x1p20:
		n := math.Floor(float64(x*(2/math.Pi)) + 0.5)
		a := x - float64(n*halfPi1) // exact
		b := float64(n * halfPi2)
		h := a - b
		l := (a - h) - b // exact, as |a| ≥ |b| or the difference is
		if math.Abs(b) > math.Abs(a) {
			l = a - (h + b)
		}
		c := float64(n*halfPi3) - l
		r = h - c
		return int(n), r, (h - r) - c
	case ax <= math.MaxFloat64:
		q, r, e = reduceHuge(ax)
		if x < 0 {
			return -q, -r, -e
		}
		return q, r, e
	}
	return 0, math.NaN(), 0
}

// twoOverPi is the binary fraction of 2/π, the first 1280 bits.
var twoOverPi = [20]uint64{
	0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
	0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
	0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
	0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// reduceHuge is reduce for x ≥ 2²⁰: the mantissa times those 192 bits of 2/π that matter (Payne and Hanek, 1983).
func reduceHuge(x float64) (q int, r, e float64) {
	ix := math.Float64bits(x)
	m := ix&(1<<52-1) | 1<<52
	k := int(ix>>52) - 1075 // x = m·2ᵏ
	// Bits of 2/π whose product with x is a multiple of 4 do not matter: drop the first k-2 (or keep all).
	drop := max(k-2, 0)
	w, s := drop/64, uint(drop%64)
	var f [3]uint64
	for i := range f {
		f[i] = twoOverPi[w+i] << s
		if s > 0 {
			f[i] |= twoOverPi[w+i+1] >> (64 - s)
		}
	}
	// p = m·f is a 256-bit number, of which the highest word is needed as well.
	h2, l2 := bits.Mul64(m, f[2])
	h1, l1 := bits.Mul64(m, f[1])
	h0, l0 := bits.Mul64(m, f[0])
	_ = l2
	p2, c := bits.Add64(l1, h2, 0)
	p1, c := bits.Add64(l0, h1, c)
	p0 := h0 + c
	// x·2/π = p·2^(k-drop-192): the binary point stands `point` bits below the top of (p0, p1, p2).
	point := uint(64 + k - drop) // 2 more bits where drop = k-2
	// Shift left so that the two bits above the point become the top ones.
	for range point - 2 {
		p0 = p0<<1 | p1>>63
		p1 = p1<<1 | p2>>63
		p2 <<= 1
	}
	q = int(p0 >> 62)
	p0 = p0<<2 | p1>>62
	p1 = p1<<2 | p2>>62
	neg := p0>>63 == 1
	if neg { // nearer to the next multiple
		q++
		p0, p1 = ^p0, ^p1
	}
	z := bits.LeadingZeros64(p0)
	if z > 0 {
		p0 = p0<<uint(z) | p1>>uint(64-z)
		p1 <<= uint(z)
	}
	scale := math.Ldexp(1, -z)
	hi := float64(float64(p0&^(1<<11-1)) * 0x1p-64 * scale)
	lo := float64((float64(p0&(1<<11-1)) + float64(float64(p1)*0x1p-64)) * 0x1p-64 * scale)
	a, b := mulTwo(hi, halfPiHi)
	b += float64(hi*halfPiLo) + float64(lo*halfPiHi)
	r = a + b
	e = (a - r) + b
	if neg {
		r, e = -r, -e
	}
	return q, r, e
}

// sinKernel is sin(r+e) for |r| ≤ π/4.
func sinKernel(r, e float64) float64 {
	z := float64(r * r)
	t := float64(float64(z*r)*sinTail(z)) + float64(e*(1-float64(0.5*z)))
	return r + t
}

// cosKernel is cos(r+e) for |r| ≤ π/4.
func cosKernel(r, e float64) float64 {
	z := float64(r * r)
	h := float64(0.5 * z)
	w := 1 - h
	return w + (((1 - w) - h) + (float64(float64(z*z)*cosTail(z)) - float64(r*e)))
}
