package vec

import "math"

// Pow is xʸ, with the special cases of math.Pow. Its error is below 1.5 ulp.
func Pow(x, y float64) float64 {
	switch {
	case y == 2:
		return float64(x * x)
	case y == 1:
		return x
	case y == 0.5 && x > 0:
		return math.Sqrt(x)
	case y == -1:
		return 1 / x
	case y == 0 || x == 1:
		return 1
	case y == 3:
		return float64(float64(x*x) * x)
	}
	if !(x > 0 && x <= math.MaxFloat64) || !(math.Abs(y) <= math.MaxFloat64) {
		return powExtreme(x, y)
	}
	return powPositive(x, y)
}

// powExtreme is Pow where x is not a positive finite number or y is not finite.
func powExtreme(x, y float64) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case x < 0 && x >= -math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64:
		if y != math.Floor(y) {
			return math.NaN()
		}
		z := powPositive(-x, y)
		if math.Mod(y, 2) != 0 {
			return -z
		}
		return z
	}
	// What is left is 0 or infinite, and exact in package math on every machine.
	return math.Pow(x, y)
}

// powPositive is exp(y·log x) for positive finite x and finite y, with the logarithm to some 68 bits.
func powPositive(x, y float64) float64 {
	hi, lo := logTwo(x)
	if math.Abs(y) > 0x1p900 || math.Abs(y*hi) > 760 { // infinite or 0
		return Exp(float64(y * hi))
	}
	p, e := mulTwo(y, hi)
	e += float64(y * lo)
	if !(p > -700 && p < 709) { // the result, or its product with e, may be out of range
		s := Exp(float64(0.5 * p))
		return float64((s + float64(s*e)) * s)
	}
	s := Exp(p)
	return s + float64(s*e)
}

// logTwo is log x for positive finite x as the sum of two numbers.
func logTwo(x float64) (hi, lo float64) {
	shift := 0.0
	if x < 0x1p-1022 {
		x *= 0x1p54
		shift = -54
	}
	ix := math.Float64bits(x)
	t := ix - logOrigin
	e := &logTable[t>>45&127]
	k := float64(int64(t)>>52) + shift
	iz := ix - t&^(1<<52-1)
	z := math.Float64frombits(iz)
	zh := math.Float64frombits(iz &^ (1<<13 - 1))
	a := float64(zh*e.inv) - 1
	b := float64((z - zh) * e.inv)
	r := a + b
	rl := (a - r) + b
	// r²/2 as a sum of two, the higher powers as one.
	rh := math.Float64frombits(math.Float64bits(r) &^ (1<<27 - 1))
	rr := r - rh
	sq := float64(float64(-0.5*rh) * rh)
	sql := float64(float64(-0.5*rr)*(r+rh)) - float64(r*rl)
	c := 1.0/7 + float64(r*(-1.0/8+float64(r*(1.0/9+float64(r*-0.1)))))
	c = 1.0/3 + float64(r*(-0.25+float64(r*(0.2+float64(r*(-1.0/6+float64(r*c)))))))
	w := float64(k*ln2Hi) + e.hi
	h1 := w + r
	l1 := (w - h1) + r
	if w == 0 {
		h1, l1 = r, 0
	}
	h2 := h1 + sq
	l2 := (h1 - h2) + sq
	lo = l1 + l2 + (sql + rl + float64(float64(float64(r*r)*r)*c) + (float64(k*ln2Lo) + e.lo))
	hi = h2 + lo
	return hi, (h2 - hi) + lo
}

// mulTwo is x·y as the sum of a double and its rounding error (Dekker, 1971), for |x·y| < 2¹⁰⁰⁰ and |x|, |y| < 2⁹⁹⁶.
func mulTwo(x, y float64) (p, e float64) {
	p = float64(x * y)
	c := float64(x * 0x1.0000002p27)
	xh := c - (c - x)
	xl := x - xh
	c = float64(y * 0x1.0000002p27)
	yh := c - (c - y)
	yl := y - yh
	e = ((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl)
	return p, e
}
