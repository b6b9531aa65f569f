package path

import (
	"fmt"
	"math"
	"slices"
)

// convergedSpread is the largest standard deviation of log Z over converged chains, in nats: an error of one nat in ζ changes
// the share of a label by a factor of e.
const convergedSpread = 1

// addWarnings warns where ζ has not converged: few round trips, chains that disagree, labels that a chain hardly visited.
func (a *SelfAdjustedResult) addWarnings(r *Result) {
	n := len(a.zeta)
	if n < 2 {
		r.warn("one chain gives no standard error; take four or more")
	}
	converged := true
	if a.RoundTrips < 2*n {
		converged = false
		r.warn(fmt.Sprintf("%d round trips of %d chains between the first label and the last in the second half of the rounds: too few for the error to be trusted; "+
			"take more rounds or moves", a.RoundTrips, n))
	}
	if spread := r.SE * math.Sqrt(float64(n)); n > 1 && spread > convergedSpread {
		converged = false
		r.warn(fmt.Sprintf("chains disagree: their estimates of log Z have the standard deviation %.2g, so some have not visited regions that others have; "+
			"take more rounds or moves", spread))
	}
	if !converged && n > 1 {
		r.widen()
	}
	a.warnOfLabels(r)
}

// widen widens the interval of chains that have not converged. A chain that has missed a region estimates log Z of the rest,
// so estimates are skewed downwards, as log weights of annealed runs are, and it is their exponentials that average to Z.
func (r *Result) widen() {
	r.cover(slices.Min(r.PerRun), slices.Max(r.PerRun))
	r.cover(lognormal(r.PerRun))
	r.coverSE(r.Runs - 1)
}

// warnOfLabels warns of labels that a chain has visited in less than a fifth of the rounds intended for them.
func (a *SelfAdjustedResult) warnOfLabels(r *Result) {
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
		r.warn(fmt.Sprintf("%d of %d chains have visited up to %d labels in less than a fifth of the rounds intended for them: log Z has not converged; take more rounds or moves",
			chains, len(a.visits), rare))
	}
}
