package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/slice"
)

// exchange moves counts whose sum is given (dmulti), or zeros and ones (dsample), two elements at a time: which two is picked without regard
// to the state, and what both have together is divided anew by the full conditional, drawn from all divisions where these are few and
// by the slice sampler where they are many. Now and then all elements are proposed from the prior, for densities of children that leave
// no way by two elements.
type exchange struct {
	n     *node
	top   float64 // most that an element may be; +Inf without a bound
	prior *priorNode
	slice slice.Univariate
	logw  []float64

	s     *model.State
	i, j  int32 // cells
	total float64
	logp  func(x float64) float64
}

const (
	exchangeName  = "exchange"
	mostDivisions = 32     // that are all evaluated
	wholeShare    = 0.0625 // of the steps propose all elements
)

func newExchange(n *node) *exchange {
	k := &exchange{n: n, top: math.Inf(1), slice: slice.Univariate{Integer: true}, logw: make([]float64, mostDivisions)}
	switch n.dist() {
	case "dmulti":
	case "dsample":
		k.top = 1
	default:
		return nil
	}
	if len(n.cells) < 2 {
		return nil
	}
	k.prior, k.logp = newPrior(n), k.at
	return k
}

// Step divides as many pairs anew as there are elements beside one, or most of them.
func (k *exchange) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return k.sweep(s, r, (*slice.Univariate).Step1)
}

// Adapt moves the node and learns the width.
func (k *exchange) Adapt(s *model.State, r *rand.Rand, _ mcmc.Warmup) mcmc.Info {
	return k.sweep(s, r, (*slice.Univariate).Adapt1)
}

func (k *exchange) sweep(s *model.State, r *rand.Rand, step step1) mcmc.Info {
	k.s = s
	info := mcmc.Info{Accepted: true, AcceptProb: 1}
	d := len(k.n.cells)
	for range min(d-1, mostMoved) {
		i, j := r.IntN(d), r.IntN(d-1)
		if j >= i {
			j++
		}
		info.Evals += k.pair(k.n.cells[i], k.n.cells[j], r, step)
	}
	if r.Float64() < wholeShare {
		info.Evals += k.prior.Step(s, r).Evals
	}
	return info
}

// pair divides anew what two elements have together.
func (k *exchange) pair(i, j int32, r *rand.Rand, step step1) (evals int) {
	k.i, k.j, k.total = i, j, k.s.V[i]+k.s.V[j]
	lo, hi := max(k.total-k.top, 0), min(k.total, k.top)
	old := k.s.V[i]
	if hi <= lo {
		return 0
	}
	if hi-lo >= mostDivisions {
		x, _, evals := step(&k.slice, r, old, k.at(old), lo, hi, k.logp)
		k.place(x)
		return evals + 1
	}
	w := k.logw[:int(hi-lo)+1]
	for m := range w {
		w[m] = k.at(lo + float64(m))
	}
	m := dist.CategoricalLog(r, w)
	if m < 0 {
		k.place(old)
		return len(w)
	}
	k.place(lo + float64(m))
	return len(w)
}

// place gives the first of two elements x of what both have.
func (k *exchange) place(x float64) {
	k.s.V[k.i], k.s.V[k.j] = x, k.total-x
	k.s.Run(k.n.b.Det)
}

func (k *exchange) at(x float64) float64 {
	k.place(x)
	return k.n.logProb(k.s)
}

// Freeze ends adaptation: Step does not adapt.
func (k *exchange) Freeze() {}

// MarshalBinary writes the width and what it is learnt from.
func (k *exchange) MarshalBinary() ([]byte, error) { return k.slice.MarshalBinary() }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *exchange) UnmarshalBinary(b []byte) error { return k.slice.UnmarshalBinary(b) }
