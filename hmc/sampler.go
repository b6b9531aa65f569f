package hmc

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Settings say how a kernel moves and learns. The zero value works.
type Settings struct {
	Metric     Metric
	Adaptation Adaptation
	// Accept is the mean acceptance probability along trajectories that the step size is tuned to; 0: 0.8, as in Stan.
	Accept float64
	// MaxDepth ends trajectories of NUTS after 2^MaxDepth − 1 steps; 0: 10, as in Stan.
	MaxDepth int
	// StepSize is ε at first; 0: the power of two times 1 at which a step is accepted with a probability near Accept.
	StepSize float64
	// Scale are the standard deviations of the coordinates as far as they are known; nil: from the gradient where the chain starts, or 1 with
	// [Windows] and with the metric [Unit].
	Scale []float64
}

// DefaultAccept is the acceptance probability that step sizes are tuned to (Betancourt, Byrne and Girolami, 2014, put it between 0.6
// and 0.8; Stan takes the latter).
const (
	DefaultAccept   = 0.8
	defaultMaxDepth = 10
	mostDepth       = 20
)

func (set *Settings) complete(dim int) error {
	if set.Accept == 0 {
		set.Accept = DefaultAccept
	}
	if set.MaxDepth == 0 {
		set.MaxDepth = defaultMaxDepth
	}
	switch {
	case dim < 1:
		return fmt.Errorf("hmc: vectors of length %d; it must be 1 or more", dim)
	case set.Metric < LowRank || set.Metric > Unit:
		return fmt.Errorf("hmc: there is no metric %d; take LowRank, Diagonal, Dense or Unit", set.Metric)
	case set.Adaptation < Fisher || set.Adaptation > Windows:
		return fmt.Errorf("hmc: there is no adaptation %d; take Fisher or Windows", set.Adaptation)
	case set.Adaptation == Fisher && set.Metric == Dense, set.Adaptation == Windows && set.Metric == LowRank:
		return fmt.Errorf("hmc: a %v metric is not learnt by %v; take Fisher with LowRank or Diagonal, Windows with Diagonal or Dense", set.Metric, set.Adaptation)
	case !(set.Accept > 0 && set.Accept < 1):
		return fmt.Errorf("hmc: the acceptance probability %v; it must be between 0 and 1, or 0 for %v", set.Accept, DefaultAccept)
	case set.MaxDepth < 1 || set.MaxDepth > mostDepth:
		return fmt.Errorf("hmc: MaxDepth is %d; it must be from 1 to %d, or 0 for %d", set.MaxDepth, mostDepth, defaultMaxDepth)
	case !(set.StepSize >= 0) || math.IsInf(set.StepSize, 1):
		return fmt.Errorf("hmc: a step size of %v; it must be positive and finite, or 0", set.StepSize)
	case set.Scale != nil && len(set.Scale) != dim:
		return fmt.Errorf("hmc: %d scales for vectors of length %d", len(set.Scale), dim)
	}
	for i, s := range set.Scale {
		if !(s >= scaleLeast && s <= scaleMost) {
			return fmt.Errorf("hmc: scale %d is %v; it must be from %g to %g", i+1, s, scaleLeast, scaleMost)
		}
	}
	return nil
}

// sampler is what the kernels have in common: where the chain is, and what has been learnt.
type sampler struct {
	target Target
	set    Settings
	dim    int
	tuning tuning
	metric metric
	eps    float64

	ranking *ranking // while a low rank is learnt

	at    phase // where the chain is
	known bool
	trial phase
	last  statistics
}

// statistics are those of the last step.
type statistics struct {
	depth  int
	energy float64
}

func newSampler(t Target, dim int, set Settings) (sampler, error) {
	if t == nil {
		return sampler{}, errors.New("hmc: there is no target")
	}
	if err := set.complete(dim); err != nil {
		return sampler{}, err
	}
	k := sampler{target: t, set: set, dim: dim, at: newPhase(dim), trial: newPhase(dim), eps: 1}
	k.set.Scale = slices.Clone(set.Scale)
	k.tuning = newTuning(dim, &k.set)
	k.renew()
	if set.StepSize > 0 {
		k.eps = set.StepSize
	}
	return k, nil
}

// Dim is the length of the vectors.
func (k *sampler) Dim() int { return k.dim }

// StepSize is ε now.
func (k *sampler) StepSize() float64 { return k.eps }

// Statistic is the energy of the last draw, with its momentum ("energy"), the depth of its trajectory ("tree_depth") or the step
// size ("step_size").
func (k *sampler) Statistic(name string) (float64, bool) {
	switch name {
	case "energy":
		return k.last.energy, true
	case "tree_depth":
		return float64(k.last.depth), true
	case "step_size":
		return k.eps, true
	}
	return 0, false
}

// renew takes the metric over from the tuning.
func (k *sampler) renew() {
	k.metric = k.tuning.Scaling.metric()
	k.metric.whiten(k.at.h, k.at.grad)
}

// enter makes the kernel's phase that of the state, with the gradient, which it knows if its own last step led there, and says whether it is finite.
func (k *sampler) enter(s *mcmc.Point) bool {
	if len(s.X) != k.dim {
		panic(fmt.Sprintf("hmc: a point of %d coordinates for a kernel of %d", len(s.X), k.dim))
	}
	if !k.known || s.LogP != k.at.logp || !columns.Equal(s.X, k.at.x) {
		copy(k.at.x, s.X)
		k.at.logp = k.target.Gradient(k.at.x, k.at.grad)
		k.metric.whiten(k.at.h, k.at.grad)
	}
	if k.known = k.at.finite(); k.known {
		s.LogP = k.at.logp
	}
	return k.known
}

// kick draws a momentum.
func (k *sampler) kick(r *rand.Rand) {
	for i := range k.at.r {
		k.at.r[i] = dist.StdNormal(r)
	}
}

// findStepSize doubles or halves the step size until the acceptance probability of one step crosses 0.8, and returns the
// evaluations that took (Hoffman and Gelman 2014, algorithm 4, with Stan's threshold).
func (k *sampler) findStepSize(r *rand.Rand) (evals int) {
	up := 0.0
	for evals = 1; evals <= 100; evals++ {
		k.kick(r)
		k.trial.copy(&k.at)
		h := k.trial.energy()
		gain := h - k.trial.leapfrog(k.target, k.metric, k.eps)
		direction := -1.0
		if gain > logStepThreshold { // not where gain is NaN
			direction = 1
		}
		if up == 0 {
			up = direction
		} else if up != direction {
			break
		}
		next := k.eps * 2
		if direction < 0 {
			next = k.eps / 2
		}
		if next < 1e-100 || next > 1e7 {
			break
		}
		k.eps = next
	}
	return evals
}

var logStepThreshold = vec.Log(0.8)
