package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// maxStarts is how often random initial values are drawn near the centres of the priors,
// and then from anywhere in them, before giving up; maxSame after how many failures in a
// row whose words are the same, so that they do not depend on what is drawn.
const (
	maxStarts = 50
	maxSame   = 15
)

// maxApart is how many attempts keep a chain in its parts of the priors: there
// may be no start in these.
const maxApart = 3

// Start finds initial values of finite density: those given, and for the other
// nodes draws near the centre of their priors, closer with each attempt. Where
// a discrete node contradicts its children it takes the value that contradicts
// them least. Data that leave the tails of a prior only are met by draws from the
// whole of it, which come last.
func (p *Plan) Start(given model.Inits, r *rand.Rand) (*model.State, error) {
	return p.StartApart(given, mcmc.Place{}, r)
}

// StartApart is [Plan.Start] for one of several chains: each node's prior is cut
// in as many parts of equal probability as there are chains, at most 16, and
// each chain starts in another part of it. Which one is drawn for every node
// anew, so that the starts are a Latin hypercube (McKay, Beckman and Conover 1979).
func (p *Plan) StartApart(given model.Inits, at mcmc.Place, r *rand.Rand) (*model.State, error) {
	st := p.starter(given, r)
	st.placed(at)
	s, err := st.search(p.Model)
	if s == nil && st.freeNodes > 0 {
		st.tails = true
		s, err = st.search(p.Model)
	}
	return s, err
}

// search draws starts until one has finite density.
func (st *starter) search(m *model.Model) (*model.State, error) {
	var err, last error
	same := 0 // attempts in a row that failed in the same way
	for k := range maxStarts {
		if k > 0 {
			if same++; !sameFault(err, last) {
				same = 0
			}
			if same == maxSame {
				break
			}
			last = err
		}
		s := m.NewState()
		spread := st.spread
		for range k {
			spread *= 0.93
		}
		if k == maxApart {
			st.parts = nil
		}
		if err = st.draw(s, spread); err != nil {
			if st.freeNodes == 0 {
				return nil, err
			}
			continue
		}
		if st.check(s) == nil {
			return s, nil
		}
		st.repair(s)
		if err = st.check(s); err == nil {
			return s, nil
		}
		if st.freeNodes == 0 {
			break
		}
		if st.drawChains(s) {
			if err = st.check(s); err == nil {
				return s, nil
			}
		}
	}
	return nil, err
}

func (p *Plan) starter(given model.Inits, r *rand.Rand) *starter {
	st := &starter{m: p.Model, given: given, r: r, spread: 1}
	for _, row := range p.Model.Topological() {
		if p.relevant(row) {
			st.order = append(st.order, row)
		}
	}
	return st
}

// relevant tells the rows that sampling itself touches: live logical ones and
// informed stochastic ones.
func (p *Plan) relevant(row int32) bool {
	t, _ := p.Model.TemplateOf(row)
	if t.Stoch == nil {
		return p.Model.Live(row)
	}
	return p.Model.Informed(row)
}

type starter struct {
	m         *model.Model
	given     model.Inits
	r         *rand.Rand
	order     []int32
	freeNodes int // nodes that were not given
	nodes     map[int32]*node
	spread    float64 // of the first attempt, as a share of the usual one
	tails     bool    // half of the nodes start anywhere in their priors

	looked bool
	sums   *filter // over discrete nodes that were not given; nil where there are none, or their sums are too large

	parts []uint8 // by cell: the part of its prior to start in; nil: anywhere
	of    int     // parts of a prior
}

// maxParts bounds the work of cutting priors for very many chains.
const maxParts = 16

// placed deals the parts of each node's prior to the chains. All chains draw the same
// permutations, and read off what is theirs.
func (st *starter) placed(at mcmc.Place) {
	st.of = min(at.Chains, maxParts)
	if st.of < 2 {
		return
	}
	st.parts = make([]uint8, len(st.m.Kinds))
	var deal [maxParts]uint8
	for k := range deal {
		deal[k] = uint8(k)
	}
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil || st.m.Kinds[t.Cells(i)[0]] != model.Unobserved {
			continue
		}
		for _, c := range t.Cells(i) {
			for k := st.of - 1; k > 0; k-- {
				j := at.Common.IntN(k + 1)
				deal[k], deal[j] = deal[j], deal[k]
			}
			st.parts[c] = deal[at.Chain%st.of]
		}
	}
}

// share is the probability below the start of a cell, in its prior.
func (st *starter) share(cell int32) float64 {
	u := max(st.r.Float64(), 0x1p-53)
	if st.parts == nil {
		return u
	}
	return (float64(st.parts[cell]) + u) / float64(st.of)
}

func (st *starter) draw(s *model.State, spread float64) error {
	st.freeNodes = 0
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
			continue
		}
		cells := t.Cells(i)
		if st.m.Kinds[cells[0]] != model.Unobserved {
			continue
		}
		if st.take(s, cells) {
			continue
		}
		st.freeNodes++
		if msg := s.CheckRow(t, i); msg != "" {
			return st.fault(parameterFault(s, t, i, msg), row)
		}
		if t.Stoch.Scalar != nil {
			s.V[cells[0]] = st.scalar(s, t, i, spread, st.share(cells[0]))
			continue
		}
		st.multi(s, t, i, spread)
	}
	return nil
}

// take sets a node's cells to the given values if all are given.
func (st *starter) take(s *model.State, cells []int32) bool {
	for _, c := range cells {
		x, ok := st.given[c]
		if !ok {
			return false
		}
		s.V[c] = x
	}
	return true
}

// maxSpread caps the scale on which a start leaves the prior's centre: vague
// priors would otherwise start chains where likelihoods underflow.
const maxSpread = 2

// scalar is the start of a node, share of the probability below it.
func (st *starter) scalar(s *model.State, t *model.Template, i int, spread, share float64) float64 {
	lo, hi := s.Bounds(t, i)
	p := s.ScalarParams(t, i)
	d := t.Stoch.Scalar
	if !st.anywhere() {
		x := startOf(d, p, lo, hi, spread, share, st.root(t, i))
		if d.LogProb(x, p) > math.Inf(-1) && x >= lo && x <= hi {
			return x
		}
	}
	if x := d.SampleT(st.r, p, lo, hi); !math.IsNaN(x) {
		return x
	}
	return min(max(d.Mean(p), lo), hi)
}

// anywhere tells whether a node starts anywhere in its prior: one in two, so that vague
// priors start near their centres beside those of which the data leave a tail.
func (st *starter) anywhere() bool { return st.tails && st.r.IntN(2) == 0 }

// startOf is the quantile of a node's prior between lo and hi, drawn in towards the centre;
// NaN where there is none.
func startOf(d *dist.Scalar, p []float64, lo, hi, spread, share float64, root bool) float64 {
	if c, ok := centreOf(d, p, spread, root); ok {
		below, above := c.cdf(lo), c.cdf(hi)
		if above-below < leastMass {
			return math.NaN()
		}
		return min(max(c.quantile(below+float64(share*(above-below))), lo), hi)
	}
	if m := d.Mean(p); !d.Discrete && spread < 0.3 && m >= lo && m <= hi && !math.IsInf(m, 0) {
		return m
	}
	if d.CDF == nil || d.Discrete && hi-lo > maxEnumerate {
		return math.NaN()
	}
	below, above := 0.0, d.CDF(hi, p)
	if supLo, _ := d.Support(p); lo > supLo {
		below = d.CDF(lo, p)
		if d.Discrete {
			below = d.CDF(lo-1, p)
		}
	}
	if above-below < leastMass {
		return math.NaN()
	}
	return min(max(d.Quantile(below+float64(share*(above-below)), p), lo), hi)
}

// leastMass is the probability between the bounds of a node below which its distribution
// function is rounding rather than a scale to cut.
const leastMass = 1e-9

// root tells nodes whose prior is given by numbers alone.
func (st *starter) root(t *model.Template, i int) bool {
	for _, c := range t.Operands(i) {
		if st.m.Kinds[c] != model.Constant {
			return false
		}
	}
	return true
}

// centre is what a prior is drawn in to: a normal, lognormal or uniform
// distribution of location at and some scale.
type centre struct {
	shape     centreShape
	at, scale float64
}

type centreShape int

const (
	normal centreShape = iota
	logNormal
	uniform
)

func (c centre) cdf(x float64) float64 {
	switch c.shape {
	case logNormal:
		return vec.NormCDF((vec.Log(max(x, 0)) - c.at) / c.scale)
	case uniform:
		return min(max((x-c.at)/c.scale, 0), 1)
	}
	return vec.NormCDF((x - c.at) / c.scale)
}

func (c centre) quantile(q float64) float64 {
	switch c.shape {
	case logNormal:
		return vec.Exp(c.at + float64(c.scale*vec.NormQuantile(q)))
	case uniform:
		return c.at + float64(q*c.scale)
	}
	return c.at + float64(c.scale*vec.NormQuantile(q))
}

// centreOf is the middle half of a prior, or less with a smaller spread; ok is false for priors that are not drawn in.
func centreOf(d *dist.Scalar, p []float64, spread float64, root bool) (c centre, ok bool) {
	half := float64(0.5 * spread)
	switch d.Name {
	case "dnorm", "dt", "ddexp", "dlogis":
		sd := min(1/math.Sqrt(p[1]), maxSpread)
		if m := math.Abs(p[0]); m > 0 && (!root || m*m*p[1] > 1) {
			// Keep the sign of the centre: its mirror image may be a mode too.
			sd = min(sd, 0.5*m)
		}
		return centre{normal, p[0], float64(half * sd)}, true
	case "dlnorm":
		return centre{logNormal, p[0], float64(half * min(1/math.Sqrt(p[1]), 1))}, true
	case "dunif":
		width := float64(half * (p[1] - p[0]))
		return centre{uniform, p[0] + float64(0.5*(p[1]-p[0]-width)), width}, true
	case "dbeta":
		return centre{uniform, 0.5 - float64(0.5*half), half}, p[0] < 1 || p[1] < 1
	case "dgamma":
		return centre{logNormal, vec.Log(p[0] / p[1]), float64(0.5 * half)}, p[0] < 1
	}
	return centre{}, false
}

func (st *starter) multi(s *model.State, t *model.Template, i int, spread float64) {
	if st.anywhere() {
		s.SampleRow(t, i, st.r)
		return
	}
	cells := t.Cells(i)
	switch t.Stoch.Name {
	case "dmnorm", "dmt":
		in := t.Operands(i)
		d := len(cells)
		for j, c := range cells {
			sd := 1 / math.Sqrt(s.V[in[d+j+j*d]])
			s.V[c] = s.V[in[j]] + float64(spread*min(sd, maxSpread)*vec.NormQuantile(st.share(c)))
		}
	case "dwish":
		x := make([]float64, len(cells))
		s.MultiMean(t, i, x)
		f := vec.Exp(0.3 * spread * vec.NormQuantile(st.share(cells[0])))
		for j, c := range cells {
			s.V[c] = x[j] * f
		}
	case "ddirch":
		a := make([]float64, len(cells))
		for j, c := range t.Operands(i) {
			if a[j] = s.V[c]; a[j] > 0 {
				a[j]++
			}
		}
		dist.Dirichlet(a, st.r, append([]float64(nil), a...))
		for j, c := range cells {
			s.V[c] = a[j]
		}
	default:
		s.SampleRow(t, i, st.r)
	}
}

// check finds the first stochastic row without finite density and says so with
// its value and its parents.
func (st *starter) check(s *model.State) error {
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil {
			continue
		}
		if msg := s.CheckRow(t, i); msg != "" {
			return st.fault(parameterFault(s, t, i, msg), row)
		}
		if lp := s.LogProbRow(t, i); math.IsInf(lp, 0) || math.IsNaN(lp) {
			return st.fault(valueFault(s, t, i, lp), row)
		}
	}
	return nil
}
