package report

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// stillLevel is how improbable it must be, over all parameters together, that chains keep one value by chance for
// them to be called stuck.
const stillLevel = 1e-3

// byChance bounds the probability that chains of a quantity which are still are so only because their values are rare
// or frequent. It is 0 for a continuous quantity, which never returns to a value.
func byChance(chains [][]float64, still []int) float64 {
	value := chains[still[0]-1][0]
	together := !slices.ContainsFunc(still, func(c int) bool { return chains[c-1][0] != value })
	away, total := 0, 0    // draws with other values, of all in moving, the chains that
	var moving [][]float64 // have some: 1 in the place of each
	whole, returns := true, false
	for _, chain := range chains {
		other := make([]float64, len(chain))
		n := 0
		for i, x := range chain {
			whole = whole && x == math.Trunc(x)
			if x != value {
				other[i] = 1
				n++
			} else if i > 0 && chain[i-1] != value {
				returns = true
			}
		}
		if n > 0 {
			moving = append(moving, other)
			away += n
			total += len(chain)
		}
	}
	c, m := float64(len(chains)), float64(len(moving))
	switch {
	case !whole && !returns:
		return 0
	case !together || away == total:
		// Each of two chains of n draws keeps to values without which the other does: (p(1−p))^n at most, for any of
		// the pairs.
		return math.Min(1, c*c*math.Pow(4, -float64(len(chains[0]))))
	}
	// If all chains are alike, each visit to another value falls in one of the m that move with probability m/c, and
	// any choice of m would do. Visits follow one another, so their number is that of effective draws.
	ess := math.Min(diag.ESSMean(moving), float64(total))
	if math.IsNaN(ess) {
		return 1
	}
	return math.Min(1, math.Exp(logChoose(c, m)+ess*float64(away)/float64(total)*math.Log(m/c)))
}

func logChoose(n, k float64) float64 {
	return logGamma(n+1) - logGamma(k+1) - logGamma(n-k+1)
}

func logGamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}
