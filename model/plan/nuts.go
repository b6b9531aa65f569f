package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const nutsName = "nuts"

// mostMembers bounds the nodes that get it without being asked for: up to it the metric learns directions ([hmc.LowRank]) and trajectories stay short.
const mostMembers = 1000

// nuts moves continuous nodes, all at once, by the no-U-turn sampler. Their values are functions of unbounded numbers u, by the transforms of
// [newUnbounded], with the Jacobian in the density.
//
// The kernel is exact whatever the density is like: the leapfrog integrator is reversible and keeps volume for whatever function takes the gradient's place, and
// the density decides. Where logical functions step or have kinks (step, ifelse, round, max, sort), where a support closes upon itself, and at bounds that no transform knows,
// the gradient misses something, and trajectories are refused more often; nothing else is lost.
type nuts struct {
	rows       []int32
	cells      []int32
	x          *unbounded
	forms      forms // of a chain
	det, stoch []model.Seg
	block      *model.Block
	density    *model.Evaluator // of a chain
	chains     *summed          // discrete nodes that are summed out, or nil
	sum        *sumOut          // of a chain

	s     *model.State // while it moves
	k     *hmc.NUTS
	point *mcmc.Point
	saved []float64

	slopes []float64
}

// nutsTakes says which nodes it can move.
const nutsTakes = "continuous nodes"

// nutsTogether makes one kernel for all nodes that ask for it.
func nutsTogether(p *planner, rows []int32) {
	var members []int32
	for _, row := range rows {
		if o := p.asked[row]; o != nil && o.Kernel == nutsName && continuous(p.Model, row) {
			members = append(members, row)
		}
	}
	if len(members) == 0 {
		return
	}
	p.addNUTS(members, p.summable(members, p.drawnAlone()), "")
}

// addNUTS makes the kernel; c are discrete nodes to be summed out, or nil. It tells why, where nobody asked.
func (p *planner) addNUTS(members []int32, c *chains, why string) {
	block := newNUTSBlock(p.Model, members, c)
	it := Item{Kernel: nutsName, Rows: members, Why: why, make: func([]kernel) kernel { return block.forChain() }}
	if c != nil {
		drawn := p.takeSummed(c)
		it.Rows, it.drawn = append(it.Rows, drawn...), len(drawn)
	}
	p.add(it)
}

// continuous tells whether nuts can move a node.
func continuous(m *model.Model, row int32) bool {
	t, i := m.TemplateOf(row)
	if t.Stoch.Scalar != nil {
		return !t.Stoch.Scalar.Discrete
	}
	switch t.Stoch.Name {
	case "dmnorm", "dmnorm.vcov", "dmt", "dwish":
		return true
	case "ddirch":
		return len(shares(m, t, i)) > 1
	}
	return false
}

// HasTrajectories tells whether a kernel of the plan has steps that diverge, tree depths, energies and step sizes.
func (p *Plan) HasTrajectories() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return it.Kernel == nutsName })
}

// newNUTSBlock analyses the nodes once for all chains. The discrete nodes of c, unless it is nil, are summed out.
func newNUTSBlock(m *model.Model, rows []int32, c *chains) *nuts {
	b := &nuts{rows: rows}
	for _, row := range rows {
		t, i := m.TemplateOf(row)
		b.cells = append(b.cells, t.Cells(i)...)
	}
	around := m.Blanket(b.cells)
	b.det = around.Det
	all := slices.Clone(rows)
	for k := range rowsOf(m, around.Stoch) {
		all = append(all, k.row())
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if c != nil {
		b.chains = c.by(b.cells)
		all = slices.DeleteFunc(all, c.has)
		b.det = without(m, b.det, c.det)
	}
	b.stoch = runsOf(m, all)
	b.x = newUnbounded(m, rows, b.det)
	b.block = m.NewBlock(b.cells, b.det, b.stoch)
	return b
}

// runsOf joins neighbours of one template among rows that are in order.
func runsOf(m *model.Model, rows []int32) (segs []model.Seg) {
	for _, row := range rows {
		next := m.Seg(row)
		if n := len(segs); n > 0 && segs[n-1].T == next.T && segs[n-1].Hi == next.Lo {
			segs[n-1].Hi = next.Hi
			continue
		}
		segs = append(segs, next)
	}
	return segs
}

// forChain shares the analysis.
func (b *nuts) forChain() *nuts {
	c := *b
	c.x, c.density = b.x.forChain(), b.block.NewEvaluator()
	if b.chains != nil {
		c.sum = newSumOut(b.chains, b.cells)
	}
	for _, t := range c.x.parts {
		if h, ok := t.(*hierarchical); ok {
			c.forms.parts = append(c.forms.parts, h)
		}
	}
	c.begin()
	c.point, c.saved = &mcmc.Point{X: make([]float64, c.x.size)}, make([]float64, len(b.cells))
	c.slopes = make([]float64, c.x.size)
	return &c
}

// begin forgets what has been learnt of the numbers.
func (b *nuts) begin() {
	k, err := hmc.NewNUTS(b, b.x.size, hmc.Settings{})
	if err != nil {
		panic(err) // the settings are the usual ones
	}
	b.k = k
}

// LogDensity is that of u: a number or −Inf.
func (b *nuts) LogDensity(u []float64) float64 {
	lp := b.x.place(b.s, u)
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	b.s.Run(b.det)
	if lp += b.s.LogProb(b.stoch); !vec.Finite(lp) {
		return math.Inf(-1)
	}
	if b.sum != nil {
		lp += b.sum.now.value(b.s)
	}
	return lp
}

// Gradient is that of u. A derivative that is not finite counts as 0.
func (b *nuts) Gradient(u, grad []float64) float64 {
	lp := b.x.place(b.s, u)
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	if lp += b.density.ValueGradient(b.s); !vec.Finite(lp) {
		return math.Inf(-1)
	}
	if b.sum != nil {
		if lp += b.sum.now.value(b.s); !vec.Finite(lp) {
			return math.Inf(-1)
		}
		b.sum.now.slopes(b.s)
	}
	b.x.pull(b.s, u, grad)
	for j, g := range grad {
		if !vec.Finite(g) {
			grad[j] = 0
		}
	}
	return lp
}

// move makes a step by the kernel's own.
func (b *nuts) move(s *model.State, r *rand.Rand, step func() mcmc.Info) mcmc.Info {
	b.s = s
	for j, c := range b.cells {
		b.saved[j] = s.V[c]
	}
	b.x.read(s, b.point.X, r)
	b.density.Prepare(s)
	if b.sum != nil {
		b.sum.begin(s)
	}
	b.point.LogP = math.NaN() // other kernels may have changed what it depends on
	info := step()
	if info.Accepted {
		b.x.place(s, b.point.X)
	} else {
		for j, c := range b.cells {
			s.V[c] = b.saved[j]
		}
	}
	s.Run(b.det)
	if b.sum != nil {
		b.sum.now.finish(s, r)
	}
	return info
}

// Step moves the nodes.
func (b *nuts) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return b.move(s, r, func() mcmc.Info { return b.k.Step(b.point, r) })
}

// Adapt moves the nodes and tunes.
func (b *nuts) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	since := mcmc.Warmup{Iteration: w.Iteration - b.forms.from, Total: w.Total - b.forms.from}
	info := b.move(s, r, func() mcmc.Info {
		info := b.k.Adapt(b.point, r, since)
		if b.forms.learning(w) && vec.Finite(b.Gradient(b.point.X, b.slopes)) {
			info.Evals++
			b.forms.learn(s)
		}
		return info
	})
	if b.forms.settle(w) {
		b.begin()
	}
	return info
}

// Freeze ends the tuning.
func (b *nuts) Freeze() { b.k.Freeze() }

// Statistic tells of the last trajectory.
func (b *nuts) Statistic(name string) (float64, bool) { return b.k.Statistic(name) }

// MarshalBinary writes the tuning.
func (b *nuts) MarshalBinary() ([]byte, error) {
	own, err := b.k.MarshalBinary()
	return append(b.forms.marshal(), own...), err
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (b *nuts) UnmarshalBinary(x []byte) error {
	own, err := b.forms.unmarshal(x)
	if err != nil {
		return err
	}
	return b.k.UnmarshalBinary(own)
}
