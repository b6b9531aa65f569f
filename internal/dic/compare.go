// Package dic compares the distributions of the observed nodes of a model between chains, as JAGS's module dic does, for the penalties
// of information criteria. With θ and θ′ of two chains, KL the divergence of a node's distribution under θ from that under θ′, and y its
// value (Plummer, Biostatistics 9, 2008):
//
//	pD    E KL(θ, θ′)
//	popt  2 E w KL(θ, θ′) / E w,  w = 1 / p(y | θ) p(y | θ′)
package dic

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/model"
)

// observed is an observed node.
type observed struct {
	t     *model.Template
	i     int
	value []float64
}

// Comparison looks at the observed nodes in several chains at once.
type Comparison struct {
	nodes  []observed
	names  []string
	cells  []int32
	states []*model.State // by chain
	seen   Node
	params [][]float64 // of a node, by chain
}

// Node is what is seen of an observed node.
type Node struct {
	LogP []float64 // log p(y | θ), by chain
	KL   []float64 // by two chains, the first's rows together; 0 of a chain and itself
	Mean float64   // of KL over two chains
}

// New compares the observed nodes of a model in so many chains.
func New(m *model.Model, chains int) *Comparison {
	c := &Comparison{cells: m.SampledCells(), params: make([][]float64, chains), seen: Node{LogP: make([]float64, chains), KL: make([]float64, chains*chains)}}
	for _, g := range m.DataRows() {
		t := m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			one := observed{t: t, i: i}
			for _, cell := range t.Cells(i) {
				one.value = append(one.value, m.Init[cell])
			}
			c.nodes, c.names = append(c.nodes, one), append(c.names, m.CellName(t.Cells(i)[0]))
		}
	}
	for range chains {
		c.states = append(c.states, m.NewState())
	}
	return c
}

// Cells are those whose values tell all that the comparison needs.
func (c *Comparison) Cells() []int32 { return c.cells }

// Names are those of the observed nodes.
func (c *Comparison) Names() []string { return c.names }

// Set takes the values of a chain's cells.
func (c *Comparison) Set(chain int, value func(k int) float64) {
	s := c.states[chain]
	for k, cell := range c.cells {
		s.V[cell] = value(k)
	}
	s.RunAllLive()
}

// Each shows the observed nodes one after the other, with divergences where r, from which those without a closed form are estimated, is given.
// What is shown is there until the next.
func (c *Comparison) Each(r *rand.Rand, visit func(k int, n *Node)) {
	for k := range c.nodes {
		one := &c.nodes[k]
		for i, s := range c.states {
			c.seen.LogP[i] = s.LogProbRow(one.t, one.i)
		}
		if c.seen.Mean = 0; r != nil {
			c.diverge(one, r)
		}
		visit(k, &c.seen)
	}
}
