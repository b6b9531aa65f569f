package model

import "slices"

// linear is a linear combination of nodes that move, its atoms, with coefficients that stand still:
// number + offset + Σ scale·coef·atom.
type linear struct {
	number float64
	offset int32 // −1: none
	narrow []linearTerm
	dense  []linearTerm // one number for all rows times a column that never changes
	panels []float64    // these columns, block after block
	loose  []linearTerm // one number for all rows times a column that may change
	wide   []linearTerm // columns
}

type linearTerm struct {
	scale float64
	coef  int32 // −1: 1
	atom  int32
}

// cellRuns are runs of rows of one cell each, in a block.
type cellRuns struct{ at, ends []int32 }

// cellSteps are runs of rows whose cells follow one another: from row from of the block on, n cells from cell on.
type cellSteps []struct{ row, cell, n int32 }

// rewrite gives the node as a linear combination of others, as far as it is one, and so for all that it reads.
func (b *groupBuilder) rewrite(id int32, done map[int32]int32) int32 {
	if to, ok := done[id]; ok {
		return to
	}
	to := id
	switch n := b.node(id); {
	case !n.moves || n.kind != opNode && n.kind != gatherNode && n.kind != pickNode:
	case n.kind == opNode && n.wide && b.combines(n):
		to = b.combination(id, done)
	case n.kind == opNode && !n.wide && operations[n.op].fold != nil && b.combines(n):
		to = b.combination(id, done)
	default:
		args := slices.Clone(n.args)
		for k, a := range args {
			args[k] = b.rewrite(a, done)
		}
		b.node(id).args = args
		b.refresh(id)
	}
	done[id] = to
	return to
}

// combines tells whether a node that moves is a sum of others times factors that stand still.
func (b *groupBuilder) combines(n *colNode) bool {
	switch n.op {
	case OpAdd, OpSub, OpNeg, OpSum, OpDot:
		return true
	case OpMul:
		return !b.node(n.args[0]).moves || !b.node(n.args[1]).moves
	case OpDiv:
		return !b.node(n.args[1]).moves
	}
	return operations[n.op].fold != nil && operations[n.op].name == "" && operations[n.op].words[0] == "mean"
}

// short tells whether a node is the sum or difference of two that are none: so little is computed more than once.
func (b *groupBuilder) short(n *colNode) bool {
	if n.op != OpAdd && n.op != OpSub && n.op != OpNeg {
		return false
	}
	return !slices.ContainsFunc(n.args, func(a int32) bool { x := b.node(a); return x.moves && x.kind == opNode && b.combines(x) })
}

func (b *groupBuilder) combination(id int32, done map[int32]int32) int32 {
	l := &linear{offset: -1}
	b.collect(l, id, 1, -1, true, done)
	none := func(t linearTerm) bool { return t.scale == 0 && t.coef < 0 && b.sampled(b.node(t.atom)) }
	l.narrow, l.wide = slices.DeleteFunc(l.narrow, none), slices.DeleteFunc(l.wide, none)
	if l.offset < 0 && len(l.narrow)+len(l.dense)+len(l.loose)+len(l.wide) == 0 {
		return b.number(l.number)
	}
	if l.number == 0 && l.offset < 0 && len(l.narrow)+len(l.dense)+len(l.loose)+len(l.wide) == 1 {
		for _, t := range slices.Concat(l.narrow, l.wide) {
			if t.scale == 1 && t.coef < 0 {
				return t.atom
			}
		}
	}
	x := colNode{kind: linearNode, lin: l, moves: true}
	x.wide = len(l.dense)+len(l.loose)+len(l.wide) > 0 || l.offset >= 0 && b.node(l.offset).wide
	for _, t := range slices.Concat(l.narrow, l.dense, l.loose, l.wide) {
		x.slope = x.slope || b.node(t.atom).slope
	}
	return b.add(x)
}

// sampled tells whether a node is cells that are no functions of others: they are finite, and 0 times one of them may go.
func (b *groupBuilder) sampled(n *colNode) bool {
	return len(n.cells) > 0 && !slices.ContainsFunc(n.cells, func(c int32) bool { return b.c.m.Kinds[c] == Logical })
}

// collect adds scale·coef·node to a combination.
func (b *groupBuilder) collect(l *linear, id int32, scale float64, coef int32, top bool, done map[int32]int32) {
	n := *b.node(id)
	switch {
	case !n.moves:
		b.collectStill(l, id, scale, coef)
		return
	case n.kind != opNode || !top && n.uses > 1 && !b.short(&n) || !b.combines(&n):
		b.collectAtom(l, b.rewrite(id, done), scale, coef)
		return
	}
	again := func(id int32, scale float64, coef int32) { b.collect(l, id, scale, coef, false, done) }
	switch n.op {
	case OpAdd:
		again(n.args[0], scale, coef)
		again(n.args[1], scale, coef)
	case OpSub:
		again(n.args[0], scale, coef)
		again(n.args[1], -scale, coef)
	case OpNeg:
		again(n.args[0], -scale, coef)
	case OpMul:
		b.collectProduct(l, n.args[0], n.args[1], scale, coef, done)
	case OpDiv:
		if d := b.node(n.args[1]); d.kind == numberNode {
			again(n.args[0], scale/d.x, coef)
			return
		}
		again(n.args[0], scale, b.times(coef, b.op(OpDiv, nil, nil, b.number(1), n.args[1])))
	case OpDot:
		h := len(n.args) / 2
		for k := range h {
			b.collectProduct(l, n.args[k], n.args[h+k], scale, coef, done)
		}
	case OpSum:
		for _, a := range n.args {
			again(a, scale, coef)
		}
	default: // the mean
		for _, a := range n.args {
			again(a, scale/float64(len(n.args)), coef)
		}
	}
}

func (b *groupBuilder) collectProduct(l *linear, u, v int32, scale float64, coef int32, done map[int32]int32) {
	if b.node(u).moves {
		u, v = v, u
	}
	switch n := b.node(u); {
	case n.moves:
		b.collectAtom(l, b.op(OpMul, nil, nil, b.rewrite(u, done), b.rewrite(v, done)), scale, coef)
	case n.kind == numberNode:
		b.collect(l, v, scale*n.x, coef, false, done)
	default:
		b.collect(l, v, scale, b.times(coef, u), false, done)
	}
}

// times is the product of a coefficient, where there is one, and a node.
func (b *groupBuilder) times(coef, by int32) int32 {
	if coef < 0 {
		return by
	}
	return b.op(OpMul, nil, nil, coef, by)
}

// scaled is the product of a node, a number and a coefficient.
func (b *groupBuilder) scaled(id int32, scale float64, coef int32) int32 {
	id = b.times(coef, id)
	if scale == 1 {
		return id
	}
	return b.op(OpMul, nil, nil, id, b.number(scale))
}

func (b *groupBuilder) collectStill(l *linear, id int32, scale float64, coef int32) {
	id = b.scaled(id, scale, coef)
	switch {
	case b.node(id).kind == numberNode:
		l.number += b.node(id).x
	case l.offset < 0:
		l.offset = id
	default:
		l.offset = b.op(OpAdd, nil, nil, l.offset, id)
	}
}

func (b *groupBuilder) collectAtom(l *linear, id int32, scale float64, coef int32) {
	atom := b.node(id)
	if coef >= 0 && b.node(coef).wide && scale != 1 {
		coef, scale = b.op(OpMul, nil, nil, coef, b.number(scale)), 1
	}
	t := linearTerm{scale: scale, coef: coef, atom: id}
	list := &l.narrow
	switch {
	case atom.wide:
		list = &l.wide
	case coef >= 0 && b.node(coef).wide && b.node(coef).fixed:
		list = &l.dense
	case coef >= 0 && b.node(coef).wide:
		list = &l.loose
	}
	for k := range *list {
		if o := &(*list)[k]; o.atom == id && o.coef == coef && !(coef >= 0 && b.node(coef).wide) {
			o.scale += scale
			return
		}
	}
	*list = append(*list, t)
}
