package mrf

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// scaled is a factor's table with its maximum from 1/2 to 1, by a power of 2, which changes no digit.
func scaled(table []float64) (out []float64, exponent int) {
	exponent = exponentOf(table)
	if exponent == 0 {
		return table, 0
	}
	out = make([]float64, len(table))
	for k, x := range table {
		out[k] = math.Ldexp(x, -exponent)
	}
	return out, exponent
}

func exponentOf(table []float64) int {
	_, e := math.Frexp(slices.Max(table))
	return e
}

// octaves is how many powers of 2 lie between the greatest entry and the least that is positive.
func octaves(table []float64) float64 {
	least, most := math.Inf(1), 0.0
	for _, x := range table {
		if x > 0 {
			least = min(least, x)
		}
		most = max(most, x)
	}
	if most == 0 {
		return 0
	}
	return math.Log2(most) - math.Log2(least) // apart: the quotient may overflow
}

// logs are the logarithms of a table.
func logs(table []float64) []float64 {
	out := make([]float64, len(table))
	columns.Log(out, table)
	return out
}

// operand is a factor or a child's message of a clique.
type operand struct {
	scope []int32
	table []float64
	child int // −1 for a factor
}

// operands are what a clique's table is the product of, the largest first.
func (p *pass) operands(k int) []operand {
	c := &p.cliques[k]
	var all []operand
	for _, a := range c.factors {
		f := p.model.Factors[a]
		scope := make([]int32, len(f.Scope))
		for d, i := range f.Scope {
			scope[d] = int32(i)
		}
		all = append(all, operand{scope, f.Table, -1})
	}
	for _, child := range c.children {
		sub := &p.cliques[child]
		all = append(all, operand{sub.scope[:sub.shared], p.messages[child], child})
	}
	slices.SortStableFunc(all, func(a, b operand) int { return len(b.table) - len(a.table) })
	return all
}

// bin is the product of some operands of a clique.
type bin struct {
	scope    []int32 // in the clique's order: its blocks meet the entries one after the other
	size     int
	operands []operand
}

// bins put operands together while their products are much smaller than the clique's table, so that this is gone through few times.
func (p *pass) bins(k int) []bin {
	c := &p.cliques[k]
	most := max(leastBlock, p.model.product(c.scope)/32)
	var all []bin
next:
	for _, one := range p.operands(k) {
		for n := range all {
			b := &all[n]
			both := unionOf(b.scope, one.scope)
			if size := p.model.product(both); len(both) == len(b.scope) || size <= most {
				b.scope, b.size, b.operands = both, int(size), append(b.operands, one)
				continue next
			}
		}
		all = append(all, bin{slices.Clone(one.scope), len(one.table), []operand{one}})
	}
	for n := range all {
		slices.SortFunc(all[n].scope, func(i, j int32) int { return slices.Index(c.scope, i) - slices.Index(c.scope, j) })
	}
	return all
}

func unionOf(a, b []int32) []int32 {
	both := slices.Clone(a)
	for _, i := range b {
		if !slices.Contains(a, i) {
			both = append(both, i)
		}
	}
	return both
}

// product makes a bin's table, of logarithms unless the pass computes with products, which come with the exponent of 2 that they were divided by.
func (p *pass) product(b *bin) (table []float64, exponent int) {
	l := newLayout(p.model, b.scope)
	for n, one := range b.operands {
		own := one.table
		switch {
		case one.child >= 0: // as it was sent
		case p.with == products:
			e := 0
			own, e = scaled(own)
			exponent += e
		default:
			own = logs(own)
		}
		if len(b.operands) == 1 && slices.Equal(b.scope, one.scope) {
			return own, exponent
		}
		if n == 0 {
			table = make([]float64, b.size)
		}
		q := l.part(one.scope, p.model.Cards, own)
		for at := range l.blocks {
			switch block := table[at*l.size:][:l.size]; {
			case n == 0:
				q.set(block, at)
			case p.with == products:
				q.multiply(block, at)
			default:
				q.add(block, at)
			}
		}
	}
	return table, exponent
}
