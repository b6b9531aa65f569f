package mrf

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// arithmetic is what a pass computes with.
type arithmetic int

const (
	products   arithmetic = iota // sums of products, scaled by powers of 2
	logarithms                   // the same of logarithms: slower, for any range of numbers
	maxima                       // maxima of sums of logarithms
)

// errRange says that products might pass the range of a float64.
var errRange = errors.New("mrf: the factors' range is too wide for products")

// mostOctaves is the widest range of the products of a clique's tables whose maxima are about 1, so that none is lost.
const mostOctaves = 960

// pass sends messages through a tree.
type pass struct {
	*JunctionTree
	ctx      context.Context
	show     Progress
	with     arithmetic
	messages [][]float64 // of each clique to its parent; for products scaled so that the maximum is about 1, on the way down divided by
	shifts   []int       // the exponents of 2 that a message of products was divided by
	spread   []float64   // octaves of each message
	logZ     float64
	done     float64 // entries
	told     float64
	all      float64
}

func (t *JunctionTree) pass(ctx context.Context, show Progress, passes int, with arithmetic) *pass {
	n := len(t.cliques)
	return &pass{JunctionTree: t, ctx: ctx, show: show, with: with, messages: make([][]float64, n), shifts: make([]int, n), spread: make([]float64, n), all: float64(passes) * t.entries}
}

// tick counts entries, tells how many are done, and ends a pass whose context has ended.
func (p *pass) tick(entries int) error {
	p.done += float64(entries)
	if p.done-p.told < 1<<20 {
		return nil
	}
	p.told = p.done
	if p.show != nil {
		p.show(min(1, p.done/p.all))
	}
	return p.ctx.Err()
}

// table is a clique's table, made block by block.
type table struct {
	layout
	bins     []bin
	parts    []part // a bin's each
	rest     int    // entries of the variables that are not shared, which change fastest
	exponent int    // of the factors' scale
	block    []float64
	with     arithmetic
}

// open prepares a clique's table from its factors and its children's messages.
func (p *pass) open(k int) *table {
	c := &p.cliques[k]
	t := &table{layout: newLayout(p.model, c.scope), with: p.with, rest: int(p.model.product(c.scope[c.shared:])), bins: p.bins(k)}
	for n := range t.bins {
		own, e := p.product(&t.bins[n])
		t.parts, t.exponent = append(t.parts, t.part(t.bins[n].scope, p.model.Cards, own)), t.exponent+e
	}
	t.block = make([]float64, t.size)
	return t
}

// fill makes a block; false where all of it is 0, and then it is not made.
func (t *table) fill(b int) bool {
	unit := 1.0
	if t.with != products {
		unit = 0
	}
	for k := range t.parts {
		if q := &t.parts[k]; q.how == constant {
			if x := q.table[q.starts[b]]; t.with == products {
				unit *= x
			} else {
				unit += x
			}
		}
	}
	if t.with == products && unit == 0 || t.with != products && math.IsInf(unit, -1) {
		return false
	}
	begun := false
	for k := range t.parts {
		switch q := &t.parts[k]; {
		case q.how == constant:
		case !begun:
			q.set(t.block, b)
			begun = true
		case t.with == products:
			q.multiply(t.block, b)
		default:
			q.add(t.block, b)
		}
	}
	switch {
	case !begun:
		for k := range t.block {
			t.block[k] = unit
		}
	case t.with == products && unit != 1:
		for k := range t.block {
			t.block[k] *= unit
		}
	case t.with != products && unit != 0:
		for k := range t.block {
			t.block[k] += unit
		}
	}
	return true
}

// up sends all messages towards the roots and finds log Z, or the log of the maximum.
func (p *pass) up() error {
	p.logZ = p.model.constant()
	exponents := 0
	for k := range p.cliques {
		c := &p.cliques[k]
		if p.with == products && p.octaves(k) > mostOctaves {
			return errRange
		}
		t := p.open(k)
		out := make([]float64, int(p.model.product(c.scope[:c.shared])))
		if err := p.send(t, out); err != nil {
			return err
		}
		if p.with == products {
			e := exponentOf(out)
			exponents += e + t.exponent
			for n, x := range out {
				out[n] = math.Ldexp(x, -e)
			}
			p.shifts[k], p.spread[k] = e, octaves(out)
		}
		p.messages[k] = out
		if c.parent >= 0 {
			continue
		}
		if x := out[0]; p.with == products {
			p.logZ += vec.Log(x)
		} else {
			p.logZ += x
		}
	}
	p.logZ += float64(float64(exponents) * math.Ln2)
	if math.IsInf(p.logZ, -1) {
		return impossible()
	}
	return nil
}

// octaves bounds the range of a clique's table.
func (p *pass) octaves(k int) float64 {
	sum := 0.0
	for _, a := range p.cliques[k].factors {
		sum += octaves(p.model.Factors[a].Table)
	}
	for _, child := range p.cliques[k].children {
		sum += p.spread[child]
	}
	return sum
}

// send sums, or takes the maximum, over the variables that are not shared.
func (p *pass) send(t *table, out []float64) error {
	for n := range out {
		out[n] = 0
		if t.with != products {
			out[n] = math.Inf(-1)
		}
	}
	for b := range t.blocks {
		if err := p.tick(t.size); err != nil {
			return err
		}
		if !t.fill(b) {
			continue
		}
		if t.rest <= t.size {
			t.reduce(out[b*(t.size/t.rest):][:t.size/t.rest])
			continue
		}
		to := &out[b/(t.rest/t.size)]
		switch t.with {
		case products:
			*to += sumOf(t.block)
		case maxima:
			*to = max(*to, maxOf(t.block))
		default:
			*to = logAdd(*to, logSum(t.block))
		}
	}
	return nil
}

// reduce is the message of a block that has all combinations of the variables that are not shared.
func (t *table) reduce(out []float64) {
	switch {
	case t.with == products && t.rest == 2:
		block := t.block[:2*len(out)]
		for n := range out {
			out[n] = block[2*n] + block[2*n+1]
		}
	case t.with == products:
		for n := range out {
			out[n] = sumOf(t.block[n*t.rest:][:t.rest])
		}
	case t.with == maxima:
		for n := range out {
			out[n] = maxOf(t.block[n*t.rest:][:t.rest])
		}
	default:
		for n := range out {
			out[n] = logSum(t.block[n*t.rest:][:t.rest])
		}
	}
}

// sumOf sums in four lanes, which do not wait for each other.
func sumOf(x []float64) float64 {
	var a, b, c, d float64
	k := 0
	for ; k+4 <= len(x); k += 4 {
		y := x[k : k+4 : k+4]
		a += y[0]
		b += y[1]
		c += y[2]
		d += y[3]
	}
	for ; k < len(x); k++ {
		a += x[k]
	}
	return (a + b) + (c + d)
}

func maxOf(x []float64) float64 {
	most := x[0]
	for _, v := range x {
		if v > most {
			most = v
		}
	}
	return most
}

// logSum is log Σ exp x.
func logSum(x []float64) float64 {
	most := maxOf(x)
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, v := range x {
		sum += vec.Exp(v - most)
	}
	return most + vec.Log(sum)
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + vec.Log1p(vec.Exp(b-a))
}

// down sends messages from the roots and finds the marginals. What a clique gets is, for the variables that it shares, their joint probability divided by what it has sent.
func (p *pass) down() ([][]float64, error) {
	marginals := make([][]float64, len(p.model.Cards))
	for k := len(p.cliques) - 1; k >= 0; k-- {
		c := &p.cliques[k]
		t := p.open(k)
		if c.parent < 0 {
			p.divide(k, []float64{1})
		}
		t.parts = append(t.parts, t.part(c.scope[:c.shared], p.model.Cards, p.messages[k]))
		joint := make([]part, len(t.bins)) // with the variables of each bin that has children
		for n := range t.bins {
			if t.bins[n].parents() {
				joint[n] = t.part(t.bins[n].scope, p.model.Cards, make([]float64, t.bins[n].size))
			}
		}
		if err := p.beliefs(t, joint, marginals, c); err != nil {
			return nil, err
		}
		for n := range t.bins {
			p.hand(&t.bins[n], joint[n].table)
		}
		p.messages[k] = nil
	}
	for _, q := range marginals {
		sum := sumOf(q)
		for v := range q {
			q[v] /= sum
		}
	}
	return marginals, nil
}

// parents tells whether a bin has messages of children.
func (b *bin) parents() bool {
	return slices.ContainsFunc(b.operands, func(m operand) bool { return m.child >= 0 })
}

// hand gives the children in a bin the joint probabilities of what they share.
func (p *pass) hand(b *bin, joint []float64) {
	for _, one := range b.operands {
		switch {
		case one.child < 0:
		case len(b.operands) == 1:
			p.divide(one.child, joint)
		default:
			l := newLayout(p.model, b.scope)
			to := l.part(one.scope, p.model.Cards, make([]float64, len(one.table)))
			for at := range l.blocks {
				block := joint[at*l.size:][:l.size]
				to.collect(block, at, sumOf(block))
			}
			p.divide(one.child, to.table)
		}
	}
}

// divide puts the joint probabilities of what a clique shares in the place of its message, divided by it; 0/0 is 0.
func (p *pass) divide(k int, joint []float64) {
	sent := p.messages[k]
	for n, x := range joint {
		switch {
		case x == 0 && p.with == products:
			sent[n] = 0
		case x == 0:
			sent[n] = math.Inf(-1)
		case p.with == products:
			sent[n] = x / math.Ldexp(sent[n], p.shifts[k])
		default:
			sent[n] = vec.Log(x) - sent[n]
		}
	}
}

// beliefs goes through a clique's joint probabilities: to those of its bins, whose children get them, and the marginals of what it does not share.
func (p *pass) beliefs(t *table, joint []part, marginals [][]float64, c *clique) error {
	inner, outer := make([]float64, t.size), make([]float64, t.blocks)
	for b := range t.blocks {
		if err := p.tick(t.size); err != nil {
			return err
		}
		if !t.fill(b) {
			continue
		}
		if t.with != products {
			columns.Exp(t.block, t.block)
		}
		sum := sumOf(t.block)
		if outer[b] = sum; sum == 0 {
			continue
		}
		for n, x := range t.block {
			inner[n] += x
		}
		for n := range joint {
			if joint[n].table != nil {
				joint[n].collect(t.block, b, sum)
			}
		}
	}
	for d := c.shared; d < len(c.scope); d++ {
		from, cards := inner, t.cards[t.outer:]
		at := d - t.outer
		if at < 0 {
			from, cards, at = outer, t.cards[:t.outer], d
		}
		marginals[c.scope[d]] = marginalOf(from, cards, at)
	}
	return nil
}

// marginalOf sums a table over all variables but one.
func marginalOf(table []float64, cards []int, at int) []float64 {
	stride := 1
	for _, k := range cards[at+1:] {
		stride *= k
	}
	out := make([]float64, cards[at])
	for n, x := range table {
		out[n/stride%cards[at]] += x
	}
	return out
}

// trace finds a state of the maximum, from the roots down.
func (p *pass) trace() []int {
	x := make([]int, len(p.model.Cards))
	for k := len(p.cliques) - 1; k >= 0; k-- {
		c := &p.cliques[k]
		t := p.open(k)
		shared := 0
		for d, i := range c.scope[:c.shared] {
			shared = shared*t.cards[d] + x[i]
		}
		best := t.best(shared)
		for d := len(c.scope) - 1; d >= c.shared; d-- {
			x[c.scope[d]] = best % t.cards[d]
			best /= t.cards[d]
		}
	}
	return x
}

// best is the first of the greatest entries for given shared values.
func (t *table) best(shared int) int {
	best, most := 0, math.Inf(-1)
	from, to := shared*t.rest, (shared+1)*t.rest
	for b := from / t.size; b*t.size < to; b++ {
		if !t.fill(b) {
			continue
		}
		for n := max(from, b*t.size); n < min(to, (b+1)*t.size); n++ {
			if v := t.block[n-b*t.size]; v > most {
				best, most = n-from, v
			}
		}
	}
	return best
}
