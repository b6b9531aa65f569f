package ensemble

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// DifferentialEvolution adds a multiple of the difference of two walkers of the complementary
// ensemble and a little noise, y = x + γ (x_a − x_b) + Spread z with z standard normal. It is symmetric (ter Braak
// 2006). A share Jump of the proposals has γ = 1, which takes a walker from one
// mode to another if there are walkers in both.
type DifferentialEvolution struct {
	Gamma  float64 // 0: 2.38/√(2d), best on normal targets
	Jump   float64 // 0: 1/10; negative: never
	Spread float64 // standard deviation of the noise, in the units of x; 0: none
}

// Propose implements Move.
func (m DifferentialEvolution) Propose(y, x []float64, complement *Complement, r *rand.Rand) float64 {
	gamma := cmp.Or(m.Gamma, 2.38/math.Sqrt(float64(2*len(x))))
	if r.Float64() < cmp.Or(m.Jump, 0.1) {
		gamma = 1
	}
	a, b := complement.pair(r)
	for i, v := range x {
		y[i] = v + float64(gamma*(a[i]-b[i]))
	}
	if m.Spread > 0 {
		for i := range y {
			y[i] += float64(m.Spread * dist.StdNormal(r))
		}
	}
	return 0
}

// Least is 2.
func (DifferentialEvolution) Least() int { return 2 }

// Check wants finite constants and Spread ≥ 0.
func (m DifferentialEvolution) Check() error {
	if math.IsNaN(m.Gamma) || math.IsInf(m.Gamma, 0) || math.IsNaN(m.Jump) || m.Jump > 1 {
		return fmt.Errorf("ensemble: differential evolution with Gamma %v and Jump %v; Gamma must be finite and Jump at most 1", m.Gamma, m.Jump)
	}
	if !(m.Spread >= 0) || math.IsInf(m.Spread, 1) {
		return fmt.Errorf("ensemble: differential evolution with Spread %v; it is a standard deviation, 0 or more", m.Spread)
	}
	return nil
}

// Snooker moves a walker along the line through another, z, by a multiple of the difference
// of two more as projected on that line, y = x + γ (P a − P b) with γ uniform on [1.2, 2.2]; the
// factor is (|y − z|/|x − z|)^(d−1) (ter Braak and Vrugt 2008). It needs
// few walkers; mix it, one step in ten, with [DifferentialEvolution].
type Snooker struct{}

// Propose implements Move.
func (Snooker) Propose(y, x []float64, complement *Complement, r *rand.Rand) float64 {
	z, a, b := complement.triple(r)
	gamma := 1.2 + r.Float64()
	along, length := 0.0, 0.0 // (a − b)·(x − z) and |x − z|²
	for i, v := range x {
		d := v - z[i]
		along += float64((a[i] - b[i]) * d)
		length += float64(d * d)
	}
	// y − z = (1 + t)(x − z). Where x is z there is no line, t is NaN, and nothing is accepted.
	t := float64(gamma * (along / length))
	for i, v := range x {
		y[i] = v + float64(t*(v-z[i]))
	}
	return float64(len(x)-1) * vec.Log(math.Abs(1+t))
}

// Least is 3.
func (Snooker) Least() int { return 3 }

// Check has nothing to check.
func (Snooker) Check() error { return nil }
