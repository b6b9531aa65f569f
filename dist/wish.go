package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// wish is dwish(R, k), the Wishart distribution as BUGS has it: density
// |R|^(k/2) |X|^((k−p−1)/2) exp(−tr(RX)/2) / (2^(kp/2) Γ_p(k/2)) of a p×p matrix with mean k R⁻¹; real k > p − 1.
func wish() *Multi {
	return &Multi{
		Name:    "dwish",
		Params:  []string{"R", "k"},
		Formula: "0.5*k*logdet(R) + 0.5*(k-sqrt(length(x))-1)*logdet(x) - 0.5*sum(R*x) - 0.5*k*sqrt(length(x))*log(2) - (length(x)-sqrt(length(x)))/4*log(3.141592653589793) - sum(loggam((k+1-upto(sqrt(length(x))))/2))",
		Dims: func(pdims [][]int) ([]int, error) {
			if err := scalarShape("k", pdims[1]); err != nil {
				return nil, err
			}
			n, err := squareOrder("R", pdims[0])
			return []int{n, n}, err
		},
		Check: func(p [][]float64, pdims [][]int) string {
			n := matrixOrder(p[0])
			if k := p[1][0]; !(k > float64(n-1)) || math.IsInf(k, 1) {
				return fmt.Sprintf("k = %v must be greater than %d for a %d×%d matrix", k, n-1, n, n)
			}
			return checkMatrix("R", p[0], n)
		},
		LogProb: wishLogProb,
		Grad:    wishGrad,
		Sample:  wishSample,
		Mean:    wishMean,
	}
}

func matrixOrder(a []float64) int { return int(math.Sqrt(float64(len(a)))) }

func wishLogProb(x []float64, p [][]float64, _ [][]int, work *Work) float64 {
	if work == nil {
		work = new(Work)
	}
	n := matrixOrder(p[0])
	k, order := p[1][0], float64(n)
	_, logDetR, ok := work.factor(p[0], n)
	if !ok || !(k > order-1) || math.IsInf(k, 1) {
		return math.NaN()
	}
	if _, _, ok := asymmetry(x, n); !ok {
		return math.Inf(-1)
	}
	l := work.floats(n * n)
	if !vec.Chol(l, x, n) {
		return math.Inf(-1)
	}
	return float64(0.5*(float64(k*logDetR)+float64((k-order-1)*vec.CholLogDet(l, n))-vec.Dot(p[0], x)-float64(k*order*math.Ln2))) -
		LogMultiGamma(0.5*k, n)
}

// LogMultiGamma is the logarithm of the multivariate gamma function Γ_n(a) = π^(n(n−1)/4) Π_{j<n} Γ(a − j/2).
func LogMultiGamma(a float64, n int) float64 {
	s := float64(float64(n*(n-1)) / 4 * 1.1447298858494001741) // log π
	for j := range n {
		s += vec.Lgamma(a - float64(0.5*float64(j)))
	}
	return s
}

func wishGrad(dx []float64, dp [][]float64, x []float64, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	n := matrixOrder(p[0])
	k, order := p[1][0], float64(n)
	lx := work.floats(n * n)
	_, logDetR, ok := work.factor(p[0], n)
	if !ok || !vec.Chol(lx, x, n) {
		fillNaN(dx)
		fillNaN(dp[0])
		fillNaN(dp[1])
		return
	}
	if dp[1] != nil {
		s := logDetR + vec.CholLogDet(lx, n) - float64(order*math.Ln2)
		for j := range n {
			s -= vec.Digamma(0.5 * (k - float64(j)))
		}
		dp[1][0] = 0.5 * s
	}
	if dx != nil {
		vec.CholInverse(dx, lx, n)
		for i := range dx {
			dx[i] = 0.5 * (float64((k-order-1)*dx[i]) - p[0][i])
		}
	}
	if g := dp[0]; g != nil {
		inv, _ := work.inverse(p[0], n)
		for i := range g {
			g[i] = 0.5 * (float64(k*inv[i]) - x[i])
		}
	}
}

// wishSample is Bartlett's (1933) decomposition: with R = L Lᵀ, X = B Bᵀ for B = L⁻ᵀ A, A lower triangular with
// independent standard normals below the diagonal and the roots of χ² variables of k, k−1, … degrees of freedom on it.
// For k < p a draw may be singular to the precision of its entries.
func wishSample(dst []float64, r *rand.Rand, p [][]float64, _ [][]int, work *Work) {
	if work == nil {
		work = new(Work)
	}
	n := matrixOrder(p[0])
	k := p[1][0]
	l, _, ok := work.factor(p[0], n)
	if !ok || !(k > float64(n-1)) || math.IsInf(k, 1) {
		fillNaN(dst)
		return
	}
	b := work.floats(n * n)
	for j := range n {
		col := b[j*n : j*n+n]
		clear(col[:j])
		col[j] = max(vec.Exp(0.5*(math.Ln2+LogGamma1(r, 0.5*(k-float64(j))))), 0x1p-510) // its square must not vanish
		for i := j + 1; i < n; i++ {
			col[i] = StdNormal(r)
		}
		vec.TriSolveLowerT(col, l, col, n)
	}
	clear(dst[:n*n])
	for c := range n {
		col := b[c*n : c*n+n]
		for j := range n {
			for i := j; i < n; i++ {
				dst[i+j*n] += float64(col[i] * col[j])
			}
		}
	}
	vec.Symmetrize(dst, n)
}

func wishMean(dst []float64, p [][]float64, _ [][]int) {
	n := matrixOrder(p[0])
	if !vec.Chol(dst, p[0], n) {
		fillNaN(dst)
		return
	}
	vec.CholInverse(dst, dst, n)
	for i := range dst {
		dst[i] *= p[1][0]
	}
}
