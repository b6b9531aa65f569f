package f32

import "math"

// Polynomials are minimax fits, by Lawson's iteration, their coefficients rounded one after another.
const (
	log2e   = float32(math.Log2E)
	ln2Hi   = float32(0x1.62e4p-1) // 15 bits, so that products with exponents are exact
	ln2Lo   = float32(0x1.7f7d1cp-20)
	shifter = float32(0x1.8p23) // adding it rounds to an integer, which is left in the low bits

	// 2ᶠ ≈ 1 + f·(c0 + f·(c1 + …)) on |f| ≤ ½, to 9.4e-8.
	exp2C0, exp2C1, exp2C2, exp2C3, exp2C4 = float32(0x1.62e42ap-1), float32(0x1.ebf9c2p-3), float32(0x1.c6b6dap-5), float32(0x1.3ce8b2p-7), float32(0x1.5bd97cp-10)
	// eʳ ≈ 1 + r + r²·(c0 + r·(c1 + …)) on |r| ≤ ½·ln 2, to 3.2e-9.
	expC0, expC1, expC2, expC3, expC4 = float32(0x1.fffffcp-2), float32(0x1.555492p-3), float32(0x1.5558acp-5), float32(0x1.123976p-7), float32(0x1.6a5052p-10)
	// e^δ − 1 ≈ δ + δ²·(c0 + δ·(c1 + …)) on |δ| ≤ ½, to 4.6e-9 relative.
	expm1C0, expm1C1, expm1C2, expm1C3, expm1C4, expm1C5 = float32(0x1.000002p-1), float32(0x1.555558p-3), float32(0x1.5551bep-5), float32(0x1.110d08p-7), float32(0x1.6f4a6ep-10), float32(0x1.a53e52p-13)
	// log((1+q)/(1−q)) ≈ q·(2 + q²·(c0 + q²·(c1 + …))) on |q| ≤ ⅓, to 4.6e-9 relative.
	logC0, logC1, logC2, logC3 = float32(0x1.5555p-1), float32(0x1.99d296p-2), float32(0x1.1eb48ap-2), float32(0x1.1eff64p-2)
)

// Bounds within which powers, and what is made of them, are normal numbers: processors take a hundred times as long for others.
const (
	exp2Min, exp2Max = float32(-125), float32(126)
	expMin, expMax   = float32(-86), float32(86)
)

// exp2 is 2ʸ with y held between −125 and 126.
func exp2(y float32) float32 {
	if exp2Min > y {
		y = exp2Min
	}
	if exp2Max < y {
		y = exp2Max
	}
	t := y + shifter
	f := y - (t - shifter)
	p := float32(exp2C4*f) + exp2C3
	p = float32(p*f) + exp2C2
	p = float32(p*f) + exp2C1
	p = float32(p*f) + exp2C0
	p = float32(p*f) + 1
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
}

// exp is eˣ with x held between −86 and 86.
func exp(x float32) float32 {
	if expMin > x {
		x = expMin
	}
	if expMax < x {
		x = expMax
	}
	t := float32(x*log2e) + shifter
	n := t - shifter
	r := x - float32(n*ln2Hi)
	r -= float32(n * ln2Lo)
	p := float32(expC4*r) + expC3
	p = float32(p*r) + expC2
	p = float32(p*r) + expC1
	p = float32(p*r) + expC0
	p = float32(float32(p*r)*r) + r
	p++
	return float32(p * math.Float32frombits(math.Float32bits(t)<<23+0x3f800000))
}

// expm1 is e^δ − 1 for |δ| ≤ ½.
func expm1(d float32) float32 {
	p := float32(expm1C5*d) + expm1C4
	p = float32(p*d) + expm1C3
	p = float32(p*d) + expm1C2
	p = float32(p*d) + expm1C1
	p = float32(p*d) + expm1C0
	return float32(float32(p*d)*d) + d
}

// leastRatio keeps squares normal, and is lost beside 2.
const leastRatio = float32(0x1p-60)

// logRatio is log((1+q)/(1−q)) for |q| ≤ ⅓; with q = z/(2+z) it is log(1+z).
func logRatio(q float32) float32 {
	w := math.Float32frombits(math.Float32bits(q) &^ (1 << 31))
	if leastRatio > w {
		w = leastRatio
	}
	w = float32(w * w)
	p := float32(logC3*w) + logC2
	p = float32(p*w) + logC1
	p = float32(p*w) + logC0
	p = float32(p*w) + 2
	return float32(p * q)
}
