package hmc

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// NUTS is the no-U-turn sampler. A trajectory is doubled, forward or backward in time at random, until it turns: until for its ends r₋, r₊ and
// the sum ρ of its momenta r₋·ρ ≤ 0 or r₊·ρ ≤ 0 (Betancourt, 2017, appendix A.4), for the trajectory, for any of the halves it was built from,
// or for a half and the nearest state of the other. The next state is one of the trajectory's with probability
// proportional to e^{−H}, in favour of the newer half (Betancourt, 2017, appendix A.3.2). A trajectory whose energy rises by more than 1000
// has left the region where the integrator holds: the step is divergent.
//
// A step allocates nothing. A chain needs a kernel of its own.
type NUTS struct {
	sampler
	left, right phase
	all         tree
	parts       []tree // of each level
	work        []float64

	micro *micro // steps within steps, of [WALNUTS]; nil: there are none

	evals     int
	leaves    int     // states of the trajectory that were reached, the divergent one included
	accept    float64 // sum of acceptance probabilities
	start     float64 // energy
	divergent bool
}

// NewNUTS returns a kernel for vectors of length dim, untuned.
func NewNUTS(t Target, dim int, set Settings) (*NUTS, error) {
	s, err := newSampler(t, dim, set)
	if err != nil {
		return nil, err
	}
	k := &NUTS{sampler: s, left: newPhase(dim), right: newPhase(dim), all: newTree(dim), work: make([]float64, dim)}
	for range k.set.MaxDepth + 1 {
		k.parts = append(k.parts, newTree(dim))
	}
	return k, nil
}

// tree is a stretch of a trajectory. In the order of its integration it begins and ends with the momenta first and last.
type tree struct {
	first, last []float64
	sum         []float64 // ρ
	logWeight   float64   // log Σ e^{H₀ − H}

	// The state that was chosen from it.
	x, grad []float64
	logp    float64
	energy  float64
}

func newTree(dim int) tree {
	all := make([]float64, 5*dim)
	cut := func(i int) []float64 { return all[i*dim : (i+1)*dim : (i+1)*dim] }
	return tree{first: cut(0), last: cut(1), sum: cut(2), x: cut(3), grad: cut(4)}
}

// leaf makes the tree that of one state.
func (t *tree) leaf(p *phase, energy, logWeight float64) {
	copy(t.first, p.r)
	copy(t.last, p.r)
	copy(t.sum, p.r)
	copy(t.x, p.x)
	copy(t.grad, p.grad)
	t.logp, t.energy, t.logWeight = p.logp, energy, logWeight
}

// Step moves the point.
func (k *NUTS) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.last = statistics{}
	if !k.enter(s) {
		return mcmc.Info{Divergent: true}
	}
	k.kick(r)
	k.start = k.at.energy()
	k.left.copy(&k.at)
	k.right.copy(&k.at)
	k.all.leaf(&k.at, k.start, 0)
	k.evals, k.leaves, k.accept, k.divergent = 0, 0, 0, false
	moved := false
	for k.last.depth < k.set.MaxDepth {
		taken, more := k.double(r)
		moved = moved || taken
		if !more {
			break
		}
	}
	if moved {
		k.take(s)
	}
	k.last.energy = k.all.energy
	return mcmc.Info{Accepted: moved, AcceptProb: k.accept / float64(max(k.leaves, 1)), Evals: k.evals, Divergent: k.divergent}
}

// take makes the chosen state that of the chain.
func (k *NUTS) take(s *mcmc.Point) {
	copy(k.at.x, k.all.x)
	copy(k.at.grad, k.all.grad)
	copy(s.X, k.all.x)
	k.at.logp, s.LogP = k.all.logp, k.all.logp
	k.metric.whiten(k.at.h, k.at.grad)
}

// double extends the trajectory by as much as it is long, and says whether the chosen state is a new one and whether the trajectory may go on.
func (k *NUTS) double(r *rand.Rand) (taken, more bool) {
	all, part := &k.all, &k.parts[k.last.depth]
	forward := r.Uint64()>>63 == 0
	end, eps, near, far := &k.right, k.eps, all.last, all.first
	if !forward {
		end, eps, near, far = &k.left, -k.eps, all.first, all.last
	}
	whole := k.build(k.last.depth, end, eps, part, r)
	k.last.depth++
	if !whole {
		return false, false
	}
	if d := part.logWeight - all.logWeight; d >= 0 || r.Float64() < vec.Exp(d) {
		all.choose(part)
		taken = true
	}
	more = k.straight(all.sum, far, near, part.sum, part.first, part.last)
	all.logWeight = vec.LogAddExp(all.logWeight, part.logWeight)
	push(all.sum, part.sum, 1)
	if forward {
		all.last, part.last = part.last, all.last
	} else {
		all.first, part.last = part.last, all.first
	}
	return taken, more
}

// choose takes the state of another tree over.
func (t *tree) choose(from *tree) {
	t.x, from.x = from.x, t.x
	t.grad, from.grad = from.grad, t.grad
	t.logp, t.energy = from.logp, from.energy
}

// build integrates 2^level steps on from an end and says whether they are whole: they neither turn nor diverge.
func (k *NUTS) build(level int, end *phase, eps float64, t *tree, r *rand.Rand) bool {
	if level == 0 {
		return k.step(end, eps, t)
	}
	if !k.build(level-1, end, eps, t, r) {
		return false
	}
	later := &k.parts[level-1]
	if !k.build(level-1, end, eps, later, r) {
		return false
	}
	total := vec.LogAddExp(t.logWeight, later.logWeight)
	if r.Float64() < vec.Exp(later.logWeight-total) {
		t.choose(later)
	}
	ok := k.straight(t.sum, t.first, t.last, later.sum, later.first, later.last)
	t.logWeight = total
	push(t.sum, later.sum, 1)
	t.last, later.last = later.last, t.last
	return ok
}

// maxError is the rise of the energy that tells a divergence (Stan's).
const maxError = 1000

// step integrates one step.
func (k *NUTS) step(end *phase, eps float64, t *tree) bool {
	k.leaves++
	if k.micro != nil {
		if !k.macro(end, eps) {
			return false
		}
	} else {
		end.leapfrog(k.target, k.metric, eps)
		k.evals++
	}
	energy := end.energy()
	rise := energy - k.start
	if !vec.Finite(rise) || rise > maxError {
		k.divergent = true
		return false
	}
	t.leaf(end, energy, -rise)
	if rise <= 0 {
		k.accept++
	} else {
		k.accept += vec.Exp(-rise)
	}
	return true
}

// straight is false where a trajectory of two parts has turned. Its parts have momenta of the sums a and b; the first begins with a0 and ends with a1, the second
// begins, beside it, with b0 and ends with b1.
func (k *NUTS) straight(a, a0, a1, b, b0, b1 []float64) bool {
	if len(a) >= long {
		w := k.work
		both := func(x, y, end0, end1 []float64) bool {
			columns.Add(w, x, y)
			return columns.Dot(end0, w) > 0 && columns.Dot(end1, w) > 0
		}
		return both(a, b, a0, b1) && both(a, b0, a0, b0) && both(a1, b, a1, b1)
	}
	var whole0, whole1, near0, near1, next0, next1 float64
	a0, a1, b, b0, b1 = a0[:len(a)], a1[:len(a)], b[:len(a)], b0[:len(a)], b1[:len(a)]
	for i, u := range a {
		v := b[i]
		sum, first, second := u+v, u+b0[i], a1[i]+v
		whole0 += float64(a0[i] * sum)
		whole1 += float64(b1[i] * sum)
		near0 += float64(a0[i] * first)
		near1 += float64(b0[i] * first)
		next0 += float64(a1[i] * second)
		next1 += float64(b1[i] * second)
	}
	return whole0 > 0 && whole1 > 0 && near0 > 0 && near1 > 0 && next0 > 0 && next1 > 0
}
