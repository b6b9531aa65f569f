package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const ffbsName = "ffbs"

// ffbsTakes says which nodes it can move.
const ffbsTakes = "discrete nodes whose values are few and known beforehand"

// ffbs draws groups of discrete nodes that depend on one another, such as the states of hidden Markov chains, jointly from their full conditional:
// forward filtering, backward sampling (Carter and Kohn 1994; Frühwirth-Schnatter 1994; Chib 1996). Here the filter runs from the last node to the
// first and the draws from the first to the last, so that histories with the same end share sums; the law is the same. Groups need not be chains:
// nodes are summed out in an order that keeps tables small.
type ffbs struct {
	c     *chains
	f     *filter
	plain *filter // without tables shared by data, for states whose data are not the model's
}

// ffbsTogether makes one kernel for all groups of two nodes or more, and of one where it is asked for.
func ffbsTogether(p *planner, rows []int32) {
	c := chainsOf(p.Model, rows, func(row int32) bool { return p.asked[row] != nil }, true)
	if c != nil {
		p.addFFBS(c)
	}
}

func (p *planner) addFFBS(c *chains) {
	var rows []int32
	for _, n := range c.nodes {
		rows = append(rows, n.row)
	}
	p.add(Item{Kernel: ffbsName, Rows: rows, make: func([]kernel) kernel { return &ffbs{c: c, f: newFilter(c)} }})
}

// Step draws all groups.
func (k *ffbs) Step(s *model.State, r *rand.Rand) mcmc.Info {
	f := k.filterFor(s)
	f.save(s)
	f.fill(s, &f.c.all)
	f.sum(&f.c.all)
	f.draw(s, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1, Evals: 1}
}

// filterFor is the filter for the data of a state.
func (k *ffbs) filterFor(s *model.State) *filter {
	if k.c.hasData(s) {
		return k.f
	}
	if k.plain == nil {
		k.plain = newFilter(k.c.unshared())
	}
	return k.plain
}

// hasData tells whether a state has the data by which tables are shared.
func (c *chains) hasData(s *model.State) bool {
	for _, d := range c.data {
		if s.V[d] != c.m.Init[d] {
			return false
		}
	}
	return true
}

// unshared are the same groups without tables shared by data.
func (c *chains) unshared() *chains {
	var rows []int32
	for _, n := range c.nodes {
		rows = append(rows, n.row)
	}
	return chainsOf(c.m, rows, func(int32) bool { return true }, false)
}

// filter holds a chain's tables, sums and draws.
type filter struct {
	c   *chains
	tab []float64 // logs of tables and messages
	p   []float64 // of each bucket
	w   []float64
	x   []int32 // values of the nodes, from 0
}

func newFilter(c *chains) *filter {
	widest := c.sums.widest
	for _, n := range c.nodes {
		widest = max(widest, n.size)
	}
	return &filter{c: c, tab: make([]float64, c.entries), p: make([]float64, c.sums.probs), w: make([]float64, widest), x: make([]int32, len(c.nodes))}
}

// save notes where the nodes are.
func (f *filter) save(s *model.State) {
	for v := range f.c.nodes {
		n := &f.c.nodes[v]
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
			for _, t := range g.tables {
				f.row(s, &c.tables[t], x)
			}
		}
	}
	for _, t := range p.alone {
		f.alone(s, &c.tables[t])
	}
}

// set gives the nodes of a class their value number x.
func (g *class) set(s *model.State, x int) {
	for j, cell := range g.cells {
		s.V[cell] = g.lo[j] + float64(x)
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
