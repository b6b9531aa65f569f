package plan

import (
	"math"
)

// CutOff is a node whose draws pile up at a bound of its prior, beyond which its children would be likelier still.
type CutOff struct {
	Node  string
	Bound float64
	Above bool // it is an upper one
}

// Spread is what a table tells of the draws of a node.
type Spread struct{ SD, Q5, Median, Q95 float64 }

// piled is the part of the way from a bound to the far quantile, of 5 or 95 %, on which half of the draws lie, at most. It is 0.53 for a uniform distribution,
// 0.34 for half of a normal one, and 0.23 for an exponential one.
const piled = 0.33

// CutOff finds them among the nodes of which the table tells. Bounds beyond which children have no density, such as 0 for a rate, are none, and nor is 0 for a standard
// deviation, on both sides of which its square is the same.
func (h *Shapes) CutOff(of func(name string) (Spread, bool)) (all []CutOff) {
	m := h.job.Plan.Model
	for _, n := range h.nodes {
		t, i := m.TemplateOf(n.row)
		sup := limitsOf(m, t, i)
		x, ok := of(n.name)
		if !ok || !(x.SD > 0) {
			continue
		}
		if !math.IsInf(sup.lo, -1) && len(sup.low) == 0 && x.Median-sup.lo < piled*(x.Q95-sup.lo) && h.beyond(n, sup.lo, -x.SD) {
			all = append(all, CutOff{n.name, sup.lo, false})
		}
		if !math.IsInf(sup.hi, 1) && len(sup.high) == 0 && sup.hi-x.Median < piled*(sup.hi-x.Q5) && h.beyond(n, sup.hi, x.SD) {
			all = append(all, CutOff{n.name, sup.hi, true})
		}
	}
	return all
}

// beyond tells whether the children's density is greater beyond a bound than at it, and there than before it, in all chains.
func (h *Shapes) beyond(n scalarNode, bound, sd float64) bool {
	v, half := h.motion([]scalarNode{n}), float64(sd/2)
	for _, s := range h.last {
		at := bound - s.V[n.cell]
		to := func(x float64) float64 { return v.gain(s, []float64{x}, 1) }
		before, edge, after := to(at-half), to(at), to(at+half)
		if !(before < edge && edge < after) || math.IsInf(after, 1) {
			return false
		}
	}
	return true
}
