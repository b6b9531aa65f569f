package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// switchedBetas are a discrete node γ and the probabilities x that its values switch on and off: someone who guesses, pretends or remembers has another probability of success in each
// case, each with a prior of its own. Whatever γ is, each x has a beta full conditional, so that all of them can be integrated out, and γ summed out, of the density of the parameters above
//
//	Σ_g p(γ = g) p(data | g) Π_x B(a + s_xg, b + f_xg) / B(a, b)
//
// with the successes and failures that data count for x where γ is g (Griffiths 1973, equation 1, for one x).
type switchedBetas struct {
	n *node // γ
	x []*conjBeta

	lo   float64
	size int
	base []float64      // by value: the log likelihood without the factors of x
	seen []betaEvidence // by value, and x
	ok   bool           // the algebra held when they were looked at
	logw []float64
}

// betasSwitchedBy tells whether all latents of a discrete node are such probabilities, whose data all depend on the node; their own priors are the same whatever the node is.
func (p *planner) betasSwitchedBy(n *node, latents []int32) bool {
	for _, row := range latents {
		x := newConjBeta(newNode(p.Model, row))
		if x == nil || sharingOf(x) != sharesBySwitches || len(x.cut)+len(x.sticks) > 0 || x.n.t.Stoch.Truncated() || contains(p.Model, n.b.Stoch, row) {
			return false
		}
		for k := range x.n.kids() {
			if !contains(p.Model, n.b.Stoch, k.row()) {
				return false
			}
		}
	}
	s := p.probe()
	if s == nil || len(latents) == 0 {
		return false
	}
	k := newSwitchedBetas(p.Model, n.row, latents)
	k.look(p.copyOf(s))
	return k.ok
}

func newSwitchedBetas(m *model.Model, gamma int32, latents []int32) *switchedBetas {
	n := newNode(m, gamma)
	size, _ := n.supportSize()
	k := &switchedBetas{n: n, base: make([]float64, size), seen: make([]betaEvidence, size*len(latents)), logw: make([]float64, size)}
	for _, row := range latents {
		k.x = append(k.x, newConjBeta(newNode(m, row)))
	}
	return k
}

func (k *switchedBetas) node() *node { return k.n }

// look finds what data say of each x for every value of γ.
func (k *switchedBetas) look(s *model.State) {
	lo, hi := s.Bounds(k.n.t, k.n.i)
	old := s.V[k.n.cells[0]]
	k.ok = hi >= lo && int(hi-lo) < len(k.base)
	if !k.ok {
		return
	}
	k.lo, k.size = lo, int(hi-lo)+1
	for g := range k.size {
		k.ok = k.ok && k.lookAt(s, g)
	}
	k.n.set(s, old)
}

func (k *switchedBetas) lookAt(s *model.State, g int) bool {
	k.n.set(s, k.lo+float64(g))
	base := k.n.below(s)
	for j, x := range k.x {
		x.hold(s)
		at, e := s.V[x.n.cells[0]], x.held
		if !e.ok || !(at > 0 && at < 1) {
			return false
		}
		base -= float64(e.a*vec.Log(at)) + float64(e.b*vec.Log1p(-at))
		k.seen[g*len(k.x)+j] = e
	}
	k.base[g] = base
	return !math.IsNaN(base) && !math.IsInf(base, 1)
}

// weigh finds the log of each value's term, and of their sum.
func (k *switchedBetas) weigh(s *model.State) float64 {
	old := s.V[k.n.cells[0]]
	for g := range k.size {
		s.V[k.n.cells[0]] = k.lo + float64(g)
		w := s.LogProb(k.n.self) + k.base[g]
		for j, x := range k.x {
			if e := &k.seen[g*len(k.x)+j]; e.a != 0 || e.b != 0 {
				a, b := x.prior(s.V)
				w += vec.LogBeta(a+e.a, b+e.b) - vec.LogBeta(a, b)
			}
		}
		k.logw[g] = w
	}
	s.V[k.n.cells[0]] = old
	return vec.LogSumExp(k.logw[:k.size])
}

// evidenceAt is the log of the sum, up to a constant; where it was not to be had, the log density of all nodes.
func (k *switchedBetas) evidenceAt(s *model.State) float64 {
	if k.ok {
		return k.weigh(s)
	}
	lp := s.LogProb(k.n.self)
	for _, x := range k.x {
		lp += s.LogProbRow(x.n.t, x.n.i)
	}
	return lp
}

// Step draws all nodes, from what was found when they were last looked at.
func (k *switchedBetas) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if top := k.weigh(s); math.IsInf(top, 0) || math.IsNaN(top) {
		return idle()
	}
	old := s.V[k.n.cells[0]]
	g := dist.CategoricalLog(r, k.logw[:k.size])
	for j, x := range k.x {
		a, b := x.prior(s.V)
		e := &k.seen[g*len(k.x)+j]
		if v := dist.Beta(r, a+e.a, b+e.b); v >= 0 && v <= 1 {
			x.n.set(s, v)
		}
	}
	to := k.lo + float64(g)
	k.n.set(s, to)
	return mcmc.Info{Accepted: to != old, AcceptProb: 1, Evals: k.size}
}

// switchedAlone draws the nodes beside their own kernels, where that changes γ.
type switchedAlone struct {
	*switchedBetas
	switchWatch
}

func (k *switchedAlone) move(s *model.State, r *rand.Rand) mcmc.Info {
	if k.look(s); !k.ok {
		return idle()
	}
	return k.switchedBetas.Step(s, r)
}

// Step draws the nodes.
func (k *switchedAlone) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.rests != 0 {
		return idle()
	}
	return k.move(s, r)
}

// Adapt draws the nodes, and learns in the second half whether that helps.
func (k *switchedAlone) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	before := s.V[k.n.cells[0]]
	info := k.move(s, r)
	k.note(w, before, s.V[k.n.cells[0]])
	return info
}

// Freeze ends the warm-up.
func (k *switchedAlone) Freeze() { k.decide() }

// MarshalBinary writes the tuning.
func (k *switchedAlone) MarshalBinary() ([]byte, error) { return putFields(k.fields()), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *switchedAlone) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
