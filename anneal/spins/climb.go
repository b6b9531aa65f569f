package spins

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/spinlanes"
)

// Climb changes one spin of each replica: that which lowers the energy most, the first in their order of several, or where first is set the first
// that lowers it in an order of its own, each spin k steps after another, modulo their number, for random k without a common divisor.
func (w *Walker) Climb(first bool, r *rand.Rand) (looked, made int64) {
	n := len(w.state.Up)
	for lane := range spinlanes.Lanes {
		var i int
		var seen int64
		if first {
			i, seen = w.firstGain(lane, r)
		} else {
			i, seen = w.largestGain(lane), int64(n)
		}
		looked += seen
		if i >= 0 {
			w.state.Turn(i, lane)
			made++
		}
	}
	w.keep()
	return looked, made
}

func (w *Walker) largestGain(lane int) int {
	at, least := -1, int64(0)
	for i := range w.state.Up {
		if d := w.state.Change(i, lane); d < least {
			at, least = i, d
		}
	}
	return at
}

func (w *Walker) firstGain(lane int, r *rand.Rand) (at int, looked int64) {
	n := len(w.state.Up)
	if n == 0 {
		return -1, 0
	}
	i, step := r.IntN(n), 1+r.IntN(n)
	for divisor(step, n) > 1 {
		step = 1 + r.IntN(n)
	}
	for range n {
		looked++
		if w.state.Change(i, lane) < 0 {
			return i, looked
		}
		if i += step; i >= n {
			i -= n
		}
	}
	return -1, looked
}

// divisor is the greatest common divisor of positive numbers.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
