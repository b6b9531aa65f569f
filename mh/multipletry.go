package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// MultipleTry draws several proposals, selects one by its weight and accepts it with the
// ratio of the sum of weights to that of a reference set drawn around it (Liu, Liang and Wong,
// 2000). The weight of y from x is π(y) q(x|y) λ(x,y) with λ = 2/(q(x|y) + q(y|x)),
// which is π(y) for a symmetric move. A step costs 2n − 1 evaluations, which is worth it
// where they are cheap and a single large step is seldom accepted.
type MultipleTry[X any] struct {
	tuned[X]
	target  mcmc.Density[X]
	tries   []X
	logp    []float64
	weights []float64 // logarithms
	ratios  []float64
	spare   X

	choices chooser // the move, if it is a mixture
	chosen  []int   // the move of the mixture that made each try
}

// stepwise reports whether a move learns from the increment that it proposed last.
func stepwise(move any) bool {
	m, ok := move.(interface{ stepwise() bool })
	return ok && m.stepwise()
}

// NewMultipleTry returns a kernel of n tries. Its move must not learn from the increment
// that it proposed last, of which a step has several.
func NewMultipleTry[X any](target mcmc.Density[X], move Move[X], n int) (*MultipleTry[X], error) {
	if target == nil || move == nil {
		return nil, errNoMove
	}
	if n < 1 {
		return nil, fmt.Errorf("mh: %d tries; give 1 or more", n)
	}
	if stepwise(move) {
		return nil, fmt.Errorf("mh: a walk that learns by RobustAdaptive learns from single steps, of which %d tries make several; let it learn otherwise", n)
	}
	k := &MultipleTry[X]{
		tuned: tuned[X]{move}, target: target, tries: make([]X, n),
		logp: make([]float64, n), weights: make([]float64, n), ratios: make([]float64, n), chosen: make([]int, n),
	}
	k.choices, _ = any(move).(chooser)
	return k, nil
}

// Step makes the tries and accepts one or none.
func (k *MultipleTry[X]) Step(s *mcmc.State[X], r *rand.Rand) mcmc.Info {
	info, _ := k.step(s, r)
	return info
}

// step also returns the index of the selected try.
func (k *MultipleTry[X]) step(s *mcmc.State[X], r *rand.Rand) (info mcmc.Info, at int) {
	for i := range k.tries {
		k.tries[i], k.ratios[i] = k.move.Propose(k.tries[i], s.X, r)
		if k.choices != nil {
			k.chosen[i] = k.choices.choice()
		}
		k.logp[i] = k.at(k.tries[i], k.ratios[i], &info)
		k.weights[i] = weight(k.logp[i], k.ratios[i])
	}
	forward := vec.LogSumExp(k.weights)
	if math.IsInf(forward, -1) {
		return info, 0
	}
	at = drawLog(k.weights, forward, r)
	// The reference set: the state, and further proposals from the selected try.
	k.weights[0] = weight(s.LogP, -k.ratios[at])
	for i := 1; i < len(k.weights); i++ {
		var ratio float64
		k.spare, ratio = k.move.Propose(k.spare, k.tries[at], r)
		k.weights[i] = weight(k.at(k.spare, ratio, &info), ratio)
	}
	info.Accepted, info.AcceptProb = Accept(r, forward-vec.LogSumExp(k.weights))
	if info.Accepted {
		s.X, k.tries[at] = k.tries[at], s.X
		s.LogP = k.logp[at]
	}
	return info, at
}

// at is the log density at a proposal.
func (k *MultipleTry[X]) at(x X, ratio float64, info *mcmc.Info) float64 {
	if !vec.Finite(ratio) {
		info.Divergent = info.Divergent || broken(ratio)
		return math.Inf(-1)
	}
	info.Evals++
	f := k.target.LogDensity(x)
	info.Divergent = info.Divergent || broken(f)
	return f
}

// weight is the log weight of a proposal, given the log ratio of its move.
func weight(logp, ratio float64) float64 {
	switch {
	case !vec.Finite(logp):
		return math.Inf(-1)
	case ratio == 0:
		return logp
	}
	return logp + math.Ln2 - vec.Log1pExp(-ratio)
}

// drawLog draws an index with probability exp(logw[i] − total).
func drawLog(logw []float64, total float64, r *rand.Rand) int {
	u, last := r.Float64(), 0
	for i, w := range logw {
		p := vec.Exp(w - total)
		if p > 0 {
			last = i
		}
		if u -= p; u < 0 {
			break
		}
	}
	return last
}

// Adapt makes a step and lets the move learn; in a mixture, the one that made the selected try.
func (k *MultipleTry[X]) Adapt(s *mcmc.State[X], r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	info, at := k.step(s, r)
	if k.choices != nil {
		k.choices.choose(k.chosen[at])
	}
	k.learn(s.X, info.AcceptProb, w)
	return info
}
