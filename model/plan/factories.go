package plan

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// factory makes kernels for nodes that no kernel moves yet.
type factory struct {
	names []string // of its kernels, for overrides to ask for
	takes string   // what those of several nodes need
	// cover adds kernels to the plan for as many of the nodes that are left as it can; they come deepest first.
	cover func(p *planner, rows []int32)
}

// factories lists all kernels, in the order in which nodes are offered to them and
// in which those of a sweep run.
func factories() []factory {
	return []factory{
		{nil, "", cuts},
		{nil, "", manyRowsEach},
		{nil, "", summedTogether},
		{nil, "", countsTogether},
		{nil, "", countedTogether},
		{nil, "", individualsTogether},
		{nil, "", processes},
		{[]string{blockNormal, blockGLM, blockVolatility}, "two or more normal nodes without T(,) whose common children depend on a sum of them", blocks},
		{[]string{ffbsName}, ffbsTakes, ffbsTogether},
		nodeByNode(
			single("conjugate-normal", newConjNormal),
			single("conjugate-gamma", newConjGamma),
			single("conjugate-beta", newConjBeta),
			single("conjugate-dirichlet", newConjDirichlet),
			single("conjugate-mnormal", newConjMNormal),
			single(truncatedName, newTruncatedMNormal),
			single("conjugate-wishart", newConjWishart),
			single(seatName, newSeat),
			single("enumerate", newEnumerate),
			single("collapsed", newCollapsed),
			single("adaptive", newAdaptiveAlone),
			single("slice", newSliceAlone),
			single("elliptical-slice", newElliptical),
			single("simplex-slice", newSimplexSlice),
			single(exchangeName, newExchange),
			// These, and nuts with its kin, come last for the asking; prior moves any node that is left, unless it is continuous: nuts takes it over.
			single("slice-doubling", newDoublingSlice),
			single("metropolis", newWalk),
			single(priorName, newPrior),
		),
		{byGradients(), nutsTakes, nutsTogether},
		{nil, "", trajectories},
		{nil, "", shifts},
		{nil, "", jointMoves},
		{nil, "", fieldMoves},
		{nil, "", jointAdaptives},
		{nil, "", jointHypers},
		{nil, "", normalMoves},
		{nil, "", indicators},
		{nil, "", stickLabels},
		{nil, "", splitMerges},
		{nil, "", pseudoPriors},
		{nil, "", movesAfterNUTS},
	}
}

// nodeKernel makes a kernel for a node; nil where it does not apply.
type nodeKernel struct {
	name string
	make func(n *node) kernel
}

// single names a constructor, whose nil becomes none.
func single[K interface {
	comparable
	kernel
}](name string, build func(n *node) K) nodeKernel {
	return nodeKernel{name, func(n *node) kernel {
		var none K
		if k := build(n); k != none {
			return k
		}
		return nil
	}}
}

// nodeByNode gives each node the first of some kernels that can move it, or the one that
// is asked for. All are tried on one node before the next, so that what is known of a large
// blanket is found once and let go. Parents come before children: a kernel that draws children
// on its way covers them.
func nodeByNode(list ...nodeKernel) factory {
	var f factory
	for _, k := range list {
		f.names = append(f.names, k.name)
	}
	f.cover = func(p *planner, rows []int32) {
		from := len(p.Items)
		for _, row := range slices.Backward(rows) {
			if !p.covered[row] {
				p.first(list, row)
			}
		}
		slices.Reverse(p.Items[from:])
	}
	return f
}

// probed is a kernel whose algebra may fail where only values show it: at the probe.
type probed interface {
	holds(probe func() *model.State) bool
}

// drawer is a kernel that draws other nodes from their full conditional after its own.
type drawer interface{ drawn() []int32 }

// first adds the first kernel of a list that can move a node.
func (p *planner) first(list []nodeKernel, row int32) {
	n := p.node(row)
	for _, k := range list {
		if o := p.asked[row]; o != nil && o.Kernel != k.name {
			continue
		}
		made := k.make(n)
		if made == nil {
			continue
		}
		if d, ok := made.(probed); ok && !d.holds(p.probe) {
			continue
		}
		it := Item{Kernel: k.name, Rows: []int32{row}, make: p.remake(k, n)}
		if d, ok := made.(drawer); ok {
			it.Rows = append(it.Rows, d.drawn()...)
			it.drawn = len(it.Rows) - 1
		}
		p.add(it)
		return
	}
}

// keepRows is the size of a blanket up to which it is kept for the chains, with the forms in it if making the kernel took them: chains are made at the same
// time and share it. Larger ones are found again, to hold no memory in between.
const keepRows = 1 << 13

// remake makes a node's kernel for each chain.
func (p *Plan) remake(k nodeKernel, n *node) func([]kernel) kernel {
	if model.Count(n.b.Stoch)+model.Count(n.b.Det) <= keepRows {
		return func([]kernel) kernel { return k.make(n) }
	}
	row := n.row
	return func([]kernel) kernel { return k.make(p.node(row)) }
}
