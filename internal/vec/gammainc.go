package vec

import "math"

// GammaTails gives log P(a, x) and log Q(a, x), the logarithms of the regularised incomplete gamma functions, for
// a > 0. The smaller of the two has a relative error of some 1e-14 in the function itself however far out x lies.
func GammaTails(a, x float64) (logP, logQ float64) {
	switch {
	case !(a > 0 && a <= math.MaxFloat64) || x != x:
		return math.NaN(), math.NaN()
	case x <= 0:
		return math.Inf(-1), 0
	case x > math.MaxFloat64:
		return 0, math.Inf(-1)
	case a < 1 && x < 1.1:
		return gammaSmall(a, x)
	case a >= 1000 && math.Abs(x-a) < 0.25*a:
		return gammaUniform(a, x)
	case x < a+1:
		logP = gammaPrefix(a, x) + Log(gammaSeries(a, x))
		return logP, Log1mExp(min(logP, 0))
	}
	logQ = gammaPrefix(a, x) + Log(float64(a*gammaFraction(a, x)))
	return Log1mExp(min(logQ, 0)), logQ
}

// GammaP is P(a, x).
func GammaP(a, x float64) float64 { p, _ := GammaTails(a, x); return Exp(p) }

// GammaQ is Q(a, x) = 1 − P(a, x).
func GammaQ(a, x float64) float64 { _, q := GammaTails(a, x); return Exp(q) }

// lgamma1p is log Γ(1+x), to full relative precision for small x.
func lgamma1p(x float64) float64 {
	if x < 0.5 {
		return float64(x * lgammaOne(x))
	}
	return Lgamma(1 + x)
}

// LogGap is x − log(1+x) for x > -1, without cancellation for small x.
func LogGap(x float64) float64 {
	if math.Abs(x) > 0.2 {
		return x - Log1p(x)
	}
	// log(1+x) = 2 atanh v with v = x/(2+x), and x − 2v = x v.
	v := x / (2 + x)
	z := float64(v * v)
	s := 1.0 / 17
	for k := 15.0; k >= 3; k -= 2 {
		s = 1/k + float64(s*z)
	}
	return float64(v * (x - float64(float64(2*z)*s)))
}

// Deviance is a log(a/x) + d for d = x − a, without cancellation where x is close to a (Loader, 2000). The caller gives d
// because it may know it better than from x and a.
func Deviance(a, x, d float64) float64 {
	if math.Abs(d) < 0.5*a {
		return float64(a * LogGap(d/a))
	}
	return float64(a*(Log(a)-Log(x))) + d
}

// gammaPrefix is log(xᵃe⁻ˣ/Γ(a+1)).
func gammaPrefix(a, x float64) float64 {
	if a < 8 {
		return float64(a*Log(x)) - x - lgamma1p(a)
	}
	return -Deviance(a, x, x-a) - (float64(0.5*Log(a)) + halfLn2Pi + stirlingTail(a))
}

// gammaSmall is GammaTails for a < 1 and x < 1.1, where P = xᵃ/Γ(a+1)·(1 + a Σ (−x)ⁿ/(n!(a+n))): every term of log P
// is of order a, so that Q is accurate as well.
func gammaSmall(a, x float64) (logP, logQ float64) {
	s, t := 0.0, 1.0
	for n := 1.0; n < 40; n++ {
		t = float64(t * (-x / n))
		d := t / (a + n)
		s += d
		if math.Abs(d) <= 0x1p-56*math.Abs(s) {
			break
		}
	}
	logP = min(float64(a*Log(x))-lgamma1p(a)+Log1p(float64(a*s)), 0)
	return logP, Log1mExp(logP)
}

// gammaSeries is Σ xⁿ/((a+1)…(a+n)), n ≥ 0, for x < a+1.
func gammaSeries(a, x float64) float64 {
	s, t := 1.0, 1.0
	for t > 0x1p-56*s {
		a++
		t = float64(t * (x / a))
		s += t
	}
	return s
}

// gammaFraction is Γ(a, x)·eˣx⁻ᵃ by its continued fraction, by Lentz's method as Thompson and Barnett (1986) changed
// it, for x ≥ a+1 or x > 1.
func gammaFraction(a, x float64) float64 {
	const tiny = 0x1p-900
	b := x + 1 - a
	c := 1 / tiny
	d := 1 / b
	h := d
	for i := 1.0; i < 1e5; i++ {
		an := float64(i * (a - i))
		b += 2
		d = b + float64(an*d)
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + an/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		f := float64(c * d)
		h = float64(h * f)
		if math.Abs(f-1) < 0x1p-52 {
			break
		}
	}
	return h
}

// temme holds the Taylor coefficients in η of c₀ … c₄ of Temme's uniform expansion, from the recurrence in rational
// arithmetic (DLMF 8.12.9).
var temme = [5][]float64{
	{-0.3333333333333333, 0.08333333333333333, -0.014814814814814815, 0.0011574074074074073, 0.0003527336860670194, -0.0001787551440329218, 3.919263178522438e-05, -2.185448510679992e-06, -1.85406221071516e-06, 8.296711340953087e-07, -1.7665952736826078e-07, 6.707853543401498e-09, 1.0261809784240309e-08, -4.382036018453353e-09, 9.14769958223679e-10},
	{-0.001851851851851852, -0.003472222222222222, 0.0026455026455026454, -0.0009902263374485596, 0.00020576131687242798, -4.018775720164609e-07, -1.8098550334489977e-05, 7.64916091608111e-06, -1.6120900894563446e-06, 4.647127802807434e-09, 1.378633446915721e-07, -5.752545603517705e-08, 1.1951628599778148e-08},
	{0.004133597883597883, -0.0026813271604938273, 0.0007716049382716049, 2.0093878600823047e-06, -0.0001073665322636516, 5.2923448829120125e-05, -1.2760635188618728e-05, 3.423578734096138e-08, 1.3721957309062934e-06, -6.298992138380055e-07, 1.4280614206064242e-07},
	{0.0006494341563786008, 0.00022947209362139917, -0.0004691894943952557, 0.00026772063206283885, -7.561801671883977e-05, -2.396505113867297e-07, 1.1082654115347302e-05, -5.6749528269915965e-06, 1.4230900732435883e-06},
	{-0.0008618882909167117, 0.0007840392217200666, -0.0002990724803031902, -1.4638452578843418e-06, 6.641498215465122e-05, -3.968365047179435e-05, 1.1375726970678419e-05},
}

// gammaUniform is GammaTails for a ≥ 1000 and |x−a| < a/4: Q = ½ erfc(η√(a/2)) + e^(−aη²/2) Σ cₖ(η)a⁻ᵏ/√(2πa)
// (Temme, 1979), with η²/2 = λ − 1 − log λ and λ = x/a.
func gammaUniform(a, x float64) (logP, logQ float64) {
	m := (x - a) / a
	gap := LogGap(m)
	eta := math.Copysign(math.Sqrt(2*gap), m)
	s := 0.0
	for k := len(temme) - 1; k >= 0; k-- {
		c := 0.0
		for j := len(temme[k]) - 1; j >= 0; j-- {
			c = float64(c*eta) + temme[k][j]
		}
		s = s/a + c
	}
	s /= math.Sqrt(float64(2 * math.Pi * a))
	y := math.Sqrt(float64(a * gap))
	half := float64(0.5 * Erfcx(y))
	if m >= 0 {
		logQ = Log(half+s) - float64(a*gap)
		return Log1mExp(logQ), logQ
	}
	logP = Log(half-s) - float64(a*gap)
	return logP, Log1mExp(logP)
}

// LogGammaP is the first half of GammaTails.
func LogGammaP(a, x float64) float64 { p, _ := GammaTails(a, x); return p }

// LogGammaQ is its second half.
func LogGammaQ(a, x float64) float64 { _, q := GammaTails(a, x); return q }
