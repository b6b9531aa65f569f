package ensemble

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Walk adds a normal vector with the covariance of n walkers of the complementary ensemble,
// y = x + Scale Σ_j z_j (x_j − x̄)/√n with z_j standard normal. It is symmetric (Goodman and
// Weare 2010, section 2).
type Walk struct {
	Size  int     // n, drawn anew for each proposal; 0: all
	Scale float64 // multiplies the step; 0: 1
}

// Propose implements Move.
func (m Walk) Propose(y, x []float64, complement *Complement, r *rand.Rand) float64 {
	left := complement.Len()
	want, scale := cmp.Or(m.Size, left), cmp.Or(m.Scale, 1)
	// Σ z_j (x_j − x̄) = Σ z_j (x_j − x) − (Σ z_j) (x̄ − x), so that one pass is enough.
	n, sum, centre := float64(want), 0.0, complement.Spare()
	clear(y)
	clear(centre)
	for i := 0; want > 0; i++ {
		if left > want && r.IntN(left) >= want { // selection sampling: each subset is as likely
			left--
			continue
		}
		left, want = left-1, want-1
		z := dist.StdNormal(r)
		sum += z
		for k, v := range complement.At(i) {
			d := v - x[k]
			y[k] += float64(z * d)
			centre[k] += d
		}
	}
	f := scale / math.Sqrt(n)
	for k, v := range x {
		y[k] = v + float64(f*(y[k]-float64(sum/n*centre[k])))
	}
	return 0
}

// Least is Size, and 2 at least.
func (m Walk) Least() int { return max(m.Size, 2) }

// Check wants a size of 2 or more, or 0.
func (m Walk) Check() error {
	if m.Size < 0 || m.Size == 1 {
		return fmt.Errorf("ensemble: a walk over %d of the others; it needs 2 or more (0: all)", m.Size)
	}
	if !(m.Scale >= 0) || math.IsInf(m.Scale, 1) {
		return fmt.Errorf("ensemble: the scale of a walk is %v; it must be positive and finite (0: 1)", m.Scale)
	}
	return nil
}
