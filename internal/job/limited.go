package job

import (
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// limited is an observer that ends a run, by closing enough, so early that its chains are level at the limit.
type limited struct {
	next    mcmc.Observer // nil: none
	limit   time.Duration
	threads int
	enough  chan struct{}
	told    bool
}

// Progress looks at the time.
func (l *limited) Progress(p mcmc.Progress) {
	if l.next != nil {
		l.next.Progress(p)
	}
	if !l.told && p.Elapsed+l.levelling(p.Chains) >= l.limit {
		l.told = true
		close(l.enough)
	}
}

// levelling is about the time that chains take to catch up with the furthest, on threads that the others have left: half of the limit at most,
// so that one that stands still for a moment does not end the run.
func (l *limited) levelling(chains []mcmc.ChainProgress) (longest time.Duration) {
	most := 0
	for _, c := range chains {
		if c.Phase == mcmc.Warming {
			return 0
		}
		most = max(most, c.Iterations)
	}
	for _, c := range chains {
		left := progress.Left(most-c.Iterations, c.Rate*max(1, float64(len(chains))/float64(l.threads)))
		longest = max(longest, min(left, l.limit/2))
	}
	return longest
}
