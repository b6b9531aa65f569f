package model

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// ordered makes the density that of ordered categories, where the weights are differences of one distribution function, logistic or normal, at points
// u₁ ≤ u₂ ≤ …: log(F(u_y) − F(u_{y−1})). It tells whether they are.
func (b *groupBuilder) ordered(y int32, p []int32) bool {
	at, f := b.points(p)
	if at == nil {
		return false
	}
	d, k := &b.g.den, len(p)
	d.kind = orderedLogit
	if f == OpPhi {
		d.kind = orderedProbit
	}
	d.checks = append(d.checks, check{y, 'k', b.number(float64(k))})
	for j := 1; j < len(at); j++ {
		b.rising(at[j-1], at[j])
	}
	// The first category has no point below it and the last one none above: −Inf and +Inf are added to any other.
	infinite := func(from, to int32) int32 {
		inside := b.op(OpStep, nil, nil, b.op(OpSub, nil, nil, from, to))
		return b.op(opCalled("log"), nil, nil, inside)
	}
	lower, upper := append([]int32{at[0]}, at...), append(slices.Clone(at), at[k-2])
	d.p[0] = b.op(OpAdd, nil, nil, b.choose(lower, y), infinite(y, b.number(1.5)))
	d.p[1] = b.op(OpSub, nil, nil, b.choose(upper, y), infinite(b.number(float64(k)-0.5), y))
	return true
}

// points are u₁ … with weights F(u₁), F(u₂) − F(u₁), …, 1 − F(u_{K−1}), or 1 − F(−u₁), F(−u₁) − F(−u₂), …; nil where the weights are others.
func (b *groupBuilder) points(p []int32) (at []int32, f Op) {
	if at, f = b.rise(p); at != nil {
		return at, f
	}
	back := slices.Clone(p)
	slices.Reverse(back)
	if at, f = b.rise(back); at == nil {
		return nil, 0
	}
	slices.Reverse(at)
	for j, u := range at {
		at[j] = b.op(OpNeg, nil, nil, u)
	}
	return at, f
}

// rise is points in the first order.
func (b *groupBuilder) rise(p []int32) (at []int32, f Op) {
	last := len(p) - 1
	if last < 1 {
		return nil, 0
	}
	before := int32(-1)
	for j, w := range p[:last] {
		upper := w
		if n := b.node(w); j > 0 {
			if n.kind != opNode || n.op != OpSub || n.args[1] != before {
				return nil, 0
			}
			upper = n.args[0]
		}
		n := b.node(upper)
		if n.kind != opNode || n.op != OpIlogit && n.op != OpPhi || j > 0 && n.op != f {
			return nil, 0
		}
		at, f, before = append(at, n.args[0]), n.op, upper
	}
	if n := b.node(p[last]); n.kind == opNode && n.op == OpSub && n.args[1] == before && b.is(n.args[0], 1) {
		return at, f
	}
	if slices.Equal(b.besides(p[last]), p[:last]) {
		return at, f
	}
	return nil, 0
}

// besides are x₁, x₂, … where the node is 1 − x₁ − x₂ − … or 1 − (x₁ + x₂ + …).
func (b *groupBuilder) besides(id int32) []int32 {
	n := b.node(id)
	if n.kind != opNode || n.op != OpSub {
		return nil
	}
	if x := b.node(n.args[1]); b.is(n.args[0], 1) && x.kind == opNode && x.op == OpSum {
		return x.args
	}
	var sum func(id int32) []int32
	sum = func(id int32) []int32 {
		if x := b.node(id); x.kind == opNode && x.op == OpAdd {
			return append(sum(x.args[0]), sum(x.args[1])...)
		}
		return []int32{id}
	}
	if b.is(n.args[0], 1) {
		return sum(n.args[1])
	}
	if rest := b.besides(n.args[0]); rest != nil {
		return append(rest, n.args[1])
	}
	return nil
}

// rising has the density check that one node is at most another, by what they do not have in common.
func (b *groupBuilder) rising(lo, hi int32) {
	d := &b.g.den
	for {
		l, h := b.node(lo), b.node(hi)
		if b.both(l, h, OpNeg) {
			lo, hi = h.args[0], l.args[0]
			continue
		}
		shared := b.common([]int32{lo, hi})
		if shared < 0 {
			break
		}
		by, x, y := l.args[shared], l.args[1-shared], h.args[1-shared]
		switch {
		case l.op == OpAdd, l.op == OpSub && shared == 1:
			lo, hi = x, y
			continue
		case l.op == OpSub:
			lo, hi = y, x
			continue
		case (l.op == OpMul || shared == 1) && !b.node(by).wide:
			d.checks = append(d.checks, check{by, 'p', 0})
			lo, hi = x, y
			continue
		}
		break
	}
	d.within = append(d.within, interval{hi, lo, -1})
}

func (b *groupBuilder) both(l, h *colNode, op Op) bool {
	return l.kind == opNode && h.kind == opNode && l.op == op && h.op == op
}

// common is the place of the operand that operations of two operands share, −1 where they are not of one kind or share none.
func (b *groupBuilder) common(ids []int32) int {
	first := b.node(ids[0])
	if first.kind != opNode {
		return -1
	}
	switch first.op {
	case OpAdd, OpSub, OpMul, OpDiv:
	default:
		return -1
	}
	shared := [2]bool{true, true}
	for _, id := range ids {
		n := b.node(id)
		if n.kind != opNode || n.op != first.op {
			return -1
		}
		for k := range shared {
			shared[k] = shared[k] && n.args[k] == first.args[k]
		}
	}
	switch {
	case shared[1]:
		return 1
	case shared[0]:
		return 0
	}
	return -1
}

// choose is the node that takes, in each row, the one of several nodes of which y is the number: what all have in common is computed once.
func (b *groupBuilder) choose(ids []int32, y int32) int32 {
	if !slices.ContainsFunc(ids, func(id int32) bool { return id != ids[0] }) {
		return ids[0]
	}
	operands := func(k int) []int32 {
		x := make([]int32, len(ids))
		for j, id := range ids {
			x[j] = b.node(id).args[k]
		}
		return x
	}
	first := *b.node(ids[0])
	if !slices.ContainsFunc(ids, func(id int32) bool { return !b.both(&first, b.node(id), OpNeg) }) {
		return b.op(OpNeg, nil, nil, b.choose(operands(0), y))
	}
	switch b.common(ids) {
	case 1:
		return b.op(first.op, nil, nil, b.choose(operands(0), y), first.args[1])
	case 0:
		return b.op(first.op, nil, nil, first.args[0], b.choose(operands(1), y))
	}
	return b.pick(ids, y)
}

// categories is log(p[y]) − log Σp.
func (b *groupBuilder) categories(y int32, p []int32) (root int32) {
	d := &b.g.den
	d.kind = formulaDensity
	d.checks = append(d.checks, check{y, 'k', b.number(float64(len(p)))})
	total := int32(-1)
	if s := b.divisor(p); s >= 0 { // weights over one divisor are weights without it
		if !b.positive(s) {
			d.checks = append(d.checks, check{s, 'p', 0})
		}
		p = slices.Clone(p)
		for k, w := range p {
			p[k] = b.node(w).args[0]
		}
		if n := b.node(s); n.op == OpSum && slices.Equal(n.args, p) {
			total = s
		}
	}
	for _, w := range p {
		if !b.positive(w) {
			d.checks = append(d.checks, check{w, 'w', 0})
		}
	}
	if total < 0 {
		total = b.op(OpSum, nil, nil, p...)
	}
	return b.op(OpSub, nil, nil, b.logOfOne(p, y), b.op(opCalled("log"), nil, nil, total))
}

// divisor is the node that all weights are divided by, −1 if there is none.
func (b *groupBuilder) divisor(p []int32) int32 {
	s := int32(-1)
	for k, w := range p {
		n := b.node(w)
		if n.kind != opNode || n.op != OpDiv || k > 0 && n.args[1] != s {
			return -1
		}
		s = n.args[1]
	}
	return s
}

// positive tells whether a node is positive, NaN or infinite, or rounds to 0.
func (b *groupBuilder) positive(id int32) bool {
	n := b.node(id)
	if n.kind == numberNode {
		return n.x > 0
	}
	if n.kind != opNode {
		return false
	}
	switch n.op {
	case OpExp:
		return true
	case OpAdd, OpMul, OpDiv, OpSum:
		return !slices.ContainsFunc(n.args, func(a int32) bool { return !b.positive(a) })
	}
	return false
}

// logOfOne is the logarithm of the weight of which y is the number: exponentials are not taken for it.
func (b *groupBuilder) logOfOne(p []int32, y int32) int32 {
	logs := make([]int32, len(p))
	for k, w := range p {
		switch n := *b.node(w); {
		case n.kind == opNode && n.op == OpExp:
			logs[k] = n.args[0]
		case n.kind == numberNode && n.x > 0:
			logs[k] = b.number(vec.Log(n.x))
		default:
			return b.op(opCalled("log"), nil, nil, b.choose(p, y))
		}
	}
	return b.choose(logs, y)
}
