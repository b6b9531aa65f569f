package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const withPoolsName = "joint-with-counts"

// givenAtStart is for how many iterations the nodes get used to counts that are few, where sums are estimated: from parameters that are far out, particles would be as many as these have.
const givenAtStart = 20

// withPools moves the continuous nodes on which pools of counts depend with the counts summed out, and then draws the counts from their distribution given the rest. Given the counts, rates and
// probabilities of detection are known as if all animals had been seen, so that kernels that move one given the other go along their common ridge in small steps.
//
// The nodes move by random walks along those principal directions of what warm-up has seen of them in which they vary most, the rest being left to their own kernels, and by a
// proposal of all at once from a Student t that fits them, where that is accepted.
type withPools struct {
	sums  countSums
	nodes onLine
	det   []model.Seg
	union []model.Seg // densities that depend on the nodes and on no count
	alone []kernel    // of the counts, one by one, where sums are too long
	start *countStart

	early       bool                                   // learns where the nodes are before the second quarter of warm-up, too
	here, value func(*model.State, *rand.Rand) float64 // of the sums

	walk               principalWalk
	fit                studentFit
	first, from, u0, u []float64 // nodes before a step, and before a move, and there on the line
	f0                 float64   // the log density at u0

	on, tried, rate float64 // on: 1 where all are proposed at once
}

// countSums gives the log of the sum over counts, or an estimate of it without bias, and the counts given the rest.
type countSums interface {
	// begin comes first, in a state in which all is up to date; until finish or restore the counts in the state are none.
	begin(s *model.State)
	// here is the sum where the nodes are at first: a number or −Inf.
	here(s *model.State, r *rand.Rand) float64
	// value is the sum where they are proposed.
	value(s *model.State, r *rand.Rand) float64
	// taken comes after value where the proposal is accepted.
	taken()
	// finish draws the counts, where the nodes are at last; false where rounding leaves them no values.
	finish(s *model.State, r *rand.Rand) bool
	// restore leaves the counts as they were.
	restore(s *model.State)
	// learn learns from a state in warm-up.
	learn(s *model.State, iteration int)
	fields() []*float64
}

// countsTogether adds the kernel for counts that depend on one another: along trees, or else in graphs.
func countsTogether(p *planner, rows []int32) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r int32) bool { return p.asked[r] != nil })
	if c, start := poolCounts(p.Model, rows); c != nil {
		p.addCounts(c, start, func() countSums { return newPoolSums(c) })
	} else if g, start := graphCounts(p.Model, rows); g != nil {
		p.addCounts(g, start, func() countSums { return newCountFilter(g) })
	}
}

// summedCounts are counts that are summed over.
type summedCounts interface {
	has(row int32) bool // a stochastic row that depends on them, or theirs
	nodeRows() []int32  // theirs
}

func (p *planner) addCounts(c summedCounts, start *countStart, sums func() countSums) {
	params := p.aboveCounts(c)
	p.add(Item{Kernel: withPoolsName, Rows: c.nodeRows(), make: func([]kernel) kernel { return newWithPools(p.Plan, c, sums(), start, params) }})
	last := &p.Items[len(p.Items)-1]
	last.Rows = append(slices.Clone(last.Rows), params...)
}

// aboveCounts are scalar continuous nodes, of small relations, half of whose children at least are in the sums.
func (p *planner) aboveCounts(c summedCounts) (params []int32) {
	of := map[*model.Template]int{}
	for _, r := range slices.Backward(p.rows) {
		t, _ := p.Model.TemplateOf(r)
		if d := t.Stoch.Scalar; d == nil || d.Discrete || p.asked[r] != nil {
			continue
		}
		all, in := 0, 0
		for d := range densitiesOf(p.Model, r) {
			if d == r {
				continue
			}
			if all++; c.has(d) {
				in++
			}
		}
		if in > 0 && 2*in >= all && newAdaptive(p.node(r)) != nil {
			of[t]++
			params = append(params, r)
		}
	}
	return slices.DeleteFunc(params, func(r int32) bool { t, _ := p.Model.TemplateOf(r); return of[t] > mostJoint })
}

func newWithPools(p *Plan, c summedCounts, sums countSums, start *countStart, params []int32) *withPools {
	d := len(params)
	f := func() []float64 { return make([]float64, d) }
	k := &withPools{sums: sums, start: start, walk: newPrincipalWalk(d), fit: newStudentFit(d), first: f(), from: f(), u0: f(), u: f()}
	k.here, k.value = sums.here, sums.value
	if _, k.early = sums.(*countFilter); k.early {
		k.walk.accept = noisyAccepted
	}
	var cells, rest []int32
	for _, r := range params {
		n := p.node(r)
		k.nodes = append(k.nodes, newAdaptive(n))
		cells = append(cells, n.cells[0])
		if !c.has(r) { // one that depends on the counts itself is in their sum
			rest = append(rest, r)
		}
	}
	b := p.Model.Blanket(cells)
	for d := range rowsOf(p.Model, b.Stoch) {
		if !c.has(d.row()) {
			rest = append(rest, d.row())
		}
	}
	slices.Sort(rest)
	k.det, k.union = b.Det, runsOf(p.Model, slices.Compact(rest))
	for _, r := range c.nodeRows() {
		k.alone = append(k.alone, newSliceAlone(p.node(r)))
	}
	return k
}

// logProb is the density of the nodes as they are with the counts summed out.
func (k *withPools) logProb(s *model.State, r *rand.Rand, logJ float64, sum func(*model.State, *rand.Rand) float64) float64 {
	lp := s.LogProb(k.union) + logJ
	if vec.Finite(lp) {
		lp += sum(s, r)
	}
	return lp
}

// propose moves to u by the ratio of densities times that of proposals.
func (k *withPools) propose(s *model.State, r *rand.Rand, logQ float64) (a float64) {
	accept := r.Float64()
	f := math.Inf(-1)
	logJ, ok := k.nodes.place(s, k.u)
	if ok {
		s.Run(k.det)
		f = k.logProb(s, r, logJ, k.value)
	}
	a = vec.Exp(min(0, f-k.f0+logQ))
	if accept < a {
		k.f0 = f
		k.sums.taken()
		copy(k.u0, k.u)
		for j, t := range k.nodes {
			k.from[j] = s.V[t.slice.n.cells[0]]
		}
		return a
	}
	k.back(s)
	return a
}

// back puts the nodes where they were.
func (k *withPools) back(s *model.State) {
	for j, t := range k.nodes {
		s.V[t.slice.n.cells[0]] = k.from[j]
	}
	s.Run(k.det)
}

// sweep moves the nodes, and draws the counts; false where the sum over them cannot be taken.
func (k *withPools) sweep(s *model.State, r *rand.Rand, w *mcmc.Warmup) (info mcmc.Info, ok bool) {
	k.sums.begin(s)
	k.f0 = k.logProb(s, r, k.nodes.look(s, k.from, k.u0), k.here)
	if !vec.Finite(k.f0) {
		k.sums.restore(s)
		return idle(), false
	}
	copy(k.first, k.from)
	info = mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
	for j := len(k.nodes) / 2; j < len(k.nodes); j++ {
		k.walk.step(r, j, k.u0, k.u)
		info.AcceptProb = k.propose(s, r, 0)
		info.Evals++
		if w != nil {
			k.walk.tune(j, info.AcceptProb)
		}
	}
	if k.on > 0 {
		q := k.fit.logQ(k.u0)
		k.fit.draw(r, k.u)
		info.AcceptProb = k.propose(s, r, q-k.fit.logQ(k.u))
		info.Evals++
		if w != nil && 4*w.Iteration >= 3*w.Total {
			k.rate += info.AcceptProb
			k.tried++
		}
	}
	if !k.sums.finish(s, r) {
		copy(k.from, k.first)
		k.back(s)
		k.sums.restore(s)
	}
	return info, true
}

// Step moves the nodes and the counts.
func (k *withPools) Step(s *model.State, r *rand.Rand) mcmc.Info {
	info, ok := k.sweep(s, r, nil)
	if !ok {
		for _, a := range k.alone {
			a.Step(s, r)
		}
	}
	return info
}

// Adapt moves them, and learns from the second quarter of warm-up on where the nodes are. In its first iteration it finds a start.
func (k *withPools) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if w.Iteration == 0 {
		k.start.place(s, r)
	}
	if w.Iteration == 0 || k.early && w.Iteration < givenAtStart {
		k.sums.learn(s, w.Iteration)
		return idle()
	}
	info, ok := k.sweep(s, r, &w)
	if !ok {
		for _, a := range k.alone {
			a.(mcmc.Adapter[*model.State]).Adapt(s, r, w)
		}
	}
	k.sums.learn(s, w.Iteration)
	if early := 4*w.Iteration < w.Total; early || len(k.nodes) == 0 {
		if early && k.early {
			k.walk.least = leastEarly
			k.nodes.look(s, k.from, k.u0)
			k.walk.learn(k.u0)
		}
	} else {
		if k.early && 4*(w.Iteration-1) < w.Total {
			k.walk.forget()
		}
		k.nodes.look(s, k.from, k.u0)
		k.walk.learn(k.u0)
		k.fit.learn(k.u0)
		if w.Iteration%learnEvery == 0 {
			k.fit.settle()
		}
		if 2*w.Iteration >= w.Total && k.fit.settled() {
			k.on = 1
		}
	}
	return info
}

// Freeze ends the warm-up, and keeps the proposals of all nodes at once where they were taken.
func (k *withPools) Freeze() {
	if k.rate < takenJoint*k.tried {
		k.on = 0
	}
}

func (k *withPools) fields() []*float64 {
	return append(append(append(k.walk.fields(), k.fit.fields()...), &k.on, &k.tried, &k.rate), k.sums.fields()...)
}

// MarshalBinary writes the tuning.
func (k *withPools) MarshalBinary() ([]byte, error) { return marshalWith(k.fields(), k.alone) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *withPools) UnmarshalBinary(b []byte) error { return unmarshalWith(b, k.fields(), k.alone) }
