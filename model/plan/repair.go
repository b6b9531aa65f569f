package plan

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// repairSweeps bounds the passes over nodes whose blanket has density zero.
const repairSweeps = 25

// repair moves nodes that were not given and whose blanket has density zero to
// the candidate that leaves the fewest contradictions, until none is left.
func (st *starter) repair(s *model.State) {
	for range repairSweeps {
		bad, moved := false, false
		for k := len(st.order) - 1; k >= 0; k-- {
			row := st.order[k]
			t, i := st.m.TemplateOf(row)
			if t.Stoch == nil || st.m.Kinds[t.Cells(i)[0]] != model.Unobserved {
				continue
			}
			if _, ok := st.given[t.Cells(i)[0]]; ok {
				continue
			}
			repairNode := st.repairScalar
			switch {
			case t.Stoch.Scalar != nil:
			case st.tails:
				repairNode = st.repairVector
			case everywhere(t.Stoch):
				repairNode = st.repairElements
			default:
				continue
			}
			b, m := repairNode(s, st.node(row))
			bad, moved = bad || b, moved || m
		}
		if !bad {
			return
		}
		if !moved {
			st.redrawDiscrete(s)
		}
	}
}

// redrawDiscrete redraws discrete nodes that were not given, each with probability 0.3, from their prior,
// parents first, and computes logical nodes again. It is for when no single node can be improved.
func (st *starter) redrawDiscrete(s *model.State) {
	for _, row := range st.order {
		t, i := st.m.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
			continue
		}
		if t.Stoch.Scalar == nil || !t.Stoch.Scalar.Discrete || st.m.Kinds[t.Cells(i)[0]] != model.Unobserved {
			continue
		}
		if _, ok := st.given[t.Cells(i)[0]]; !ok && st.r.Float64() < 0.3 {
			s.SampleRow(t, i, st.r)
		}
	}
}

// drawChains draws the discrete nodes of few values that were not given from their full conditional, by sums: a history that fits its data is rare
// where states follow one another, and no change of one state leads to it. It tells whether there are such nodes.
func (st *starter) drawChains(s *model.State) bool {
	if !st.looked {
		st.looked = true
		var rows []int32
		for _, row := range slices.Backward(st.order) {
			t, i := st.m.TemplateOf(row)
			if t.Stoch == nil || st.m.Kinds[t.Cells(i)[0]] != model.Unobserved {
				continue
			}
			if _, ok := st.given[t.Cells(i)[0]]; !ok {
				rows = append(rows, row)
			}
		}
		if c := chainsOf(st.m, rows, func(int32) bool { return true }, true); c != nil {
			st.sums = newFilter(c)
		}
	}
	if st.sums == nil {
		return false
	}
	st.sums.save(s)
	st.sums.fill(s, &st.sums.c.all)
	st.sums.sum(&st.sums.c.all)
	st.sums.draw(s, st.r)
	return true
}

func (st *starter) node(row int32) *node {
	if st.nodes == nil {
		st.nodes = map[int32]*node{}
	}
	n := st.nodes[row]
	if n == nil {
		n = newNode(st.m, row)
		st.nodes[row] = n
	}
	return n
}

// repairScalar sets a node to the candidate with the fewest contradictions, and among these the greatest density.
// It tells whether there was a contradiction and whether the node moved.
func (st *starter) repairScalar(s *model.State, n *node) (bad, moved bool) {
	x0 := s.V[n.cells[0]]
	n.set(s, x0)
	worst, lp := n.contradictions(s)
	if worst == 0 {
		return false, false
	}
	best := x0
	for _, x := range st.candidates(s, n) {
		n.set(s, x)
		c, l := n.contradictions(s)
		if c < worst || (c == worst && l > lp) {
			worst, lp, best = c, l, x
		}
	}
	n.set(s, best)
	return true, best != x0
}

// repairVector is repairScalar for a vector or matrix, whose candidates are draws from its prior.
func (st *starter) repairVector(s *model.State, n *node) (bad, moved bool) {
	if everywhere(n.t.Stoch) {
		if bad, moved = st.repairElements(s, n); bad {
			return bad, moved
		}
	}
	s.Run(n.b.Det)
	worst, lp := n.contradictions(s)
	if worst == 0 {
		return false, false
	}
	best := make([]float64, len(n.cells))
	for j, c := range n.cells {
		best[j] = s.V[c]
	}
	for range 10 {
		if s.SampleRow(n.t, n.i, st.r) != "" {
			break
		}
		s.Run(n.b.Det)
		if c, l := n.contradictions(s); c < worst || (c == worst && l > lp) {
			worst, lp, moved = c, l, true
			for j, cell := range n.cells {
				best[j] = s.V[cell]
			}
		}
	}
	for j, c := range n.cells {
		s.V[c] = best[j]
	}
	s.Run(n.b.Det)
	return true, moved
}

// repairElements takes elements of a vector to where dinterval children say that they are.
func (st *starter) repairElements(s *model.State, n *node) (bad, moved bool) {
	for k := range rowsOf(n.m, n.b.Stoch) {
		if !k.t.Stoch.Interval || s.LogProbRow(k.t, k.i) == 0 {
			continue
		}
		bad = true
		if !slices.Contains(n.cells, k.in[0]) {
			continue
		}
		if x := st.inside(interval(s, []child{k})); vec.Finite(x) && x != s.V[k.in[0]] {
			s.V[k.in[0]], moved = x, true
		}
	}
	if moved {
		s.Run(n.b.Det)
	}
	return bad, moved
}

// inside draws a number between bounds, near one where the other is infinite.
func (st *starter) inside(lo, hi float64) float64 {
	switch {
	case math.IsInf(hi, 1):
		return lo + st.r.Float64()
	case math.IsInf(lo, -1):
		return hi - st.r.Float64()
	}
	return lo + float64((hi-lo)*st.r.Float64())
}

// contradictions counts rows of zero density among the node and its children,
// and sums the finite log densities of the rest. A child weighs twice: nodes
// are visited from the data up, so a contradiction is pushed towards ancestors
// that are still free to give way.
func (n *node) contradictions(s *model.State) (count int, lp float64) {
	see := func(rows []model.Seg, weight int) {
		for k := range rowsOf(n.m, rows) {
			l := s.LogProbRow(k.t, k.i)
			if math.IsInf(l, 0) || s.CheckRow(k.t, k.i) != "" {
				count += weight
				continue
			}
			lp += l
		}
	}
	see(n.self, 1)
	see(n.b.Stoch, 2)
	return count, lp
}

// candidates are the values worth trying: the whole support where it is small,
// else the children's values and points spread over the support.
func (st *starter) candidates(s *model.State, n *node) []float64 {
	lo, hi := s.Bounds(n.t, n.i)
	d := n.t.Stoch.Scalar
	var out []float64
	if d.Discrete && hi-lo <= maxEnumerate {
		for x := lo; x <= hi; x++ {
			out = append(out, x)
		}
		return out
	}
	n.analyse()
	// The bound itself is infinitely far out for kernels that move the logarithm of the distance from it.
	below, above := math.Inf(-1), math.Inf(1)
	for kid := range n.kids() {
		if kid.t.Stoch.Interval {
			l, h := interval(s, []child{kid})
			below, above = max(below, l), min(above, h)
		}
	}
	add := func(x float64) {
		if d.Discrete {
			x = math.Round(x)
		} else if x == below || x == above {
			return
		}
		if x >= lo && x <= hi && !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	top := 0.0
	seen := 0
	for kid := range n.kids() {
		if kid.t.Stoch.Interval {
			l, h := interval(s, []child{kid})
			add(st.inside(l, h))
			switch {
			case math.IsInf(h, 1):
				add(l + float64(math.Abs(l)*st.r.Float64()))
			case math.IsInf(l, -1):
				add(h * st.r.Float64())
			}
			continue
		}
		y := s.V[kid.out[0]]
		top = max(top, y)
		if seen++; seen <= 16 {
			add(y)
		}
	}
	add(top)
	add(top + 1)
	add(2*top + 2)
	if d.Discrete {
		for x := 1.0; x <= 1<<12; x *= 2 {
			add(x)
			add(top + x)
		}
		return out
	}
	for range 10 {
		add(st.scalar(s, n.t, n.i, st.r.Float64(), max(st.r.Float64(), 0x1p-53)))
	}
	return out
}
