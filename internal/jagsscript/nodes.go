package jagsscript

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// nodeKind is a monitor of the observed nodes, as JAGS's module dic has them. With θ and θ′ of two chains, KL the divergence of a node's
// distribution under θ from that under θ′, and y its value (Plummer, Biostatistics 9, 2008):
//
//	pD        E KL(θ, θ′)
//	popt      2 E w KL(θ, θ′) / E w,  w = 1 / p(y | θ) p(y | θ′)
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

// node is an observed node.
type node struct {
	t     *model.Template
	i     int
	name  string
	value []float64
}

// nodes compares the observed nodes between chains: the nodes that are sampled are kept for a block of iterations, and looked at then.
type nodes struct {
	all     []node
	cells   []int32 // of the nodes that are sampled
	block   int     // iterations that are kept
	of      []*monitor
	kept    [][]float64    // by chain: the cells, an iteration after the other
	scratch []*model.State // by chain: the iteration that is looked at
	logp    []float64      // by chain: log p(y | θ) of a node
	params  [][]float64    // and its parameters
	kl      []float64      // by two chains
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
	m := s.compiled.Model
	n := &nodes{of: of}
	for _, row := range m.Unobserved() {
		if t, i := m.TemplateOf(row); m.Informed(row) {
			n.cells = append(n.cells, t.Cells(i)...)
		}
	}
	for _, g := range m.ObservedRows() {
		t := m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			one := node{t: t, i: i, name: m.CellName(t.Cells(i)[0])}
			for _, c := range t.Cells(i) {
				one.value = append(one.value, m.Init[c])
			}
			n.all = append(n.all, one)
		}
	}
	for _, k := range of {
		if k.names == nil {
			for _, one := range n.all {
				k.names = append(k.names, one.name)
			}
			k.moments, k.weighted = [][]moments{make([]moments, len(n.all))}, make([]weighted, len(n.all))
		}
	}
	chains := len(s.states)
	n.block = max(keptValues/(max(len(n.cells), 1)*chains), 1)
	n.kept, n.logp, n.params, n.kl = make([][]float64, chains), make([]float64, chains), make([][]float64, chains), make([]float64, chains*chains)
	for range s.states {
		n.scratch = append(n.scratch, m.NewState())
	}
	return n
}

// begin makes room for a block of iterations.
func (n *nodes) begin(iterations int) {
	for c := range n.kept {
		n.kept[c] = slices.Grow(n.kept[c][:0], iterations*len(n.cells))
	}
}

// keep takes the nodes that are sampled from a chain.
func (n *nodes) keep(chain, iteration int, s *model.State) {
	if !n.due(iteration) {
		return
	}
	for _, c := range n.cells {
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
		for c, s := range n.scratch {
			for k, cell := range n.cells {
				s.V[cell] = n.kept[c][at+k]
			}
			s.RunAllLive()
		}
		n.iteration(iteration, r)
		if at += len(n.cells); len(n.cells) == 0 {
			return
		}
	}
}

// iteration adds what one iteration says to the monitors that keep it.
func (n *nodes) iteration(iteration int, r *rand.Rand) {
	sum := 0.0
	pairs := slices.ContainsFunc(n.of, func(m *monitor) bool { return m.nodes.pairs() && m.due(iteration) })
	for k := range n.all {
		one := &n.all[k]
		for c, s := range n.scratch {
			n.logp[c] = s.LogProbRow(one.t, one.i)
		}
		d := 0.0
		if pairs {
			d = n.diverge(one, r)
			sum += d
		}
		for _, m := range n.of {
			if !m.due(iteration) {
				continue
			}
			switch m.nodes {
			case pDMean:
				m.moments[0][k].add(d)
			case poptMean:
				n.weigh(&m.weighted[k])
			case devianceMean, waicMean:
				for _, lp := range n.logp {
					m.moments[0][k].add(lp)
				}
			}
		}
	}
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
			values = append(values, 2*m.weighted[k].mean())
		case devianceMean:
			values = append(values, -2*one.mean)
		case waicMean:
			values = append(values, one.variance())
		default:
			values = append(values, one.mean)
		}
	}
	return values
}
