package vec

import "math"

const (
	logOrigin = 0x3fe6100000000000 // bits of the least z: half a table interval above 11/16, so that 1 is inside one
	invLn10   = 1 / math.Ln10
	invLn2    = 1 / math.Ln2
)

// Log is the natural logarithm: NaN for x < 0, -Inf for 0. Its error is below 0.8 ulp.
//
// x = 2ᵏz and inv ≈ 1/z from a table give log x = k·ln 2 − log inv + log(1+r), r = z·inv − 1, |r| ≤ 2⁻⁸ (Tang, 1990).
// The interval around 1 has inv = 1, so that small logarithms are accurate too. A Taylor polynomial of degree 7 is
// log(1+r).
func Log(x float64) float64 {
	ix := math.Float64bits(x)
	if ix-0x0010000000000000 >= 0x7fe0000000000000 {
		return logExtreme(x)
	}
	t := ix - logOrigin
	e := &logTable[t>>45&127]
	k := float64(int64(t) >> 52)
	iz := ix - t&^(1<<52-1)
	z := math.Float64frombits(iz)
	// 40 bits of z times 12 bits of inv are exact, and so are their difference from 1 and the rest's product.
	zh := math.Float64frombits(iz &^ (1<<13 - 1))
	r := (float64(zh*e.inv) - 1) + float64((z-zh)*e.inv)
	w := float64(k*ln2Hi) + e.hi
	hi := w + r
	lo := (w - hi) + r + (float64(k*ln2Lo) + e.lo)
	return hi + (lo + logTail(r))
}

// logTail is log(1+r) − r for |r| ≤ 2⁻⁸, with a remainder below 2⁻⁵⁹|r|.
func logTail(r float64) float64 {
	r2 := float64(r * r)
	a := -0.5 + float64(r*(1.0/3))
	b := -0.25 + float64(r*(1.0/5))
	c := -1.0/6 + float64(r*(1.0/7))
	return float64(r2 * (a + float64(r2*(b+float64(r2*c)))))
}

func logExtreme(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x != x || x > math.MaxFloat64:
		return x
	}
	// The term is below half an ulp of the other one's rounding.
	return float64(54*-ln2Hi) + (Log(float64(x*0x1p54)) + float64(54*-ln2Lo))
}

// Log1p is log(1+x), accurate also for small x.
func Log1p(x float64) float64 {
	if !(x > -1 && x < 0x1p53) {
		if x < 0x1p53 || x != x {
			return Log(1 + x) // -Inf for -1, NaN below
		}
		return Log(x)
	}
	if math.Abs(x) < 0x1p-53 {
		return x
	}
	u := 1 + x
	// 1+x = u+d exactly (Knuth's two-sum).
	v := u - 1
	d := (1 - (u - v)) + (x - v)
	ix := math.Float64bits(u)
	t := ix - logOrigin
	e := &logTable[t>>45&127]
	n := int64(t) >> 52
	iz := ix - t&^(1<<52-1)
	z := math.Float64frombits(iz)
	zh := math.Float64frombits(iz &^ (1<<13 - 1))
	d = float64(d * math.Float64frombits(uint64(1023-n)<<52))
	r := ((float64(zh*e.inv) - 1) + float64((z-zh)*e.inv)) + float64(d*e.inv)
	k := float64(n)
	w := float64(k*ln2Hi) + e.hi
	hi := w + r
	lo := (w - hi) + r + (float64(k*ln2Lo) + e.lo)
	return hi + (lo + logTail(r))
}

// Log10 is the decimal logarithm.
func Log10(x float64) float64 { return float64(Log(x) * invLn10) }

// Log2 is the binary logarithm, exact for powers of two.
func Log2(x float64) float64 {
	m, k := math.Frexp(x)
	if m == 0.5 {
		return float64(k - 1)
	}
	return float64(k) + float64(Log(m)*invLn2)
}
