package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const indicatorName = "indicator-with-normal"

// indicator draws a discrete node γ with a normal node β integrated out, then β: jointly from their full conditional, where that of β is normal for each value of γ. With its
// mean m_g and precision P_g there, the weight of a value is
//
//	∫ p(g, β, data) dβ = p(g, β₀, data) / N(β₀; m_g, P_g)
//
// at any β₀ (Chib 1995, "Marginal likelihood from the Gibbs output", equation 5), such as the present one. A coefficient that an indicator includes or leaves out (Kuo & Mallick 1998), or
// whose prior it makes narrow (George & McCulloch 1993), holds the indicator fast where each moves given the other.
type indicator struct {
	n    *node
	beta *conjNormal
	logw []float64
	at   [][2]float64 // mean and precision of the normal node at each value
}

// A node is paired with the normal nodes beside it in relations that read it: with few values, and with few such nodes.
const (
	mostStates = 4
	mostBeside = 16
	// pairRows bounds the rows looked at for pairs, all together.
	pairRows = 1 << 24
)

// indicators gives each discrete node a joint move with every normal node that it includes, leaves out, or gives another prior.
func indicators(p *planner, _ []int32) {
	sampled, left := map[int32]bool{}, pairRows
	for _, r := range p.rows {
		sampled[r] = p.asked[r] == nil
	}
	for _, r := range slices.Backward(p.rows) {
		if continuous(p.Model, r) || !sampled[r] {
			continue
		}
		n := newNode(p.Model, r)
		if size, ok := n.supportSize(); !ok || size > mostStates || newEnumerate(n) == nil {
			continue
		}
		beside := p.normalsBeside(n, sampled)
		if len(beside) > mostBeside {
			continue
		}
		for _, beta := range beside {
			b := newNode(p.Model, beta)
			if left -= mostStates * (model.Count(b.b.Det) + model.Count(b.b.Stoch) + model.Count(n.b.Det) + model.Count(n.b.Stoch)); left < 0 {
				return
			}
			if p.includes(n, b) {
				p.instead(Item{Kernel: indicatorName, Rows: []int32{r, beta}, make: func([]kernel) kernel { return newIndicator(p.Model, r, beta) }})
			}
		}
	}
}

// instead adds an item in the place of that which enumerates its first node alone, if there still is one.
func (p *planner) instead(it Item) {
	k := slices.IndexFunc(p.Items, func(o Item) bool { return o.Kernel == "enumerate" && o.Rows[0] == it.Rows[0] })
	if k < 0 {
		p.add(it)
		return
	}
	p.Items[k] = it
}

// normalsBeside are the sampled normal nodes in relations that read a node: beside it in logical ones, and below it.
func (p *planner) normalsBeside(n *node, sampled map[int32]bool) (all []int32) {
	m := p.Model
	add := func(r int32) {
		if r < 0 || !sampled[r] || slices.Contains(all, r) {
			return
		}
		if t, _ := m.TemplateOf(r); t.Stoch != nil && t.Stoch.Name == "dnorm" && !t.Stoch.Truncated() {
			all = append(all, r)
		}
	}
	for _, seg := range m.Children(n.cells[0]) {
		t := m.Templates[seg.T]
		for i := int(seg.Lo); i < int(seg.Hi) && t.Prog != nil && len(all) <= mostBeside; i++ {
			for _, c := range t.Operands(i) {
				add(m.DefRow(c))
			}
		}
	}
	for k := range rowsOf(m, n.b.Stoch) {
		if len(all) > mostBeside {
			break
		}
		add(k.row())
	}
	return all
}

// includes tells whether, at a state from the prior, one value of a discrete node leaves a normal one without influence on its children and another does not, or whether values
// give it other priors.
func (p *planner) includes(n, b *node) bool {
	c := newConjNormal(b)
	s := p.probe()
	if c == nil || c.bounded || s == nil {
		return false
	}
	s = p.copyOf(s)
	in := b.t.Operands(b.i)
	lo, hi := s.Bounds(n.t, n.i)
	if !(hi-lo < mostStates) {
		return false
	}
	some, none, another := false, false, false
	var mean, precision float64
	for x := lo; x <= hi; x++ {
		n.set(s, x)
		c.prepare(s)
		if c.varying {
			c.slopes(s)
			s.ClearTangents(b.cells, b.b.Det)
		}
		idle := !slices.ContainsFunc(c.slope, func(a float64) bool { return a != 0 }) && !slices.ContainsFunc(c.joint, func(j jointChild) bool {
			return slices.ContainsFunc(j.slope, func(a float64) bool { return a != 0 })
		})
		some, none = some || !idle, none || idle
		if x > lo {
			another = another || s.At(in[0]) != mean || s.At(in[1]) != precision
		}
		mean, precision = s.At(in[0]), s.At(in[1])
	}
	return some && (none || another)
}

func newIndicator(m *model.Model, gamma, beta int32) *indicator {
	n := newNode(m, gamma)
	size, _ := n.supportSize()
	return &indicator{n: n, beta: newConjNormal(newNode(m, beta)), logw: make([]float64, size), at: make([][2]float64, size)}
}

func (k *indicator) prepare(s *model.State) { k.beta.prepare(s) }

// Step draws the two nodes.
func (k *indicator) Step(s *model.State, r *rand.Rand) mcmc.Info {
	lo, hi := s.Bounds(k.n.t, k.n.i)
	if !(hi >= lo) {
		return mcmc.Info{}
	}
	old, x := s.V[k.n.cells[0]], s.V[k.beta.n.cells[0]]
	logw, top := k.logw[:min(int(hi-lo)+1, len(k.logw))], math.Inf(-1)
	for g := range logw {
		logw[g] = k.weigh(s, lo, g, x)
		top = max(top, logw[g])
	}
	info := mcmc.Info{Evals: len(logw)}
	if math.IsInf(top, 0) {
		k.n.set(s, old)
		return info
	}
	j := dist.CategoricalLog(r, logw)
	g := lo + float64(j)
	k.n.set(s, g)
	k.beta.n.begin(s) // the rows that depend on the normal node may be others than at the last value weighed
	k.beta.drawFrom(s, r, k.at[j][0], k.at[j][1])
	info.Accepted, info.AcceptProb = g != old, 1
	return info
}

// weigh is the log weight of value number g of the discrete node, up to a constant; x is that of the normal one.
func (k *indicator) weigh(s *model.State, lo float64, g int, x float64) float64 {
	lp := k.n.at(s, lo+float64(g))
	if lp == math.Inf(-1) {
		return lp
	}
	mean, precision := k.beta.conditional(s)
	k.at[g] = [2]float64{mean, precision}
	d := x - mean
	if lp += float64(0.5*float64(precision*float64(d*d))) - float64(0.5*vec.Log(precision)); math.IsNaN(lp) || math.IsInf(lp, 1) {
		return math.Inf(-1)
	}
	return lp
}
