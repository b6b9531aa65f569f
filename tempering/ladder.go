package tempering

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/ladder"
)

// Even is a ladder of n inverse temperatures, equally spaced from 0 to 1: a start for adaptation. The
// optimal number of rungs is about 2Λ + 1, with the barrier Λ of a [Report] (SBDD).
func Even(n int) []float64 {
	betas := make([]float64, max(n, 0))
	for i := range betas {
		betas[i] = float64(i) / float64(max(n-1, 1))
	}
	return betas
}

func checkLadder(betas []float64) error {
	if len(betas) < 2 {
		return fmt.Errorf("tempering: a ladder of %d inverse temperatures; give 2 or more, the last that of the target", len(betas))
	}
	if err := ladder.Check(betas); err != nil {
		return fmt.Errorf("tempering: %w, to that of the target", err)
	}
	return nil
}

// leastRejection is the smallest rejection rate of an interval, so that rungs stay distinct where no swap
// is rejected.
const leastRejection = 1e-6

// equalise places the rungs between the ends so that each interval has the same share of the
// barrier, given the mean rejection in each interval of the present ladder: a monotone cubic
// interpolates the cumulative rejections, and the new rungs are where it is k Λ/(n−1) (SBDD). The
// result is written to dst, which is strictly increasing.
func equalise(dst, betas, rejection []float64) {
	n := len(betas)
	barrier := make([]float64, n) // cumulative, up to each rung
	for i, r := range rejection {
		barrier[i+1] = barrier[i] + max(r, leastRejection)
	}
	slope := monotoneSlopes(barrier, betas)
	dst[0], dst[n-1] = betas[0], betas[n-1]
	for k, i := 1, 0; k < n-1; k++ {
		at := float64(barrier[n-1] * (float64(k) / float64(n-1)))
		for i < n-2 && at >= barrier[i+1] {
			i++
		}
		b := hermite(barrier[i], barrier[i+1], betas[i], betas[i+1], slope[i], slope[i+1], at)
		dst[k] = min(max(b, betas[i]), betas[i+1])
	}
	for k := 1; k < n; k++ {
		if !(dst[k] > dst[k-1]) { // two rungs within rounding of each other: keep the present ladder
			copy(dst, betas)
			return
		}
	}
}

// monotoneSlopes are the derivatives at the knots of the monotone piecewise cubic of Fritsch
// and Butland (1984): harmonic means of the slopes on both sides, weighted for uneven
// knots. x and y are strictly increasing.
func monotoneSlopes(x, y []float64) []float64 {
	n := len(x)
	secant := make([]float64, n-1)
	for i := range secant {
		secant[i] = (y[i+1] - y[i]) / (x[i+1] - x[i])
	}
	d := make([]float64, n)
	d[0], d[n-1] = secant[0], secant[n-2]
	for i := 1; i < n-1; i++ {
		before, after := x[i]-x[i-1], x[i+1]-x[i]
		w1, w2 := before+float64(2*after), float64(2*before)+after
		d[i] = (w1 + w2) / (w1/secant[i-1] + w2/secant[i])
	}
	return d
}

// hermite is the cubic Hermite interpolant with these values and slopes at x0 and x1.
func hermite(x0, x1, y0, y1, d0, d1, x float64) float64 {
	h := x1 - x0
	t := (x - x0) / h
	u := 1 - t
	a := float64(float64(u*u)*(1+float64(2*t))*y0) + float64(float64(t*t)*(3-float64(2*t))*y1)
	return a + float64(float64(h*t*u)*(float64(u*d0)-float64(t*d1)))
}

// minRound is the shortest round of adaptation, in steps.
const minRound = 32

// round is the round of adaptation of an iteration of the warm-up. Each round is twice as long as the
// one before, the last is the second half of the warm-up, and the ladder is adapted between rounds.
func round(iteration, total int) (start, end int) {
	end = total
	for end/2 >= minRound && iteration < end/2 {
		end /= 2
	}
	if end/2 >= minRound {
		start = end / 2
	}
	return start, end
}
