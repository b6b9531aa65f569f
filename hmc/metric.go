package hmc

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Metric says which inverse mass matrices A Aᵀ a kernel may have.
type Metric int

const (
	// LowRank is a diagonal with a few directions that are longer or shorter than it says:
	// A Aᵀ = D (I + U (Λ − I) Uᵀ) D, with A = D (I + U (√Λ − I) Uᵀ).
	LowRank Metric = iota
	// Diagonal has the scales of the coordinates.
	Diagonal
	// Dense is a whole covariance, with A its Cholesky factor. A step takes d² operations besides the gradient.
	Dense
	// Unit is the identity, which is not learnt.
	Unit
)

func (m Metric) String() string {
	if m < LowRank || m > Unit {
		return fmt.Sprintf("Metric(%d)", int(m))
	}
	return [...]string{"low rank", "diagonal", "dense", "unit"}[m]
}

// metric is A.
type metric interface {
	advance(x, r []float64, eps float64) // x += ε A r
	whiten(h, grad []float64)            // h = Aᵀ grad

	// The halves of a leapfrog, each in as few passes as it takes.
	drift(p *phase, eps float64)                // r += ½ε h, x += ε A r
	kick(p *phase, eps float64) (norm2 float64) // h = Aᵀ grad, r += ½ε h; it returns |r|²
}

// Scaling is A as data. Its zero value is the identity.
type scaling struct {
	Scale   []float64 // of the diagonal; nil with Lower
	Lower   []float64 // A itself where it is dense, column after column
	Vectors []float64 // U, column after column
	Stretch []float64 // √λ of each column

	work []float64
}

// long is the length from which the loops of package columns are quicker than Go's.
const long = 24

func unitScaling(dim int) scaling {
	s := scaling{Scale: make([]float64, dim), work: make([]float64, dim)}
	for i := range s.Scale {
		s.Scale[i] = 1
	}
	return s
}

// metric chooses the loops for A.
func (s *scaling) metric() metric {
	switch {
	case s.Lower != nil:
		return (*dense)(s)
	case len(s.Stretch) > 0:
		if len(s.Scale) < long {
			return newSmall(s)
		}
		return newLowRank(s)
	}
	return (*diagonal)(s)
}

type diagonal scaling

func (d *diagonal) advance(x, r []float64, eps float64) {
	if len(x) >= long {
		columns.Mul(d.work, d.Scale, r)
		columns.AddScaled(x, d.work, eps)
		return
	}
	for i, s := range d.Scale {
		x[i] += float64(eps * float64(s*r[i]))
	}
}

func (d *diagonal) whiten(h, grad []float64) {
	if len(h) >= long {
		columns.Mul(h, grad, d.Scale)
		return
	}
	for i, s := range d.Scale {
		h[i] = float64(s * grad[i])
	}
}

func (d *diagonal) drift(p *phase, eps float64) {
	if len(p.x) >= long {
		columns.Drift(p.x, p.r, p.h, d.Scale, 0.5*eps, eps)
		return
	}
	n := len(d.Scale)
	half, x, r, h := 0.5*eps, p.x[:n], p.r[:n], p.h[:n]
	for i, s := range d.Scale {
		v := r[i] + float64(half*h[i])
		r[i] = v
		x[i] += float64(eps * float64(s*v))
	}
}

func (d *diagonal) kick(p *phase, eps float64) (norm2 float64) {
	if len(p.x) >= long {
		return columns.Kick(p.h, p.r, p.grad, d.Scale, 0.5*eps)
	}
	n := len(d.Scale)
	half, g, r, h := 0.5*eps, p.grad[:n], p.r[:n], p.h[:n]
	for i, s := range d.Scale {
		w := float64(s * g[i])
		h[i] = w
		v := r[i] + float64(half*w)
		r[i] = v
		norm2 += float64(v * v)
	}
	return norm2
}

type dense scaling

func (d *dense) advance(x, r []float64, eps float64) {
	vec.MulTriVec(d.work, d.Lower, r, len(x))
	for i, v := range d.work {
		x[i] += float64(eps * v)
	}
}

func (d *dense) whiten(h, grad []float64) { vec.MulTriTVec(h, d.Lower, grad, len(h)) }

func (d *dense) drift(p *phase, eps float64) {
	push(p.r, p.h, 0.5*eps)
	d.advance(p.x, p.r, eps)
}

func (d *dense) kick(p *phase, eps float64) (norm2 float64) {
	d.whiten(p.h, p.grad)
	return pushed(p.r, p.h, 0.5*eps)
}

// lowRank is for [long] numbers and more.
type lowRank struct {
	*scaling
	turned []float64 // D U (√Λ − I)
	dots   []float64
}

// newLowRank multiplies the directions by D.
func newLowRank(s *scaling) *lowRank {
	n := len(s.Scale)
	l := &lowRank{scaling: s, turned: make([]float64, len(s.Vectors)), dots: make([]float64, len(s.Stretch))}
	for k, stretch := range s.Stretch {
		to := l.turned[k*n : (k+1)*n]
		columns.Mul(to, s.Vectors[k*n:(k+1)*n], s.Scale)
		columns.MulScalar(to, to, stretch-1)
	}
	return l
}

func (l *lowRank) advance(x, r []float64, eps float64) {
	columns.AddScaledMul(x, l.Scale, r, eps)
	l.along(x, r, eps)
}

// along adds to x what the directions give.
func (l *lowRank) along(x, r []float64, eps float64) {
	n := len(x)
	columns.MatTVec(l.dots, l.Vectors, n, r)
	for k := range l.dots {
		l.dots[k] *= eps
	}
	columns.AddMatVec(x, l.turned, n, l.dots)
}

func (l *lowRank) whiten(h, grad []float64) {
	n := len(h)
	columns.MatTVec(l.dots, l.turned, n, grad)
	columns.Mul(h, l.Scale, grad)
	columns.AddMatVec(h, l.Vectors, n, l.dots)
}

func (l *lowRank) drift(p *phase, eps float64) {
	columns.Drift(p.x, p.r, p.h, l.Scale, 0.5*eps, eps)
	l.along(p.x, p.r, eps)
}

func (l *lowRank) kick(p *phase, eps float64) (norm2 float64) {
	l.whiten(p.h, p.grad)
	return pushed(p.r, p.h, 0.5*eps)
}

const (
	scaleLeast = 1e-10
	scaleMost  = 1e10
)

// clampScale keeps a scale within what can be worked with, and gives 1 for what is not a number.
func clampScale(s float64) float64 {
	if math.IsNaN(s) {
		return 1
	}
	return min(max(s, scaleLeast), scaleMost)
}
