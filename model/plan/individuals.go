package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const individualsName = "individuals"

// individuals draws the parameters of a population together with its individuals. An individual is a discrete node, such as whether it is there, with continuous latents of its own, such
// as where. Given all latents, parameters hardly move; those individuals that have the same data, such as none at all, have the same law given the parameters, which one table of their
// density on a grid describes (individualtable.go). A step
//
//   - proposes parameters from a Student t that fits them in warm-up, and with them all individuals from their tables there: accepted with the ratio of Metropolis and Hastings, in which
//     the tables stand for what they propose with, so that they need not be right;
//   - proposes each individual by itself from its table;
//   - moves some of the individuals by slices, so that what tables miss is left in bounded time, or all of them where few proposals are taken.
//
// With tables that are right it is a step of independent proposals for the parameters with the individuals integrated out.
type individuals struct {
	p     *population
	own   *cohort
	plain *cohort // without individuals who share tables, for states whose data are not the model's

	params onLine
	fit    studentFit
	u0, u  []float64
	from   []float64
	heads  []*enumerate
	latent [][]*sliceNode

	on, alone   float64 // 1 where parameters are proposed, and where all individuals are moved by slices
	tried, rate float64
	each, taken float64 // individuals proposed by themselves, and taken
}

// population is what all chains share.
type population struct {
	m       *model.Model
	members []individual
	params  []int32     // rows
	up      []model.Seg // logical rows that the parameters reach and no individual does
	det     []model.Seg // those that individuals reach
	rest    []model.Seg // rows that depend on the parameters and on no individual
	probe   *model.State
	classes *classes
}

// individual is a discrete node with the continuous ones that are its own.
type individual struct {
	head    finiteNode
	latents []int32 // rows
	cells   []int32 // of these
	rows    []int32 // stochastic rows that depend on it, its own among them
}

const (
	// leastIndividuals is the number of individuals with latents in shared tables from which the kernel is made.
	leastIndividuals = 16
	// mostTable bounds the rows evaluated for all tables, in those of all individuals.
	mostTable = 8
	// manyEach is the number of rows of an individual, its own and its latents' among them, from which they are many.
	manyEach = 5
	// mostLatents bounds the latents of an individual.
	mostLatents = 2
	// slicedShare is that of the individuals which a step moves by slices; leastProposed the share of proposals below which it moves all.
	slicedShare   = 16
	leastProposed = 0.5
)

// individualsTogether makes the kernel where individuals enough share tables, and sums over the discrete nodes alone, which leave the latents to trajectories, have not taken them.
func individualsTogether(p *planner, rows []int32) { p.addIndividuals(p.findIndividuals(rows), false) }

// manyRowsEach makes the kernel before such sums where all individuals share tables and have many rows each, every one of which trajectories would take the slopes of. With fewer rows, or
// individuals whose nodes only sums move with the parameters, trajectories are as good or better (bench/discrete.txt).
func manyRowsEach(p *planner, rows []int32) {
	members := p.findIndividuals(rows)
	n := 0
	for _, d := range members {
		n += len(d.rows)
	}
	if n >= manyEach*len(members) {
		p.addIndividuals(members, true)
	}
}

// addIndividuals makes the kernel; all says that no individual may be left out.
func (p *planner) addIndividuals(members []individual, all bool) {
	s := p.probe()
	if s == nil || len(members) < leastIndividuals {
		return
	}
	pop := newPopulation(p, members, p.copyOf(s))
	if pop == nil || all && len(pop.members) < len(members) {
		return
	}
	it := Item{Kernel: individualsName, make: func([]kernel) kernel { return newIndividuals(pop) }}
	for _, d := range pop.members {
		it.Rows = append(append(it.Rows, d.head.row), d.latents...)
	}
	p.add(it)
	last := &p.Items[len(p.Items)-1]
	last.Rows = append(slices.Clone(last.Rows), pop.params...)
}

// findIndividuals finds discrete nodes of few values such that no stochastic row depends on two of them or on the latents of another.
func (p *planner) findIndividuals(rows []int32) []individual {
	m := p.Model
	of := map[int32]int32{} // the individual that a row depends on; −1 for several
	claim := func(row, k int32) {
		if o, met := of[row]; met && o != k {
			k = -1
		}
		of[row] = k
	}
	var all []individual
	for _, r := range rows {
		if p.asked[r] != nil || continuous(m, r) {
			continue
		}
		if n, ok := finiteOf(m, r); ok && n.size > 1 && n.size <= mostStates {
			for d := range densitiesOf(m, r) {
				claim(d, int32(len(all)))
			}
			all = append(all, individual{head: n})
		}
	}
	for _, r := range rows {
		if k := p.owner(r, of); k >= 0 {
			all[k].latents = append(all[k].latents, r)
		}
	}
	for k := range all {
		for _, r := range all[k].latents {
			for d := range densitiesOf(m, r) {
				claim(d, int32(k))
			}
		}
	}
	bad := make([]bool, len(all))
	for k := range all {
		d := &all[k]
		slices.Sort(d.latents)
		bad[k] = len(d.latents) > mostLatents
		for _, r := range append([]int32{d.head.row}, d.latents...) {
			for row := range densitiesOf(m, r) {
				bad[k] = bad[k] || of[row] < 0
				d.rows = append(d.rows, row)
			}
			if t, i := m.TemplateOf(r); r != d.head.row {
				d.cells = append(d.cells, t.Cells(i)[0])
			}
		}
		slices.Sort(d.rows)
		d.rows = slices.Compact(d.rows)
	}
	var good []individual
	for k := range all {
		if !bad[k] {
			good = append(good, all[k])
		}
	}
	return good
}

// owner is the individual of whom a continuous node is a latent: on it rows depend that depend on the individual, and none that depend on another. −1 where there is none.
func (p *planner) owner(r int32, of map[int32]int32) int32 {
	m := p.Model
	t, i := m.TemplateOf(r)
	if p.asked[r] != nil || !continuous(m, r) || t.Stoch.Scalar == nil || !onGrid(m, t, i) {
		return -1
	}
	owner := int32(-1)
	for d := range densitiesOf(m, r) {
		switch k, met := of[d]; {
		case !met:
		case k < 0, owner >= 0 && k != owner:
			return -1
		default:
			owner = k
		}
	}
	return owner
}

// onGrid tells whether a latent's support is fixed, and a grid can be laid over it: between two bounds, or about the mean of a normal prior.
func onGrid(m *model.Model, t *model.Template, i int) bool {
	lo, hi := m.FixedBounds(t, i)
	if math.IsNaN(lo) || math.IsNaN(hi) || !(lo < hi) {
		return false
	}
	return t.Stoch.Name == "dnorm" || !math.IsInf(lo, 0) && !math.IsInf(hi, 0)
}

// newPopulation keeps the individuals whose tables are shared; nil where they are few, or where the parameters cannot be proposed.
func newPopulation(p *planner, members []individual, probe *model.State) *population {
	m := p.Model
	pop := &population{m: m, probe: probe}
	c := newClasses(m, members, true)
	if pop.members = c.affordable(members); pop.members == nil {
		return nil
	}
	var ok bool
	if pop.params, ok = p.paramsOf(pop.members); !ok {
		return nil
	}
	pop.classes = newClasses(m, pop.members, true)
	pop.classes.findIdle(probe)
	var cells, own []int32
	mine := map[int32]bool{}
	for _, d := range pop.members {
		cells = append(append(cells, d.head.cell), d.cells...)
		for _, r := range d.rows {
			mine[r] = true
		}
	}
	for _, r := range pop.params {
		t, i := m.TemplateOf(r)
		own = append(own, t.Cells(i)[0])
	}
	pop.det = m.Blanket(cells).Det
	around := m.Blanket(own)
	pop.up = without(m, around.Det, pop.det)
	rest := append(rowNumbers(m, around.Stoch), pop.params...)
	slices.Sort(rest)
	pop.rest = runsOf(m, slices.DeleteFunc(slices.Compact(rest), func(r int32) bool { return mine[r] }))
	return pop
}

// paramsOf are the scalar continuous nodes on which the rows of individuals depend beside them; ok is false where there are none, too many, or others.
func (p *planner) paramsOf(members []individual) (params []int32, ok bool) {
	m := p.Model
	mine := map[int32]bool{}
	var read []int32
	for _, d := range members {
		mine[d.head.row] = true
		for _, r := range d.latents {
			mine[r] = true
		}
		read = append(read, parents(m, d.rows...)...)
	}
	ok = true
	has := map[int32]bool{}
	ancestors(m, read, func(cell int32) bool {
		if m.Kinds[cell] != model.Unobserved {
			return m.Kinds[cell] == model.Logical
		}
		r := m.DefRow(cell)
		if mine[r] || has[r] {
			return false
		}
		has[r] = true
		if ok = ok && len(has) <= mostJoint && continuous(m, r) && p.asked[r] == nil && !p.covered[r]; ok {
			ok = newAdaptive(newNode(m, r)) != nil
		}
		return false
	})
	for _, r := range p.rows {
		if has[r] {
			params = append(params, r)
		}
	}
	return params, ok && len(params) > 0
}

func newIndividuals(p *population) *individuals {
	d := len(p.params)
	f := func() []float64 { return make([]float64, d) }
	k := &individuals{p: p, own: newCohort(p, p.classes), fit: newStudentFit(d), u0: f(), u: f(), from: f()}
	for _, r := range p.params {
		k.params = append(k.params, newAdaptive(newNode(p.m, r)))
	}
	for _, d := range p.members {
		k.heads = append(k.heads, newEnumerate(newNode(p.m, d.head.row)))
		var own []*sliceNode
		for _, r := range d.latents {
			own = append(own, newSlice(newNode(p.m, r)))
		}
		k.latent = append(k.latent, own)
	}
	return k
}

// cohortFor is that for the data of a state.
func (k *individuals) cohortFor(s *model.State) *cohort {
	for _, d := range k.p.classes.data {
		if s.V[d] != k.p.m.Init[d] {
			if k.plain == nil {
				c := newClasses(k.p.m, k.p.members, false)
				c.findIdle(k.p.probe)
				k.plain = newCohort(k.p, c)
			}
			return k.plain
		}
	}
	return k.own
}

// place puts the parameters at u; not where that is at the end of a support.
func (k *individuals) place(s *model.State, u []float64) (logJ float64, ok bool) {
	if logJ, ok = k.params.place(s, u); !ok {
		k.back(s)
		return 0, false
	}
	s.Run(k.p.up)
	return logJ, true
}

// back takes the parameters to where they were.
func (k *individuals) back(s *model.State) {
	for j, t := range k.params {
		s.V[t.slice.n.cells[0]] = k.from[j]
	}
	s.Run(k.p.up)
}

// move proposes the parameters with the individuals, where joint says so, and then these by themselves.
func (k *individuals) move(s *model.State, r *rand.Rand, joint bool) (a float64) {
	c := k.cohortFor(s)
	c.save(s)
	c.densities(s, c.lp)
	c.tabulate(s)
	c.proposed(c.at, c.lq)
	if joint {
		a = k.propose(s, r, c)
	}
	c.draw(r)
	c.put(s, c.to)
	s.Run(k.p.det)
	c.densities(s, c.lpTo)
	c.proposed(c.to, c.lqTo)
	k.taken += c.settle(r)
	k.each += float64(len(c.lp))
	c.put(s, c.at)
	s.Run(k.p.det)
	return min(1, a)
}

// propose takes the parameters and all individuals to others, or leaves them; the individuals are left anyhow in the state.
func (k *individuals) propose(s *model.State, r *rand.Rand, c *cohort) (a float64) {
	logJ0 := k.params.look(s, k.from, k.u0)
	here := s.LogProb(k.p.rest) + logJ0 + sumOf(c.lp) - sumOf(c.lq) - k.fit.logQ(k.u0)
	k.fit.draw(r, k.u)
	accept := r.Float64()
	if !vec.Finite(here) {
		return 0
	}
	logJ, ok := k.place(s, k.u)
	if !ok {
		return 0
	}
	c.now = 1 - c.now
	c.tabulate(s)
	c.draw(r)
	c.put(s, c.to)
	s.Run(k.p.det)
	c.densities(s, c.lpTo)
	c.proposed(c.to, c.lqTo)
	there := sumOf(c.lpTo) - sumOf(c.lqTo)
	if vec.Finite(there) {
		if a = vec.Exp(s.LogProb(k.p.rest) + logJ + there - k.fit.logQ(k.u) - here); math.IsNaN(a) {
			a = 0
		}
	}
	if accept < a {
		c.take()
		return a
	}
	c.now = 1 - c.now
	k.back(s)
	return a
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// slices moves every so many of the individuals, from a random one on.
func (k *individuals) slices(r *rand.Rand, every int, step func(z *enumerate, x []*sliceNode)) {
	from := 0
	if every > 1 {
		from = r.IntN(every)
	}
	for i := from; i < len(k.heads); i += every {
		step(k.heads[i], k.latent[i])
	}
}

// Step moves the nodes.
func (k *individuals) Step(s *model.State, r *rand.Rand) mcmc.Info {
	a, every := 1.0, 1
	if k.alone == 0 {
		a, every = k.move(s, r, k.on > 0), slicedShare
	}
	k.slices(r, every, func(z *enumerate, x []*sliceNode) {
		z.Step(s, r)
		for _, l := range x {
			l.Step(s, r)
		}
	})
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 1}
}

// Adapt learns where the parameters are from the second quarter of warm-up on, and proposes them in the second half.
func (k *individuals) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 4*w.Iteration >= w.Total {
		k.params.look(s, k.from, k.u0)
		k.fit.learn(k.u0)
		if w.Iteration%learnEvery == 0 {
			k.fit.settle()
		}
	}
	if 2*w.Iteration < w.Total {
		k.each, k.taken = 0, 0
	}
	joint := 2*w.Iteration >= w.Total && k.fit.settled()
	a := k.move(s, r, joint)
	if joint && 4*w.Iteration >= 3*w.Total { // the fit learns from its own moves
		k.tried++
		k.rate += a
	}
	k.slices(r, slicedShare, func(z *enumerate, x []*sliceNode) {
		z.Step(s, r)
		for _, l := range x {
			l.Adapt(s, r, w)
		}
	})
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 1}
}

// Freeze ends the warm-up.
func (k *individuals) Freeze() {
	if k.taken < leastProposed*k.each {
		k.alone = 1
	} else if k.tried > 0 && k.rate >= takenJoint*k.tried {
		k.on = 1
	}
}

func (k *individuals) fields() []*float64 {
	return append(k.fit.fields(), &k.on, &k.alone, &k.tried, &k.rate, &k.each, &k.taken)
}

func (k *individuals) kernels() (all []kernel) {
	for _, x := range k.latent {
		for _, l := range x {
			all = append(all, l)
		}
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *individuals) MarshalBinary() ([]byte, error) { return marshalWith(k.fields(), k.kernels()) }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *individuals) UnmarshalBinary(b []byte) error {
	return unmarshalWith(b, k.fields(), k.kernels())
}
