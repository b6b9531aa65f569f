package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mh"
	"github.com/ergodic-mcmc/ergodic/model"
)

const splitMergeName = "split-merge"

// splitMerge splits a component of a mixture in two, or makes one of two: it proposes allocations and parameters of both by a restricted Gibbs sampler (Jain and Neal 2007). Allocations one at a
// time seldom go through the states between, where few are to a component that others fit. An allocation i is picked, and one j of the same component or of a component of the others. From launches that know
// nothing of the allocations and parameters that are to be proposed, but which they are of, a last scan proposes
//
//	in a split: which of the component's allocations go with j to a component that has none, then the parameters of both,
//	in a merge: all of them to the component of i, its parameters, and those of the other from their prior.
//
// The ratio has the densities of that scan and of the one which would lead back. Weights are integrated out where their full conditional is known, and drawn anew after a move.
type splitMerge struct {
	*allocation
	params  [][]componentDraw // by component and place
	made    []preparer        // kernels of theirs that are in no other item
	weights []allocationWeights
	start   [][]pseudoFit // where parameters are, by place and element

	old    []int          // components of the allocations before
	set    []int          // allocations that move, but i and j
	free   []int          // components without allocations
	size   []int          // allocations to each component
	kept   [5][][]float64 // values of a component's parameters by place
	anchor []bool         // by place
	sum    []float64
	near   []float64 // weights of components beside another

	tries       int       // in an iteration, at most
	alone       [2]lagged // of allocations without it
	tried, rate float64
	share       float64 // of the tries that are made
}

const (
	launchScans = 2    // of a split, at most; a merger has one
	halves      = 0.25 // of the launches of a split are of many allocations
	leastSplits = 0.02 // acceptance below which it is tried less often
	leastTried  = 0.02 // of the tries
	quickAlone  = 0.9  // autocorrelation, after watchEvery iterations, below which it is not needed where it is not cheap
	watchEvery  = 8
	warmEvery   = 4  // iterations of warm-up for each in which it is tried
	mostTries   = 10 // in an iteration
	perTry      = 16 // components for each: a try weighs two of them for each allocation, and a sweep all
)

// What kept has.
const (
	none = iota - 1
	beforeA
	beforeB
	launchA
	mergedA
	mergedB
)

// pair is what a step moves: allocations i and j, and their components in a split.
type pair struct {
	i, j, a, b int
	split      bool
}

// Step tries splits and mergers.
func (k *splitMerge) Step(s *model.State, r *rand.Rand) mcmc.Info {
	all, n := mcmc.Info{}, 0.0
	for range k.tries {
		if k.share < 1 && r.Float64() >= k.share {
			continue
		}
		info := k.move(s, r)
		n++
		all.Evals += info.Evals
		all.Accepted = all.Accepted || info.Accepted
		all.AcceptProb += info.AcceptProb
	}
	if n == 0 {
		return idle()
	}
	all.AcceptProb /= n
	return all
}

// Adapt tries them in some iterations, learns where parameters are, and in the second quarter of warm-up watches how the allocations move without.
func (k *splitMerge) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 8*w.Iteration >= w.Total {
		k.learn(s, w.Iteration)
	}
	if 4*w.Iteration >= w.Total && 2*w.Iteration < w.Total {
		k.watch(s, w.Iteration)
		return idle()
	}
	if w.Iteration%warmEvery > 0 {
		return idle()
	}
	info := k.Step(s, r)
	if 2*w.Iteration >= w.Total {
		k.tried++
		k.rate += info.AcceptProb
	}
	return info
}

// Freeze ends the warm-up: it is tried seldom where nothing is accepted, and where allocations move well without, unless a sweep weighs so many components that it costs little beside.
func (k *splitMerge) Freeze() {
	if k.tried == 0 {
		return
	}
	k.share = min(1, max(leastTried, k.rate/(leastSplits*k.tried)))
	if k.tries == 1 && !k.alone[0].above(quickAlone) && !k.alone[1].above(quickAlone) {
		k.share = leastTried
	}
}

// watch follows how many components have allocations, and the sum of the squares of how many.
func (k *splitMerge) watch(s *model.State, iteration int) {
	if iteration%watchEvery != 0 {
		return
	}
	k.count(s)
	filled, squares := 0.0, 0.0
	for _, n := range k.size {
		if n > 0 {
			filled++
		}
		squares += float64(float64(n) * float64(n))
	}
	k.alone[0].add(filled)
	k.alone[1].add(squares)
}

// learn counts the parameters of one allocation's component.
func (k *splitMerge) learn(s *model.State, iteration int) {
	h := k.at(s, iteration%len(k.z))
	for q, n := range k.nodes[h] {
		for e, c := range n.cells {
			k.start[q][e].learn(k.forms[q].forward(s.V[c]))
		}
	}
}

// at is the component of an allocation.
func (k *splitMerge) at(s *model.State, i int) int { return int(s.V[k.z[i].n.cells[0]]) - 1 }

func (k *splitMerge) move(s *model.State, r *rand.Rand) mcmc.Info {
	p, ok := k.pick(s, r)
	if !ok {
		return mcmc.Info{}
	}
	for i := range k.z {
		k.old[i] = k.at(s, i)
	}
	k.keep(s, p.a, beforeA)
	k.keep(s, p.b, beforeB)
	ratio, ok := k.ratio(s, r, &p)
	if !p.split {
		ratio = -ratio
	}
	if !ok || math.IsNaN(ratio) {
		ratio = math.Inf(-1)
	}
	accepted, prob := mh.Accept(r, ratio)
	info := mcmc.Info{Accepted: accepted, AcceptProb: prob, Evals: 2 + 4*(launchScans+2)*len(k.set)}
	switch {
	case accepted && !p.split:
		k.all(s, &p, p.a)
		k.put(s, p.a, mergedA)
		k.put(s, p.b, mergedB)
	case !accepted:
		k.back(s, &p)
		return info
	}
	s.Run(k.det)
	for _, w := range k.weights {
		w.begin(s)
		w.draw(s, r)
	}
	return info
}

// pick picks two allocations: of the same component as often as of two.
func (k *splitMerge) pick(s *model.State, r *rand.Rand) (p pair, ok bool) {
	k.count(s)
	p.i = r.IntN(len(k.z))
	p.a = k.at(s, p.i)
	p.b, p.split = p.a, r.IntN(2) == 0
	of := k.size[p.a] - 1
	if !p.split {
		total := k.beside(s, &p)
		if !(total > 0) {
			return p, false
		}
		u := r.Float64() * total
		for h, w := range k.near {
			if w > 0 {
				p.b = h
			}
			if u -= w; u < 0 && w > 0 {
				break
			}
		}
		of = k.size[p.b]
	}
	if of == 0 {
		return p, false
	}
	nth := r.IntN(of)
	for j := range k.z {
		if j == p.i || k.at(s, j) != p.b {
			continue
		}
		if nth--; nth < 0 {
			p.j = j
			break
		}
	}
	k.set = k.set[:0]
	for l := range k.z {
		if h := k.at(s, l); l != p.i && l != p.j && (h == p.a || h == p.b) {
			k.set = append(k.set, l)
		}
	}
	return p, true
}

// count counts the allocations to each component.
func (k *splitMerge) count(s *model.State) {
	clear(k.size)
	for i := range k.z {
		k.size[k.at(s, i)]++
	}
}

// beside weighs the components that i's may be merged with, half of it evenly, half of it by how well they fit i, and gives the sum.
func (k *splitMerge) beside(s *model.State, p *pair) (total float64) {
	z := &k.z[p.i]
	top, others := math.Inf(-1), 0
	for h, n := range k.size {
		k.near[h] = math.Inf(-1)
		if n == 0 || h == p.a {
			continue
		}
		others++
		z.n.set(s, float64(h+1))
		if k.near[h] = z.n.below(s); math.IsNaN(k.near[h]) {
			k.near[h] = math.Inf(-1)
		}
		top = max(top, k.near[h])
	}
	z.n.set(s, float64(p.a+1))
	sum := 0.0
	for h, l := range k.near {
		if k.near[h] = 0; vec.Finite(top) && l > math.Inf(-1) {
			k.near[h] = vec.Exp(l - top)
			sum += k.near[h]
		}
	}
	for h, n := range k.size {
		if n == 0 || h == p.a {
			continue
		}
		if sum > 0 {
			k.near[h] *= float64(others) / sum
		}
		k.near[h]++
		total += k.near[h]
	}
	return total
}

// ratio is the log of the Metropolis–Hastings ratio of the split, whether that is proposed or would undo the merger that is. It leaves the state split, and a proposed merger in kept.
func (k *splitMerge) ratio(s *model.State, r *rand.Rand, p *pair) (float64, bool) {
	k.all(s, p, p.a)
	for _, w := range k.weights {
		w.begin(s)
	}
	logq, ok := k.component(s, r, p)
	if !ok {
		return 0, false
	}
	together, ok := k.together(s, r, p)
	if !ok {
		return 0, false
	}
	apart, ok := k.apart(s, r, p)
	if !ok {
		return 0, false
	}
	// A split picks j among those of the component, a merger the other component, and j among those of that.
	same := float64(len(k.set) + 1)
	k.count(s)
	total := k.beside(s, p)
	return apart - together - logq + vec.Log(same*k.near[p.b]/(total*float64(k.size[p.b]))), true
}

// component picks the component that a split takes, with the log of its probability.
func (k *splitMerge) component(s *model.State, r *rand.Rand, p *pair) (float64, bool) {
	k.count(s)
	z := &k.z[p.j]
	total, own := 0.0, 0.0
	k.free, k.sum = k.free[:0], k.sum[:0]
	for h, n := range k.size {
		if n > 0 {
			continue
		}
		w := k.weights[z.of].fresh(s, z, h)
		if !(w > 0) {
			w = 0
		}
		total += w
		k.free, k.sum = append(k.free, h), append(k.sum, total)
		if h == p.b {
			own = w
		}
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return 0, false
	}
	if p.split {
		u, at := r.Float64()*total, 0
		for at < len(k.sum)-1 && k.sum[at] <= u {
			at++
		}
		p.b, own = k.free[at], k.sum[at]
		if at > 0 {
			own -= k.sum[at-1]
		}
		k.keep(s, p.b, beforeB)
	}
	return vec.Log(own / total), own > 0
}

// all allocates j and those that move to a component; what depends on them is left.
func (k *splitMerge) all(s *model.State, p *pair, h int) {
	s.V[k.z[p.j].n.cells[0]] = float64(h + 1)
	for _, l := range k.set {
		s.V[k.z[l].n.cells[0]] = float64(h + 1)
	}
}

// back leaves the state as it was.
func (k *splitMerge) back(s *model.State, p *pair) {
	for i, h := range k.old {
		s.V[k.z[i].n.cells[0]] = float64(h + 1)
	}
	k.put(s, p.a, beforeA)
	k.put(s, p.b, beforeB)
	s.Run(k.det)
}

// keep reads the parameters of a component, put writes them; what depends on them is left.
func (k *splitMerge) keep(s *model.State, h, as int) {
	for q, n := range k.nodes[h] {
		for e, c := range n.cells {
			k.kept[as][q][e] = s.V[c]
		}
	}
}

func (k *splitMerge) put(s *model.State, h, as int) {
	for q, n := range k.nodes[h] {
		for e, c := range n.cells {
			s.V[c] = k.kept[as][q][e]
		}
	}
}

// together launches the merger, proposes it or goes to it, and gives its log density less that of the proposal.
func (k *splitMerge) together(s *model.State, r *rand.Rand, p *pair) (float64, bool) {
	if !k.begin(s, r, p.a) {
		return 0, false
	}
	k.keep(s, p.a, launchA)
	k.put(s, p.b, launchA)
	s.Run(k.det)
	if _, ok := k.parameters(s, r, p.a, none); !ok {
		return 0, false
	}
	k.keep(s, p.a, launchA)
	to := none
	if p.split {
		to = beforeA
	}
	logq, ok := k.parameters(s, r, p.a, to)
	if !ok {
		return 0, false
	}
	if p.split {
		k.put(s, p.b, beforeB)
		s.Run(k.det)
	} else if !k.fromPrior(s, r, p.b) {
		return 0, false
	}
	logq += s.LogProb(k.prior[p.b])
	lp := k.logProb(s)
	k.keep(s, p.a, mergedA)
	k.keep(s, p.b, mergedB)
	return lp - logq, !math.IsInf(lp, 0)
}

// begin puts the parameters of a component where those of others have been, or draws them from their prior.
func (k *splitMerge) begin(s *model.State, r *rand.Rand, h int) bool {
	for q, n := range k.nodes[h] {
		for e, c := range n.cells {
			f := &k.start[q][e]
			if f.count < leastPseudo {
				return k.fromPrior(s, r, h)
			}
			s.V[c] = k.forms[q].back(f.mean)
		}
	}
	return true
}

// fromPrior draws the parameters of a component.
func (k *splitMerge) fromPrior(s *model.State, r *rand.Rand, h int) bool {
	for _, n := range k.nodes[h] {
		if s.SampleRow(n.t, n.i, r) != "" {
			return false
		}
		s.Run(n.b.Det)
	}
	return true
}

// parameters proposes those of a component one after the other, or goes to what is kept.
func (k *splitMerge) parameters(s *model.State, r *rand.Rand, h, to int) (logq float64, ok bool) {
	for q, d := range k.params[h] {
		var x []float64
		if to != none {
			x = k.kept[to][q]
		}
		l, ok := d.propose(s, r, x)
		if !ok {
			return 0, false
		}
		logq += l
	}
	return logq, true
}

// apart launches the split, proposes it or goes to it, and gives its log density less that of the proposal.
func (k *splitMerge) apart(s *model.State, r *rand.Rand, p *pair) (float64, bool) {
	if !k.launch(s, r, p) {
		return 0, false
	}
	logq, ok := k.scan(s, r, p, true)
	toA, toB := none, none
	if !p.split {
		toA, toB = beforeA, beforeB
	}
	la, okA := k.parameters(s, r, p.a, toA)
	lb, okB := k.parameters(s, r, p.b, toB)
	return k.logProb(s) - (logq + la + lb), ok && okA && okB
}

// launch goes from that of the merger to one of the split: some parameters of the second component fit j alone, as what has few allocations would start, or then also some of the first i alone, and
// scans over all allocations follow.
func (k *splitMerge) launch(s *model.State, r *rand.Rand, p *pair) bool {
	k.put(s, p.a, launchA)
	k.put(s, p.b, launchA)
	s.Run(k.det)
	any := false
	for q := range k.anchor {
		k.anchor[q] = r.IntN(2) == 0
		any = any || k.anchor[q]
	}
	if !any {
		k.anchor[r.IntN(len(k.anchor))] = true
	}
	few, scans := r.Float64() >= halves, 1+r.IntN(launchScans)
	k.allocate(s, p.j, p.b)
	if !k.anchored(s, r, p.b) {
		return false
	}
	if few {
		return true
	}
	for _, l := range k.set {
		k.allocate(s, l, p.b)
	}
	if !k.anchored(s, r, p.a) {
		return false
	}
	for range scans {
		if _, ok := k.scan(s, r, p, false); !ok {
			return false
		}
		for _, h := range [2]int{p.a, p.b} {
			if _, ok := k.parameters(s, r, h, none); !ok {
				return false
			}
		}
	}
	return true
}

func (k *splitMerge) anchored(s *model.State, r *rand.Rand, h int) bool {
	for q, d := range k.params[h] {
		if !k.anchor[q] {
			continue
		}
		if _, ok := d.propose(s, r, nil); !ok {
			return false
		}
	}
	return true
}

// allocate allocates to a component.
func (k *splitMerge) allocate(s *model.State, i, h int) {
	z := &k.z[i]
	k.weights[z.of].count(k.at(s, i), -1)
	z.n.set(s, float64(h+1))
	k.weights[z.of].count(h, 1)
}

// scan draws which of two components each allocation is to, given all else; the last scan goes to those before a merger.
func (k *splitMerge) scan(s *model.State, r *rand.Rand, p *pair, last bool) (logq float64, ok bool) {
	for _, l := range k.set {
		z := &k.z[l]
		w := k.weights[z.of]
		w.count(k.at(s, l), -1)
		d := k.weigh(s, z, p.b) - k.weigh(s, z, p.a)
		if math.IsNaN(d) {
			return 0, false
		}
		u, h := r.Float64(), p.a
		if u < vec.Ilogit(d) {
			h = p.b
		}
		if last && !p.split {
			h = k.old[l]
		}
		if h == p.b {
			d = -d
		}
		logq -= vec.Log1pExp(d)
		z.n.set(s, float64(h+1))
		w.count(h, 1)
	}
	return logq, true
}

// weigh is the log weight of an allocation to a component.
func (k *splitMerge) weigh(s *model.State, z *allocated, h int) float64 {
	w := k.weights[z.of].share(s, z, h)
	if !(w > 0) {
		return math.Inf(-1)
	}
	z.n.set(s, float64(h+1))
	return vec.Log(w) + z.n.below(s)
}

// logProb is the log density of what allocations and parameters change.
func (k *splitMerge) logProb(s *model.State) float64 {
	lp := 0.0
	for _, w := range k.weights {
		lp += w.marginal(s)
	}
	return lp + s.LogProb(k.union)
}

func (k *splitMerge) prepare(s *model.State) {
	for _, m := range k.made {
		m.prepare(s)
	}
}

func (k *splitMerge) fields() []*float64 {
	all := append(k.alone[0].fields(), k.alone[1].fields()...)
	all = append(all, &k.tried, &k.rate, &k.share)
	for q := range k.start {
		for e := range k.start[q] {
			f := &k.start[q][e]
			all = append(all, &f.count, &f.mean, &f.m2)
		}
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *splitMerge) MarshalBinary() ([]byte, error) { return putFields(k.fields()), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *splitMerge) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
