package modeltest

import (
	"fmt"
	"math/rand/v2"
)

// writer makes a program.
type writer struct {
	p     *Program
	r     *rand.Rand
	turns int // of the loop that is being written, from 1; 0: none
	names int

	macros, nothing bool // the program has functions of its own, and loops that do not run
}

func (g *writer) chance(p float64) bool { return g.r.Float64() < p }

func (g *writer) pick(x ...float64) float64 { return x[g.r.IntN(len(x))] }

func (g *writer) name() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// fits tells whether an element of domain d may stand where w is wanted.
func fits(d, w domain) bool {
	switch w {
	case realLine:
		return d != nowhere
	case positive:
		return d == positive || d == probability || d == index
	case probability:
		return d == probability || d == simplexCell
	case count:
		return d == count || d == binary
	}
	return d == w
}

// ref is an element of some variable that fits, or nil. Nodes are likelier than data.
func (g *writer) ref(w domain) *Expr {
	var found []*Var
	for _, v := range g.p.Vars {
		if !fits(v.dom, w) || v.dom == matrixCell && g.chance(0.8) || v.data != nil && g.chance(0.8) {
			continue
		}
		found = append(found, v)
	}
	if len(found) == 0 {
		return nil
	}
	v := found[g.r.IntN(len(found))]
	if free := g.unread(found); len(free) > 0 && g.chance(0.5) {
		v = free[g.r.IntN(len(free))]
	}
	return elem(v, g.subscriptsOf(v)...)
}

// unread are the nodes among vars that nothing reads yet.
func (g *writer) unread(vars []*Var) []*Var {
	var out []*Var
	for _, v := range vars {
		if v.data == nil && !g.p.isRead(v) {
			out = append(out, v)
		}
	}
	return out
}

func (g *writer) subscriptsOf(v *Var) []*Expr {
	var s []*Expr
	for _, n := range v.Dims {
		s = append(s, g.subscript(n))
	}
	return s
}

// subscript is an index into a dimension of n elements: a number, the loop's counter, or a node.
func (g *writer) subscript(n int) *Expr {
	if g.turns > 0 && g.turns <= n && g.chance(0.6) {
		return counter(0)
	}
	if g.chance(0.35) {
		if e := g.indexNode(n); e != nil {
			return e
		}
	}
	return num(float64(1 + g.r.IntN(n)))
}

// indexNode is a discrete node whose values all lie in 1 … n, or nil.
func (g *writer) indexNode(n int) *Expr {
	var found []*Var
	for _, v := range g.p.Vars {
		if v.data == nil && (v.dom == index && v.top <= n || v.dom == binary && n >= 2) {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return nil
	}
	v := found[g.r.IntN(len(found))]
	var s []*Expr
	for _, d := range v.Dims { // of the node itself: nothing that moves
		if g.turns > 0 && g.turns <= d {
			s = append(s, counter(0))
			continue
		}
		s = append(s, num(float64(1+g.r.IntN(d))))
	}
	e := elem(v, s...)
	if v.dom == binary {
		return apply("+", e, num(1))
	}
	return e
}

// covariate is a datum of the loop's turn.
func (g *writer) covariate() *Expr {
	if g.turns == 0 {
		return num(g.pick(-1, 0.5, 2))
	}
	n := g.turns
	x := make([]float64, n)
	for i := range x {
		x[i] = g.pick(-1, -0.5, 0, 0.5, 1, 2)
	}
	return elem(g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: realLine, data: x}), counter(0))
}

func or(e, other *Expr) *Expr {
	if e == nil {
		return other
	}
	return e
}

func (g *writer) real(depth int) *Expr {
	leaf := func() *Expr { return or(g.ref(realLine), num(g.pick(-1, 0, 0.5, 1, 2))) }
	if depth <= 0 || g.chance(0.25) {
		if g.chance(0.15) {
			return num(g.pick(-1, 0, 0.5, 1, 2))
		}
		return leaf()
	}
	d := depth - 1
	switch g.r.IntN(19) {
	case 17:
		return apply("-", apply("-", num(1), leaf()), leaf())
	case 0, 1, 2: // a linear predictor
		return apply("+", leaf(), apply("*", leaf(), g.covariate()))
	case 3:
		return apply("+", g.real(d), g.real(d))
	case 4:
		return apply("-", g.real(d), g.real(d))
	case 5:
		return apply("*", num(g.pick(-1, 0.5, 2)), leaf())
	case 6:
		return apply("*", leaf(), leaf())
	case 7:
		return apply("log", g.pos(d))
	case 8:
		return apply("ifelse", g.bool(d), g.real(d), g.real(d))
	case 9:
		b := g.bool(d)
		if g.macros {
			return apply("blend", b, g.real(d), g.real(d))
		}
		return apply("+", apply("*", b, g.real(d)), apply("*", apply("-", num(1), b.clone()), g.real(d)))
	case 10:
		return apply("*", g.bool(d), g.real(d))
	case 11:
		n := 2 + g.r.IntN(2)
		return apply("inprod", g.vector(realLine, n, d), g.vector(realLine, n, 0))
	case 12:
		return apply([]string{"sum", "mean", "max", "min", "prod"}[g.r.IntN(5)], g.vector(realLine, 2+g.r.IntN(2), d))
	case 13:
		return apply([]string{"max", "min"}[g.r.IntN(2)], g.real(d), g.real(d))
	case 14:
		return apply([]string{"abs", "sin", "round", "trunc"}[g.r.IntN(4)], leaf())
	case 15:
		if g.macros {
			return apply("squared", leaf())
		}
		return apply("^", leaf(), num(2))
	case 16:
		return apply("logdet", g.precision())
	}
	return g.pos(d)
}

func (g *writer) pos(depth int) *Expr {
	leaf := func() *Expr { return or(g.ref(positive), num(g.pick(0.5, 1, 2, 4))) }
	if depth <= 0 || g.chance(0.3) {
		if g.chance(0.3) {
			return num(g.pick(0.5, 1, 2, 4))
		}
		return leaf()
	}
	d := depth - 1
	switch g.r.IntN(11) {
	case 0, 1:
		if g.macros {
			return apply("half.exp", or(g.ref(realLine), num(0.5)))
		}
		return apply("exp", apply("*", num(g.pick(-0.5, 0.5, 1)), or(g.ref(realLine), num(0.5))))
	case 2:
		return apply("+", g.pos(d), g.pos(d))
	case 3:
		return apply("*", g.pos(d), g.pos(d))
	case 4:
		return apply("/", leaf(), num(g.pick(0.5, 2, 3)))
	case 5:
		return apply("pow", leaf(), num(g.pick(-2, -1, 0.5, 2)))
	case 6:
		return apply("+", apply("^", g.real(0), num(2)), num(0.2))
	case 7:
		return apply("*", num(g.pick(0.5, 2, 3)), leaf())
	case 8:
		return apply("ifelse", g.bool(d), g.pos(d), g.pos(d))
	case 9:
		return apply("+", or(g.ref(count), num(1)), num(0.5))
	}
	return apply("/", num(g.pick(1, 2)), leaf())
}

func (g *writer) prob(depth int) *Expr {
	leaf := func() *Expr { return or(g.ref(probability), num(g.pick(0.1, 0.3, 0.5, 0.8))) }
	if depth <= 0 || g.chance(0.3) {
		if g.chance(0.2) {
			return num(g.pick(0.1, 0.3, 0.5, 0.8))
		}
		return leaf()
	}
	d := depth - 1
	switch g.r.IntN(9) {
	case 0, 1:
		return apply("ilogit", g.real(d))
	case 2:
		return apply([]string{"phi", "icloglog"}[g.r.IntN(2)], g.real(d))
	case 3:
		return apply("-", num(1), leaf())
	case 4:
		return apply("*", leaf(), g.prob(d))
	case 5:
		return apply("*", g.bool(d), g.prob(d))
	case 6:
		b := g.bool(d)
		return apply("+", apply("*", b, g.prob(d)), apply("*", apply("-", num(1), b.clone()), g.prob(d)))
	case 7:
		q := leaf()
		return apply("/", q, apply("+", q.clone(), num(1)))
	}
	return apply("ifelse", g.bool(d), g.prob(d), g.prob(d))
}

func (g *writer) bool(depth int) *Expr {
	if e := g.ref(binary); e != nil && g.chance(0.6) {
		return e
	}
	if e := g.ref(index); e != nil && g.chance(0.5) {
		return apply("equals", e, num(g.pick(1, 2)))
	}
	switch g.r.IntN(4) {
	case 0:
		return apply("==", or(g.ref(count), num(1)), num(g.pick(0, 1)))
	case 3:
		return apply("step", g.real(depth-1))
	case 1:
		return apply("<", or(g.ref(realLine), num(1)), g.real(0))
	}
	return apply(">=", or(g.ref(count), num(0)), num(1))
}

// size is the n of a binomial: a number of trials.
func (g *writer) size() *Expr {
	if g.chance(0.2) {
		if e := g.ref(count); e != nil {
			return e
		}
	}
	return num(float64(1 + g.r.IntN(5)))
}

// vector is a vector of n elements of a domain.
func (g *writer) vector(w domain, n, depth int) *Expr {
	if e := g.wholeOf(w, n); e != nil && g.chance(0.7) {
		return e
	}
	if g.chance(0.3) {
		x := make([]float64, n)
		for i := range x {
			x[i] = g.pick(0.5, 1, 2)
			if w == realLine {
				x[i] = g.pick(-1, 0, 0.5, 1)
			}
		}
		return part(g.p.add(&Var{Name: g.name(), Dims: []int{n}, dom: w, data: x}), nil)
	}
	args := make([]*Expr, n)
	for i := range args {
		switch w {
		case positive:
			args[i] = g.pos(depth - 1)
		case probability:
			args[i] = g.prob(depth - 1)
		default:
			args[i] = g.real(depth - 1)
		}
	}
	return apply("c", args...)
}

// wholeOf is a vector, or the row or column of a matrix, of n elements that fit, or nil.
func (g *writer) wholeOf(w domain, n int) *Expr {
	var found []*Expr
	for _, v := range g.p.Vars {
		if !fits(v.dom, w) && !(w == positive && v.dom == simplexCell) || v.data != nil && g.chance(0.7) || v.dom == matrixCell {
			continue
		}
		switch {
		case len(v.Dims) == 1 && v.Dims[0] == n:
			found = append(found, part(v, nil))
		case len(v.Dims) == 2 && v.Dims[1] == n:
			found = append(found, part(v, g.subscript(v.Dims[0]), nil))
		}
		if len(v.Dims) == 2 && v.Dims[0] == n && v.dom != count {
			found = append(found, part(v, nil, g.subscript(v.Dims[1])))
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found[g.r.IntN(len(found))]
}
