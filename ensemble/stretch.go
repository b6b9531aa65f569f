package ensemble

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Stretch moves a walker along the line through another, y = x_j + z (x − x_j), with z of
// density proportional to 1/√z on [1/A, A]; the factor is z^(d−1) (Goodman and Weare 2010,
// section 2).
type Stretch struct {
	A float64 // 0: 2, the authors' choice
}

func (m Stretch) a() float64 { return cmp.Or(m.A, 2) }

// Propose implements Move.
func (m Stretch) Propose(y, x []float64, complement *Complement, r *rand.Rand) float64 {
	a, from := m.a(), complement.pick(r)
	root := float64((a-1)*r.Float64()) + 1 // √(z A), uniform on [1, A]
	z := root * root / a
	for i, v := range x {
		y[i] = from[i] + float64(z*(v-from[i]))
	}
	return float64(len(x)-1) * vec.Log(z)
}

// Least is 1.
func (Stretch) Least() int { return 1 }

// Check wants A > 1.
func (m Stretch) Check() error {
	if a := m.a(); !(a > 1) || math.IsInf(a, 1) {
		return fmt.Errorf("ensemble: a stretch of at most A = %v; it must be above 1 and finite", m.A)
	}
	return nil
}
