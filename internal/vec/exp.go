package vec

import "math"

const (
	ln2     = math.Ln2
	ln2Hi   = 0.6931471805598903    // ln 2 to 42 fractional bits
	ln2Lo   = 5.497923018708371e-14 // ln 2 − ln2Hi
	expInv  = 184.6649652337873     // 128/ln 2
	expHi   = 0.0054152123482253955 // ln 2/128 to 35 bits, so that its product with the step number is exact
	expLo   = -1.0082281460997769e-13
	shifter = 0x1.8p52 // adding it rounds to an integer, which is left in the low bits
)

// Exp is eˣ. Its error is below 1 ulp.
//
// x = (128k + i)·ln2/128 + r gives eˣ = 2ᵏ·2^(i/128)·eʳ with |r| ≤ ln2/256 (Tang, 1989): a table look-up and a
// Taylor polynomial of degree 5, whose remainder is below 2⁻⁶⁰.
func Exp(x float64) float64 {
	if !(x > -708 && x < 709) {
		return expExtreme(x)
	}
	z := float64(x*expInv) + shifter
	n := math.Float64bits(z)
	z -= shifter
	r := (x - float64(z*expHi)) - float64(z*expLo)
	e := &expTable[n&127]
	r2 := float64(r * r)
	p := e.tail + r + float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
	s := math.Float64frombits(e.bits + n<<45)
	return s + float64(s*p)
}

// expExtreme is Exp where the result, or a factor of it, may be infinite, subnormal or NaN.
func expExtreme(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.14:
		return 0
	}
	m, p, k := expReduce(x)
	return math.Ldexp(m+float64(m*p), k)
}

// expReduce gives m in [1, 2), p and k with eˣ = 2ᵏ·m·(1+p), |p| ≤ 0.0028, for |x| < 2²⁰.
func expReduce(x float64) (m, p float64, k int) {
	z := float64(x*expInv) + shifter
	n := math.Float64bits(z)
	z -= shifter
	r := (x - float64(z*expHi)) - float64(z*expLo)
	e := &expTable[n&127]
	r2 := float64(r * r)
	p = e.tail + r + float64(r2*(0.5+float64(r*(1.0/6)))) + float64(float64(r2*r2)*(1.0/24+float64(r*(1.0/120))))
	return math.Float64frombits(e.bits + (n&127)<<45), p, int(z) >> 7
}

// Expm1 is eˣ − 1, accurate also for small x; its error is below 2 ulp.
func Expm1(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 708:
		return Exp(x) - 1
	case x < -40:
		return -1
	}
	m, p, k := expReduce(x)
	if k == 0 && m == 1 {
		if p == 0 {
			return x // keeps -0 and subnormals
		}
		return p
	}
	s := math.Float64frombits(math.Float64bits(m) + uint64(k)<<52)
	return (s - 1) + float64(s*p)
}

// Exp2 is 2ˣ.
func Exp2(x float64) float64 {
	if !(x > -1100 && x < 1100) {
		return Exp(x * ln2)
	}
	n := math.Floor(x)
	return math.Ldexp(Exp(float64((x-n)*ln2)), int(n))
}
