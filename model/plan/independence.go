package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// adaptive moves a scalar continuous node. Warm-up begins with slice sampling
// and learns where the node's marginal lies, on the line, the logarithm or the
// logit as its support asks; then it tries independence proposals from a
// Student t fitted there (Tierney 1994, section 2.3.3). They cost two
// evaluations where the slice costs five or six, and are kept after warm-up if
// they are accepted often enough to pay. One step in sixteen stays a slice step,
// so that tails which the proposal misses are left in bounded time.
type adaptive struct {
	slice *sliceNode
	kind  transform
	lo    float64 // ends of the support, where fixed
	hi    float64

	on        bool // independence proposals are in use
	count     float64
	mean, m2  float64
	tried     float64
	accepted  float64
	proposals proposal
}

type proposal struct{ loc, scale float64 }

type transform uint8

const (
	line transform = iota
	logarithm
	logit
)

const (
	proposalDF = 5   // degrees of freedom of the proposal: tails heavier than a posterior's usually are
	keepRate   = 0.5 // acceptance at which two evaluations beat a slice step's five or six
	sliceShare = 0.0625
)

// newAdaptiveAlone is adaptive as the kernel that a plan gives a node.
func newAdaptiveAlone(n *node) *adaptive { return newAdaptive(n.guarded()) }

// newAdaptive serves scalar continuous nodes whose support does not move.
func newAdaptive(n *node) *adaptive {
	if !n.scalar() || n.t.Stoch.Scalar == nil || n.t.Stoch.Scalar.Discrete {
		return nil
	}
	k := &adaptive{slice: newSlice(n)}
	var ok bool
	if k.lo, k.hi, ok = n.fixedSupport(); !ok {
		return nil
	}
	switch {
	case math.IsInf(k.lo, -1) && math.IsInf(k.hi, 1):
		k.kind = line
	case math.IsInf(k.hi, 1):
		k.kind = logarithm
	case !math.IsInf(k.lo, -1):
		k.kind = logit
	default:
		return nil
	}
	return k
}

// fixedSupport gives the ends of a scalar node's support when no other node
// can move them.
func (n *node) fixedSupport() (lo, hi float64, ok bool) {
	d := n.t.Stoch.Scalar
	in := n.t.Operands(n.i)
	fixed := func(c int32) bool { k := n.m.Kinds[c]; return k == model.Constant || k == model.Observed }
	all := true
	for _, c := range in[:n.t.Stoch.NPar()] {
		all = all && fixed(c)
	}
	for _, c := range in[n.t.Stoch.NPar():] {
		if !fixed(c) {
			return 0, 0, false
		}
	}
	if d.MovingSupport && !all {
		return 0, 0, false
	}
	lo, hi = n.m.FixedBounds(n.t, n.i)
	return lo, hi, !math.IsNaN(lo) && !math.IsNaN(hi) && lo < hi
}

// forward maps the node to the line.
func (k *adaptive) forward(x float64) float64 {
	switch k.kind {
	case logarithm:
		return vec.Log(x - k.lo)
	case logit:
		return vec.Log((x - k.lo) / (k.hi - x))
	}
	return x
}

// back is the inverse of forward, with the log of its derivative.
func (k *adaptive) back(u float64) (x, logJ float64) {
	switch k.kind {
	case logarithm:
		return k.lo + vec.Exp(u), u
	case logit:
		p := vec.Ilogit(u)
		w := k.hi - k.lo
		return k.lo + float64(w*p), vec.Log(w*p) + vec.Log1p(-p)
	}
	return u, 0
}

func (p proposal) draw(r *rand.Rand) float64 {
	t := dist.StdNormal(r) / math.Sqrt(dist.Gamma(r, 0.5*proposalDF, 0.5*proposalDF))
	return p.loc + float64(p.scale*t)
}

// logQ is the proposal's log density up to a constant.
func (p proposal) logQ(u float64) float64 {
	z := (u - p.loc) / p.scale
	return float64(-0.5 * (proposalDF + 1) * vec.Log1p(float64(z*z)/proposalDF))
}

// Step moves the node.
func (k *adaptive) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if !k.on || r.Float64() < sliceShare {
		return k.slice.Step(s, r)
	}
	return k.propose(s, r)
}

func (k *adaptive) propose(s *model.State, r *rand.Rand) mcmc.Info {
	n := k.slice.n
	n.begin(s)
	x0 := s.V[n.cells[0]]
	u0 := k.forward(x0)
	_, j0 := k.back(u0)
	f0 := n.logProb(s) + j0 - k.proposals.logQ(u0)
	u := k.proposals.draw(r)
	x, j := k.back(u)
	a := 0.0
	if x > k.lo && x < k.hi && !math.IsInf(f0, 0) && !math.IsNaN(f0) {
		f := n.at(s, x) + j - k.proposals.logQ(u)
		a = min(1, vec.Exp(f-f0))
	}
	if r.Float64() < a {
		return mcmc.Info{Accepted: true, AcceptProb: a, Evals: 2}
	}
	n.set(s, x0)
	return mcmc.Info{AcceptProb: max(a, 0), Evals: 2}
}

// Adapt moves the node and learns.
func (k *adaptive) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	half := 2*w.Iteration >= w.Total
	if half && !k.on && k.count > 50 && k.m2 > 0 {
		k.on = true
	}
	if k.on {
		sd := math.Sqrt(k.m2 / k.count)
		k.proposals = proposal{loc: k.mean, scale: sd * 0.9}
	}
	var info mcmc.Info
	if k.on && r.Float64() >= sliceShare {
		info = k.propose(s, r)
		k.tried++
		k.accepted += info.AcceptProb
	} else {
		info = k.slice.Adapt(s, r, w)
	}
	if 4*w.Iteration >= w.Total {
		k.learn(k.forward(s.V[k.slice.n.cells[0]]))
	}
	return info
}

func (k *adaptive) learn(u float64) {
	if math.IsInf(u, 0) || math.IsNaN(u) {
		return
	}
	k.count++
	d := u - k.mean
	k.mean += d / k.count
	k.m2 += float64(d * (u - k.mean))
}

// Freeze decides whether independence proposals paid.
func (k *adaptive) Freeze() { k.on = k.on && k.accepted > keepRate*k.tried }

// MarshalBinary writes the tuning.
func (k *adaptive) MarshalBinary() ([]byte, error) {
	on := 0.0
	if k.on {
		on = 1
	}
	own := putFloats(on, k.count, k.mean, k.m2, k.tried, k.accepted, k.proposals.loc, k.proposals.scale)
	return withTunings(own, []kernel{k.slice})
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *adaptive) UnmarshalBinary(b []byte) error {
	const own = 8 * 8
	if len(b) < own {
		return errTuning
	}
	var on float64
	if err := getFloats(b[:own], &on, &k.count, &k.mean, &k.m2, &k.tried, &k.accepted, &k.proposals.loc, &k.proposals.scale); err != nil {
		return err
	}
	k.on = on == 1
	return tunings.UnmarshalAll(b[own:], []kernel{k.slice})
}
