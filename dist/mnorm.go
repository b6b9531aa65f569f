package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// locationMatrixDims is the shape rule of a vector with a location vector and a square matrix.
func locationMatrixDims(matrix string, pdims [][]int) ([]int, error) {
	n, err := vectorLen("mu", pdims[0])
	if err != nil {
		return nil, err
	}
	m, err := squareOrder(matrix, pdims[1])
	if err != nil {
		return nil, err
	}
	if n != m {
		return nil, fmt.Errorf("mu has length %d, but %s is %d×%d", n, matrix, m, m)
	}
	return []int{n}, nil
}

func checkLocationMatrix(matrix string, p [][]float64) string {
	for i, v := range p[0] {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("mu[%d] = %v must be finite", i+1, v)
		}
	}
	return checkMatrix(matrix, p[1], len(p[0]))
}

// mnorm is dmnorm(mu, Omega): density (2π)^(-n/2) |Ω|^(1/2) exp(−(x−μ)ᵀ Ω (x−μ)/2).
func mnorm() *Multi {
	return &Multi{
		Name:    "dmnorm",
		Params:  []string{"mu", "Omega"},
		Formula: "0.5*logdet(Omega) - 0.5*length(x)*log(6.283185307179586) - 0.5*sum(Omega*outer(x-mu))",
		Dims:    func(pdims [][]int) ([]int, error) { return locationMatrixDims("Omega", pdims) },
		Check:   func(p [][]float64, _ [][]int) string { return checkLocationMatrix("Omega", p) },
		LogProb: mnormLogProb,
		Grad:    mnormGrad,
		Sample:  mnormSample,
		Mean:    func(dst []float64, p [][]float64, _ [][]int) { copy(dst, p[0]) },
	}
}

func mnormLogProb(x []float64, p [][]float64, _ [][]int, work *Work) float64 {
	if work == nil {
		work = new(Work)
	}
	n := len(x)
	q, logDet, ok := precisionForm(x, p[0], p[1], work)
	if !ok {
		return math.NaN()
	}
	return float64(0.5*(logDet-q)) - float64(float64(n)*halfLog2Pi)
}

// precisionForm is the quadratic form (x−μ)ᵀ Ω (x−μ), as |Lᵀ(x−μ)|² so that it is never negative, and log |Ω|.
func precisionForm(x, mu, omega []float64, work *Work) (q, logDet float64, ok bool) {
	n := len(x)
	l, logDet, ok := work.factor(omega, n)
	if !ok {
		return 0, 0, false
	}
	d := work.floats(n)
	for i := range d {
		d[i] = x[i] - mu[i]
	}
	vec.MulTriTVec(d, l, d, n)
	return vec.Dot(d, d), logDet, true
}

func mnormGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	n := len(x)
	scratch := work.floats(2 * n)
	d, s := scratch[:n], scratch[n:]
	for i := range d {
		d[i] = x[i] - p[0][i]
	}
	vec.MulVec(s, p[1], d, n) // Ω(x−μ)
	for i := range dx {
		dx[i] = -s[i]
	}
	if dp[0] != nil {
		copy(dp[0], s)
	}
	if g := dp[1]; g != nil {
		inv, ok := work.inverse(p[1], n)
		if !ok {
			fillNaN(g)
			return
		}
		for j := range n {
			for i := range n {
				g[i+j*n] = 0.5 * (inv[i+j*n] - float64(d[i]*d[j]))
			}
		}
	}
}

func mnormSample(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, work *Work) {
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
		dst[i] = StdNormal(r)
	}
	vec.TriSolveLowerT(dst, l, dst, n)
	for i, m := range p[0] {
		dst[i] += m
	}
}

// mnormVcov is dmnorm.vcov(mu, Sigma): density (2π)^(-n/2) |Σ|^(-1/2) exp(−(x−μ)ᵀ Σ⁻¹ (x−μ)/2).
func mnormVcov() *Multi {
	return &Multi{
		Name:    "dmnorm.vcov",
		Params:  []string{"mu", "Sigma"},
		Formula: "-0.5*logdet(Sigma) - 0.5*length(x)*log(6.283185307179586) - 0.5*sum(inverse(Sigma)*outer(x-mu))",
		Dims:    func(pdims [][]int) ([]int, error) { return locationMatrixDims("Sigma", pdims) },
		Check:   func(p [][]float64, _ [][]int) string { return checkLocationMatrix("Sigma", p) },
		LogProb: mnormVcovLogProb,
		Grad:    mnormVcovGrad,
		Sample:  mnormVcovSample,
		Mean:    func(dst []float64, p [][]float64, _ [][]int) { copy(dst, p[0]) },
	}
}

func mnormVcovLogProb(x []float64, p [][]float64, _ [][]int, work *Work) float64 {
	if work == nil {
		work = new(Work)
	}
	n := len(x)
	l, logDet, ok := work.factor(p[1], n)
	if !ok {
		return math.NaN()
	}
	d := work.floats(n)
	for i := range d {
		d[i] = x[i] - p[0][i]
	}
	vec.TriSolveLower(d, l, d, n)
	return float64(-0.5*(logDet+vec.Dot(d, d))) - float64(float64(n)*halfLog2Pi)
}

func mnormVcovGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	n := len(x)
	s := work.floats(n)
	l, _, ok := work.factor(p[1], n)
	if !ok {
		fillNaN(dx)
		fillNaN(dp[0])
		fillNaN(dp[1])
		return
	}
	for i := range s {
		s[i] = x[i] - p[0][i]
	}
	vec.CholSolve(s, l, s, n) // Σ⁻¹(x−μ)
	for i := range dx {
		dx[i] = -s[i]
	}
	if dp[0] != nil {
		copy(dp[0], s)
	}
	if g := dp[1]; g != nil {
		inv, _ := work.inverse(p[1], n)
		for j := range n {
			for i := range n {
				g[i+j*n] = 0.5 * (float64(s[i]*s[j]) - inv[i+j*n])
			}
		}
	}
}

func mnormVcovSample(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, work *Work) {
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
		dst[i] = StdNormal(r)
	}
	vec.MulTriVec(dst, l, dst, n)
	for i, m := range p[0] {
		dst[i] += m
	}
}
