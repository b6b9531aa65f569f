package hmc

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// The schedule of nuts-rs: the first 30 % of the warm-up replace what was seen every 10 steps, later ones every 80; the last 15 % leave
// the metric as it is.
const (
	earlyShare   = 0.3
	stepShare    = 0.15
	earlyReplace = 10
	lateReplace  = 80
	rankWindow   = 40  // steps of the first window of a low rank
	rareWindow   = 240 // or so many, or half as many as there are coordinates, from [long] coordinates on, where a window's eigenvectors cost as much as many steps, and one window fewer of 1000 steps costs no effective draws
	leastSeen    = 3   // steps that a diagonal is estimated from

	// Trajectories of the warm-up that are not whole, and every how many steps there is one that is.
	briefDepth = 2
	wholeEvery = 4
)

// lastOfMetric is the step of the warm-up after which the metric stays.
func lastOfMetric(w mcmc.Warmup) int { return w.Total - int(stepShare*float64(w.Total)) }

// learnFisher estimates the metric from points and gradients.
func (k *sampler) learnFisher(r *rand.Rand, w mcmc.Warmup) (evals int) {
	rankFrom := w.Total / 10
	early, last := int(earlyShare*float64(w.Total)), lastOfMetric(w)
	t := &k.tuning
	switch {
	case w.Iteration > last:
		return 0
	case w.Iteration == last:
		t.Step.forget()
		return 0
	}
	if !t.Ranked { // from then on windows alone are asked
		t.Recent.add(k.at.x, k.at.grad)
		t.Newer.add(k.at.x, k.at.grad)
	}
	replace := lateReplace
	if w.Iteration < early {
		replace = earlyReplace
	}
	if k.set.Metric == LowRank && w.Iteration >= rankFrom {
		if evals, ended := k.learnLowRank(r, schedule{rankFrom, firstWindow(k.dim), last}, w.Iteration); ended || t.Ranked {
			return evals
		}
	}
	if t.Recent.N >= leastSeen {
		t.Recent.scale(t.Scaling.Scale)
		k.renew()
		if !t.Learnt {
			t.Learnt = true
			evals = k.restart(r)
		}
	}
	if t.Newer.N >= replace {
		t.Recent, t.Newer = t.Newer, t.Recent
		t.Newer.forget()
	}
	return evals
}

// firstWindow is the length of the first window of a low rank.
func firstWindow(dim int) int {
	if dim < long {
		return rankWindow
	}
	return max(rareWindow, dim/2)
}
