package mh

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// AcceptanceRange is the range of acceptance rates at which a random walk in d dimensions mixes
// nearly as fast as it can: from 0.25 to 0.5, from five dimensions on, where the best is
// 0.234, from 0.15 (Roberts and Rosenthal, 2001).
func AcceptanceRange(d int) (least, most float64) {
	if OptimalAcceptance(d) < 0.25 {
		return 0.15, 0.5
	}
	return 0.25, 0.5
}

// Advise says in words what is wrong with the acceptance of a run of random walks over
// vectors of length dim: chains outside [AcceptanceRange], and proposals whose log density
// was NaN or +Inf. It is empty if all is well.
func Advise(res *mcmc.Result, dim int) []string {
	var advice []string
	least, most := AcceptanceRange(dim)
	for i, c := range res.Chains {
		rate, should := 100*c.AcceptProb, fmt.Sprintf("a random walk in %d dimensions should accept from %.0f %% to %.0f %%", dim, 100*least, 100*most)
		switch {
		case c.AcceptProb < least:
			advice = append(advice, fmt.Sprintf("chain %d accepted %.2g %% of its proposals; %s: make the steps shorter, or the warm-up longer so that it learns them", i+1, rate, should))
		case c.AcceptProb > most:
			advice = append(advice, fmt.Sprintf("chain %d accepted %.2g %% of its proposals; %s: make the steps longer, or the warm-up longer so that it learns them", i+1, rate, should))
		}
		if c.Divergences > 0 {
			advice = append(advice, fmt.Sprintf("chain %d met %d proposals whose log density was NaN or +Inf, or too large for the plain rule; "+
				"they were rejected: wrap the target in mh.Watch to see where", i+1, c.Divergences))
		}
	}
	return advice
}
