package plan

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

var errTuning = errors.New("the tuning of a sampler is damaged or belongs to another model")

const (
	maxStepOut = 64  // intervals of the slice's width on both sides together
	maxShrink  = 200 // proposals inside the interval before the step is given up
)

// sliceNode is the univariate slice sampler (Neal 2003) with stepping out, on
// the full conditional of one scalar node. A discrete node is sampled as the
// whole part of a continuous one with a piecewise constant density. The width
// is twice the mean jump, later jumps weighing more, and is frozen after
// warm-up.
type sliceNode struct {
	n        *node
	discrete bool
	width    float64
	sum      float64 // Σ iteration · jump
	iter     float64
}

func newSlice(n *node) *sliceNode {
	if !n.scalar() || n.t.Stoch.Scalar == nil {
		return nil
	}
	return &sliceNode{n: n, discrete: n.t.Stoch.Scalar.Discrete, width: 1}
}

// Step moves the node.
func (k *sliceNode) Step(s *model.State, r *rand.Rand) mcmc.Info {
	cell := k.n.cells[0]
	x0 := s.V[cell]
	f0 := k.n.logProb(s)
	if math.IsInf(f0, 0) {
		return mcmc.Info{Evals: 1}
	}
	lo, hi := s.Bounds(k.n.t, k.n.i)
	if k.discrete {
		return k.move(s, r, x0, x0+r.Float64(), f0, lo, hi+1)
	}
	return k.move(s, r, x0, x0, f0, lo, hi)
}

func (k *sliceNode) value(z float64) float64 {
	if k.discrete {
		return math.Floor(z)
	}
	return z
}

func (k *sliceNode) move(s *model.State, r *rand.Rand, x0, z0, f0, lo, hi float64) mcmc.Info {
	level := f0 - dist.StdExp(r)
	left := z0 - float64(k.width*r.Float64())
	right := left + k.width
	evals := 1
	toLeft := int(r.Float64() * maxStepOut)
	toRight := maxStepOut - 1 - toLeft
	for ; toLeft > 0 && left > lo; toLeft-- {
		evals++
		if !(k.n.at(s, k.value(left)) > level) {
			break
		}
		left -= k.width
	}
	for ; toRight > 0 && right < hi; toRight-- {
		evals++
		if !(k.n.at(s, k.value(right)) > level) {
			break
		}
		right += k.width
	}
	left, right = max(left, lo), min(right, hi)
	for range maxShrink {
		z := left + float64(r.Float64()*(right-left))
		x := k.value(z)
		evals++
		if k.n.at(s, x) > level {
			return mcmc.Info{Accepted: x != x0, AcceptProb: 1, Evals: evals}
		}
		if z < z0 {
			left = z
		} else {
			right = z
		}
	}
	k.n.set(s, x0)
	return mcmc.Info{Evals: evals}
}

// Adapt moves the node and learns the width.
func (k *sliceNode) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	x0 := s.V[k.n.cells[0]]
	info := k.Step(s, r)
	if d := math.Abs(s.V[k.n.cells[0]] - x0); !math.IsInf(d, 0) {
		k.iter++
		k.sum += float64(k.iter * d)
		if w := 4 * k.sum / (k.iter * (k.iter + 1)); k.iter > 20 && w > 0 {
			k.width = w
			if k.discrete {
				k.width = max(1, w)
			}
		}
	}
	return info
}

// Freeze ends adaptation: Step does not adapt.
func (k *sliceNode) Freeze() {}

// MarshalBinary writes the width and what it is learnt from.
func (k *sliceNode) MarshalBinary() ([]byte, error) { return putFloats(k.width, k.sum, k.iter), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *sliceNode) UnmarshalBinary(b []byte) error { return getFloats(b, &k.width, &k.sum, &k.iter) }

func putFloats(x ...float64) []byte {
	b := make([]byte, 0, 8*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

func getFloats(b []byte, x ...*float64) error {
	if len(b) != 8*len(x) {
		return errTuning
	}
	for i, p := range x {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return nil
}
