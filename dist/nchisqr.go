package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// nchisqr is dnchisqr(k, delta): the noncentral chi-squared distribution, a mixture of chi-squared distributions with
// k+2J degrees of freedom, J ~ Poisson(delta/2).
func nchisqr() *Scalar {
	d := &Scalar{
		Name:        "dnchisqr",
		Aliases:     []string{"dnchisq"},
		Params:      []string{"k", "delta"},
		CanTruncate: true,
		Check: func(p []float64) string {
			if m := checkPositive("k", p[0]); m != "" || (p[1] >= 0 && finite(p[1])) {
				return m
			}
			return fmt.Sprintf("delta = %v must be finite and not negative", p[1])
		},
		Support: halfLine,
		LogProb: func(x float64, p []float64) float64 { return NchisqrLogProb(x, p[0], p[1]) },
		Grad:    nchisqrGrad,
		Sample: func(r *rand.Rand, p []float64) float64 {
			if !nchisqrOK(p[0], p[1]) {
				return math.NaN()
			}
			return Gamma(r, float64(0.5*p[0])+Poisson(r, 0.5*p[1]), 0.5)
		},
		CDF:      func(x float64, p []float64) float64 { return vec.Exp(nchisqrLogCDF(x, p)) },
		LogCDF:   nchisqrLogCDF,
		LogSF:    nchisqrLogSF,
		Mean:     func(p []float64) float64 { return p[0] + p[1] },
		Variance: func(p []float64) float64 { return 2 * (p[0] + 2*p[1]) },
	}
	d.Quantile = func(q float64, p []float64) float64 {
		if !nchisqrOK(p[0], p[1]) {
			return math.NaN()
		}
		return d.searchQuantile(q, p, p[0]+p[1])
	}
	return d
}

func nchisqrOK(k, delta float64) bool { return positive(k) && delta >= 0 && finite(delta) }

// NchisqrLogProb is the log density of dnchisqr(k, delta): ½ e^(−(x+delta)/2) (x/delta)^(k/4−1/2) I_{k/2−1}(√(delta x)) for x > 0, with
// the modified Bessel function I; that of dchisqr(k) for delta = 0.
func NchisqrLogProb(x, k, delta float64) float64 {
	if !(x > 0 && x <= math.MaxFloat64 && nchisqrOK(k, delta)) {
		if x == 0 && nchisqrOK(k, delta) {
			return densityAtZero(0.5*k, -math.Ln2-float64(0.5*delta))
		}
		return outside(x, nchisqrOK(k, delta))
	}
	if delta == 0 {
		return ChisqrLogProb(x, k)
	}
	m := nchisqrMixture(x, k, delta)
	return m.logTop + vec.Log(m.sum)
}

// chisqrMixture sums the terms P(J=j)·(density of x given j), relative to the greatest one.
type chisqrMixture struct {
	logTop, sum float64
	meanJ       float64 // E(J | x)
	meanPsi     float64 // E(ψ(k/2+J) | x)
}

// manyTerms reports whether the greatest term is so far out that Hankel's expansion is better than the sum.
func manyTerms(top, k float64) bool { return top > 1e7 && k*k < top || top > 1e11 }

// nchisqrFar is nchisqrMixture where delta·x is huge, by two terms of the expansion of the modified Bessel function
// I_ν(z), ν = k/2 − 1, z = √(delta·x) (DLMF 10.40.1).
func nchisqrFar(x, k, delta float64) chisqrMixture {
	nu := float64(0.5*k) - 1
	z := math.Sqrt(delta) * math.Sqrt(x)
	d := math.Sqrt(x) - math.Sqrt(delta)
	b := vec.Log1p(-(float64(4*float64(nu*nu)) - 1) / float64(8*z))
	j := float64(0.5*z) - float64(0.25*(2*nu+1))
	return chisqrMixture{
		logTop: float64(0.5*nu*(vec.Log(x)-vec.Log(delta))) - float64(0.5*float64(d*d)) - float64(0.5*vec.Log(z)) -
			halfLog2Pi - math.Ln2 + b,
		sum: 1, meanJ: j, meanPsi: vec.Log(float64(0.5*k) + j),
	}
}

// nchisqrFarTail is the tail beyond x, on the side away from the mean, where delta·x is huge. With y = √x and m = √delta
// nchisqrFar is the density (y/m)^c φ(y−m) of y, c = (k−1)/2; the power is expanded about the mean of the truncated
// normal to second order.
func nchisqrFarTail(x, k, delta float64) float64 {
	y, m := math.Sqrt(x), math.Sqrt(delta)
	d := y - m
	side := math.Copysign(1, x-(k+delta))
	h := vec.NormHazard(float64(side * d))
	mean := m + float64(side*h)
	variance := 1 - float64(h*(h-float64(side*d)))
	c, nu := float64(0.5*(k-1)), float64(0.5*k)-1
	return vec.LogNormCDF(-float64(side*d)) + float64(c*vec.Log(mean/m)) +
		vec.Log1p(float64(float64(0.5*float64(c*(c-1)))*variance)/float64(mean*mean)) +
		vec.Log1p(-(float64(4*float64(nu*nu))-1)/float64(8*float64(m*mean)))
}

// nchisqrMixture goes outwards from the greatest term, where j(k/2+j−1) = delta·x/4, by the ratio of neighbours.
func nchisqrMixture(x, k, delta float64) chisqrMixture {
	a := float64(0.5 * k)
	y := float64(0.25 * float64(delta*x))
	top := math.Floor(max(0, 0.5*((1-a)+math.Sqrt(float64((a-1)*(a-1))+float64(4*y)))))
	if manyTerms(top, k) {
		return nchisqrFar(x, k, delta)
	}
	psi := vec.Digamma(a + top)
	m := chisqrMixture{
		logTop: PoisLogProb(top, 0.5*delta) + GammaLogProb(x, a+top, 0.5),
		sum:    1, meanJ: top, meanPsi: psi,
	}
	add := func(t, j, psi float64) {
		m.sum += t
		m.meanJ += float64(t * j)
		m.meanPsi += float64(t * psi)
	}
	for t, j, s := 1.0, top, psi; t > 0x1p-60*m.sum; {
		t = float64(t * (y / float64((j+1)*(a+j))))
		s += 1 / (a + j)
		j++
		add(t, j, s)
	}
	for t, j, s := 1.0, top, psi; j > 0 && t > 0x1p-60*m.sum; {
		t = float64(t * (float64(j*(a+j-1)) / y))
		s -= 1 / (a + j - 1)
		j--
		add(t, j, s)
	}
	m.meanJ /= m.sum
	m.meanPsi /= m.sum
	return m
}

func nchisqrGrad(x float64, p, dp []float64) (dx float64) {
	k, delta := p[0], p[1]
	if delta == 0 {
		dp[0] = float64(0.5 * (vec.Log(x) - math.Ln2 - vec.Digamma(float64(0.5*k))))
		dp[1] = x/(2*k) - 0.5
		return (float64(0.5*k)-1)/x - 0.5
	}
	m := nchisqrMixture(x, k, delta)
	dp[0] = float64(0.5 * (vec.Log(x) - math.Ln2 - m.meanPsi))
	dp[1] = m.meanJ/delta - 0.5
	return (float64(0.5*k)-1+m.meanJ)/x - 0.5
}

func nchisqrLogCDF(x float64, p []float64) float64 { l, _ := nchisqrTails(x, p[0], p[1]); return l }
func nchisqrLogSF(x float64, p []float64) float64  { _, l := nchisqrTails(x, p[0], p[1]); return l }

func nchisqrTails(x, k, delta float64) (logCDF, logSF float64) {
	switch {
	case !nchisqrOK(k, delta) || x != x:
		return math.NaN(), math.NaN()
	case x <= 0:
		return math.Inf(-1), 0
	case x > math.MaxFloat64:
		return 0, math.Inf(-1)
	}
	if delta == 0 {
		return vec.GammaTails(0.5*k, 0.5*x)
	}
	if x < k+delta {
		logCDF = min(nchisqrTail(x, k, delta, vec.LogGammaP), 0)
		return logCDF, vec.Log1mExp(logCDF)
	}
	logSF = min(nchisqrTail(x, k, delta, vec.LogGammaQ), 0)
	return vec.Log1mExp(logSF), logSF
}

// nchisqrTail is log Σ P(J=j)·tail(k/2+j, x/2). The terms rise to one peak and fall; the sum starts near it.
func nchisqrTail(x, k, delta float64, tail func(a, x float64) float64) float64 {
	a := float64(0.5 * k)
	term := func(j float64) float64 { return PoisLogProb(j, 0.5*delta) + tail(a+j, 0.5*x) }
	top := math.Floor(max(0, 0.5*((1-a)+math.Sqrt(float64((a-1)*(a-1))+float64(delta*x)))))
	if manyTerms(top, k) {
		return nchisqrFarTail(x, k, delta)
	}
	if top > fewChisqrTerms {
		return nchisqrLongTail(x, k, delta, top, term)
	}
	sum := term(top)
	last := sum
	for j := top + 1; ; j++ {
		t := term(j)
		sum = vec.LogAddExp(sum, t)
		if t <= last && t < sum-41 || t == math.Inf(-1) {
			break
		}
		last = t
	}
	last = math.Inf(-1)
	for j := top - 1; j >= 0; j-- {
		t := term(j)
		sum = vec.LogAddExp(sum, t)
		if t <= last && t < sum-41 {
			break
		}
		last = t
	}
	return sum
}

// fewChisqrTerms is the place of the greatest term up to which each term asks for a tail of its own.
const fewChisqrTerms = 64

// nchisqrLongTail is nchisqrTail by the recurrences P(a, y) = P(a+1, y) + g(a) and Q(a+1, y) = Q(a, y) + g(a) with
// g(a) = y^a e^−y/Γ(a+1) (DLMF 8.8.5 and 8.8.6), each in the direction in which it adds.
func nchisqrLongTail(x, k, delta, top float64, term func(j float64) float64) float64 {
	a, y, lambda := float64(0.5*k), float64(0.5*x), float64(0.5*delta)
	upper := x >= k+delta
	step := math.Ceil(math.Sqrt(top)) // 1.4 standard deviations of J given x, or more
	if upper {
		step = -step
	}
	j, base := top, term(top)
	for most := base; base > most-41 && j > 0; most = max(most, base) {
		j = max(j+step, 0)
		base = term(j)
	}
	// g is P(J=j)·g(a+j), and like t, a term of the sum, relative to the first term.
	gap := func(j float64) float64 {
		return vec.Exp(PoisLogProb(j, lambda) + math.Ln2 + GammaLogProb(x, a+j+1, 0.5) - base)
	}
	sum, t, last := 1.0, 1.0, 0.0
	if upper {
		for g := gap(j); t > last || t > 0x1p-60*sum; j++ {
			last = t
			up := lambda / (j + 1)
			t = float64((t + g) * up)
			g *= float64(up * (y / (a + j + 1)))
			sum += t
		}
		return base + vec.Log(sum)
	}
	for g := gap(j - 1); j > 0 && (t > last || t > 0x1p-60*sum); j-- {
		last = t
		t = float64(t*(j/lambda)) + g
		g *= float64((j - 1) / lambda * ((a + j - 1) / y))
		sum += t
	}
	return base + vec.Log(sum)
}
