package plan

import (
	"cmp"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// judge holds the places where pilots ended against those of the chains.
func (p *probe) judge() []Missed {
	found := p.strays()
	if len(found) == 0 {
		return nil
	}
	found = found[:min(len(found), mostLooks)]
	chains := min(len(p.v.Last), 4)
	sweeps := func() int { return min(p.budget/(p.sweep*(len(found)+chains)), lookSweeps) }
	for sweeps() < fewSweeps && len(found)+chains > 2 {
		found, chains = found[:1], max(chains/2, 1)
	}
	if sweeps() < fewSweeps {
		return nil
	}
	n := sweeps()
	homes := make([]look, chains)
	for k := range homes {
		homes[k] = p.look(p.Plan.copyOf(p.v.Last[k*len(p.v.Last)/chains]), n)
	}
	var all []Missed
	for _, f := range found {
		there := p.look(f.state, n)
		if m := p.compare(there, homes); m != nil && p.stays(f.state, there.everBeyond) {
			all = append(all, *m)
		}
	}
	return all
}

// stays tells whether the plan's kernels, from a pilot's state, keep elements outside the chains' values.
func (p *probe) stays(s *model.State, outside []bool) bool {
	n := int(stayShare * float64(p.v.Chains) * float64(p.v.Warmup) / mostLooks)
	w, x := p.Plan.Sweep(), make([]float64, draws.Width(p.Variables()))
	for k := range n {
		w.Adapt(s, p.rand, mcmc.Warmup{Iteration: k, Total: n})
		p.Record(s, p.rand, x)
		still := false
		for e, out := range outside {
			still = still || out && p.v.side(e, x[e]) != 0
		}
		if !still {
			return false
		}
	}
	return true
}

// copyOf is a state with the same values.
func (p *Plan) copyOf(s *model.State) *model.State {
	c := p.Model.NewState()
	copy(c.V, s.V)
	return c
}

// stray is a pilot that ended outside the chains' values.
type stray struct {
	state   *model.State
	density float64
	element int // the first one outside, and on which side
	above   bool
}

// strays are the likeliest pilot of each direction in which some have left the chains' values, the likeliest first.
func (p *probe) strays() []stray {
	var all []stray
	x := make([]float64, draws.Width(p.Variables()))
	for _, s := range p.pilots {
		p.Record(s, p.rand, x)
		for e := range p.v.Least {
			if side := p.v.side(e, x[e]); side != 0 {
				all = append(all, stray{s, p.LogDensity(s), e, side > 0})
				break
			}
		}
	}
	slices.SortStableFunc(all, func(a, b stray) int { return cmp.Compare(b.density, a.density) })
	var kept []stray
	for _, s := range all {
		if !slices.ContainsFunc(kept, func(k stray) bool { return k.element == s.element && k.above == s.above }) {
			kept = append(kept, s)
		}
	}
	return kept
}

// side is 1 where a value lies above all that chains had of an element, −1 where below, and 0 where among or near them.
func (v *Visited) side(element int, x float64) int {
	lo, hi := v.Least[element], v.Most[element]
	margin := float64(beyond * (hi - lo))
	switch {
	case x > hi+margin:
		return 1
	case x < lo-margin:
		return -1
	}
	return 0
}

// look is what a pilot met in some sweeps under the posterior.
type look struct {
	density    float64   // mean log density, with the entropies of the full conditionals of the discrete nodes that are enumerated
	mean, sd   []float64 // of the cells of the others
	recorded   []float64 // means of the elements, over the second half
	everBeyond []bool    // elements that lay outside the chains' values throughout it
}

// look moves a pilot.
func (p *probe) look(s *model.State, sweeps int) look {
	cells, least := p.spread()
	x := make([]float64, draws.Width(p.Variables()))
	l := look{mean: make([]float64, len(cells)), sd: make([]float64, len(cells)), recorded: make([]float64, len(x)), everBeyond: make([]bool, len(p.v.Least))}
	for e := range l.everBeyond {
		l.everBeyond[e] = true
	}
	p.rung.to(1)
	late := float64(sweeps - sweeps/2)
	for k := range sweeps {
		p.rung.Step(s, p.rand)
		l.density += (p.LogDensity(s) + p.rung.entropy()) / float64(sweeps)
		for i, c := range cells {
			d := s.V[c] - l.mean[i]
			l.mean[i] += d / float64(k+1)
			l.sd[i] += float64(d * (s.V[c] - l.mean[i]))
		}
		if k < sweeps/2 {
			continue
		}
		p.Record(s, p.rand, x)
		for e := range x {
			l.recorded[e] += x[e] / late
		}
		for e := range l.everBeyond {
			l.everBeyond[e] = l.everBeyond[e] && p.v.side(e, x[e]) != 0
		}
	}
	for i := range l.sd {
		l.sd[i] = math.Sqrt(l.sd[i]/float64(sweeps-1) + least[i])
	}
	p.pay()
	return l
}

// spread are the cells of the nodes whose widths are compared, and the variance that a width has at least: a whole number is spread over its
// cell.
func (p *probe) spread() (cells []int32, least []float64) {
	const ofWhole = 1. / 12
	for k, n := range p.rung.nodes {
		_, enumerated := p.rung.kernels[k].(*enumerate)
		d := n.t.Stoch.Scalar
		switch {
		case enumerated:
		case d != nil && d.Discrete:
			cells, least = append(cells, n.cells[0]), append(least, ofWhole)
		case d != nil || n.dist() == "dmnorm" || n.dist() == "dmnorm.vcov":
			for _, c := range n.cells {
				cells, least = append(cells, c), append(least, 0)
			}
		}
	}
	return cells, least
}

// compare tells what a part holds beside the chains' part that holds the most, or nil where that is little or the pilot
// went back.
func (p *probe) compare(there look, homes []look) *Missed {
	if !slices.Contains(there.everBeyond, true) {
		return nil
	}
	best, home := math.Inf(-1), homes[0]
	for _, h := range homes {
		if m := h.mass(there); m > best {
			best, home = m, h
		}
	}
	if !vec.Finite(best) || !vec.Finite(there.density) {
		return nil
	}
	m := &Missed{Mass: vec.Ilogit(-best), Where: p.excursions(there)}
	if m.Mass < leastShare {
		return nil
	}
	if m.Labels = p.onlyLabels(there, home); m.Labels {
		m.Where = slices.DeleteFunc(m.Where, func(e Excursion) bool { return e.discrete })
	}
	return m
}

// mass is the logarithm of how many times as much a part holds as another. The logarithm of a mass is the mean log density plus the entropy.
// That of a normal part is the sum of the logarithms of its widths, but for what two parts have in common and for correlations; discrete nodes that are
// independent given the others add the mean entropies of their full conditionals.
func (l *look) mass(other look) float64 {
	m := l.density - other.density
	for i, sd := range l.sd {
		if a, b := sd, other.sd[i]; a > 0 && b > 0 {
			m += vec.Log(a / b)
		}
	}
	return m
}

// excursions are the elements that lay outside throughout, the farthest first.
func (p *probe) excursions(l look) []Excursion {
	type far struct {
		Excursion
		by float64
	}
	var all []far
	e := 0
	for _, mon := range p.Monitors {
		discrete := p.discrete(mon)
		for k := range mon.Size() {
			lo, hi := p.v.Least[e], p.v.Most[e]
			if l.everBeyond[e] {
				x := l.recorded[e]
				all = append(all, far{Excursion{mon.ElementName(k), x, lo, hi, discrete}, max(x-hi, lo-x) / (hi - lo)})
			}
			e++
		}
	}
	slices.SortStableFunc(all, func(a, b far) int { return cmp.Compare(b.by, a.by) })
	var out []Excursion
	for _, f := range all {
		out = append(out, f.Excursion)
	}
	return out
}

// onlyLabels tells whether the arrays of real numbers of which elements lie outside are those of the chains in another
// order, and not in the same. Discrete arrays then hold other labels.
func (p *probe) onlyLabels(there, home look) bool {
	reordered := false
	e := 0
	for _, mon := range p.Monitors {
		n := mon.Size()
		lo := e
		e += n
		if !slices.Contains(there.everBeyond[lo:e], true) || p.discrete(mon) {
			continue
		}
		if n < 2 || !p.sameValues(there.recorded[lo:e], home.recorded[lo:e], lo) {
			return false
		}
		reordered = true
	}
	return reordered
}

// discrete tells a monitored array of discrete nodes.
func (p *probe) discrete(mon model.Monitor) bool {
	m := p.Plan.Model
	for _, c := range mon.Cells {
		if r := m.DefRow(c); r >= 0 && m.Kinds[c] == model.Unobserved {
			t, _ := m.TemplateOf(r)
			return t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete
		}
	}
	return false
}

// sameValues compares means, sorted and as they are, with a tolerance of half of the widest range of the chains.
func (p *probe) sameValues(a, b []float64, first int) bool {
	widest := 0.0
	for i := range a {
		widest = max(widest, p.v.Most[first+i]-p.v.Least[first+i])
	}
	near := func(x, y float64) bool { return math.Abs(x-y) <= float64(0.5*widest) }
	return !slices.EqualFunc(a, b, near) && slices.EqualFunc(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)), near)
}

// warm is the place in the warm-up of kernels that learn as long as they are asked to.
var warm = mcmc.Warmup{Iteration: 0, Total: 1}
