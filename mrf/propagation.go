package mrf

import "slices"

// propagation keeps the values of each variable that the zeros of single factors allow: a value that is in no positive entry of a
// factor, among the values that are left, goes (generalised arc consistency: Mackworth, 1977). What it takes away has
// probability 0; what it leaves may have, too.
type propagation struct {
	cards   []int
	tables  []Factor // those with zeros, and of single variables
	of      [][]int32
	domain  [][]bool
	left    []int
	queue   []int32
	queued  []bool
	trail   []removal
	support [][]bool // scratch, by place in a scope
}

type removal struct{ variable, value int32 }

func newPropagation(m *Model) *propagation {
	p := &propagation{cards: m.Cards, domain: make([][]bool, len(m.Cards)), left: slices.Clone(m.Cards), of: make([][]int32, len(m.Cards))}
	values := 0
	for i, k := range m.Cards {
		p.domain[i] = slices.Repeat([]bool{true}, k)
		values = max(values, k)
	}
	for _, f := range m.Factors {
		if !slices.Contains(f.Table, 0) {
			continue
		}
		for _, i := range f.Scope {
			p.of[i] = append(p.of[i], int32(len(p.tables)))
		}
		for len(p.support) < len(f.Scope) {
			p.support = append(p.support, make([]bool, values))
		}
		p.tables = append(p.tables, f)
	}
	p.queued = make([]bool, len(p.tables))
	return p
}

// only is the value of a variable that has one left, −1 for others.
func (p *propagation) only(i int) int32 {
	if p.left[i] != 1 {
		return -1
	}
	return int32(slices.Index(p.domain[i], true))
}

// joined are the variables with several values that a factor with zeros joins to others.
func (p *propagation) joined() (all []int) {
	for i, of := range p.of {
		if p.left[i] > 1 && slices.ContainsFunc(of, func(a int32) bool { return len(p.tables[a].Scope) > 1 }) {
			all = append(all, i)
		}
	}
	return all
}

// all makes all factors consistent. It is false where a variable has no value left.
func (p *propagation) all() bool {
	for a := range p.tables {
		p.enqueue(int32(a))
	}
	return p.run()
}

// set takes all values but one from a variable and propagates that.
func (p *propagation) set(i, value int) bool {
	for v, in := range p.domain[i] {
		if in && v != value {
			p.remove(i, v)
		}
	}
	return p.run()
}

// without takes a value from a variable and propagates that.
func (p *propagation) without(i, value int) bool {
	p.remove(i, value)
	return p.run()
}

func (p *propagation) remove(i, value int) {
	p.domain[i][value] = false
	p.left[i]--
	p.trail = append(p.trail, removal{int32(i), int32(value)})
	for _, a := range p.of[i] {
		p.enqueue(a)
	}
}

func (p *propagation) enqueue(a int32) {
	if !p.queued[a] {
		p.queued[a] = true
		p.queue = append(p.queue, a)
	}
}

// back takes back all removals but the first n.
func (p *propagation) back(n int) {
	for _, r := range p.trail[n:] {
		p.domain[r.variable][r.value] = true
		p.left[r.variable]++
	}
	p.trail = p.trail[:n]
}

// run takes factors from the queue until all are consistent or a variable has no value left.
func (p *propagation) run() bool {
	ok := true
	for len(p.queue) > 0 {
		a := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		p.queued[a] = false
		ok = ok && p.revise(p.tables[a])
	}
	return ok
}

// revise removes the values that no positive entry of a factor has.
func (p *propagation) revise(f Factor) bool {
	n := len(f.Scope)
	if n == 0 {
		return f.Table[0] > 0
	}
	for j, i := range f.Scope {
		clear(p.support[j][:p.cards[i]])
	}
	p.scan(f, 0, 0)
	for j, i := range f.Scope {
		for v, in := range p.domain[i] {
			if in && !p.support[j][v] {
				p.remove(i, v)
			}
		}
		if p.left[i] == 0 {
			return false
		}
	}
	return true
}

// scan visits the entries of the values that are left, from the j-th variable of the scope on, and tells whether one is positive.
func (p *propagation) scan(f Factor, j, at int) bool {
	if j == len(f.Scope) {
		return f.Table[at] > 0
	}
	i, any := f.Scope[j], false
	for v, in := range p.domain[i] {
		if in && p.scan(f, j+1, at*p.cards[i]+v) {
			p.support[j][v], any = true, true
		}
	}
	return any
}
