package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// simplexNumbers are a Dirichlet node's K shares of 1 as x = softmax(z), z = Σ uₙ vₙ for n = 1, …, K − 1, with vₙ = (1, …, 1, −n, 0, …, 0)/√(n(n+1)), n ones
// first: an orthonormal basis of the vectors whose sum is 0, and u the isometric log-ratio coordinates (Egozcue et al., 2003, Mathematical Geology
// 35, 279–300). With respect to all shares but one |dx/du| = √K Π xₖ.
//
// Shares whose alpha is zero are zero. Where alpha moves, how many there are may change between steps: then as many numbers stand for nothing, have
// the standard normal density and are drawn anew in each step.
type simplexNumbers struct {
	cells, alpha []int32 // of the shares whose alpha may be positive
	basis        []float64

	n    int       // shares that are not zero in this step
	at   []int32   // their cells
	x, g []float64 // the shares, and numbers to work with
}

// shares are the elements of a Dirichlet node whose alpha is not zero for ever.
func shares(m *model.Model, t *model.Template, i int) (elements []int) {
	for k, a := range t.Operands(i) {
		if m.Kinds[a] != model.Constant || m.Init[a] != 0 {
			elements = append(elements, k)
		}
	}
	return elements
}

func newSimplexNumbers(m *model.Model, t *model.Template, i int) *simplexNumbers {
	x := &simplexNumbers{}
	for k, e := range shares(m, t, i) {
		x.cells, x.alpha = append(x.cells, t.Cells(i)[e]), append(x.alpha, t.Operands(i)[e])
		x.basis = append(x.basis, 1/math.Sqrt(float64(k*(k+1))))
	}
	return x
}

func (t *simplexNumbers) size() int         { return len(t.cells) - 1 }
func (t *simplexNumbers) owner(j int) int32 { return t.cells[j+1] }

func (t *simplexNumbers) forChain() bijection {
	c := *t
	n := len(t.cells)
	c.at, c.x, c.g = make([]int32, 0, n), make([]float64, n), make([]float64, n)
	return &c
}

func (t *simplexNumbers) read(s *model.State, u []float64, r *rand.Rand) {
	t.at = t.at[:0]
	for k, a := range t.alpha {
		if s.V[a] != 0 {
			t.at = append(t.at, t.cells[k])
		}
	}
	t.n = len(t.at)
	sum := 0.0
	for n, c := range t.at {
		z := vec.Log(max(s.V[c], 0x1p-1022))
		if n > 0 {
			u[n-1] = float64((sum - float64(float64(n)*z)) * t.basis[n])
		}
		sum += z
	}
	for n := max(t.n, 1); n <= len(u); n++ {
		u[n-1] = 0
		if r != nil {
			u[n-1] = dist.StdNormal(r)
		}
	}
}

func (t *simplexNumbers) place(s *model.State, u []float64) (logJacobian float64) {
	x := t.x[:t.n]
	tail, most := 0.0, math.Inf(-1)
	for n := t.n - 1; n >= 0; n-- {
		x[n] = tail
		if n > 0 {
			w := float64(u[n-1] * t.basis[n])
			x[n] -= float64(float64(n) * w)
			tail += w
		}
		most = max(most, x[n])
	}
	for n, z := range x {
		x[n] = z - most
		logJacobian += x[n]
	}
	columns.Exp(x, x)
	sum := 0.0
	for _, e := range x {
		sum += e
	}
	for n := range x {
		x[n] /= sum
	}
	roundSimplex(x)
	for n, c := range t.at {
		s.V[c] = x[n]
	}
	logJacobian += float64(0.5*vec.Log(float64(t.n))) - float64(float64(t.n)*vec.Log(sum))
	for n := max(t.n, 1); n <= len(u); n++ {
		logJacobian -= float64(0.5 * u[n-1] * u[n-1])
	}
	return logJacobian
}

func (t *simplexNumbers) pull(s *model.State, u, grad []float64) {
	g, total := t.g[:t.n], float64(t.n)
	for n, c := range t.at {
		g[n] = 0
		if x := t.x[n]; x > 0 { // where it is zero the density is
			g[n] = float64(s.A[c] * x)
		}
		total += g[n]
	}
	sum := 0.0 // of d/dz
	for n := range t.n {
		slope := g[n] - float64(total*t.x[n])
		if n > 0 {
			grad[n-1] = float64((sum - float64(float64(n)*slope)) * t.basis[n])
		}
		sum += slope
	}
	for n := max(t.n, 1); n <= len(u); n++ {
		grad[n-1] = -u[n-1]
	}
}
