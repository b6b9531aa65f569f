package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// matrixNumbers are a Wishart node's p×p matrix X = L Lᵀ: u are the elements of L on its diagonal as logarithms, and below it, column by column. With respect to
// the elements of X on and below its diagonal |dx/du| = 2ᵖ Π Lᵢᵢ^(p−i+2), i = 1, …, p (Muirhead, 1982, Aspects of Multivariate Statistical Theory, theorem 2.1.9,
// times the derivatives of the logarithms).
type matrixNumbers struct {
	cells []int32
	p     int
	l, g  []float64 // column by column
}

func newMatrixNumbers(t *model.Template, i int) *matrixNumbers {
	cells := t.Cells(i)
	return &matrixNumbers{cells: cells, p: int(math.Sqrt(float64(len(cells))))}
}

func (t *matrixNumbers) size() int { return t.p * (t.p + 1) / 2 }

// owner is the cell of X where L has the number.
func (t *matrixNumbers) owner(j int) int32 {
	col := 0
	for ; j >= t.p-col; col++ {
		j -= t.p - col
	}
	return t.cells[col*t.p+col+j]
}

func (t *matrixNumbers) forChain() bijection {
	c := *t
	c.l, c.g = make([]float64, len(t.cells)), make([]float64, len(t.cells))
	return &c
}

func (t *matrixNumbers) read(s *model.State, u []float64, _ *rand.Rand) {
	for k, c := range t.cells {
		t.g[k] = s.V[c]
	}
	if !vec.Chol(t.l, t.g, t.p) {
		for k := range u {
			u[k] = math.NaN() // the density is zero, and the node stays
		}
		return
	}
	for j := range t.p {
		col := t.l[j*t.p+j : (j+1)*t.p]
		copy(u, col)
		u[0] = vec.Log(col[0])
		u = u[len(col):]
	}
}

func (t *matrixNumbers) place(s *model.State, u []float64) (logJacobian float64) {
	p := t.p
	logJacobian = float64(float64(p) * math.Ln2)
	for j := range p {
		col := t.l[j*p : (j+1)*p]
		clear(col[:j])
		copy(col[j:], u)
		col[j] = vec.Exp(u[0])
		logJacobian += float64(float64(p-j+1) * u[0])
		u = u[p-j:]
	}
	for j := range p {
		for i := j; i < p; i++ {
			x := 0.0
			for k := 0; k <= j; k++ {
				x += float64(t.l[k*p+i] * t.l[k*p+j])
			}
			s.V[t.cells[j*p+i]], s.V[t.cells[i*p+j]] = x, x
		}
	}
	return logJacobian
}

// pull takes G, the derivatives by all elements of X, to (G + Gᵀ) L, those by L.
func (t *matrixNumbers) pull(s *model.State, _, grad []float64) {
	p := t.p
	for j := range p {
		for i := range p {
			t.g[j*p+i] = s.A[t.cells[j*p+i]] + s.A[t.cells[i*p+j]]
		}
	}
	k := 0
	for j := range p {
		for i := j; i < p; i++ {
			sum := 0.0
			for m := j; m < p; m++ {
				sum += float64(t.g[m*p+i] * t.l[j*p+m])
			}
			if i == j {
				sum = float64(sum*t.l[j*p+j]) + float64(p-j+1)
			}
			grad[k] = sum
			k++
		}
	}
}
