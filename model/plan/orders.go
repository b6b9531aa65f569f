package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// mostLabels is the longest array of which elements are exchanged.
const mostLabels = 12

// orders finds lengths K for which the exchange of two neighbouring elements of all arrays with a dimension of K, and of
// the labels of all nodes of K categories, keeps the density of the first chain's last state and leaves all chains' values.
func (p *probe) orders() (all []Missed) {
	if len(p.v.Last[0].M.Init) > pilotCells {
		return nil
	}
	s := p.Plan.copyOf(p.v.Last[0])
	s.RunAllLive()
	was := p.LogDensity(s)
	if !vec.Finite(was) {
		return nil
	}
	rows := model.Count(p.density) * 2
	for _, k := range p.lengths() {
		for low := 1; low < k && p.budget > rows; low++ {
			p.budget -= rows
			next := p.exchanged(s, k, low)
			now := p.LogDensity(next)
			if !vec.Finite(now) || math.Abs(now-was) > float64(1e-9*float64(len(s.V)))+float64(1e-9*math.Abs(was)) {
				continue
			}
			if m := p.orderAt(next); m != nil {
				all = append(all, *m)
				break // one is enough to say
			}
		}
	}
	return all
}

// lengths are those of dimensions of arrays with nodes of real numbers, from 2 to mostLabels.
func (p *probe) lengths() (all []int) {
	m := p.Plan.Model
	for _, a := range m.Arrays {
		if !slices.ContainsFunc(p.cellsOf(a), func(c int32) bool { return p.real(c) }) {
			continue
		}
		for _, d := range a.Dims {
			if d >= 2 && d <= mostLabels && !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (p *probe) cellsOf(a model.Array) []int32 {
	cells := make([]int32, a.Size)
	for k := range cells {
		cells[k] = a.Base + int32(k)
	}
	return cells
}

// real tells a cell of a node of real numbers that is sampled.
func (p *probe) real(c int32) bool {
	m := p.Plan.Model
	r := m.DefRow(c)
	if r < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(r) {
		return false
	}
	t, _ := m.TemplateOf(r)
	return t.Stoch.Scalar == nil || !t.Stoch.Scalar.Discrete
}

// exchanged is the state with elements low and low + 1 exchanged along every dimension of length k, and so the labels of nodes of k
// categories.
func (p *probe) exchanged(s *model.State, k, low int) *model.State {
	m := p.Plan.Model
	next := p.Plan.copyOf(s)
	for _, a := range m.Arrays {
		for i, c := range p.cellsOf(a) {
			if r := m.DefRow(c); r < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(r) {
				continue
			}
			next.V[c] = p.relabelled(s.V[a.Base+int32(partner(a.Dims, i, k, low))], c, k, low)
		}
	}
	next.RunAllLive()
	return next
}

// partner is the index, in column-major order, of the element to exchange with element i.
func partner(dims []int, i, k, low int) int {
	out, stride, rest := 0, 1, i
	for _, d := range dims {
		x := rest % d
		rest /= d
		if d == k {
			switch x {
			case low - 1:
				x = low
			case low:
				x = low - 1
			}
		}
		out += x * stride
		stride *= d
	}
	return out
}

// relabelled is the value x of a node's cell after the exchange of labels low and low + 1 if it has k categories, and of 0 and 1 if k is 2.
func (p *probe) relabelled(x float64, c int32, k, low int) float64 {
	t, _ := p.Plan.Model.TemplateOf(p.Plan.Model.DefRow(c))
	switch {
	case t.Stoch.Name == "dbern" && k == 2:
		return 1 - x
	case t.Stoch.Name != "dcat" || t.Stoch.NPar() != k:
		return x
	case x == float64(low):
		return x + 1
	case x == float64(low+1):
		return x - 1
	}
	return x
}

// orderAt is the order of a state if real elements of it lie outside the chains' values.
func (p *probe) orderAt(s *model.State) *Missed {
	x := make([]float64, draws.Width(p.Variables()))
	p.Record(s, p.rand, x)
	l := look{recorded: x, everBeyond: make([]bool, len(p.v.Least))}
	for e := range l.everBeyond {
		l.everBeyond[e] = p.v.side(e, x[e]) != 0
	}
	m := &Missed{Labels: true, Mass: 0.5, Where: p.excursions(l)}
	m.Where = slices.DeleteFunc(m.Where, func(e Excursion) bool { return e.discrete })
	if len(m.Where) == 0 {
		return nil
	}
	return m
}
