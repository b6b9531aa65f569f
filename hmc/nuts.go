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
	deepest     int    // MaxDepth, or less in the warm-up

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
	k := &NUTS{sampler: s, left: newPhase(dim), right: newPhase(dim), all: newTree(dim), deepest: s.set.MaxDepth}
	for range k.set.MaxDepth + 1 {
		k.parts = append(k.parts, newTree(dim))
	}
	return k, nil
}

// tree is a stretch of a trajectory. In the order of its integration it begins and ends with the momenta first and last.
type tree struct {
	first, last []float64
	sum         []float64 // ρ
	weight      float64   // Σ e^{H₀ − H}

	// What the criterion has computed of it: |first|², |last|², first·ρ and last·ρ.
	first2, last2, firstSum, lastSum float64

	// The state that was chosen from it: x and grad of its phase.
	chosen []float64
	logp   float64
	energy float64
}

func newTree(dim int) tree {
	all := make([]float64, 5*dim)
	cut := func(i int) []float64 { return all[i*dim : (i+1)*dim : (i+1)*dim] }
	return tree{first: cut(0), last: cut(1), sum: cut(2), chosen: all[3*dim:]}
}

// leaf makes the tree that of one state.
func (t *tree) leaf(p *phase, energy, weight float64) {
	copy(t.first, p.r)
	copy(t.last, p.r)
	copy(t.sum, p.r)
	t.first2 = dot(p.r, p.r)
	t.last2, t.firstSum, t.lastSum = t.first2, t.first2, t.first2
	t.state(p, energy)
	t.weight = weight
}

// state chooses a state.
func (t *tree) state(p *phase, energy float64) {
	copy(t.chosen, p.chosen)
	t.logp, t.energy = p.logp, energy
}

// Step moves the point.
func (k *NUTS) Step(s *mcmc.Point, r *rand.Rand) mcmc.Info {
	k.last = statistics{}
	if !k.enter(s) {
		return mcmc.Info{Divergent: true}
	}
	first := 0
	if k.unwarmed() {
		first = k.unwarmedScales(r)
	}
	k.kick(r)
	k.start = k.at.energy()
	k.left.copy(&k.at)
	k.right.copy(&k.at)
	k.all.leaf(&k.at, k.start, 1)
	k.evals, k.leaves, k.accept, k.divergent = 0, 0, 0, false
	moved := false
	for k.last.depth < k.deepest {
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
	return mcmc.Info{Accepted: moved, AcceptProb: k.accept / float64(max(k.leaves, 1)), Evals: first + k.evals, Divergent: k.divergent}
}

// take makes the chosen state that of the chain.
func (k *NUTS) take(s *mcmc.Point) {
	copy(k.at.chosen, k.all.chosen)
	copy(s.X, k.at.x)
	k.at.logp, s.LogP = k.all.logp, k.all.logp
	k.metric.whiten(k.at.h, k.at.grad)
}

// double extends the trajectory by as much as it is long, and says whether the chosen state is a new one and whether the trajectory may go on.
func (k *NUTS) double(r *rand.Rand) (taken, more bool) {
	all, part := &k.all, &k.parts[k.last.depth]
	forward := r.Uint64()>>63 == 0
	end, eps := &k.right, k.eps
	if !forward {
		end, eps = &k.left, -k.eps
	}
	whole := k.build(k.last.depth, end, eps, part, r)
	k.last.depth++
	if !whole {
		return false, false
	}
	if part.weight >= all.weight || r.Float64()*all.weight < part.weight {
		all.choose(part)
		taken = true
	}
	if !forward {
		all.reverse()
	}
	more = all.append(part)
	all.weight += part.weight
	if !forward {
		all.reverse()
	}
	return taken, more
}

// reverse tells the tree in the order of the other direction of time.
func (t *tree) reverse() {
	t.first, t.last = t.last, t.first
	t.first2, t.last2 = t.last2, t.first2
	t.firstSum, t.lastSum = t.lastSum, t.firstSum
}

// choose takes the state of another tree over.
func (t *tree) choose(from *tree) {
	t.chosen, from.chosen = from.chosen, t.chosen
	t.logp, t.energy = from.logp, from.energy
}

// build integrates 2^level steps on from an end and says whether they are whole: they neither turn nor diverge.
func (k *NUTS) build(level int, end *phase, eps float64, t *tree, r *rand.Rand) bool {
	switch level {
	case 0:
		energy, weight, ok := k.step(end, eps)
		if ok {
			t.leaf(end, energy, weight)
		}
		return ok
	case 1:
		return k.pair(end, eps, t, r)
	}
	if !k.build(level-1, end, eps, t, r) {
		return false
	}
	later := &k.parts[level-1]
	if !k.build(level-1, end, eps, later, r) {
		return false
	}
	t.weight += later.weight
	if r.Float64()*t.weight < later.weight {
		t.choose(later)
	}
	return t.append(later)
}

// pair integrates two steps, which most of the trees are made of.
func (k *NUTS) pair(end *phase, eps float64, t *tree, r *rand.Rand) bool {
	energy, earlier, ok := k.step(end, eps)
	if !ok {
		return false
	}
	t.state(end, energy)
	copy(t.first, end.r)
	energy, later, ok := k.step(end, eps)
	if !ok {
		return false
	}
	if t.weight = earlier + later; r.Float64()*t.weight < later {
		t.state(end, energy)
	}
	copy(t.last, end.r)
	return t.two()
}

const (
	maxError = 1000 // the rise of the energy that tells a divergence (Stan's)
	maxFall  = 600  // a deeper fall weighs no more: sums of weights stay finite, and once the chain has come to the density none in e^600 is so deep
)

// step integrates one step, and says whether the trajectory may go on.
func (k *NUTS) step(end *phase, eps float64) (energy, weight float64, ok bool) {
	k.leaves++
	if k.micro != nil {
		if !k.macro(end, eps) {
			return 0, 0, false
		}
		energy = end.energy()
	} else {
		energy = end.leapfrog(k.target, k.metric, eps)
		k.evals++
	}
	rise := energy - k.start
	if !vec.Finite(rise) || rise > maxError {
		k.divergent = true
		return 0, 0, false
	}
	weight = vec.Exp(min(-rise, maxFall))
	k.accept += min(weight, 1)
	return energy, weight, true
}

// two makes the tree that of the momenta first and last, and is false where it has turned.
func (t *tree) two() bool {
	if len(t.sum) >= long {
		var between float64
		t.first2, t.last2, between = columns.Pair(t.sum, t.first, t.last)
		t.firstSum, t.lastSum = t.first2+between, t.last2+between
		return t.firstSum > 0 && t.lastSum > 0
	}
	n := len(t.sum)
	a, b := t.first[:n], t.last[:n]
	var first2, last2, between float64
	for i := range t.sum {
		u, v := a[i], b[i]
		t.sum[i] = u + v
		first2 += float64(u * u)
		last2 += float64(v * v)
		between += float64(u * v)
	}
	t.first2, t.last2, t.firstSum, t.lastSum = first2, last2, first2+between, last2+between
	return t.firstSum > 0 && t.lastSum > 0
}

// append adds what comes after the tree, and is false where the whole has turned, or a part with the nearest state of the other: where for one of these
// r₋·ρ or r₊·ρ is not positive. The products of a momentum with ρ are sums of those with the parts' sums.
func (t *tree) append(b *tree) bool {
	var p [6]float64 // first·sum of b, sum·last of b, sum·first of b, last·sum of b, last·last of b, first·first of b
	if n := len(t.sum); n >= long {
		columns.Join(&p, t.sum, t.first, t.last, b.sum, b.first, b.last)
	} else {
		t.join(&p, b)
	}
	firstSum, sumLast, firstNear, nearSum, lastFar, nearNear := p[0], p[1], p[2], p[3], p[4], p[5]
	ok := t.firstSum+nearNear > 0 && firstNear+b.first2 > 0 && // t and the first of b
		t.last2+nearSum > 0 && lastFar+b.lastSum > 0 // the last of t and b
	t.firstSum, t.lastSum = t.firstSum+firstSum, sumLast+b.lastSum
	t.last2 = b.last2
	t.last, b.last = b.last, t.last
	return ok && t.firstSum > 0 && t.lastSum > 0
}

// join is [columns.Join] for few coordinates.
func (t *tree) join(products *[6]float64, b *tree) {
	n := len(t.sum)
	first, last, sum, first1, last1, sum1 := t.first[:n], t.last[:n], t.sum[:n], b.first[:n], b.last[:n], b.sum[:n]
	var firstSum, sumLast, firstNear, nearSum, lastFar, nearNear float64
	for i, s := range sum {
		s1, f, l, f1, l1 := sum1[i], first[i], last[i], first1[i], last1[i]
		firstSum += float64(f * s1)
		sumLast += float64(s * l1)
		firstNear += float64(s * f1)
		nearSum += float64(l * s1)
		lastFar += float64(l * l1)
		nearNear += float64(f * f1)
		sum[i] = s + s1
	}
	*products = [...]float64{firstSum, sumLast, firstNear, nearSum, lastFar, nearNear}
}
