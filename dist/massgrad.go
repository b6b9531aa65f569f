package dist

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// LogMassGrad writes the derivatives of [Scalar.LogMass] by the parameters whose bits are set in of (1 for the first, 2 for the second, …) to dp, 0 for the others, and returns
// those by the bounds, which are 0 for a discrete d. With the density f
// and the distribution function F, ∂ log P/∂θ = (∂F(hi)/∂θ − ∂F(lo)/∂θ)/P, where ∂F(x)/∂θ = −f(x) dx/dθ along x of one
// value of F: in closed form for parameters of location, scale and power, for the mean of Poisson counts and the probabilities of binomial and negative
// binomial ones, and by central differences for the others. What is not finite is 0. p is as it was afterwards.
func (d *Scalar) LogMassGrad(dp, p []float64, lo, hi float64, of uint) (dlo, dhi float64) {
	mass := d.LogMass(p, lo, hi)
	if d.Discrete {
		lo, hi = math.Ceil(lo)-1, math.Floor(hi)
	}
	atLo, atHi := d.share(lo, p, mass), d.share(hi, p, mass)
	for k := range p {
		if dp[k] = 0; of>>k&1 == 0 {
			continue
		}
		dp[k] = math.NaN()
		if d.slide != nil {
			dp[k] = d.slid(k, hi, p, atHi) - d.slid(k, lo, p, atLo)
		}
		if !vec.Finite(dp[k]) {
			dp[k] = d.massDifference(k, p, lo, hi)
		}
	}
	if d.Discrete {
		return 0, 0
	}
	return -atLo, atHi
}

// share is f(x)/P, 0 where f is or where it is not finite.
func (d *Scalar) share(x float64, p []float64, mass float64) float64 {
	if math.IsInf(x, 0) {
		return 0
	}
	if r := vec.Exp(d.LogProb(x, p) - mass); vec.Finite(r) {
		return r
	}
	return 0
}

// slid is ∂F(x)/∂p_k divided by P.
func (d *Scalar) slid(k int, x float64, p []float64, share float64) float64 {
	if share == 0 {
		return 0
	}
	return float64(share * d.slide(k, x, p))
}

// massStep is the relative step of central differences, the cube root of the rounding of 1.
const massStep = 6e-6

// massDifference is the derivative by p_k by differences, with bounds as they are in F(hi) − F(lo).
func (d *Scalar) massDifference(k int, p []float64, lo, hi float64) float64 {
	if d.Discrete {
		lo++
	}
	at := p[k]
	h := float64(massStep * max(math.Abs(at), massStep))
	p[k] = at + h
	up := d.LogMass(p, lo, hi)
	p[k] = at - h
	down := d.LogMass(p, lo, hi)
	p[k] = at
	if slope := (up - down) / float64(2*h); vec.Finite(slope) {
		return slope
	}
	return 0
}

// The functions slide of distributions: ∂F(x)/∂p_k divided by f(x), −dx/dp_k along x of one value of F; NaN where there is no closed form.

// slideStandard is that of (x − p₀)√p₁.
func slideStandard(k int, x float64, p []float64) float64 {
	switch k {
	case 0:
		return -1
	case 1:
		return (x - p[0]) / float64(2*p[1])
	}
	return math.NaN()
}

// slideScaled is that of (x − p₀) p₁.
func slideScaled(k int, x float64, p []float64) float64 {
	if k == 0 {
		return -1
	}
	return (x - p[0]) / p[1]
}

// slideLogStandard is that of (log x − p₀)√p₁.
func slideLogStandard(k int, x float64, p []float64) float64 {
	if k == 0 {
		return -x
	}
	return float64(x*(vec.Log(x)-p[0])) / float64(2*p[1])
}

// slideRate is that of x p_k for the last parameter.
func slideRate(k int, x float64, p []float64) float64 {
	if k < len(p)-1 {
		return math.NaN()
	}
	return x / p[k]
}

// slideWeibull is that of p₁ x^p₀.
func slideWeibull(k int, x float64, p []float64) float64 {
	if k == 0 {
		return float64(x*vec.Log(x)) / p[0]
	}
	return x / float64(p[0]*p[1])
}

// slidePareto is that of (p₁/x)^p₀.
func slidePareto(k int, x float64, p []float64) float64 {
	if k == 0 {
		return float64(x*vec.Log(x/p[1])) / p[0]
	}
	return -x / p[1]
}

// slideGenGamma is that of (p₁ x)^p₂.
func slideGenGamma(k int, x float64, p []float64) float64 {
	switch k {
	case 1:
		return x / p[1]
	case 2:
		return float64(x*vec.Log(float64(p[1]*x))) / p[2]
	}
	return math.NaN()
}

// slideScaledGamma is that of p₀² x.
func slideScaledGamma(k int, x float64, p []float64) float64 {
	if k == 0 {
		return float64(2*x) / p[0]
	}
	return math.NaN()
}

// slidePoisson: dF(x)/dλ = −f(x) (Johnson, Kemp and Kotz, 2005, Univariate Discrete Distributions, section 4.4).
func slidePoisson(int, float64, []float64) float64 { return -1 }

// slideBinomial: F(x) = I_{1−p}(n − x, x + 1).
func slideBinomial(k int, x float64, p []float64) float64 {
	if k == 0 {
		return -(p[1] - x) / (1 - p[0])
	}
	return 0 // n is a whole number
}

// slideNegBinomial: F(x) = I_p(r, x + 1).
func slideNegBinomial(k int, x float64, p []float64) float64 {
	if k == 0 {
		return (p[1] + x) / p[0]
	}
	return math.NaN()
}
