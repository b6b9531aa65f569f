package dist

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// noncentralT is dnt(mu, tau, k): the distribution of U/√(V/k), where U is normal with mean mu and precision tau and
// V chi-squared with k degrees of freedom.
func noncentralT() *Scalar {
	d := &Scalar{
		Name:        "dnt",
		Params:      []string{"mu", "tau", "k"},
		CanTruncate: true,
		Check:       tCheck,
		Support:     realLine,
		LogProb:     func(x float64, p []float64) float64 { return NtLogProb(x, p[0], p[1], p[2]) },
		Grad:        ntGrad,
		Sample: func(r *rand.Rand, p []float64) float64 {
			return normSample(r, p) / math.Sqrt(Gamma(r, 0.5*p[2], 0.5)/p[2])
		},
		CDF:    func(x float64, p []float64) float64 { return vec.Exp(ntLogCDF(x, p)) },
		LogCDF: ntLogCDF,
		LogSF:  ntLogSF,
		Mean: func(p []float64) float64 {
			if p[2] <= 1 {
				return math.NaN()
			}
			return p[0] * ntMeanFactor(p[2])
		},
		Variance: ntVariance,
	}
	d.Quantile = func(q float64, p []float64) float64 {
		if !locationScaleOK(p) || !positive(p[2]) {
			return math.NaN()
		}
		return d.searchQuantile(q, p, p[0])
	}
	return d
}

// ntMeanFactor is E √(k/V) = √(k/2)·Γ((k−1)/2)/Γ(k/2) = √(k/2π)·B((k−1)/2, ½).
func ntMeanFactor(k float64) float64 {
	return math.Sqrt(k/(2*math.Pi)) * vec.Exp(vec.LogBeta(0.5*(k-1), 0.5))
}

func ntVariance(p []float64) float64 {
	mu, tau, k := p[0], p[1], p[2]
	switch {
	case k <= 1:
		return math.NaN()
	case k <= 2:
		return math.Inf(1)
	}
	m := mu * ntMeanFactor(k)
	return float64(k/(k-2)*(1/tau+float64(mu*mu))) - float64(m*m)
}

// NtLogProb is the log density of dnt(mu, tau, k) at x: ∫ s φ(s x; mu, tau) g(s) ds over s > 0, with the normal density φ of mean mu
// and precision tau, and g(s) = 2 (k/2)^(k/2)/Γ(k/2) s^(k−1) e^(−k s²/2) the density of √(V/k), V chi-squared with k degrees.
func NtLogProb(x, mu, tau, k float64) float64 {
	if !(finite(mu) && positive(tau) && positive(k)) || x != x {
		return math.NaN()
	}
	if math.IsInf(x, 0) {
		return math.Inf(-1)
	}
	rt := math.Sqrt(tau)
	s := ntDensity(float64(x*rt), float64(mu*rt), k)
	return s.logValue + float64(0.5*vec.Log(tau))
}

// ntSum is an integral over v, where √(V/k) = eᵛ = s, and the means under the integrand that derivatives need.
type ntSum struct {
	logValue      float64
	resid, scaled float64 // E(t s − δ), E(s (t s − δ))
	gap           float64 // E(e²ᵛ − 1 − 2v)
}

// logScale is the log of 2a^a e^(−a)/Γ(a), a = k/2: the log density of v is that less a·scaleGap(v).
func logScale(k float64) float64 {
	a := float64(0.5 * k)
	if a >= 16 {
		return math.Ln2 + float64(0.5*vec.Log(a)) - halfLog2Pi - stirlingErr(a)
	}
	return math.Ln2 + float64(a*vec.Log(a)) - a - vec.Lgamma(a)
}

// scaleGap is e²ᵛ − 1 − 2v ≥ 0.
func scaleGap(v float64) float64 {
	if math.Abs(v) < 0.09 {
		return vec.LogGap(vec.Expm1(2 * v))
	}
	return vec.Expm1(2*v) - 2*v
}

// ntFar is the |t| beyond which the tails are powers: only scales s so small count there that exp(−k s²/2) is 1.
func ntFar(delta, k float64) float64 { return 1e9 * (1 + math.Abs(delta) + math.Sqrt(k)) }

// ntDensity integrates φ(t s − δ)·s over the distribution of s.
func ntDensity(t, delta, k float64) ntSum {
	if far := ntFar(delta, k); math.Abs(t) > far {
		m := ntDensity(math.Copysign(far, t), delta, k)
		r := vec.Log(math.Abs(t) / far)
		m.logValue -= float64((k + 1) * r)
		m.scaled *= far / math.Abs(t)
		m.gap += 2 * r
		return m
	}
	// The integrand is greatest where (k+t²)s² − δ t s − (k+1) = 0.
	q, b := k+float64(t*t), float64(delta*t)
	root := math.Sqrt(float64(b*b) + float64(4*float64(q*(k+1))))
	s := (b + root) / (2 * q)
	if b < 0 {
		s = 2 * (k + 1) / (root - b)
	}
	ts := float64(t * s)
	curvature := float64(2*float64(k*float64(s*s))) + float64(ts*(2*ts-delta))
	return ntIntegrate(t, delta, k, vec.Log(s), curvature, func(v, resid float64) float64 {
		return v - float64(0.5*float64(resid*resid)) - halfLog2Pi
	})
}

// ntIntegrate is the trapezoidal rule in v from the integrand's greatest value at top outwards. Its error falls
// exponentially with the number of points, as the integrand is analytic in a strip around the line (Trefethen and
// Weideman, 2014). f is the log of the integrand without the density of v, as a function of v and t s − δ. Where the
// peak is so narrow beside a tail that the points become many, they are spread as v = top + σ sinh u.
func ntIntegrate(t, delta, k, top, curvature float64, f func(v, resid float64) float64) ntSum {
	r := ntRule{t: t, delta: delta, k: k, top: top, step: min(0.4/math.Sqrt(curvature), 0.1), f: f}
	if m, ok := r.integrate(ntSteps); ok {
		return m
	}
	r = ntRule{t: t, delta: delta, k: k, top: top, step: ntSpread, width: min(1/math.Sqrt(curvature), 0.25), f: f}
	m, _ := r.integrate(ntMost)
	return m
}

const (
	ntSteps  = 1000  // on each side of the peak
	ntMost   = 20000 // of spread points, reached only where an argument overflows
	ntSpread = 0.05
)

// ntRule is a trapezoidal rule, of steps in v or, if there is a width, in u.
type ntRule struct {
	t, delta, k, top, step, width float64
	f                             func(v, resid float64) float64
}

// at is v at point i, and the derivative of v by the variable of the rule.
func (r *ntRule) at(i float64) (v, slope float64) {
	u := float64(i * r.step)
	if r.width == 0 {
		return r.top + u, 1
	}
	e := vec.Expm1(math.Abs(u))
	sinh := float64(0.5 * (e + e/(1+e)))
	return r.top + float64(r.width*math.Copysign(sinh, u)), float64(r.width * math.Sqrt(1+float64(sinh*sinh)))
}

// integrate reports whether it came to both ends within most steps.
func (r *ntRule) integrate(most float64) (m ntSum, ok bool) {
	var base, sum float64
	add := func(i float64) (v, weight float64) {
		v, slope := r.at(i)
		s := vec.Exp(v)
		resid := float64(r.t*s) - r.delta
		gap := scaleGap(v)
		l := r.f(v, resid) - float64(0.5*float64(r.k*gap))
		if sum == 0 {
			base = l
		}
		weight = float64(vec.Exp(l-base) * slope)
		sum += weight
		m.resid += float64(weight * resid)
		m.scaled += float64(weight * float64(s*resid))
		m.gap += float64(weight * gap)
		return v, weight
	}
	add(0)
	right, left := false, false
	for i := 1.0; i < most && !right; i++ {
		_, w := add(i)
		right = w <= 0x1p-60*sum
	}
	for i := 1.0; right && i < most && !left; i++ {
		v, w := add(-i)
		left = w <= 0x1p-60*sum
		if !left && r.width == 0 && v < -45 && vec.Exp(v)*math.Abs(r.t) < 0x1p-60*(1+math.Abs(r.delta)) {
			// What is left is the geometric series of exp(k v): for the integral of Φ only.
			rest := w / vec.Expm1(float64(r.k*r.step))
			sum += rest
			left = true
		}
	}
	m.resid /= sum
	m.scaled /= sum
	m.gap /= sum
	m.logValue = base + vec.Log(float64(sum*r.step)) + logScale(r.k)
	return m, left
}

func ntGrad(x float64, p, dp []float64) (dx float64) {
	mu, tau, k := p[0], p[1], p[2]
	rt := math.Sqrt(tau)
	m := ntDensity(float64(x*rt), float64(mu*rt), k)
	dx = -float64(rt * m.scaled)
	dp[0] = float64(rt * m.resid)
	dp[1] = (float64(dx*x) + float64(dp[0]*mu) + 1) / (2 * tau)
	dp[2] = float64(0.5 * (vec.Log(0.5*k) - vec.Digamma(0.5*k) - m.gap))
	return dx
}

func ntLogCDF(x float64, p []float64) float64 { l, _ := ntTails(x, p); return l }
func ntLogSF(x float64, p []float64) float64  { _, l := ntTails(x, p); return l }

func ntTails(x float64, p []float64) (logCDF, logSF float64) {
	if !locationScaleOK(p) || !positive(p[2]) || x != x {
		return math.NaN(), math.NaN()
	}
	if math.IsInf(x, 0) {
		if x > 0 {
			return 0, math.Inf(-1)
		}
		return math.Inf(-1), 0
	}
	rt := math.Sqrt(p[1])
	t, delta, k := float64(x*rt), float64(p[0]*rt), p[2]
	if t < delta {
		logCDF = min(ntTail(t, delta, k), 0)
		return logCDF, vec.Log1mExp(logCDF)
	}
	logSF = min(ntTail(-t, -delta, k), 0)
	return vec.Log1mExp(logSF), logSF
}

// ntTail is log P(T ≤ t) = log E Φ(t s − δ).
func ntTail(t, delta, k float64) float64 {
	if far := ntFar(delta, k); t < -far {
		return ntTail(-far, delta, k) - float64(k*vec.Log(-t/far))
	}
	// The integrand is log-concave in s; its slope there, k/s − k s + t·hazard, is decreasing. The hazard of the normal
	// tail at δ − t s is the derivative of log Φ.
	slope := func(s float64) float64 {
		return k/s - float64(k*s) + float64(t*vec.NormHazard(delta-float64(t*s)))
	}
	lo, hi := 1.0, 1.0
	for slope(lo) < 0 && lo > smallest {
		lo *= 0.25
	}
	for slope(hi) > 0 && hi < math.MaxFloat64/4 {
		hi *= 4
	}
	for range 30 {
		if mid := math.Sqrt(lo) * math.Sqrt(hi); slope(mid) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	s := math.Sqrt(lo) * math.Sqrt(hi)
	z := float64(t*s) - delta
	h := vec.NormHazard(-z)
	ts := float64(t * s)
	curvature := float64(2*float64(k*float64(s*s))) + math.Abs(float64(ts*h)) + float64(ts*float64(ts*float64(h*(h+z))))
	// Φ goes from 0 to 1 where t s − δ does from −1 to 1, which may be narrower than the peak.
	return ntIntegrate(t, delta, k, vec.Log(s), max(curvature, float64(ts*ts)), func(_, resid float64) float64 {
		return vec.LogNormCDF(resid)
	}).logValue
}
