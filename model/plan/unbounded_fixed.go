package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// free are cells that have no bounds: x = u.
type free struct {
	cells []int32
	at    spans // the same
}

func (t *free) size() int           { return len(t.cells) }
func (t *free) owner(j int) int32   { return t.cells[j] }
func (t *free) forChain() bijection { return t }

func (t *free) read(s *model.State, u []float64, _ *rand.Rand) { t.at.gather(u, s.V) }

func (t *free) place(s *model.State, u []float64) float64 {
	t.at.scatter(s.V, u)
	return 0
}

func (t *free) pull(s *model.State, _, grad []float64) { t.at.gather(grad, s.A) }

// uMost keeps u finite where a value has been rounded to its bound.
const uMost = 700

func within(u float64) float64 { return min(max(u, -uMost), uMost) }

// oneSided are cells with one bound that does not move: x = bound ± eᵘ.
type oneSided struct {
	cells       []int32
	bound, side []float64
	e           []float64 // ±eᵘ
}

func (t *oneSided) add(cell int32, bound, side float64) {
	t.cells, t.bound, t.side = append(t.cells, cell), append(t.bound, bound), append(t.side, side)
}

func (t *oneSided) size() int         { return len(t.cells) }
func (t *oneSided) owner(j int) int32 { return t.cells[j] }

func (t *oneSided) forChain() bijection {
	c := *t
	c.e = make([]float64, len(t.cells))
	return &c
}

func (t *oneSided) read(s *model.State, u []float64, _ *rand.Rand) {
	for j, c := range t.cells {
		u[j] = within(vec.Log(float64(t.side[j] * (s.V[c] - t.bound[j]))))
	}
}

func (t *oneSided) place(s *model.State, u []float64) (logJacobian float64) {
	columns.Exp(t.e, u)
	for j, c := range t.cells {
		t.e[j] *= t.side[j]
		s.V[c] = t.bound[j] + t.e[j]
		logJacobian += u[j]
	}
	return logJacobian
}

func (t *oneSided) pull(s *model.State, _, grad []float64) {
	for j, c := range t.cells {
		grad[j] = float64(s.A[c]*t.e[j]) + 1
	}
}

// twoSided are cells between bounds that do not move: x = lo + (hi − lo)/(1 + e⁻ᵘ).
type twoSided struct {
	cells    []int32
	lo, hi   []float64
	logWidth float64   // Σ log(hi − lo)
	e        []float64 // exp(−|u|)
}

func (t *twoSided) add(cell int32, lo, hi float64) {
	t.cells, t.lo, t.hi = append(t.cells, cell), append(t.lo, lo), append(t.hi, hi)
	t.logWidth += vec.Log(hi - lo)
}

func (t *twoSided) size() int         { return len(t.cells) }
func (t *twoSided) owner(j int) int32 { return t.cells[j] }

func (t *twoSided) forChain() bijection {
	c := *t
	c.e = make([]float64, len(t.cells))
	return &c
}

func (t *twoSided) read(s *model.State, u []float64, _ *rand.Rand) {
	for j, c := range t.cells {
		u[j] = logitBetween(s.V[c], t.lo[j], t.hi[j])
	}
}

// logitBetween is u where x = lo + (hi − lo)/(1 + e⁻ᵘ).
func logitBetween(x, lo, hi float64) float64 { return within(vec.Log((x - lo) / (hi - x))) }

// mostProduct is when a product of numbers up to 2 has its logarithm taken.
const mostProduct = 0x1p1000

func (t *twoSided) place(s *model.State, u []float64) (logJacobian float64) {
	for j, v := range u {
		t.e[j] = -math.Abs(v)
		logJacobian += t.e[j]
	}
	columns.Exp(t.e, t.e)
	product := 1.0 // of (1 + e)
	for j, c := range t.cells {
		e, lo, hi := t.e[j], t.lo[j], t.hi[j]
		part := float64((hi - lo) * (e / (1 + e)))
		if u[j] < 0 {
			s.V[c] = lo + part
		} else {
			s.V[c] = hi - part
		}
		if product *= 1 + e; product > mostProduct {
			logJacobian -= float64(2 * vec.Log(product))
			product = 1
		}
	}
	return logJacobian - float64(2*vec.Log(product)) + t.logWidth
}

func (t *twoSided) pull(s *model.State, u, grad []float64) {
	for j, c := range t.cells {
		q := 1 / (1 + t.e[j])
		p := float64(t.e[j] * q) // the lesser of the two shares
		turn := q - p
		if u[j] >= 0 {
			turn = -turn
		}
		grad[j] = float64(s.A[c]*float64((t.hi[j]-t.lo[j])*float64(p*q))) + turn
	}
}
