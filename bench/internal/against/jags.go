package against

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Least is the worst element of a run.
type Least struct {
	ESS  float64 // bulk
	Name string
	Rhat float64 // the largest
}

// LeastESS finds the least bulk ESS and the largest R-hat among the parameters of the reference. Those that never
// change have neither.
func LeastESS(set *draws.Set, r *Reference) (Least, error) {
	least := Least{ESS: math.Inf(1)}
	for _, parameter := range r.Names() {
		name, ok := Element(parameter, func(n string) bool { _, ok := set.Lookup(n); return ok })
		if !ok {
			return least, fmt.Errorf("%s is not among the draws", parameter)
		}
		e, _ := set.Lookup(name)
		chains := set.Element(e)
		if ess := diag.ESSBulk(chains); ess < least.ESS {
			least.ESS, least.Name = ess, name
		}
		if rhat := diag.Rhat(chains); rhat > least.Rhat {
			least.Rhat = rhat
		}
	}
	return least, nil
}

// Peer is what a run of JAGS gave.
type Peer struct {
	Least
	Draws int // a chain
	CPU   time.Duration
	Err   error
}

// ESSPerCPU is the least ESS per second of user and system time of the whole process.
func (p Peer) ESSPerCPU() float64 { return p.ESS / p.CPU.Seconds() }

// JAGS runs the job with JAGS as [Run] does with ergodic: with its own length, a tenth of it where that takes too long,
// and longer ones until the least ESS is enough or the effort is spent. JAGS cannot extend a run from the shell: each is
// made anew, and only the last counts.
func JAGS(ctx context.Context, j run.Job, r *Reference, e Effort) Peer {
	var p Peer
	for {
		limited, cancel := context.WithTimeout(ctx, e.Wall)
		set, usage, err := jags(limited, j)
		late := errors.Is(limited.Err(), context.DeadlineExceeded)
		cancel()
		if late && p.Draws == 0 && j.Warmup >= 10*shortest {
			j.Warmup, j.Draws = j.Warmup/10, max(shortest, j.Draws/10)
			continue
		}
		if err != nil {
			if p.Draws == 0 {
				p.Err = err // a longer run that fails leaves the one before it
			}
			return p
		}
		least, err := LeastESS(set, r)
		if err != nil {
			return Peer{Err: err}
		}
		p = Peer{Least: least, Draws: j.Draws, CPU: usage.CPU}
		next := p.extended(j, e)
		if next <= j.Draws {
			return p
		}
		j.Draws = next
	}
}

// extended gives the draws per chain of the next run; the present number when the effort allows no more.
func (p Peer) extended(j run.Job, e Effort) int {
	o := Outcome{Comparison: Comparison{MinESS: p.ESS}} // which spends nothing: the next run is one by itself
	// An iteration of warm-up takes about as long as one that is kept.
	perDraw := p.CPU.Seconds() / float64(j.Warmup+j.Draws)
	affordable := int(e.CPU.Seconds()/perDraw) - j.Warmup
	next := min(extended(j.Draws, o, e), affordable)
	if next < j.Draws+j.Draws/10 {
		return j.Draws
	}
	return next
}
