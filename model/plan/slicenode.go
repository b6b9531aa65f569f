package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// conditional is a scalar node's full conditional as a function of one number, for the
// univariate kernels of packages slice and mh.
type conditional struct {
	n    *node
	s    *model.State
	logp func(x float64) float64
}

// at readies the conditional for a step at the state's point.
func (c *conditional) at(s *model.State) (x, fx, lo, hi float64) {
	c.s = s
	c.n.begin(s)
	if c.logp == nil {
		c.logp = func(x float64) float64 { return c.n.at(c.s, x) }
	}
	lo, hi = s.Bounds(c.n.t, c.n.i)
	return s.V[c.n.cells[0]], c.n.logProb(s), lo, hi
}

// set leaves the state at x, wherever the density was asked for last.
func (c *conditional) set(x float64) {
	if c.s.V[c.n.cells[0]] != x {
		c.n.set(c.s, x)
	}
}

// sliceNode is the univariate slice sampler on a node's full conditional; a
// discrete node is sampled on the whole numbers.
type sliceNode struct {
	conditional
	u slice.Univariate
}

func newSlice(n *node) *sliceNode {
	if !n.scalar() || n.t.Stoch.Scalar == nil {
		return nil
	}
	return &sliceNode{conditional: conditional{n: n}, u: slice.Univariate{Integer: n.t.Stoch.Scalar.Discrete}}
}

// newSliceAlone is slice as the kernel that a plan gives a node.
func newSliceAlone(n *node) *sliceNode { return newSlice(n.guarded()) }

func newDoublingSlice(n *node) *sliceNode {
	k := newSlice(n)
	if k != nil {
		k.u.Method = slice.Doubling
	}
	return k
}

// Step moves the node.
func (k *sliceNode) Step(s *model.State, r *rand.Rand) mcmc.Info {
	x, fx, lo, hi := k.at(s)
	x1, _, evals := k.u.Step1(r, x, fx, lo, hi, k.logp)
	k.set(x1)
	return mcmc.Info{Accepted: x1 != x, AcceptProb: 1, Evals: evals + 1}
}

// Adapt moves the node and learns the width.
func (k *sliceNode) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	x, fx, lo, hi := k.at(s)
	x1, _, evals := k.u.Adapt1(r, x, fx, lo, hi, k.logp)
	k.set(x1)
	return mcmc.Info{Accepted: x1 != x, AcceptProb: 1, Evals: evals + 1}
}

// Freeze ends adaptation: Step does not adapt.
func (k *sliceNode) Freeze() {}

// MarshalBinary writes the tuning.
func (k *sliceNode) MarshalBinary() ([]byte, error) { return k.u.MarshalBinary() }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *sliceNode) UnmarshalBinary(b []byte) error { return k.u.UnmarshalBinary(b) }

// walkNode is random-walk Metropolis on a continuous node's full conditional,
// its scale tuned in warm-up.
type walkNode struct {
	conditional
	u mh.Univariate
}

func newWalk(n *node) *walkNode {
	if !n.scalar() || n.t.Stoch.Scalar == nil || n.t.Stoch.Scalar.Discrete {
		return nil
	}
	return &walkNode{conditional: conditional{n: n}}
}

// Step proposes once.
func (k *walkNode) Step(s *model.State, r *rand.Rand) mcmc.Info {
	x, fx, lo, hi := k.at(s)
	x1, _, info := k.u.Step1(r, x, fx, lo, hi, k.logp)
	k.set(x1)
	return info
}

// Adapt proposes once and tunes the scale.
func (k *walkNode) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	x, fx, lo, hi := k.at(s)
	x1, _, info := k.u.Adapt1(r, x, fx, lo, hi, k.logp)
	k.set(x1)
	return info
}

// Freeze ends adaptation: Step does not adapt.
func (k *walkNode) Freeze() {}

// MarshalBinary writes the tuning.
func (k *walkNode) MarshalBinary() ([]byte, error) { return k.u.MarshalBinary() }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *walkNode) UnmarshalBinary(b []byte) error { return k.u.UnmarshalBinary(b) }

// priorNode proposes from a node's prior given its parents: the ratio is that
// of the children's densities.
type priorNode struct {
	n   *node
	old []float64
}

// priorName is the kernel of nodes that no other moves.
const priorName = "prior"

// newPrior is nil where there are no draws from the prior: the density of dflat has no end.
func newPrior(n *node) *priorNode {
	if n.t.Stoch.Name == "dflat" {
		return nil
	}
	return &priorNode{n: n, old: make([]float64, len(n.cells))}
}

// Step proposes once.
func (k *priorNode) Step(s *model.State, r *rand.Rand) mcmc.Info {
	for i, c := range k.n.cells {
		k.old[i] = s.V[c]
	}
	f0 := k.n.below(s)
	if s.SampleRow(k.n.t, k.n.i, r) != "" {
		return mcmc.Info{Evals: 1}
	}
	s.Run(k.n.b.Det)
	accepted, prob := mh.Accept(r, k.n.below(s)-f0)
	if !accepted {
		for i, c := range k.n.cells {
			s.V[c] = k.old[i]
		}
		s.Run(k.n.b.Det)
	}
	return mcmc.Info{Accepted: accepted, AcceptProb: prob, Evals: 2}
}
