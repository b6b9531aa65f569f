package path

import (
	"fmt"
	"math"
	"slices"
)

// convergedSpread is by how much, in nats, chains may differ. A chain at ζ that is off by so much meets labels in shares that
// are off by a factor of e, so it has not converged.
const convergedSpread = 1

// addWarnings says where ζ cannot have converged: few round trips, chains that disagree, a label that a chain hardly visited.
func (a *Adjusted) addWarnings(r *Result) {
	n := len(a.zeta)
	if n < 2 {
		r.warn("one chain: it says nothing of its own error; take four or more")
	}
	converged := true
	if a.RoundTrips < 2*n {
		converged = false
		r.warn(fmt.Sprintf("%d round trips of %d chains between the first label and the last in the second half of the rounds: too few for the error to be trusted; "+
			"take more rounds or moves", a.RoundTrips, n))
	}
	if spread := r.SE * math.Sqrt(float64(n)); n > 1 && spread > convergedSpread {
		converged = false
		r.warn(fmt.Sprintf("chains disagree: what they learnt of log Z has the standard deviation %.2g, so that some have not met what others have; "+
			"take more rounds or moves", spread))
	}
	if !converged && n > 1 {
		r.widen()
	}
	a.warnOfLabels(r)
}

// widen widens the interval of chains that have not converged. One that has missed a part of the space is too low by the
// log of what it missed, so that the spread is skewed as that of the log weights of annealed runs, and chains average to Z
// rather than to log Z.
func (r *Result) widen() {
	r.reach(slices.Min(r.PerRun), slices.Max(r.PerRun))
	r.reach(lognormal(r.PerRun))
	r.SE = max(r.SE, (r.CI95[1]-r.CI95[0])/(2*studentT(r.Runs-1)))
}

// warnOfLabels looks for labels that a chain hardly visited.
func (a *Adjusted) warnOfLabels(r *Result) {
	rare, chains := 0, 0
	for _, v := range a.visits {
		total, _ := moments(v)
		few := 0
		for j, n := range v {
			if n < total*a.target[j]/5 {
				few++
			}
		}
		if few > 0 {
			chains++
			rare = max(rare, few)
		}
	}
	if rare > 0 {
		r.warn(fmt.Sprintf("%d of %d chains have met up to %d labels in less than a fifth of the rounds meant for them: log Z has not converged; take more rounds or moves",
			chains, len(a.visits), rare))
	}
}
