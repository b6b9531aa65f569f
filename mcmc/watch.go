package mcmc

import (
	"math"
	"time"
)

const rateMemory = 2.0 // seconds over which a rate is smoothed

// watch is what reports progress to obs.
func (r *run[S]) watch(obs Observer) func() {
	if obs == nil {
		return nil
	}
	w := &watcher[S]{r: r, last: time.Now(), p: Progress{Chains: make([]ChainProgress, len(r.chains))}}
	for i, c := range r.chains {
		w.p.Chains[i].Iterations = int(c.done.Load()) // of the run resumed: they have no rate
	}
	return func() { obs.Progress(w.look()) }
}

type watcher[S any] struct {
	r    *run[S]
	last time.Time
	p    Progress
}

func (w *watcher[S]) look() Progress {
	now := time.Now()
	dt := now.Sub(w.last).Seconds()
	w.last = now
	w.p.Elapsed = now.Sub(w.r.began)
	for i, c := range w.r.chains {
		p := &w.p.Chains[i]
		done := int(c.done.Load())
		if dt > 0 {
			weight := 1 - math.Exp(-dt/rateMemory)
			if p.Rate == 0 { // nothing to smooth with yet
				weight = 1
			}
			p.Rate += float64(weight * (float64(done-p.Iterations)/dt - p.Rate))
		}
		p.Iterations, p.Total = done, c.total()
		p.Divergences = int(c.divergent.Load())
		p.Phase = Sampling
		if done < w.r.set.Warmup {
			p.Phase = Warming
		}
		if done == p.Total && w.r.last {
			p.Phase = Done
		}
	}
	return w.p
}
