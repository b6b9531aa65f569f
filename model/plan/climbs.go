package plan

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
)

// climbs find starts for models in which a chain that comes down from a random start may end in a mode with next to no mass. There two quantities are multiplied that may each have either
// sign ([model.Model.SignedProducts]), as discriminations and abilities, or loadings and factors: where signs of both are changed the product stays, so that there are modes for each choice
// of signs, often lower by far than the best. Or discrete nodes pick the parameters of components: one may have no data, or those of two others.
//
// From the start that a chain would have had they climb for a while, with the discrete nodes summed out, in the non-centred form, in which the density of effects does not grow without bound as their scale
// shrinks, and the chain begins at a draw of the normal distribution that the climb ends with (Zhang, Carpenter, Gelman and Vehtari, 2022,
// "Pathfinder"). They climb from other starts, too, at several distances from the centres of the priors, and where one leads to a mode beside which the chain's has next to
// no mass, by its log density and by Laplace's approximation, the chain begins there. Modes of comparable mass keep their chains, so that R-hat goes on to tell of them.
type climbs struct {
	cells  []int32 // of all nodes
	block  *nuts
	needed func() bool
}

const (
	mostClimbSteps = 300 // kruschke_irt takes 200
	climbDraws     = 5   // of which a chain begins at one
	mostClimbs     = 12
	mostOfPicks    = 32
	nextToNoMass   = 10 // difference of logarithms
	plainlyHigher  = 5  // the same, of the densities
)

// Other starts one after the other that lead no higher, after which the search ends: where signs make the modes, of which most climbs find the best, and where picks do, of which one in four may.
const (
	climbsAgree = 4
	picksAgree  = 12
)

// climbSpreads are the spreads of other starts, one after the other: those from near the centres, as JAGS has them, nearly always lead to the best mode, which may be symmetric about the centres.
var climbSpreads = [...]float64{0.1, 0.3, 1}

// findClimbs are those of a plan in which one kernel by gradients moves all nodes, whatever else moves some of them, too; nil for another.
func (p *planner) findClimbs() *climbs {
	for _, it := range p.Items {
		if it.block != nil && len(it.Rows) == len(p.rows) {
			return newClimbs(p.Model, p.rows, it.block)
		}
	}
	return nil
}

func newClimbs(m *model.Model, rows []int32, block *nuts) *climbs {
	c := &climbs{block: block}
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		c.cells = append(c.cells, t.Cells(i)...)
	}
	c.needed = sync.OnceValue(func() bool {
		return m.SignedProducts(block.det) || slices.ContainsFunc(block.discrete, func(o summedOut) bool { return picks(m, o) })
	})
	return c
}

// picks tells whether discrete nodes, many and each by itself, pick values that change from a table: the parameters of components.
func picks(m *model.Model, o summedOut) bool {
	c, ok := o.(*chains)
	if !ok || len(c.nodeRows()) < manySingles || slices.ContainsFunc(c.sums.groups, func(g group) bool { return g.to-g.from > 1 }) {
		return false
	}
	for k := range rowsOf(m, c.det) {
		if m.PicksNodes(k.t, k.i) {
			return true
		}
	}
	return false
}

// start is the start of a chain: as [Plan.StartApart] finds it where a node has an initial value, or where there is no need of climbs or they come to no end.
func (c *climbs) start(p *Plan, given model.Inits, at mcmc.Place, r *rand.Rand) (*model.State, error) {
	s, err := p.StartApart(given, at, r)
	if err != nil || c == nil || c.given(given) || !c.needed() {
		return s, err
	}
	k := c.climber()
	most, enough := mostClimbs, climbsAgree
	if len(k.discrete) > 0 {
		most, enough = mostOfPicks, picksAgree
	}
	was := slices.Clone(s.V)
	best := k.climb(s, r)
	if best == nil && len(k.discrete) == 0 {
		most = 0
	}
	for n, agree := 0, 0; n < most && agree < enough; n++ {
		st := p.starter(given, r)
		st.spread = climbSpreads[n%len(climbSpreads)]
		other, err := st.search(p.Model)
		if err != nil {
			continue
		}
		agree++
		if a := k.climb(other, r); a != nil && (best == nil || k.above(a, best)) {
			best, agree = a, 0
		}
	}
	if best == nil {
		copy(s.V, was)
		return s, nil
	}
	k.begin(s, best, r)
	return s, nil
}

// given tells whether a node has an initial value.
func (c *climbs) given(inits model.Inits) bool {
	return len(inits) > 0 && slices.ContainsFunc(c.cells, func(cell int32) bool { _, ok := inits[cell]; return ok })
}

// climber climbs in the non-centred form.
type climber struct {
	*nuts
	slopes []float64
}

var _ hmc.Target = (*climber)(nil)

func (c *climbs) climber() *climber {
	k := &climber{nuts: c.block.forChain(false)}
	k.slopes = make([]float64, k.x.size)
	for _, t := range k.forms.parts {
		for j := range t.k {
			t.k[j] = 1
		}
		t.formed()
	}
	return k
}

// LogDensity goes by columns, as the gradient does.
func (k *climber) LogDensity(u []float64) float64 { return k.Gradient(u, k.slopes) }

// ascent is where a climb has ended.
type ascent struct {
	top     *mode.Top
	near    *mode.Approximation
	weighed bool
	logMass float64 // around the end, if weighed; −Inf where the density does not fall on all sides
}

// above tells whether one ascent has led to a mode beside which that of another has next to no mass.
func (k *climber) above(a, b *ascent) bool {
	if !(a.top.LogDensity > b.top.LogDensity+plainlyHigher) {
		return false
	}
	k.weigh(a)
	k.weigh(b)
	return a.logMass > b.logMass+nextToNoMass
}

// weigh finds the mass around the end of an ascent.
func (k *climber) weigh(a *ascent) {
	if a.weighed {
		return
	}
	a.weighed, a.logMass = true, math.Inf(-1)
	if c, err := mode.Curve(k, a.top.X); err == nil && c.Definite() {
		a.logMass = c.LogMass(a.top.LogDensity)
	}
}

// climb climbs from a state; nil where it comes to no end: the density may have none, as where the scale of a factor's residuals goes to 0.
func (k *climber) climb(s *model.State, r *rand.Rand) *ascent {
	k.enter(s)
	u := make([]float64, k.x.size)
	k.x.read(s, u, r)
	top, near, err := mode.Around(k, u, mode.Settings{Iterations: mostClimbSteps}, climbDraws, r)
	if err != nil || top.End > mode.Stalled {
		return nil
	}
	return &ascent{top: top, near: near}
}

// enter is called before the density is that of another state.
func (k *climber) enter(s *model.State) {
	k.s = s
	k.density.Prepare(s)
	for _, c := range k.sums {
		c.begin(s)
	}
}

// begin takes a state to a draw near the end of an ascent, or to the end.
func (k *climber) begin(s *model.State, a *ascent, r *rand.Rand) {
	u := a.top.X
	if draws, err := a.near.Resample(r, 1); err == nil {
		u = draws[0]
	}
	k.enter(s)
	if !vec.Finite(k.LogDensity(u)) {
		k.LogDensity(a.top.X)
	}
	s.Run(k.det)
	for _, c := range k.sums {
		c.finish(s, r)
	}
}
