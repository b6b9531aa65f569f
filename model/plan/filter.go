package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// filter holds a chain's tables, sums and draws.
//
// Sums are taken of products of numbers, scaled so that the largest of a table or message is between ½ and 1, as long as none of them, and no product, is
// below least without being 0, so that nothing is lost to underflow; else of logarithms.
type filter struct {
	c     *chains
	tab   []float64 // logs of tables, and of messages where byLogs
	lin   []float64 // tables and messages scaled, where not byLogs
	shift []float64 // logs of what tables and messages are scaled by
	p     []float64 // of each bucket
	w     []float64
	x     []int32 // values of the nodes, from 0
	dens  []float64

	byLogs bool // how the messages are there
}

// least bounds scaled numbers from below: the product of two is a normal number.
const least = 1e-100

func newFilter(c *chains) *filter {
	widest := c.sums.widest
	for _, n := range c.nodes {
		widest = max(widest, n.size)
	}
	f := &filter{c: c, tab: make([]float64, c.entries), lin: make([]float64, c.entries), shift: make([]float64, len(c.tables)+len(c.sums.buckets)),
		p: make([]float64, c.sums.probs), w: make([]float64, widest), x: make([]int32, len(c.nodes))}
	for k := range c.tables {
		t := &c.tables[k]
		copy(f.lin[t.at:], t.fixed)
		for x, w := range t.fixed {
			f.tab[t.at+x] = vec.Log(w)
		}
	}
	return f
}

// save notes where the nodes are.
func (f *filter) save(s *model.State) {
	for v := range f.c.nodes {
		n := &f.c.nodes[v]
		if n.past != nil {
			continue
		}
		f.x[v] = int32(s.V[n.cell] - n.lo)
	}
}

// fill computes tables at the state's other nodes. The nodes and what depends on them are left anyhow.
func (f *filter) fill(s *model.State, p *part) {
	c := f.c
	for k := range p.classes {
		g := &p.classes[k]
		for x := range g.size {
			g.set(s, x)
			lp := f.each(s, g)
			for k, t := range g.others {
				f.tab[c.tables[t].at+x] = lp[k]
			}
			for _, t := range g.tables {
				if c.tables[t].own {
					f.row(s, &c.tables[t], x)
				}
			}
		}
	}
	for _, t := range p.alone {
		f.alone(s, &c.tables[t])
	}
}

// each are the log densities of a class's rows that are no nodes.
func (f *filter) each(s *model.State, g *class) []float64 {
	if len(f.dens) < len(g.others) {
		f.dens = make([]float64, len(g.others))
	}
	s.LogProbEach(g.stoch, f.dens)
	return f.dens[:len(g.others)]
}

// set gives the nodes of a class their value number x.
func (g *class) set(s *model.State, x int) {
	if g.past != nil {
		for j, cell := range g.cells {
			s.V[cell] = g.past[x*len(g.cells)+j]
		}
	} else {
		for j, cell := range g.cells {
			s.V[cell] = g.lo[j] + float64(x)
		}
	}
	s.Run(g.det)
}

// row fills the entries of a table at value number x of the node beside the row's own.
func (f *filter) row(s *model.State, t *factorTable, x int) {
	if !t.own {
		f.tab[t.at+x] = s.LogProbRow(t.t, t.i)
		return
	}
	n := &f.c.nodes[t.nodes[0]]
	to := f.tab[t.at+x*n.size:][:n.size]
	if t.t.Stoch.Name == "dcat" && s.CategoryLogProbs(t.t, t.i, to) {
		return
	}
	was := s.V[n.cell]
	for k := range to {
		s.V[n.cell] = n.lo + float64(k)
		to[k] = s.LogProbRow(t.t, t.i)
	}
	s.V[n.cell] = was
}

// alone fills a table of a row that computes with several nodes.
func (f *filter) alone(s *model.State, t *factorTable) {
	for e := range f.c.configurations(t) {
		f.c.set(s, t, e)
		f.row(s, t, e)
	}
}

// configurations is the number of values that the nodes of a table beside the row's own have together.
func (c *chains) configurations(t *factorTable) int {
	if t.own {
		return t.n / c.nodes[t.nodes[0]].size
	}
	return t.n
}

// set gives them their values number e.
func (c *chains) set(s *model.State, t *factorTable, e int) {
	for _, v := range t.free() {
		n := &c.nodes[v]
		s.V[n.cell] = n.lo + float64(e%n.size)
		e /= n.size
	}
	s.Run(t.det)
}

// sum computes messages and the probabilities of nodes.
func (f *filter) sum(p *part) {
	f.sumSingles(p.singles)
	if p == &f.c.all {
		f.byLogs = false
	}
	if !f.byLogs {
		if f.scale(p) && f.products(p) {
			return
		}
		f.byLogs, p = true, &f.c.all
	}
	f.logarithms(p)
}

// sumSingles computes the sums and probabilities of nodes that depend on no other, by logarithms, all exponentials of neighbouring buckets at once.
func (f *filter) sumSingles(singles []int32) {
	e := &f.c.sums
	run := entries{}
	for _, k := range singles {
		b := &e.buckets[k]
		q := f.p[b.prob:][:b.size]
		clear(q)
		for _, t := range b.terms {
			for x, l := range f.tab[t.at:][:b.size] {
				q[x] += l
			}
		}
		f.tab[b.msg] = relative(q)
		if b.prob == run.to {
			run.to += b.size
			continue
		}
		columns.Exp(f.p[run.from:run.to], f.p[run.from:run.to])
		run = entries{b.prob, b.prob + b.size}
	}
	columns.Exp(f.p[run.from:run.to], f.p[run.from:run.to])
	for _, k := range singles {
		b := &e.buckets[k]
		q := f.p[b.prob:][:b.size]
		if math.IsInf(f.tab[b.msg], 0) {
			clear(q)
			continue
		}
		sum := 0.0
		for _, w := range q {
			sum += w
		}
		for x := range q {
			q[x] /= sum
		}
		f.tab[b.msg] += vec.Log(sum)
	}
}

// relative takes the largest of logs of weights off them, and returns it. What is not a number weighs nothing.
func relative(q []float64) (top float64) {
	top = math.Inf(-1)
	for _, l := range q {
		if l > top {
			top = l
		}
	}
	for x, l := range q {
		q[x] = math.Inf(-1)
		if l > math.Inf(-1) && top < math.Inf(1) {
			q[x] = l - top
		}
	}
	return top
}

// scale takes the numbers of tables out of their logarithms; false where they are too far apart.
func (f *filter) scale(p *part) bool {
	run := entries{}
	for k := range p.classes {
		for _, t := range p.classes[k].tables {
			if !f.scaleTable(t, &run) {
				return false
			}
		}
	}
	for _, t := range p.alone {
		if !f.scaleTable(t, &run) {
			return false
		}
	}
	return f.exponentials(run)
}

// entries are those of tables that follow one another.
type entries struct{ from, to int }

// scaleTable leaves the logarithms relative to their largest, and takes them out of a run of tables where the next does not go on from it.
func (f *filter) scaleTable(t int32, run *entries) bool {
	tab := &f.c.tables[t]
	if !f.c.linear[t] {
		return true
	}
	logs, lin := f.tab[tab.at:][:tab.n], f.lin[tab.at:][:tab.n]
	top := math.Inf(-1)
	for _, l := range logs {
		if l > top {
			top = l
		}
	}
	f.shift[t] = 0
	if top == math.Inf(1) {
		return false
	}
	if top > math.Inf(-1) {
		f.shift[t] = top
	}
	for x, l := range logs {
		lin[x] = math.Inf(-1)
		if l > math.Inf(-1) {
			lin[x] = l - top
		}
	}
	if tab.at == run.to {
		run.to += tab.n
		return true
	}
	last := *run
	*run = entries{tab.at, tab.at + tab.n}
	return f.exponentials(last)
}

// exponentials takes the numbers of a run out of their logarithms.
func (f *filter) exponentials(run entries) bool {
	lin := f.lin[run.from:run.to]
	columns.Exp(lin, lin)
	for x, q := range lin {
		if q < least && f.tab[run.from+x] > math.Inf(-1) {
			return false
		}
	}
	return true
}

// products computes messages and probabilities by products; false where numbers are too far apart.
func (f *filter) products(p *part) bool {
	e := &f.c.sums
	for _, k := range p.buckets {
		b := &e.buckets[k]
		flat := f.w[:b.size]
		for x := range flat {
			flat[x] = 1
		}
		terms, shift := b.terms, 0.0
		for ; len(terms) > 0 && terms[0].shape < 0; terms = terms[1:] {
			shift += f.shift[terms[0].of]
			for x, q := range f.lin[terms[0].at:][:b.size] {
				if flat[x] *= q; flat[x] < least && flat[x] != 0 {
					return false
				}
			}
		}
		for _, t := range terms {
			shift += f.shift[t.of]
		}
		p := f.p[b.prob:][:b.size*b.cfg]
		message, most := f.lin[b.msg:][:b.cfg], 0.0
		for c := range message {
			q := p[c*b.size:][:b.size]
			copy(q, flat)
			for _, t := range terms {
				tab := f.lin[t.at:]
				for x, at := range e.shapes[t.shape][c*b.size:][:b.size] {
					if q[x] *= tab[at]; q[x] < least && q[x] != 0 {
						return false
					}
				}
			}
			sum := 0.0
			for _, w := range q {
				sum += w
			}
			if sum > 0 {
				for x := range q {
					q[x] /= sum
				}
			}
			message[c], most = sum, max(most, sum)
		}
		if b.cfg == 1 {
			f.tab[b.msg] = vec.Log(most) + shift
		}
		if f.shift[len(f.c.tables)+int(k)] = shift; most == 0 {
			continue
		}
		_, power := math.Frexp(most)
		by := math.Ldexp(1, -power)
		for c := range message {
			if message[c] *= by; message[c] < least && message[c] != 0 {
				return false
			}
		}
		f.shift[len(f.c.tables)+int(k)] = shift + float64(float64(power)*math.Ln2)
	}
	return true
}

// logarithms computes messages and probabilities by logarithms.
func (f *filter) logarithms(p *part) {
	e := &f.c.sums
	for _, k := range p.buckets {
		b := &e.buckets[k]
		flat := f.w[:b.size]
		clear(flat)
		terms := b.terms
		for ; len(terms) > 0 && terms[0].shape < 0; terms = terms[1:] {
			for x, l := range f.tab[terms[0].at:][:b.size] {
				flat[x] += l
			}
		}
		p := f.p[b.prob:][:b.size*b.cfg]
		for c := range b.cfg {
			q := p[c*b.size:][:b.size]
			copy(q, flat)
			for _, t := range terms {
				tab := f.tab[t.at:]
				for x, at := range e.shapes[t.shape][c*b.size:][:b.size] {
					q[x] += tab[at]
				}
			}
			f.tab[b.msg+c] = normalise(q)
		}
	}
}

// normalise turns logs of weights into probabilities, and returns the log of the sum of the weights; where that is not finite, the probabilities
// are 0. What is not a number weighs nothing.
func normalise(q []float64) float64 {
	top := math.Inf(-1)
	for _, l := range q {
		if l > top {
			top = l
		}
	}
	if math.IsInf(top, 0) {
		clear(q)
		return top
	}
	sum := 0.0
	for x, l := range q {
		q[x] = 0
		if l > math.Inf(-1) {
			q[x] = vec.Exp(l - top)
		}
		sum += q[x]
	}
	for x := range q {
		q[x] /= sum
	}
	return top + vec.Log(sum)
}

// draw draws the nodes by the sums and brings the state up to date. A group that has density 0 everywhere, or an infinite one, stays as it was.
func (f *filter) draw(s *model.State, r *rand.Rand) {
	e := &f.c.sums
	for _, g := range e.groups {
		last := e.seq[g.to-1]
		if total := f.tab[e.buckets[e.at[last]].msg]; math.IsInf(total, 0) {
			continue
		}
		for k := g.to - 1; k >= g.from; k-- {
			v := e.seq[k]
			b := &e.buckets[e.at[v]]
			c, by := 0, 1
			for _, u := range e.left[v] {
				c += by * int(f.x[u])
				by *= e.sizes[u]
			}
			f.x[v] = pick(r, f.p[b.prob+c*b.size:][:b.size])
		}
	}
	f.place(s)
}

// place moves the nodes to their values.
func (f *filter) place(s *model.State) {
	for v, x := range f.x {
		n := &f.c.nodes[v]
		if n.past != nil {
			continue
		}
		s.V[n.cell] = n.lo + float64(x)
	}
	s.Run(f.c.det)
}

// pick draws a value by its probability; a value that is certain costs no random number.
func pick(r *rand.Rand, p []float64) int32 {
	last := 0
	for x, q := range p {
		if q == 1 {
			return int32(x)
		}
		if q > 0 {
			last = x
		}
	}
	u := r.Float64()
	for x, q := range p[:last] {
		if u -= q; u < 0 {
			return int32(x)
		}
	}
	return int32(last)
}
