package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Plan says which kernel moves which nodes of a model. It is made once and
// makes each chain's own kernels.
type Plan struct {
	Model *model.Model
	Items []Item
	probe *model.State
	named map[int32]bool // rows that overrides name
}

// Item is one kernel of the plan.
type Item struct {
	Kernel string  // name of the kernel, as in samplers of summary.json
	Rows   []int32 // stochastic rows it moves
	make   func(c *chain) mcmc.Kernel[*model.State]
	// absorbed is set when another kernel draws these rows on its way.
	absorbed bool
}

// chain holds what the kernels of one chain share.
type chain struct {
	blocks map[*blockRows]*block
	glm    map[*blockRows]*glmBlock
}

// Override asks for a kernel by name for the nodes that Match selects.
type Override struct {
	Pattern string
	Kernel  string
	Match   func(name string) bool
	used    bool
}

// factory tries to build a kernel for a node; nil where it does not apply.
type factory struct {
	name string
	make func(n *node) mcmc.Kernel[*model.State]
}

// wrap turns a typed nil into none.
func wrap[K interface {
	comparable
	mcmc.Kernel[*model.State]
}](f func(n *node) K) func(n *node) mcmc.Kernel[*model.State] {
	return func(n *node) mcmc.Kernel[*model.State] {
		var none K
		k := f(n)
		if k == none {
			return nil
		}
		return k
	}
}

// factories lists the kernels in the order in which they are tried.
func factories() []factory {
	return []factory{
		{"conjugate-normal", wrap(newConjNormal)},
		{"conjugate-gamma", wrap(newConjGamma)},
		{"conjugate-beta", wrap(newConjBeta)},
		{"conjugate-dirichlet", wrap(newConjDirichlet)},
		{"conjugate-mnormal", wrap(newConjMNormal)},
		{"conjugate-wishart", wrap(newConjWishart)},
		{"enumerate", wrap(func(n *node) *enumerate { return newEnumerate(n, maxEnumerate) })},
		{"collapsed", wrap(newCollapsed)},
		{"adaptive", wrap(newAdaptive)},
		{"slice", wrap(newSlice)},
		{"elliptical-slice", wrap(newElliptical)},
		{"simplex-slice", wrap(newSimplexSlice)},
		// Never chosen before the ones above, but there for the asking.
		{"slice-doubling", wrap(newDoublingSlice)},
		{"metropolis", wrap(newWalk)},
		{"prior", wrap(newPrior)},
	}
}

// Kernels lists the names an override may ask for.
func Kernels() []string {
	var names []string
	for _, k := range factories() {
		names = append(names, k.name)
	}
	return names
}

// New plans a kernel for every unobserved node that data reach. Nodes are
// visited deepest first: those nearest to the data before their parents. Normal
// nodes that children connect are moved in blocks, unless an override names
// them.
func New(m *model.Model, over []*Override) (*Plan, error) {
	if err := verify(m); err != nil {
		return nil, err
	}
	p := &Plan{Model: m, named: map[int32]bool{}}
	order := m.Topological()
	slices.Reverse(order)
	var rows, free []int32
	for _, row := range order {
		t, i := m.TemplateOf(row)
		if t.Stoch == nil || m.Kinds[t.Cells(i)[0]] != model.Unobserved || !m.Informed(row) {
			continue
		}
		rows = append(rows, row)
		if findOverride(over, m.CellName(t.Cells(i)[0])) == nil {
			free = append(free, row)
		} else {
			p.named[row] = true
		}
	}
	taken := map[int32]bool{}
	var blocks []*blockRows
	for _, b := range findBlocks(m, free) {
		name := "block-normal"
		if !b.exact {
			name = "block-glm"
		}
		p.Items = append(p.Items, Item{Kernel: name, Rows: b.rows, make: b.kernel})
		for _, r := range b.rows {
			taken[r] = true
		}
		blocks = append(blocks, b)
	}
	for _, row := range rows {
		if taken[row] {
			continue
		}
		item, err := p.choose(row, over)
		if err != nil {
			return nil, err
		}
		p.Items = append(p.Items, item)
	}
	p.absorb()
	for _, b := range blocks {
		p.hyper(b, free, taken)
	}
	for _, o := range over {
		if !o.used {
			return nil, fmt.Errorf("plan.Override %s=%s names no unobserved node that data reach", o.Pattern, o.Kernel)
		}
	}
	return p, nil
}

// absorb marks nodes that a collapsed kernel draws on its way.
func (p *Plan) absorb() {
	drawn := map[int32]bool{}
	for _, it := range p.Items {
		if it.Kernel != "collapsed" {
			continue
		}
		for _, r := range newCollapsed(p.node(it.Rows[0])).rows() {
			drawn[r] = true
		}
	}
	for i := range p.Items {
		it := &p.Items[i]
		it.absorbed = len(it.Rows) == 1 && drawn[it.Rows[0]]
	}
}

// hyper adds joint moves of a block with nodes it depends on.
func (p *Plan) hyper(b *blockRows, rows []int32, taken map[int32]bool) {
	for _, n := range hyperNodes(p.Model, b, rows, taken) {
		p.Items = append(p.Items, Item{Kernel: "joint-with-block", Rows: []int32{n.row}, make: func(c *chain) mcmc.Kernel[*model.State] {
			return newHyperMove(c.blocks[b].own(), n, c.glm[b])
		}})
	}
}

func findOverride(over []*Override, name string) *Override {
	for _, o := range over {
		if o.Match(name) {
			return o
		}
	}
	return nil
}

func (p *Plan) choose(row int32, over []*Override) (Item, error) {
	m := p.Model
	t, i := m.TemplateOf(row)
	name := m.CellName(t.Cells(i)[0])
	n := p.node(row)
	if o := findOverride(over, name); o != nil {
		o.used = true
		return p.forced(n, o, name)
	}
	for _, k := range factories() {
		if p.serves(k.make(n)) {
			return p.item(k, n), nil
		}
	}
	return Item{}, &model.NodeError{Place: t.Place, Left: name, Msg: fmt.Sprintf("no sampler can move %s: there is none for %s with these children", name, t.Stoch.Name),
		Hint: "Give it data, or write the model with other distributions."}
}

// keepRows is the size of a blanket up to which its analysis is kept for the
// chains; larger ones are analysed again, to hold no memory in between.
const keepRows = 1 << 13

func (p *Plan) item(k factory, n *node) Item {
	it := Item{Kernel: k.name, Rows: []int32{n.row}}
	if model.Count(n.b.Stoch)+model.Count(n.b.Det) <= keepRows {
		n.analyse() // chains are made at the same time and share it
		it.make = func(*chain) mcmc.Kernel[*model.State] { return k.make(n) }
		return it
	}
	row := n.row
	it.make = func(*chain) mcmc.Kernel[*model.State] { return k.make(p.node(row)) }
	return it
}

func (p *Plan) node(row int32) *node {
	n := newNode(p.Model, row)
	n.named = p.named
	return n
}

// serves tells whether there is a kernel and, where it is that of an indirect
// beta node, whether its algebra holds at a start drawn for the purpose: a
// multiplier that is not an indicator breaks it.
func (p *Plan) serves(k mcmc.Kernel[*model.State]) bool {
	b, ok := k.(*conjBeta)
	if !ok || b.direct {
		return k != nil
	}
	if p.probe == nil {
		r := rng.New(0, "probe").Rand
		p.probe = p.Model.NewState()
		st := p.starter(nil, r)
		if st.draw(p.probe, 1) != nil {
			return true
		}
	}
	x := p.probe.V[b.n.cells[0]]
	_, _, ok = b.evidence(p.probe)
	b.n.set(p.probe, x)
	return ok
}

func (p *Plan) forced(n *node, o *Override, name string) (Item, error) {
	for _, k := range factories() {
		if k.name != o.Kernel {
			continue
		}
		if !p.serves(k.make(n)) {
			return Item{}, fmt.Errorf("plan.Override %s=%s: %s ~ %s does not allow it", o.Pattern, o.Kernel, name, n.dist())
		}
		return p.item(k, n), nil
	}
	return Item{}, fmt.Errorf("plan.Override %s=%s: there is no sampler %s; there are %s", o.Pattern, o.Kernel, o.Kernel, strings.Join(Kernels(), ", "))
}

// preparer is a kernel that computes constants from a complete state before
// its first step.
type preparer interface{ prepare(s *model.State) }

// Sweep is one iteration of a chain: every kernel of the plan once.
type Sweep struct {
	kernels []mcmc.Kernel[*model.State]
	adapt   []mcmc.Adapter[*model.State] // nil where a kernel does not adapt
	ready   bool
	iter    uint64
}

// Sweep makes the kernels of one chain.
func (p *Plan) Sweep() *Sweep {
	w := &Sweep{}
	c := &chain{blocks: map[*blockRows]*block{}, glm: map[*blockRows]*glmBlock{}}
	for _, it := range p.Items {
		if it.absorbed {
			continue
		}
		k := it.make(c)
		a, _ := k.(mcmc.Adapter[*model.State])
		w.kernels = append(w.kernels, k)
		w.adapt = append(w.adapt, a)
	}
	return w
}

// refreshEvery is how often logical cells that are kept up to date by adding
// increments are computed afresh, before rounding can build up.
const refreshEvery = 64

func (w *Sweep) begin(s *model.State) {
	if !w.ready {
		for _, k := range w.kernels {
			if p, ok := k.(preparer); ok {
				p.prepare(s)
			}
		}
		w.ready = true
	}
	if w.iter%refreshEvery == 0 {
		s.RunAllLive()
	}
	w.iter++
}

// Step moves every node once.
func (w *Sweep) Step(s *model.State, r *rand.Rand) mcmc.Info {
	w.begin(s)
	return w.total(func(i int) mcmc.Info { return w.kernels[i].Step(s, r) })
}

// Adapt moves every node once and lets kernels tune themselves.
func (w *Sweep) Adapt(s *model.State, r *rand.Rand, wu mcmc.Warmup) mcmc.Info {
	w.begin(s)
	return w.total(func(i int) mcmc.Info {
		if a := w.adapt[i]; a != nil {
			return a.Adapt(s, r, wu)
		}
		return w.kernels[i].Step(s, r)
	})
}

func (w *Sweep) total(step func(i int) mcmc.Info) mcmc.Info {
	out := mcmc.Info{Accepted: true}
	for i := range w.kernels {
		info := step(i)
		out.AcceptProb += info.AcceptProb
		out.Evals += info.Evals
	}
	if n := len(w.kernels); n > 0 {
		out.AcceptProb /= float64(n)
	}
	return out
}

// Freeze ends the warm-up of every kernel.
func (w *Sweep) Freeze() {
	for _, a := range w.adapt {
		if a != nil {
			a.Freeze()
		}
	}
}
