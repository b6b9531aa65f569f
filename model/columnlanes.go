package model

import "math"

// lanes computes nodes row by row: those that stand still, when a step begins, and operations that have no loop of their own.
type lanes struct {
	g     *colGroup
	full  [][]float64 // whole columns
	num   []float64
	x, dx []float64
	order []int32
	sc    scratch
}

func newLanes(g *colGroup) *lanes {
	most := 3
	for k := range g.nodes {
		most = max(most, len(g.nodes[k].args))
	}
	l := &lanes{g: g, full: g.full, num: g.num, x: make([]float64, most), dx: make([]float64, most), order: ascending(most)}
	return l
}

// set computes a node that stands still; v are the values of cells.
func (l *lanes) set(id int32, v []float64) {
	n := &l.g.nodes[id]
	if n.wide && l.full[id] == nil {
		l.full[id] = make([]float64, l.g.n)
	}
	switch {
	case n.kind == cellNode:
		l.num[id] = v[n.cells[0]]
	case n.kind == cellsNode:
		for i, c := range n.cells {
			l.full[id][i] = v[c]
		}
	case n.kind == columnNode:
	case !n.wide:
		l.num[id] = l.row(n, 0, v)
	default:
		for i := range l.full[id] {
			l.full[id][i] = l.row(n, i, v)
		}
	}
}

func (l *lanes) row(n *colNode, i int, v []float64) float64 {
	l.load(n, l.full, i)
	return l.apply(n, i, v)
}

// load puts the node's operands in a row of columns to x.
func (l *lanes) load(n *colNode, cols [][]float64, row int) []float64 {
	for k, a := range n.args {
		if l.x[k] = l.num[a]; l.g.nodes[a].wide {
			l.x[k] = cols[a][row]
		}
	}
	return l.x[:len(n.args)]
}

// apply is the node's operation on x.
func (l *lanes) apply(n *colNode, i int, v []float64) float64 {
	x := l.x[:len(n.args)]
	if n.kind == gatherNode {
		if c := n.cell(i, x); c >= 0 {
			return v[c]
		}
		return math.NaN()
	}
	if n.kind == pickNode {
		if k := x[len(x)-1]; k >= 1 && int(k) < len(x) {
			return x[int(k)-1]
		}
		return math.NaN()
	}
	if unknown(n.op, x) {
		return math.NaN()
	}
	row := &operations[n.op]
	if row.list != nil {
		row.list(l.dx[:1], x, n.fn(), &l.sc)
		return l.dx[0]
	}
	return row.of(x, l.order)
}

// unknown tells whether an operand is NaN. The interpreter may have another number there, as columns' 0·∞ is NaN and BUGS's is 0: a comparison must not hide
// that.
func unknown(op Op, x []float64) bool {
	if op == OpIfElse {
		x = x[:1]
	}
	for _, a := range x {
		if a != a {
			return true
		}
	}
	return false
}

// slopes writes the derivatives of the node's operation at x, where it gives y, to dx.
func (l *lanes) slopes(n *colNode, y float64) []float64 {
	x, dx := l.x[:len(n.args)], l.dx[:len(n.args)]
	switch row := &operations[n.op]; {
	case n.kind == pickNode:
		clear(dx)
		dx[int(x[len(x)-1])-1] = 1
	case row.constant:
		clear(dx)
	case row.unary != nil:
		dx[0] = row.slope(x[0], y)
	default:
		row.slopes(dx, x, y, n.fn(), &l.sc)
	}
	return dx
}

func (n *colNode) fn() *DistFn {
	if n.op != OpDist {
		return nil
	}
	return n.prog.fn(n.in)
}

// cell is what a gather reads in a row with the given indices, or −1.
func (n *colNode) cell(i int, idx []float64) int32 {
	g := &n.prog.Gathers[n.in.A]
	a := n.addr[i]
	for k, x := range idx {
		by, ok := g.offset(k, x)
		if !ok {
			return -1
		}
		a += by
	}
	return a
}
