package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Boundless is a node that data do not bound on one side.
type Boundless struct {
	Node string
	Up   bool // it is above that they do not
}

const (
	plateauFall = 2.   // of the likelihood, at least, on the other side
	plateauRise = 0.05 // of the likelihood, at most, from where the chains are
)

// walkShare is how many rows a walk through the graph sees while the density of one is computed.
const walkShare = 8

// plateauSteps are how far nodes are moved, in standard deviations.
var plateauSteps = [...]float64{1, 2, 4, 8, 16}

// Boundless finds coefficients of models for discrete data, with a prior of their own on all real numbers, for which the likelihood never falls as they go on, alone or with the
// nodes that go with them, and where the chains are has nearly come to its end: those of covariates that separate successes from failures, under a prior that is flat or wide
// (Albert and Anderson, 1984, "On the existence of maximum likelihood estimates in logistic regression models"). Draws are those of h.Names.
func (h *Shapes) Boundless(draws [][]float64) (all []Boundless) {
	z := make([]standing, len(h.nodes)) // of coefficients; sd is 0 for the others
	for i, n := range h.nodes {
		if h.coefficient(n) {
			z[i] = standardised(draws[i])
		}
	}
	for i, n := range h.nodes {
		if !(z[i].sd > 0) || math.IsInf(z[i].sd, 0) {
			continue
		}
		nodes, with := h.following(i, z)
		for _, side := range []float64{1, -1} {
			if h.plateau([]scalarNode{n}, []float64{side * z[i].sd}) || h.plateau(nodes, scaled(with, side)) {
				all = append(all, Boundless{n.name, side > 0})
				break
			}
		}
	}
	return all
}

// coefficient tells a node that may have any real number, whose prior is fixed, and whose children are discrete data.
func (h *Shapes) coefficient(n scalarNode) bool {
	m := h.job.Plan.Model
	t, i := m.TemplateOf(n.row)
	sup := limitsOf(m, t, i)
	if !math.IsInf(sup.lo, -1) || !math.IsInf(sup.hi, 1) || t.Stoch.HasLo || t.Stoch.HasHi {
		return false
	}
	if slices.ContainsFunc(t.Operands(i), func(c int32) bool { return m.Kinds[c] != model.Constant && m.Kinds[c] != model.Observed }) {
		return false
	}
	b := m.Blanket([]int32{n.cell})
	if h.budget -= (model.Count(b.Det) + model.Count(b.Stoch)) / walkShare; h.budget < 0 {
		return false
	}
	children := 0
	for k := range rowsOf(m, b.Stoch) {
		if k.row() == n.row {
			continue
		}
		if d := k.t.Stoch.Scalar; m.Kinds[k.out[0]] != model.Observed || d != nil && !d.Discrete || d == nil && !countsOf(k.t.Stoch.Name) {
			return false
		}
		children++
	}
	return children > 0
}

// countsOf tells distributions of categories and their numbers.
func countsOf(name string) bool { return name == "dcat" || name == "dmulti" }

// following are a node, and how the others' means follow it, for a standard deviation of it.
func (h *Shapes) following(i int, z []standing) (nodes []scalarNode, by []float64) {
	const some = 0.2 // of a standard deviation, below which a correlation is chance
	for k, n := range h.nodes {
		if !(z[k].sd > 0) {
			continue
		}
		if r := correlation(z[i], z[k]); math.Abs(r) > some {
			nodes, by = append(nodes, n), append(by, r*z[k].sd)
		}
	}
	return nodes, by
}

func scaled(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	for i := range out {
		out[i] *= by
	}
	return out
}

// plateau tells whether the likelihood never falls in a direction, from any chain's state, and for half of them hardly rises any more.
func (h *Shapes) plateau(nodes []scalarNode, by []float64) bool {
	v := h.motion(nodes)
	ended := 0
	for _, s := range h.last {
		far := v.gain(s, by, plateauSteps[len(plateauSteps)-1])
		if far < 0 { // where most coefficients end
			return false
		}
		rise := 0.0
		for _, step := range plateauSteps {
			next := v.gain(s, by, step)
			if next < rise-float64(1e-9*(1+math.Abs(rise))) {
				return false
			}
			rise = next
		}
		if !slices.ContainsFunc(plateauSteps[:], func(step float64) bool { return v.gain(s, by, -step) < -plateauFall }) {
			return false
		}
		if rise < plateauRise {
			ended++
		}
	}
	return 2*ended >= len(h.last) && h.budget >= 0
}
