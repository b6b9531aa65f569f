package importance

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// Smooth is the sample with Pareto-smoothed weights, and the shape k̂ of the tail of the weights as they were
// ([diag.PSIS]; Vehtari, Simpson, Gelman, Yao and Gabry 2024): its estimates have less variance for a little bias.
// [Sample.Warning] says whether they can be trusted. Weights of zero take no part. k̂ is NaN where fewer than 21 draws
// have a weight, or the large weights are equal; the weights are then as they were. The smoothed weights go through
// package math, and may differ in the last bit between machines.
func (s *Sample[S]) Smooth() (smooth *Sample[S], k float64) {
	var some []float64 // the log weights that are not −Inf
	least := 0         // where the least of them is
	for _, l := range s.logw {
		if math.IsInf(l, -1) {
			continue
		}
		if some = append(some, l); l < some[least] {
			least = len(some) - 1
		}
	}
	smoothed, k := diag.PSIS(some, 1)
	// PSIS normalises. The least weight is not in the tail that it changes, and gives the unit back.
	unit := some[least] - smoothed[least]
	logw := make([]float64, len(s.logw))
	next := 0
	for i, l := range s.logw {
		if logw[i] = l; !math.IsInf(l, -1) {
			logw[i] = unit + smoothed[next]
			next++
		}
	}
	smooth, err := New(s.draws, logw)
	if err != nil {
		return s, k // the differences of the log weights overflow
	}
	return smooth, k
}

// leastForTail is the fewest draws to whose tail PSIS fits a Pareto distribution.
const leastForTail = 21

// Warning says in words what the k̂ of the weights means for estimates, smoothed or not, or is "" where there is nothing
// to warn of: k̂ is at most min(1 − 1/log₁₀ S, 0.7) for S weights that are not zero ([diag.KThreshold]).
func (s *Sample[S]) Warning() string {
	n := 0
	for _, l := range s.logw {
		if !math.IsInf(l, -1) {
			n++
		}
	}
	if n < leastForTail {
		return fmt.Sprintf("%d weights that are not zero are too few to judge their tail; draw until there are %d", n, leastForTail)
	}
	_, k := s.Smooth()
	limit := diag.KThreshold(n)
	switch {
	case !(k > limit):
		return ""
	case k >= 1:
		return fmt.Sprintf("Pareto k̂ = %.2f: the weights seem to have no mean, and the estimates mean nothing; propose closer to the target, with heavier tails", k)
	case k > 0.7:
		return fmt.Sprintf("Pareto k̂ = %.2f is above 0.7: estimates and standard errors cannot be trusted, and more draws will hardly help; propose closer to the target, with heavier tails", k)
	}
	return fmt.Sprintf("Pareto k̂ = %.2f is above %.2f, the limit for %d draws: draw more, or propose closer to the target", k, limit, n)
}
