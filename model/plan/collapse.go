package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/tunings"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// marginal is a conjugate child that is integrated out while its parent moves:
// prior over full conditional, at any value of the child, is the child's
// evidence as a function of the parent (Liu 1994). The child is drawn anew
// afterwards.
type marginal interface {
	kernel
	// evidenceAt is the log of prior/conditional at the child's current value.
	evidenceAt(s *model.State) float64
	node() *node
}

func (c *conjBeta) node() *node      { return c.n }
func (c *conjGamma) node() *node     { return c.n }
func (c *conjDirichlet) node() *node { return c.n }

// collapsed runs a kernel on a node's density with conjugate children
// integrated out, then draws those children.
type collapsed struct {
	mcmc.Adapter[*model.State]
	kids []marginal
}

// collapse looks for conjugate children of a scalar node. It rewrites the
// node's density and returns the children, or nil.
func (n *node) collapse() []marginal {
	n.analyse()
	used := usedRows{m: n.m, mine: n.b.Stoch}
	var out []marginal
	var rest []model.Seg
	for k := range n.kids() {
		if m := n.marginalOf(k, &used); m != nil {
			out = append(out, m)
			used.add(m)
			continue
		}
		rest = append(rest, n.m.Seg(k.row()))
	}
	if out == nil {
		return nil
	}
	n.b.Stoch, n.marg = joinSegs(rest), out
	return out
}

func joinSegs(segs []model.Seg) []model.Seg {
	var out []model.Seg
	for _, g := range segs {
		if k := len(out) - 1; k >= 0 && out[k].T == g.T && out[k].Hi == g.Lo {
			out[k].Hi = g.Hi
			continue
		}
		out = append(out, g)
	}
	return out
}

// usedRows are those on which nodes that are integrated out depend.
type usedRows struct {
	m    *model.Model
	mine []model.Seg // those of the parents, of which no node that is integrated out may have one
	by   [3]map[int32]bool
}

// sharing tells with which others a node that is integrated out may have children in common.
type sharing int

const (
	ownChildren      sharing = iota // with none
	sharesAllocation                // with fractions of the same stick
	sharesBySwitches                // with other nodes that discrete ones switch on and off: no two are switched on for one child
)

func sharingOf(g marginal) sharing {
	switch c, is := g.(*conjBeta); {
	case is && c.breaks():
		return sharesAllocation
	case is && !c.direct:
		return sharesBySwitches
	}
	return ownChildren
}

func (u *usedRows) add(g marginal) {
	how := sharingOf(g)
	if u.by[how] == nil {
		u.by[how] = map[int32]bool{}
	}
	for k := range g.node().kids() {
		u.by[how][k.row()] = true
	}
}

// takes adds the rows on which a discrete node and its latents depend, their own among them, if none is in use.
func (u *usedRows) takes(g *switchedBetas, own []int32) bool {
	var below []int32
	for k := range rowsOf(u.m, g.n.b.Stoch) {
		if !slices.Contains(own, k.row()) {
			below = append(below, k.row())
		}
	}
	taken := func(r int32) bool {
		return slices.ContainsFunc(u.by[:], func(rows map[int32]bool) bool { return rows[r] })
	}
	if slices.ContainsFunc(own, taken) || slices.ContainsFunc(below, func(r int32) bool { return u.has(r, ownChildren) }) {
		return false
	}
	if u.by[ownChildren] == nil {
		u.by[ownChildren] = map[int32]bool{}
	}
	for _, r := range append(below, own...) {
		u.by[ownChildren][r] = true
	}
	return true
}

// has tells whether a node that shares in some way may not have the row.
func (u *usedRows) has(row int32, how sharing) bool {
	for by, rows := range u.by {
		if rows[row] && (sharing(by) != how || how == ownChildren) {
			return true
		}
	}
	return contains(u.m, u.mine, row)
}

// integrable are the distributions that [newConjBeta], [newConjGamma] and [newConjDirichlet] take: where a node has many other children, none is looked at.
var integrable = []string{"dbeta", "dunif", "dgamma", "dexp", "dchisqr", "ddirch"}

// marginalOf serves unobserved beta, gamma and Dirichlet children, not named by an override, whose own
// children neither the node touches nor another child that is integrated out: but fractions of one stick may share what is allocated by it, given which they do not depend on one another,
// and probabilities what discrete nodes give one of them.
func (n *node) marginalOf(kid child, used *usedRows) marginal {
	if n.m.Kinds[kid.out[0]] != model.Unobserved || n.asked[kid.row()] != nil || !slices.Contains(integrable, kid.t.Stoch.Name) {
		return nil
	}
	c := newNode(n.m, kid.row())
	if n.moves(c.bounds()) {
		return nil
	}
	free := func(how sharing) bool {
		for k := range rowsOf(n.m, c.b.Stoch) {
			if used.has(k.row(), how) {
				return false
			}
		}
		return true
	}
	if free(sharesAllocation) {
		if k := newConjBeta(c); k != nil && k.breaks() && !n.moves(k.sticks[0].weights) {
			return k
		}
	}
	if free(sharesBySwitches) {
		if k := newConjBeta(c); k != nil && !k.direct && len(k.cut)+len(k.sticks) == 0 {
			return k
		}
	}
	if !free(ownChildren) {
		return nil
	}
	if k := newConjBeta(c); k != nil && k.direct && len(k.cut) == 0 {
		return k
	}
	if k := newConjDirichlet(c); k != nil && k.direct() {
		return k
	}
	if k := newConjGamma(c); k != nil && !k.sel && len(k.cut) == 0 && !c.t.Stoch.Truncated() {
		return k
	}
	return nil
}

// hold finds what the children of switched nodes say, once for a move of the parent, which moves none of what it depends on.
func hold(kids []marginal, s *model.State) {
	for _, k := range kids {
		switch b := k.(type) {
		case *switchedBetas:
			b.look(s)
		case *conjBeta:
			if sharingOf(k) == sharesBySwitches {
				b.hold(s)
			}
		}
	}
}

func (c *conjBeta) hold(s *model.State) {
	x := s.V[c.n.cells[0]]
	c.held.a, c.held.b, c.held.ok = c.evidence(s)
	c.n.set(s, x)
}

func (c *conjBeta) evidenceAt(s *model.State) float64 {
	a, b := c.prior(s.V)
	if c.breaks() {
		da, db := c.sticks[0].tally(s)
		return s.LogProbRow(c.n.t, c.n.i) - dist.BetaLogProb(s.V[c.n.cells[0]], a+da, b+db)
	}
	x := s.V[c.n.cells[0]]
	lp := s.LogProbRow(c.n.t, c.n.i)
	da, db, ok := c.held.a, c.held.b, c.held.ok
	if c.direct {
		da, db, ok = c.evidence(s)
	}
	if !ok {
		return lp // it is not integrated out as the switches stand
	}
	if !c.n.t.Stoch.Truncated() {
		return lp - dist.BetaLogProb(x, a+da, b+db)
	}
	lo, hi := ownBounds(s, c.n)
	d, _ := dist.Lookup("dbeta")
	c.par = [2]float64{a + da, b + db}
	return lp - d.LogProb(x, c.par[:]) + d.LogMass(c.par[:], lo, hi)
}

func (c *conjGamma) evidenceAt(s *model.State) float64 {
	x := s.V[c.n.cells[0]]
	shape, rate := c.prior(s.V)
	ds, dr, bad := c.evidence(s)
	if bad {
		return math.Inf(-1)
	}
	return s.LogProbRow(c.n.t, c.n.i) - dist.GammaLogProb(x, shape+ds, rate+dr)
}

// evidenceAt is the log of what a Dirichlet's counts n have of probability under its parameters a: Γ(Σa)/Γ(Σ(a+n)) Π Γ(a+n)/Γ(a), which is free of its
// value; elements of parameter 0 are 0.
func (c *conjDirichlet) evidenceAt(s *model.State) float64 {
	c.count(s)
	lp, sum, total := 0.0, 0.0, 0.0
	for k, a := range c.n.t.Operands(c.n.i) {
		prior, with := s.V[a], c.alpha[k]
		if !(prior >= 0) {
			return math.Inf(-1)
		}
		sum, total = sum+prior, total+with
		switch {
		case with == prior:
		case prior == 0:
			return math.Inf(-1)
		default:
			lp += vec.Lgamma(with) - vec.Lgamma(prior)
		}
	}
	if !(sum > 0) {
		return math.Inf(-1)
	}
	return lp + vec.Lgamma(sum) - vec.Lgamma(total)
}

// Step moves the node, then draws the children.
func (c *collapsed) Step(s *model.State, r *rand.Rand) mcmc.Info {
	hold(c.kids, s)
	info := c.Adapter.Step(s, r)
	c.redraw(s, r)
	return info
}

// Adapt moves the node, then draws the children.
func (c *collapsed) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	hold(c.kids, s)
	info := c.Adapter.Adapt(s, r, w)
	c.redraw(s, r)
	return info
}

// redraw draws the children. Those that were not integrated out come last: given them the others were.
func (c *collapsed) redraw(s *model.State, r *rand.Rand) {
	drawOut(c.kids, s, r)
	for _, k := range c.kids {
		if !integratedOut(k) {
			k.Step(s, r)
		}
	}
}

// drawOut draws those nodes that were integrated out.
func drawOut(kids []marginal, s *model.State, r *rand.Rand) {
	for _, k := range kids {
		if b, is := k.(*conjBeta); is && b.breaks() {
			b.breakAnew(s, r)
		} else if integratedOut(k) {
			k.Step(s, r)
		}
	}
}

// integratedOut tells whether a child is, as switches stood when they were looked at.
func integratedOut(g marginal) bool {
	switch k := g.(type) {
	case *switchedBetas:
		return k.ok
	case *conjBeta:
		return sharingOf(g) != sharesBySwitches || k.held.ok
	}
	return true
}

// breakAnew draws a fraction of a stick. It is not asked whether the weights keep their sum, as Step asks: near 0 and 1 rounding denies it.
func (c *conjBeta) breakAnew(s *model.State, r *rand.Rand) {
	x := s.V[c.n.cells[0]]
	a, b := c.prior(s.V)
	da, db := c.sticks[0].tally(s)
	c.n.begin(s)
	if c.n.set(s, dist.Beta(r, a+da, b+db)); !s.SumsUp(c.sticks[0].weights) {
		c.n.set(s, x)
	}
}

// MarshalBinary writes the tuning of the node's kernel.
func (c *collapsed) MarshalBinary() ([]byte, error) {
	return tunings.MarshalAll([]kernel{c.Adapter})
}

// UnmarshalBinary is the inverse of MarshalBinary.
func (c *collapsed) UnmarshalBinary(b []byte) error {
	return tunings.UnmarshalAll(b, []kernel{c.Adapter})
}

// newCollapsed integrates conjugate children out of a node that would get the
// adaptive, the slice or the simplex-slice kernel.
func newCollapsed(n *node) *collapsed {
	simplex := n.dist() == "ddirch"
	if !simplex && (!n.scalar() || n.t.Stoch.Scalar == nil || n.t.Stoch.Scalar.Discrete) {
		return nil
	}
	if !slices.ContainsFunc(n.b.Stoch, func(g model.Seg) bool { return slices.Contains(integrable, n.m.Templates[g.T].Stoch.Name) }) {
		return nil
	}
	n.analyse()
	own := *n
	kids := own.collapse()
	if kids == nil {
		return nil
	}
	if simplex {
		return &collapsed{newSimplexSlice(&own), kids}
	}
	if a := newAdaptive(&own); a != nil {
		return &collapsed{a, kids}
	}
	return &collapsed{newSlice(&own), kids}
}

// holds tells whether the algebra of the children holds at the probe.
func (c *collapsed) holds(probe func() *model.State) bool {
	return !slices.ContainsFunc(c.kids, func(k marginal) bool { p, is := k.(probed); return is && !p.holds(probe) })
}

// drawn are the children.
func (c *collapsed) drawn() []int32 {
	var out []int32
	for _, k := range c.kids {
		out = append(out, k.node().row)
	}
	return out
}
