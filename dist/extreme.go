package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// The distributions of extremes have a location mu, a scale sigma and a shape eta, and are exponential and Gumbel
// distributions in h = log(1 + eta z)/eta, which is z at eta = 0, for z = (x−mu)/sigma (Coles, 2001, An Introduction to
// Statistical Modeling of Extreme Values, equations 3.2 and 4.2).

// genPareto is dgpar(mu, sigma, eta), the generalised Pareto distribution: P(X > x) = exp(−h) for x ≥ mu.
func genPareto() *Scalar {
	return &Scalar{
		Name:          "dgpar",
		MovingSupport: true,
		Params:        []string{"mu", "sigma", "eta"},
		CanTruncate:   true,
		Check:         extremeCheck,
		Support: func(p []float64) (lo, hi float64) {
			_, hi = extremeSupport(p)
			return p[0], hi
		},
		LogProb: func(x float64, p []float64) float64 {
			h, ok := extremeHeight(x, p)
			if !ok || !(x >= p[0]) || math.IsInf(h, 0) {
				return outside(x, extremeOK(p))
			}
			return -vec.Log(p[1]) - float64((1+p[2])*h)
		},
		Grad: func(x float64, p, dp []float64) (dx float64) {
			h, dh, deta := extremeSlopes(x, p)
			dz := -float64((1 + p[2]) * dh)
			dp[2] = -h - float64((1+p[2])*deta)
			return extremeChain(x, dz, p, dp)
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return extremeAt(StdExp(r), p) },
		CDF:    func(x float64, p []float64) float64 { return -vec.Expm1(genParetoLogSF(x, p)) },
		LogCDF: func(x float64, p []float64) float64 { return vec.Log1mExp(genParetoLogSF(x, p)) },
		LogSF:  genParetoLogSF,
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			return extremeAt(-vec.Log1p(-q), p)
		},
		Mean: func(p []float64) float64 {
			if p[2] >= 1 {
				return math.Inf(1)
			}
			return p[0] + p[1]/(1-p[2])
		},
		Variance: func(p []float64) float64 {
			if p[2] >= 0.5 {
				return math.Inf(1)
			}
			s := p[1] / (1 - p[2])
			return s * s / (1 - float64(2*p[2]))
		},
		slide: slideScaledFrom,
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			a, _ := extremeHeight(lo, p)
			b, _ := extremeHeight(hi, p)
			return min(max(extremeAt(a+truncExp(r, b-a), p), lo), hi)
		},
	}
}

// genExtreme is dgev(mu, sigma, eta), the generalised extreme value distribution: P(X ≤ x) = exp(−exp(−h)).
func genExtreme() *Scalar {
	return &Scalar{
		Name:          "dgev",
		MovingSupport: true,
		Params:        []string{"mu", "sigma", "eta"},
		CanTruncate:   true,
		Check:         extremeCheck,
		Support:       extremeSupport,
		LogProb: func(x float64, p []float64) float64 {
			h, ok := extremeHeight(x, p)
			if !ok || math.IsInf(h, 0) {
				return outside(x, extremeOK(p))
			}
			l := -vec.Log(p[1]) - float64((1+p[2])*h) - vec.Exp(-h)
			if math.IsInf(l, 0) {
				return math.Inf(-1)
			}
			return l
		},
		Grad: func(x float64, p, dp []float64) (dx float64) {
			h, dh, deta := extremeSlopes(x, p)
			by := vec.Exp(-h) - 1 - p[2]
			dp[2] = float64(by*deta) - h
			return extremeChain(x, float64(by*dh), p, dp)
		},
		Sample: func(r *rand.Rand, p []float64) float64 { return extremeAt(-vec.Log(StdExp(r)), p) },
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(genExtremeLogCDF(x, p)) },
		LogCDF: genExtremeLogCDF,
		LogSF:  func(x float64, p []float64) float64 { return vec.Log1mExp(genExtremeLogCDF(x, p)) },
		Quantile: func(q float64, p []float64) float64 {
			if !probability(q) {
				return math.NaN()
			}
			t := -vec.Log(q)
			if q > 0.5 {
				t = -vec.Log1p(q - 1)
			}
			return extremeAt(-vec.Log(t), p)
		},
		Mean:     func([]float64) float64 { return math.NaN() },
		Variance: func([]float64) float64 { return math.NaN() },
		slide:    slideScaledFrom,
		sampleT: func(r *rand.Rand, p []float64, lo, hi float64) float64 {
			a, _ := extremeHeight(lo, p)
			b, _ := extremeHeight(hi, p)
			least, most := vec.Exp(-b), vec.Exp(-a) // exp(−h) is exponential
			return min(max(extremeAt(-vec.Log(least+truncExp(r, most-least)), p), lo), hi)
		},
	}
}

func extremeOK(p []float64) bool { return finite(p[0]) && positive(p[1]) && finite(p[2]) }

func extremeCheck(p []float64) string {
	return firstNonEmpty(checkFinite("mu", p[0]), checkPositive("sigma", p[1]), checkFinite("eta", p[2]))
}

// extremeSupport is where 1 + eta z is positive.
func extremeSupport(p []float64) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	switch end := p[0] - p[1]/p[2]; {
	case end != end:
		return end, end
	case p[2] > 0:
		lo = end
	case p[2] < 0:
		hi = end
	}
	return lo, hi
}

// smallShape is the |eta z| below which h goes by its series.
const smallShape = 1e-5

// extremeHeight is h, infinite beyond the ends of the support; ok is false outside the domain.
func extremeHeight(x float64, p []float64) (h float64, ok bool) {
	if !extremeOK(p) || x != x {
		return math.NaN(), false
	}
	z := (x - p[0]) / p[1]
	u := float64(p[2] * z)
	switch {
	case p[2] == 0:
		return z, true
	case u <= -1 || math.IsInf(z, 0): // where eta has the sign of z, h rises to infinity
		if u <= -1 == (p[2] < 0) {
			return math.Inf(1), true
		}
		return math.Inf(-1), true
	case math.Abs(u) < smallShape:
		return z * (1 - float64(u*(0.5-u/3))), true
	}
	return vec.Log1p(u) / p[2], true
}

// extremeSlopes is h with its derivatives by z and eta.
func extremeSlopes(x float64, p []float64) (h, dz, deta float64) {
	h, _ = extremeHeight(x, p)
	z := (x - p[0]) / p[1]
	u := float64(p[2] * z)
	dz = 1 / (1 + u)
	if math.Abs(u) < 1e-3 {
		return h, dz, -float64(z*z) * (0.5 - float64(u*(2./3-float64(u*(0.75-float64(u*(0.8-float64(u*5./6))))))))
	}
	return h, dz, (float64(z*dz) - h) / p[2]
}

// extremeChain makes of the derivative by z those by x, mu and sigma.
func extremeChain(x, dz float64, p, dp []float64) (dx float64) {
	dx = dz / p[1]
	dp[0] = -dx
	dp[1] = -(1 + float64(dz*((x-p[0])/p[1]))) / p[1]
	return dx
}

// extremeAt is the x of a height.
func extremeAt(h float64, p []float64) float64 {
	if !extremeOK(p) {
		return math.NaN()
	}
	z := h
	if u := float64(p[2] * h); p[2] != 0 {
		z = vec.Expm1(u) / p[2]
		if math.Abs(u) < smallShape {
			z = h * (1 + float64(u*(0.5+u/6)))
		}
	}
	return p[0] + float64(p[1]*z)
}

func genParetoLogSF(x float64, p []float64) float64 {
	h, ok := extremeHeight(x, p)
	switch {
	case !ok:
		return math.NaN()
	case x <= p[0]:
		return 0
	}
	return -h
}

func genExtremeLogCDF(x float64, p []float64) float64 {
	h, ok := extremeHeight(x, p)
	if !ok {
		return math.NaN()
	}
	return -vec.Exp(-h)
}

// slideScaledFrom is that of (x − p₀)/p₁.
func slideScaledFrom(k int, x float64, p []float64) float64 {
	switch k {
	case 0:
		return -1
	case 1:
		return -(x - p[0]) / p[1]
	}
	return math.NaN()
}
