package plan

import (
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Plan says which kernel moves which nodes of a model. It is made once and
// makes each chain's own kernels.
type Plan struct {
	Model  *model.Model
	Items  []Item
	asked  map[int32]*Override // by the rows that they name
	climbs *climbs             // nil for none
}

// Item is one kernel of the plan.
type Item struct {
	Kernel  string      // name of the kernel, as in samplers of summary.json
	Rows    []int32     // stochastic rows it moves
	Why     string      // it and not another, where there was a choice
	squares *logSquares // of a blockVolatility
	block   *nuts       // of trajectories
	drawn   int         // how many of them, the last, it draws from their full conditional after its own node
	make    func(before []kernel) kernel
}

// kernel moves the nodes of an item. A chain's kernels are made one after the other, each
// told those before it.
type kernel = mcmc.Kernel[*model.State]

// planner is a plan while it is made.
type planner struct {
	*Plan
	rows    []int32 // nodes to move, deepest first
	covered []bool  // rows that a kernel moves
	blocks  []int   // items that are blocks
	apart   []int32 // nodes in none of them that no override names
	// probe is a start drawn to look at; nil where none could be drawn.
	probe func() *model.State
	// switches are found when the nodes have their own kernels.
	switches func() []switched
}

// New plans a kernel for every unobserved node that data reach: each factory
// covers what it can of the nodes that those before it have left.
func New(m *model.Model, over []*Override) (*Plan, error) {
	if err := verify(m); err != nil {
		return nil, err
	}
	p := newPlanner(m)
	if err := p.ask(over); err != nil {
		return nil, err
	}
	for _, f := range factories() {
		f.cover(p, p.open(f.names))
	}
	if err := p.unmet(); err != nil {
		return nil, err
	}
	p.climbs = p.findClimbs()
	return p.Plan, nil
}

func newPlanner(m *model.Model) *planner {
	p := &planner{Plan: &Plan{Model: m, asked: map[int32]*Override{}}, covered: make([]bool, m.Rows())}
	order := m.Topological()
	for _, row := range slices.Backward(order) {
		if t, i := m.TemplateOf(row); t.Stoch != nil && m.Kinds[t.Cells(i)[0]] == model.Unobserved && m.Informed(row) {
			p.rows = append(p.rows, row)
		}
	}
	p.switches = sync.OnceValue(p.findSwitches)
	p.probe = sync.OnceValue(func() *model.State {
		s := m.NewState()
		if p.starter(nil, rng.New(0, "probe").Rand).draw(s, 1) != nil {
			return nil
		}
		return s
	})
	return p
}

// open are the nodes left to cover, without those that an override wants moved by a kernel of another name.
func (p *planner) open(names []string) []int32 {
	var rows []int32
	for _, r := range p.rows {
		if o := p.asked[r]; !p.covered[r] && (o == nil || slices.Contains(names, o.Kernel)) {
			rows = append(rows, r)
		}
	}
	return rows
}

func (p *planner) add(it Item) {
	p.Items = append(p.Items, it)
	for _, r := range it.Rows {
		p.covered[r] = true
	}
}

func (p *Plan) node(row int32) *node {
	n := newNode(p.Model, row)
	n.asked = p.asked
	return n
}
