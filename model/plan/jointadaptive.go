package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const jointAdaptiveName = "joint-adaptive"

// jointAdaptive moves scalar continuous nodes on which the same densities depend at once, beside their own kernels: an independence proposal (Tierney 1994, section 2.3.3) from the
// multivariate Student t that fits them in warm-up, on the line, logarithm or logit. Nodes that are strongly correlated move little one by one, whatever kernel moves them. It asks
// nothing of the density but its value: a step in it, where trajectories do not serve, costs rejected proposals. Conjugate children are integrated out, as by [collapsed].
type jointAdaptive struct {
	m     *model.Model
	nodes onLine
	alone []lagged // of the same nodes, as their own kernels move them
	det   []model.Seg
	union []model.Seg // their densities and their children's, without kids
	kids  []marginal  // children that are integrated out, and drawn after a move
	fit   studentFit
	from  []float64 // nodes before a move, and there on the line
	u0, u []float64

	on    float64 // 1 where it is in use
	tried float64
	rate  float64
}

const (
	mostJoint  = 12
	slowApart  = 0.7 // lag-1 autocorrelation of the slowest node below which all of them are quick enough alone
	takenJoint = 0.1 // acceptance below which nodes that are so slow do not gain
)

// jointAdaptives adds the kernel to the nodes of adaptive that share densities, but for relations that have more of them than it takes.
func jointAdaptives(p *planner, _ []int32) {
	var rows []int32
	of := map[*model.Template]int{}
	for _, it := range p.Items {
		if it.Kernel == "adaptive" && len(it.Rows) == 1 && p.asked[it.Rows[0]] == nil {
			t, _ := p.Model.TemplateOf(it.Rows[0])
			rows = append(rows, it.Rows[0])
			of[t]++
		}
	}
	rows = slices.DeleteFunc(rows, func(r int32) bool { t, _ := p.Model.TemplateOf(r); return of[t] > mostJoint })
	if len(rows) < 2 {
		return
	}
	groups, _ := connected(p.Model, rows)
	p.addJointAdaptives(groups)
}

func (p *planner) addJointAdaptives(groups [][]int32) {
	for _, g := range groups {
		if len(g) > 1 && len(g) <= mostJoint {
			p.add(Item{Kernel: jointAdaptiveName, Rows: g, make: func([]kernel) kernel { return newJointAdaptive(p.Plan, g, p.switches()) }})
		}
	}
}

// hyperKernels are those whose nodes may move together with a collapsed one.
var hyperKernels = append([]string{"adaptive", "collapsed", blockNormal, blockGLM}, exactAlone...)

// jointHypers adds the kernel to the nodes on which the same children depend that [collapsed] integrates out: a and b of a dgamma(a, b) that Poisson counts have as their mean. Discrete
// nodes that switch such children on and off are summed out with them, so that what their probabilities depend on is moved, too.
func jointHypers(p *planner, _ []int32) {
	kid := map[int32]int32{} // and the first of those that are summed out together
	for _, it := range p.Items {
		if it.Kernel == "collapsed" {
			for _, r := range it.Rows[1:] {
				kid[r] = r
			}
		}
	}
	if len(kid) == 0 {
		return
	}
	for _, g := range p.switches() {
		for _, r := range append([]int32{g.row}, g.latents...) {
			if g.betas {
				kid[r] = g.row
			}
		}
	}
	is := func(d int32) bool { _, ok := kid[d]; return ok }
	var rows []int32
	for _, it := range p.Items {
		for _, r := range it.Rows {
			if !is(r) && slices.Contains(hyperKernels, it.Kernel) && p.asked[r] == nil && newAdaptive(newNode(p.Model, r)) != nil && anyDensity(p.Model, []int32{r}, is) {
				rows = append(rows, r)
			}
		}
	}
	groups, _ := connectedThrough(p.Model, rows, func(d int32) (int32, bool) { first, ok := kid[d]; return first, ok })
	p.addJointAdaptives(groups)
}

func newJointAdaptive(p *Plan, rows []int32, switches []switched) *jointAdaptive {
	m := p.Model
	d := len(rows)
	k := &jointAdaptive{m: m, alone: make([]lagged, d), fit: newStudentFit(d), from: make([]float64, d), u0: make([]float64, d), u: make([]float64, d)}
	var cells []int32
	var nodes []*node
	for _, r := range rows {
		n := p.node(r)
		nodes = append(nodes, n)
		k.nodes = append(k.nodes, newAdaptive(n))
		cells = append(cells, n.cells[0])
	}
	b := m.Blanket(cells)
	k.det, k.union = b.Det, b.Stoch
	for _, r := range rows {
		if !contains(m, b.Stoch, r) {
			k.union = append(k.union, m.Seg(r))
		}
	}
	used := usedRows{m: m, mine: k.union}
	k.sumOut(switches, &used)
	k.integrate(nodes, &used)
	return k
}

// sumOut takes out of the union discrete nodes with the probabilities that they switch on and off, if none of the nodes moves what depends on them.
func (k *jointAdaptive) sumOut(switches []switched, used *usedRows) {
	gone := map[int32]bool{}
	for _, w := range switches {
		own := append([]int32{w.row}, w.latents...)
		reads := func(r int32) bool { return contains(k.m, k.union, r) }
		moves := func(r int32) bool {
			return slices.ContainsFunc(k.nodes, func(t *adaptive) bool { return t.slice.n.row == r })
		}
		if !w.betas || !slices.ContainsFunc(own, reads) || slices.ContainsFunc(own, moves) {
			continue
		}
		g := newSwitchedBetas(k.m, w.row, w.latents)
		if !used.takes(g, own) {
			continue
		}
		k.kids = append(k.kids, g)
		for _, r := range own {
			gone[r] = true
		}
	}
	k.without(gone)
}

// without takes rows out of the union.
func (k *jointAdaptive) without(gone map[int32]bool) {
	if len(gone) == 0 {
		return
	}
	var rest []model.Seg
	for c := range rowsOf(k.m, k.union) {
		if !gone[c.row()] {
			rest = append(rest, k.m.Seg(c.row()))
		}
	}
	k.union = joinSegs(rest)
}

// integrate takes out of the union the children of which none of the nodes moves the bounds, nor what depends on them.
func (k *jointAdaptive) integrate(nodes []*node, used *usedRows) {
	gone := map[int32]bool{}
	for c := range rowsOf(k.m, k.union) {
		if g := marginalOfAll(nodes, c, used); g != nil && sharingOf(g) != sharesAllocation {
			k.kids = append(k.kids, g)
			used.add(g)
			gone[c.row()] = true
		}
	}
	k.without(gone)
}

// marginalOfAll is a child that is integrated out while several nodes move, none of which it is.
func marginalOfAll(nodes []*node, c child, used *usedRows) (g marginal) {
	for _, n := range nodes {
		if n.row == c.row() {
			return nil
		}
	}
	for _, n := range nodes {
		n.analyse()
		if g = n.marginalOf(c, used); g == nil {
			return nil
		}
	}
	return g
}

// logProb is the log density of the nodes with their kids integrated out.
func (k *jointAdaptive) logProb(s *model.State) float64 {
	lp := s.LogProb(k.union)
	for _, g := range k.kids {
		if lp == math.Inf(-1) {
			return lp
		}
		lp += g.evidenceAt(s)
	}
	return lp
}

// place puts the nodes at u; not where that is at the end of a support.
func (k *jointAdaptive) place(s *model.State, u []float64) (logJ float64, ok bool) {
	if logJ, ok = k.nodes.place(s, u); ok {
		s.Run(k.det)
	}
	return logJ, ok
}

func (k *jointAdaptive) move(s *model.State, r *rand.Rand) float64 {
	logJ0 := k.nodes.look(s, k.from, k.u0)
	hold(k.kids, s)
	lp0 := k.logProb(s) + logJ0 - k.fit.logQ(k.u0)
	k.fit.draw(r, k.u)
	accept, a := r.Float64(), 0.0
	if !vec.Finite(lp0) {
		return 0
	}
	if logJ, ok := k.place(s, k.u); ok {
		if a = vec.Exp(k.logProb(s) + logJ - k.fit.logQ(k.u) - lp0); math.IsNaN(a) {
			a = 0
		}
	}
	if accept >= a {
		for j, t := range k.nodes {
			s.V[t.slice.n.cells[0]] = k.from[j]
		}
		s.Run(k.det)
		return min(1, a)
	}
	drawOut(k.kids, s, r)
	return min(1, a)
}

// Step moves the nodes.
func (k *jointAdaptive) Step(s *model.State, r *rand.Rand) mcmc.Info {
	if k.on == 0 {
		return idle()
	}
	a := k.move(s, r)
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

// Adapt watches the nodes and learns where they are from the second quarter of warm-up on, and moves them in the second half where one of them is slow.
func (k *jointAdaptive) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if 4*w.Iteration < w.Total {
		return idle()
	}
	k.nodes.look(s, k.from, k.u0)
	k.fit.learn(k.u0)
	half := 2*w.Iteration >= w.Total
	if !half {
		for j := range k.alone {
			k.alone[j].add(k.u0[j])
		}
	}
	if w.Iteration%learnEvery == 0 {
		k.fit.settle()
	}
	if !half || !k.fit.settled() || len(k.kids) == 0 && !k.slow() {
		return idle()
	}
	a := k.move(s, r)
	if 4*w.Iteration >= 3*w.Total { // the fit learns from its own moves
		k.tried++
		k.rate += a
	}
	return mcmc.Info{Accepted: a > 0, AcceptProb: a, Evals: 2}
}

func (k *jointAdaptive) slow() bool {
	for j := range k.alone {
		if k.alone[j].above(slowApart) {
			return true
		}
	}
	return false
}

// Freeze ends the warm-up.
func (k *jointAdaptive) Freeze() {
	if k.tried > 0 && k.rate >= takenJoint*k.tried {
		k.on = 1
	}
}

func (k *jointAdaptive) fields() []*float64 {
	all := append(k.fit.fields(), &k.on, &k.tried, &k.rate)
	for j := range k.alone {
		all = append(all, k.alone[j].fields()...)
	}
	return all
}

// MarshalBinary writes the tuning.
func (k *jointAdaptive) MarshalBinary() ([]byte, error) { return putFields(k.fields()), nil }

// UnmarshalBinary is the inverse of MarshalBinary.
func (k *jointAdaptive) UnmarshalBinary(b []byte) error { return getFloats(b, k.fields()...) }
