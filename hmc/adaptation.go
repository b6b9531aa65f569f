package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Adaptation says how a kernel learns its metric in warm-up. The step size is learnt by dual averaging all along.
type Adaptation int

const (
	// Fisher takes the diagonal D² = √(var x / var ∇log π), which minimises the Fisher divergence between the target and a normal
	// density (Seyboldt, Carlson and Carpenter, 2024), from the last 10 to 20 steps in the first 30 % of the warm-up, then from the last
	// 80 to 160. For the [LowRank] metric it adds, after windows of 40, 80, … steps from the first 10 % on, or 240, 480, … from 24 coordinates on, the directions in which the
	// geometric mean of the covariance of D⁻¹x and the inverse of that of D∇log π is far from 1. The last 15 % are for the step size alone.
	// Before these, three of four trajectories of [NUTS] end after at most 3 steps: gradients tell of the scales without long ways, and the fourth goes on until it turns.
	Fisher Adaptation = iota
	// Windows takes the variances or covariances of windows of 25, 50, 100, … steps, as Stan does: 75 steps before and 50 after them are for
	// the step size alone; 15 % and 10 % where the warm-up is shorter than 150.
	Windows
)

func (a Adaptation) String() string {
	if a == Windows {
		return "Windows"
	}
	return "Fisher"
}

// tuning is all that a kernel learns. Fields are exported for gob.
type tuning struct {
	Begun, Frozen bool
	Step          stepSize
	Eps           float64
	Scaling       scaling
	Window        window
	Recent, Newer moments // of the Fisher adaptation: the metric is of the recent steps, the newer ones take their place
	Learnt        bool    // the metric is not that of the start
	Ranked        bool    // nor diagonal
}

func newTuning(dim int, set *Settings) tuning {
	t := tuning{Eps: 1, Scaling: unitScaling(dim)}
	copy(t.Scaling.Scale, set.Scale)
	return t
}

// begin finds a scale from the gradient, as nuts-rs does, and the first step size; first it moves a point that is far out.
func (k *sampler) begin(s *mcmc.Point, r *rand.Rand) (moved bool, evals int) {
	t := &k.tuning
	if !k.enter(s) {
		return false, 1
	}
	moved, evals = k.approach(s)
	t.Begun = true
	evals += k.firstScales(r)
	t.Step.start(k.eps, k.set.Adaptation)
	return moved, evals
}

// firstScales are those that the place of the chain tells, and a step size for them.
func (k *sampler) firstScales(r *rand.Rand) (evals int) {
	if k.set.Scale == nil && k.set.Adaptation == Fisher && k.set.Metric != Unit {
		for i, g := range k.at.grad {
			k.tuning.Scaling.Scale[i] = 1
			if g != 0 {
				k.tuning.Scaling.Scale[i] = min(max(math.Sqrt(1/math.Abs(g)), firstScaleLeast), firstScaleMost)
			}
		}
		k.renew()
	}
	if k.set.StepSize == 0 {
		evals = k.findStepSize(r)
	}
	return evals
}

// unwarmed tells a kernel that is to move without having learnt anything.
func (k *sampler) unwarmed() bool { return k.tuning.Frozen && !k.tuning.Begun && k.set.StepSize == 0 }

// unwarmedScales are the first ones for good. The point stays where it is.
func (k *sampler) unwarmedScales(r *rand.Rand) (evals int) {
	k.tuning.Begun = true
	evals = k.firstScales(r)
	k.tuning.Eps = k.eps
	return evals
}

// The scales that are taken from one gradient.
const (
	firstScaleLeast = 1e-5
	firstScaleMost  = 1e5
)

// adapt makes a step of the warm-up by move.
func (k *sampler) adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup, move func(*mcmc.Point, *rand.Rand) mcmc.Info) mcmc.Info {
	t, evals, moved := &k.tuning, 0, false
	if !t.Begun {
		moved, evals = k.begin(s, r)
	}
	info := move(s, r)
	if !t.Begun {
		return info
	}
	t.Step.learn(info.AcceptProb, k.set.Accept)
	if info.Accepted || !info.Divergent {
		evals += k.learnMetric(r, w)
	}
	k.setStep()
	info.Evals += evals
	info.Accepted = info.Accepted || moved
	return info
}

func (k *sampler) setStep() {
	log := k.tuning.Step.Log
	if k.tuning.Frozen {
		log = k.tuning.Step.Mean
	}
	k.eps = vec.Exp(log)
	k.tuning.Eps = k.eps
}

// learnMetric takes the state of the chain into account, and returns the evaluations that a new step size took.
func (k *sampler) learnMetric(r *rand.Rand, w mcmc.Warmup) (evals int) {
	if k.set.Metric == Unit {
		return 0
	}
	if k.set.Adaptation == Windows {
		return k.learnWindows(r, stanSchedule(w.Total), w.Iteration)
	}
	return k.learnFisher(r, w)
}

// restart finds a step size for a new metric.
func (k *sampler) restart(r *rand.Rand) (evals int) {
	k.renew()
	evals = k.findStepSize(r)
	k.tuning.Step.start(k.eps, k.set.Adaptation)
	return evals
}

// Adapt moves the point and learns.
func (k *NUTS) Adapt(s *mcmc.Point, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if k.set.Adaptation == Fisher && w.Iteration < lastOfMetric(w) && w.Iteration%wholeEvery != 0 {
		k.deepest = min(briefDepth, k.set.MaxDepth)
	}
	info := k.adapt(s, r, w, k.Step)
	k.deepest = k.set.MaxDepth
	return info
}

// Freeze ends learning: the step size is the average from now on.
func (k *sampler) Freeze() {
	t := &k.tuning
	if t.Frozen {
		return
	}
	t.Frozen = true
	t.Window, t.Recent, t.Newer = window{}, moments{}, moments{}
	k.ranking = nil
	if t.Begun {
		k.setStep()
	}
}
