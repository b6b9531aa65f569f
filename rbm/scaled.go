package rbm

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// scaled is the number m·2^e: products of thousands of factors and sums of
// such products, without a logarithm for each. Zero is zero.
type scaled struct {
	m float64 // 0, or at least 1 and below 2
	e int64
}

const (
	mantissaBits = 52
	exponentBias = 1023
	mantissaMask = 1<<mantissaBits - 1
)

// split takes a finite x ≥ 2⁻¹⁰²² apart.
func split(x float64) scaled {
	b := math.Float64bits(x)
	return scaled{math.Float64frombits(b&mantissaMask | exponentBias<<mantissaBits), int64(b>>mantissaBits) - exponentBias}
}

// normal is m·2^e for a finite m ≥ 2⁻¹⁰²².
func normal(m float64, e int64) scaled {
	q := split(m)
	return scaled{q.m, e + q.e}
}

// plus is s + x. A term 2⁶⁴ times smaller is lost, as it would be in a sum of
// float64.
func (s scaled) plus(x scaled) scaled {
	if s.m == 0 || x.m != 0 && x.e > s.e {
		s, x = x, s
	}
	if x.m == 0 || s.e-x.e > 64 {
		return s
	}
	return normal(s.m+math.Float64frombits(math.Float64bits(x.m)-uint64(s.e-x.e)<<mantissaBits), s.e)
}

// over is s/z for s ≤ z, 0 where that is smaller than 2⁻¹⁰⁰⁰.
func (s scaled) over(z scaled) float64 {
	if s.m == 0 || s.e-z.e < -1000 {
		return 0
	}
	return math.Ldexp(s.m/z.m, int(s.e-z.e))
}

func (s scaled) log() float64 { return vec.Log(s.m) + float64(float64(s.e)*math.Ln2) }

// exp is eˣ for any finite x, also where it is beyond the range of float64.
func exp(x float64) scaled {
	k := math.Floor(x / math.Ln2)
	// eˣ = 2ᵏ·e^(x − k ln 2); the second factor is close to [1, 2).
	const high, low = 0x1.62e42feep-1, 0x1.a39ef35793c76p-33 // ln 2 in two parts, the first short
	return normal(vec.Exp(x-float64(k*high)-float64(k*low)), int64(k))
}
