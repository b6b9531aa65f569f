package plan

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
)

// climbs find starts for models that nuts moves alone and in which two quantities are multiplied that may each have either sign ([model.Model.SignedProducts]), as discriminations and
// abilities, or loadings and factors. Where signs of both are changed the product stays, so that there are modes for each choice of signs, often lower by far than the best. A
// trajectory that comes down from a random start, in the centred form of effects, ends in any of them.
//
// From the start that a chain would have had they climb for a while, in the non-centred form, in which the density of effects does not grow without bound as their scale
// shrinks, and the chain begins at a draw of the normal distribution that the climb ends with (Zhang, Carpenter, Gelman and Vehtari, 2022,
// "Pathfinder"). They climb from other starts, too, at several distances from the centres of the priors, and where one leads to a mode beside which the chain's has next to
// no mass, by its log density and by Laplace's approximation, the chain begins there. Modes of comparable mass keep their chains, so that R-hat goes on to tell of them.
type climbs struct {
	block    *nuts
	products func() bool // whether there are such products
}

const (
	mostClimbSteps = 300 // kruschke_irt takes 200
	climbDraws     = 5   // of which a chain begins at one
	climbsAgree    = 4   // other starts one after the other that lead no higher, after which the search ends
	mostClimbs     = 12
	nextToNoMass   = 10 // difference of logarithms
)

// climbSpreads are the spreads of other starts, one after the other: those from near the centres, as JAGS has them, nearly always lead to the best mode, which may be symmetric about the centres.
var climbSpreads = [...]float64{0.1, 0.3, 1}

func newClimbs(m *model.Model, block *nuts) *climbs {
	return &climbs{block, sync.OnceValue(func() bool { return m.SignedProducts(block.det) })}
}

// climbs are those of the only kernel.
func (p *Plan) climbs() *climbs {
	if len(p.Items) != 1 {
		return nil
	}
	return p.Items[0].climbs
}

// start is the start of a chain: as [Plan.StartApart] finds it where a node of the block has an initial value or the model has no such products.
func (c *climbs) start(p *Plan, given model.Inits, at mcmc.Place, r *rand.Rand) (*model.State, error) {
	s, err := p.StartApart(given, at, r)
	if err != nil || c == nil || c.given(given) || !c.products() {
		return s, err
	}
	k := c.climber()
	best, ok := k.climb(s, r)
	if !ok {
		return s, nil
	}
	for n, agree := 0, 0; n < mostClimbs && agree < climbsAgree; n++ {
		st := p.starter(given, r)
		st.spread = climbSpreads[n%len(climbSpreads)]
		other, err := st.search(p.Model)
		if err != nil {
			continue
		}
		agree++
		if a, ok := k.climb(other, r); ok && k.above(a, best) {
			best, agree = a, 0
		}
	}
	k.begin(s, best, r)
	return s, nil
}

// given tells whether a node of the block has an initial value.
func (c *climbs) given(inits model.Inits) bool {
	for _, cell := range c.block.cells {
		if _, ok := inits[cell]; ok {
			return true
		}
	}
	return false
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
	if !(a.top.LogDensity > b.top.LogDensity+nextToNoMass) {
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

func (k *climber) climb(s *model.State, r *rand.Rand) (a *ascent, ok bool) {
	k.enter(s)
	u := make([]float64, k.x.size)
	k.x.read(s, u, r)
	top, near, err := mode.Around(k, u, mode.Settings{Iterations: mostClimbSteps}, climbDraws, r)
	return &ascent{top: top, near: near}, err == nil
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
