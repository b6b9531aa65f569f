package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// mt is dmt(mu, Omega, k), the multivariate Student t: density
// Γ((k+n)/2) / (Γ(k/2) (kπ)^(n/2)) |Ω|^(1/2) (1 + (x−μ)ᵀ Ω (x−μ)/k)^(−(k+n)/2).
func mt() *Multi {
	return &Multi{
		Name:    "dmt",
		Params:  []string{"mu", "Omega", "k"},
		Formula: "loggam((k+length(x))/2) - loggam(k/2) - length(x)/2*log(3.141592653589793*k) + 0.5*logdet(Omega) - (k+length(x))/2*log(1+sum(Omega*outer(x-mu))/k)",
		Dims: func(pdims [][]int) ([]int, error) {
			if err := scalarShape("k", pdims[2]); err != nil {
				return nil, err
			}
			return locationMatrixDims("Omega", pdims)
		},
		Check: func(p [][]float64, _ [][]int) string {
			if k := p[2][0]; !(k > 0) || math.IsInf(k, 1) {
				return fmt.Sprintf("k = %v must be positive", k)
			}
			return checkLocationMatrix("Omega", p)
		},
		LogProb: mtLogProb,
		Grad:    mtGrad,
		Sample:  mtSample,
		Mean:    mtMean,
	}
}

func mtLogProb(x []float64, p [][]float64, _ [][]int, work *Work) float64 {
	if work == nil {
		work = new(Work)
	}
	k, n := p[2][0], float64(len(x))
	q, logDet, ok := precisionForm(x, p[0], p[1], work)
	if !ok || !(k > 0) || math.IsInf(k, 1) {
		return math.NaN()
	}
	return lgammaRise(0.5*k, 0.5*n) - float64(0.5*n*vec.Log(k*math.Pi)) + float64(0.5*logDet) -
		float64(0.5*(k+n)*vec.Log1p(q/k))
}

// lgammaRise is log Γ(a+b) − log Γ(a), without cancellation where a is much larger than b.
func lgammaRise(a, b float64) float64 {
	if a < 16 {
		return vec.Lgamma(a+b) - vec.Lgamma(a)
	}
	// Stirling on both: the difference of (a−½) log a − a, then of the errors.
	return float64((a-0.5)*vec.Log1p(b/a)) + float64(b*(vec.Log(a+b)-1)) + stirlingErr(a+b) - stirlingErr(a)
}

func mtGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	n := len(x)
	k := p[2][0]
	scratch := work.floats(2 * n)
	d, s := scratch[:n], scratch[n:]
	for i := range d {
		d[i] = x[i] - p[0][i]
	}
	vec.MulVec(s, p[1], d, n)
	q := vec.Dot(d, s)
	w := (k + float64(n)) / (k + q) // the weight that replaces the normal's 1
	for i := range dx {
		dx[i] = -w * s[i]
	}
	for i := range dp[0] {
		dp[0][i] = w * s[i]
	}
	if g := dp[1]; g != nil {
		if inv, ok := work.inverse(p[1], n); !ok {
			fillNaN(g)
		} else {
			for j := range n {
				for i := range n {
					g[i+j*n] = 0.5 * (inv[i+j*n] - float64(w*d[i]*d[j]))
				}
			}
		}
	}
	if dp[2] != nil {
		h := float64(0.5 * float64(n))
		dp[2][0] = 0.5 * (vec.Digamma(float64(0.5*k)+h) - vec.Digamma(0.5*k) - float64(n)/k - vec.Log1p(q/k) + float64(w*(q/k)))
	}
}

func mtSample(dst []float64, r *rand.Rand, p [][]float64, pdims [][]int, work *Work) {
	k := p[2][0]
	if !(k > 0) || math.IsInf(k, 1) {
		fillNaN(dst)
		return
	}
	// √(χ²/k) in logarithms: χ² underflows where k is tiny.
	scale := vec.Exp(-0.5 * (LogGamma1(r, 0.5*k) + vec.Log(2/k)))
	if work == nil {
		work = new(Work)
	}
	n := len(dst)
	l, _, ok := work.factor(p[1], n)
	if !ok {
		fillNaN(dst)
		return
	}
	for i := range dst {
		dst[i] = scale * StdNormal(r)
	}
	vec.TriSolveLowerT(dst, l, dst, n)
	for i, m := range p[0] {
		dst[i] += m
	}
}

func mtMean(dst []float64, p [][]float64, _ [][]int) {
	if p[2][0] > 1 {
		copy(dst, p[0])
		return
	}
	fillNaN(dst)
}
