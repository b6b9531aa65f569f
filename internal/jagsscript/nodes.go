package jagsscript

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/dic"
	"github.com/ergodic-mcmc/ergodic/model"
)

// nodeKind is a monitor of the observed nodes, as JAGS's module dic has them: pD and popt of package dic, and
//
//	deviance  E −2 log p(y | θ)
//	WAIC      Var log p(y | θ), whose sum is the penalty of WAIC (Watanabe 2010)
type nodeKind int

const (
	noNodes nodeKind = iota
	pDTrace          // the sum of pD over the nodes, at each iteration
	pDMean
	poptMean
	devianceMean
	waicMean
)

// kindOf is the monitor of observed nodes that a name and a type ask for.
func kindOf(name, kind string) nodeKind {
	switch [2]string{name, kind} {
	case [2]string{"pD", trace}:
		return pDTrace
	case [2]string{"pD", mean}:
		return pDMean
	case [2]string{"popt", mean}:
		return poptMean
	case [2]string{"deviance", mean}:
		return devianceMean
	case [2]string{"WAIC", mean}:
		return waicMean
	}
	return noNodes
}

// pairs tells the monitors that compare chains.
func (k nodeKind) pairs() bool { return k == pDTrace || k == pDMean || k == poptMean }

// nodes compares the observed nodes between chains: the nodes that are sampled are kept for a block of iterations, and looked at then.
type nodes struct {
	*dic.Comparison
	block int // iterations that are kept
	of    []*monitor
	kept  [][]float64 // by chain: the cells, an iteration after the other
}

// keptValues bounds what a block of iterations keeps.
const keptValues = 1 << 22

// newNodes is nil where no monitor is of observed nodes.
func (s *Session) newNodes() *nodes {
	var of []*monitor
	for _, m := range s.monitors {
		if m.nodes != noNodes {
			of = append(of, m)
		}
	}
	if of == nil {
		return nil
	}
	chains := len(s.states)
	n := &nodes{Comparison: dic.New(s.compiled.Model, chains), of: of, kept: make([][]float64, chains)}
	for _, k := range of {
		if k.names == nil {
			k.names = n.Names()
			k.moments, k.weighted = [][]dic.Moments{make([]dic.Moments, len(k.names))}, make([]dic.Weighted, len(k.names))
		}
	}
	n.block = max(keptValues/(max(len(n.Cells()), 1)*chains), 1)
	return n
}

// begin makes room for a block of iterations.
func (n *nodes) begin(iterations int) {
	for c := range n.kept {
		n.kept[c] = slices.Grow(n.kept[c][:0], iterations*len(n.Cells()))
	}
}

// keep takes the nodes that are sampled from a chain.
func (n *nodes) keep(chain, iteration int, s *model.State) {
	if !n.due(iteration) {
		return
	}
	for _, c := range n.Cells() {
		n.kept[chain] = append(n.kept[chain], s.V[c])
	}
}

func (n *nodes) due(iteration int) bool {
	return slices.ContainsFunc(n.of, func(m *monitor) bool { return m.due(iteration) })
}

// compare looks at the iterations of a block, which come after one.
func (n *nodes) compare(after int, r *rand.Rand) {
	at := 0
	for iteration := after + 1; at < len(n.kept[0]); iteration++ {
		if !n.due(iteration) {
			continue
		}
		for c, kept := range n.kept {
			n.Set(c, func(k int) float64 { return kept[at+k] })
		}
		n.iteration(iteration, r)
		if at += len(n.Cells()); len(n.Cells()) == 0 {
			return
		}
	}
}

// iteration adds what one iteration says to the monitors that keep it.
func (n *nodes) iteration(iteration int, r *rand.Rand) {
	sum := 0.0
	if !slices.ContainsFunc(n.of, func(m *monitor) bool { return m.nodes.pairs() && m.due(iteration) }) {
		r = nil
	}
	n.Each(r, func(k int, one *dic.Node) {
		sum += one.Mean
		for _, m := range n.of {
			if !m.due(iteration) {
				continue
			}
			switch m.nodes {
			case pDMean:
				m.moments[0][k].Add(one.Mean)
			case poptMean:
				one.Weigh(&m.weighted[k])
			case devianceMean, waicMean:
				for _, lp := range one.LogP {
					m.moments[0][k].Add(lp)
				}
			}
		}
	})
	for _, m := range n.of {
		if m.nodes == pDTrace && m.due(iteration) {
			m.pooled = append(m.pooled, sum)
		}
	}
}

// table is what a mean monitor says of its nodes.
func (m *monitor) table() (values []float64) {
	for k := range m.names {
		one := m.moments[0][k]
		switch m.nodes {
		case poptMean:
			values = append(values, 2*m.weighted[k].Mean())
		case devianceMean:
			values = append(values, -2*one.Mean())
		case waicMean:
			values = append(values, one.Variance())
		default:
			values = append(values, one.Mean())
		}
	}
	return values
}
