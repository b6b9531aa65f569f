package rbm

import "github.com/ergodic-mcmc/ergodic/internal/vec"

// batch is the size that the base rates' prior counts in.
const batch = 100

// BaseRates are the visible biases of independent units that are on as often
// as in the data: logit((Σv + 5B)/(N + 10B)) for N cases in B batches of 100.
// The prior counts, 5 % on and 5 % off, keep units that never change away from
// infinity.
//
// Salakhutdinov and Murray's program has (Σv + 5B)/(N + 5B), which is 1 and
// hence infinite for a unit that is always on; the base need not fit exactly,
// and any other serves as well.
func (d *Data) BaseRates() []float64 {
	on := make([]float64, d.Visible)
	for n := range d.Cases {
		for i, u := range d.Case(n) {
			on[i] += float64(u)
		}
	}
	prior := 5 * max(1, float64(d.Cases)/batch)
	for i := range on {
		on[i] = vec.Logit((on[i] + prior) / (float64(d.Cases) + 2*prior))
	}
	return on
}
