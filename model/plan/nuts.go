package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// mostMembers bounds the nodes that get it without being asked for: up to it the metric learns directions ([hmc.LowRank]) and trajectories stay short.
const mostMembers = 1000

// nuts moves continuous nodes, all at once, by the no-U-turn sampler or another kernel of package hmc. Their values are functions of unbounded numbers u, by the transforms of
// [newUnbounded], with the Jacobian in the density.
//
// The kernel is exact whatever the density is like: the leapfrog integrator is reversible and keeps volume for whatever function takes the gradient's place, and
// the density decides. Where logical functions step or have kinks (step, ifelse, round, max, sort), where a support closes upon itself, and at bounds that no transform knows,
// the gradient misses something, and trajectories are refused more often; nothing else is lost.
type nuts struct {
	name       string // of its kernel: nuts, where it is empty, or one of its kin
	rows       []int32
	cells      []int32
	at         spans // the same
	x          *unbounded
	forms      forms // of a chain
	field      *field
	det, stoch []model.Seg
	block      *model.Block
	density    *model.Evaluator  // of a chain
	out        []func() integral // discrete nodes that are summed out
	sums       []integral        // of a chain
	discrete   []summedOut

	s      *model.State // that it has moved last
	k      hamiltonian
	point  *mcmc.Point
	saved  []float64
	slopes []float64

	alone       bool // no other kernel moves anything: the point of a step is that which the one before has left
	whole       bool // the rows of the block are all that have a density
	lazy        bool // only recorded is computed after a step, and the other logical rows when somebody asks
	recorded    []model.Seg
	data        []int32
	dataAt      spans
	left        left
	logJacobian float64
}

// left says what a step leaves to the next.
type left struct {
	values  []float64 // of the cells
	data    []float64 // that they were left with
	known   bool      // whether the point has their numbers
	resumed bool      // the point came with the tuning
}

// nutsTakes says which nodes it can move.
const nutsTakes = "continuous nodes"

// nutsTogether makes one kernel for all nodes that ask for nuts, and one for those that ask for each of its kin; where something is cut, one on each side.
func nutsTogether(p *planner, rows []int32) {
	for _, name := range byGradients() {
		var members []int32
		for _, row := range rows {
			if o := p.asked[row]; o != nil && o.Kernel == name && continuous(p.Model, row) {
				members = append(members, row)
			}
		}
		if len(members) == 0 {
			continue
		}
		for _, side := range p.sidesOfCuts(members) {
			p.addByGradients(name, side, p.summedOut(side), "")
		}
	}
}

// addNUTS makes the kernel that nobody asked for.
func (p *planner) addNUTS(members []int32, out []summedOut, why string) {
	p.addByGradients(nutsName, members, out, why)
}

// summedOut are the discrete nodes that can be summed out of the density of some continuous ones.
func (p *planner) summedOut(members []int32) (out []summedOut) {
	c := p.summable(members, p.drawnAlone(ffbsName, "enumerate"))
	if c != nil {
		out = append(out, c)
	}
	if n := p.countable(members, p.drawnAlone("slice"), c); n != nil {
		out = append(out, n)
	}
	return out
}

// addByGradients makes a kernel; out are discrete nodes to be summed out. It tells why, where nobody asked.
func (p *planner) addByGradients(name string, members []int32, out []summedOut, why string) {
	block := newNUTSBlock(p.Model, members, out)
	block.name = name
	it := Item{Kernel: name, Rows: members, Why: why, block: block, make: func([]kernel) kernel { return block.forChain(len(p.Items) == 1) }}
	for _, c := range out {
		drawn := p.takeSummed(c)
		it.Rows, it.drawn = append(it.Rows, drawn...), it.drawn+len(drawn)
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

// newNUTSBlock analyses the nodes once for all chains. Discrete nodes of out are summed out.
func newNUTSBlock(m *model.Model, rows []int32, out []summedOut) *nuts {
	b := &nuts{rows: rows, discrete: out}
	for _, row := range rows {
		t, i := m.TemplateOf(row)
		b.cells = append(b.cells, t.Cells(i)...)
	}
	slices.Sort(b.cells)
	b.at = spansOf(b.cells)
	around := m.Blanket(b.cells)
	b.det = around.Det
	all := append(slices.Clone(rows), rowNumbers(m, around.Stoch)...)
	slices.Sort(all)
	all = slices.Compact(all)
	for _, c := range out {
		b.out = append(b.out, c.along(b.cells))
		all = slices.DeleteFunc(all, c.has)
		b.det = without(m, b.det, c.logic())
	}
	b.stoch, b.whole = runsOf(m, all), slices.Equal(all, rowNumbers(m, m.DensityRows()))
	b.data = dataOf(m, b.cells, b.det, b.stoch)
	b.dataAt = spansOf(b.data)
	b.x = newUnbounded(m, rows, b.det)
	b.block = m.NewBlock(b.cells, b.det, b.stoch)
	return b
}

// rowNumbers are the rows of runs, in order.
func rowNumbers(m *model.Model, segs []model.Seg) (rows []int32) {
	for k := range rowsOf(m, segs) {
		rows = append(rows, k.row())
	}
	slices.Sort(rows)
	return rows
}

// dataOf are the cells that rows read, or that have their densities, and that stand still while those given move: data, and what is computed from them.
func dataOf(m *model.Model, moving []int32, det, stoch []model.Seg) (cells []int32) {
	moves := map[int32]bool{}
	for _, c := range moving {
		moves[c] = true
	}
	for k := range rowsOf(m, det) {
		for _, c := range k.out {
			moves[c] = true
		}
	}
	for _, segs := range [][]model.Seg{det, stoch} {
		for k := range rowsOf(m, segs) {
			for _, c := range slices.Concat(k.in, k.out) {
				if m.Kinds[c] != model.Constant && !moves[c] {
					cells = append(cells, c)
				}
			}
		}
	}
	slices.Sort(cells)
	return slices.Compact(cells)
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

// forChain shares the analysis. Alone, no other kernel moves anything.
func (b *nuts) forChain(alone bool) *nuts {
	c := *b
	c.alone = alone && len(b.out) == 0
	c.x, c.density = b.x.forChain(), b.block.NewEvaluator()
	c.field = c.x.field
	c.sums = nil
	for _, along := range b.out {
		c.sums = append(c.sums, along())
	}
	for _, t := range c.x.parts {
		if h, ok := t.(*hierarchical); ok {
			c.forms.parts = append(c.forms.parts, h)
		}
	}
	c.begin()
	c.point, c.saved, c.left.values = &mcmc.Point{X: make([]float64, c.x.size)}, make([]float64, len(b.cells)), make([]float64, len(b.cells))
	c.slopes, c.left.data = make([]float64, c.x.size), make([]float64, len(b.data))
	return &c
}

// begin forgets what has been learnt of the numbers.
func (b *nuts) begin() {
	k, err := newHamiltonian(b.name, b, b.x.size)
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
	return lp + b.summed()
}

// Gradient is that of u. A derivative that is not finite counts as 0.
func (b *nuts) Gradient(u, grad []float64) float64 {
	lp := b.gradient(u, grad, false)
	if math.IsInf(lp, -1) || vec.Finite(columns.Sum(grad)) {
		return lp
	}
	lp = b.gradient(u, grad, true)
	for j, g := range grad {
		if !vec.Finite(g) {
			grad[j] = 0
		}
	}
	return lp
}

// gradient is that of u. Derivatives by values that are not finite are only told from others where that is asked for; those by u are not then either.
func (b *nuts) gradient(u, grad []float64, checked bool) float64 {
	lp := b.x.place(b.s, u)
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	if checked {
		lp += b.density.ValueGradient(b.s)
	} else {
		lp += b.density.Unchecked(b.s)
	}
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	if lp += b.summed(); !vec.Finite(lp) {
		return math.Inf(-1)
	}
	for _, c := range b.sums {
		c.slopes(b.s)
	}
	b.x.pull(b.s, u, grad)
	return lp
}

// summed is the log density of what is summed out.
func (b *nuts) summed() float64 {
	lp := 0.0
	for _, c := range b.sums {
		lp += c.value(b.s)
	}
	return lp
}

// move makes a step by the kernel's own.
func (b *nuts) move(s *model.State, r *rand.Rand, step func() mcmc.Info) mcmc.Info {
	same := b.s == s
	b.s = s
	b.values(b.saved)
	if !same || !b.left.known || !columns.Equal(b.saved, b.left.values) || !b.sameData() {
		b.enter(r)
	}
	info := step()
	if info.Accepted {
		b.logJacobian = b.x.place(s, b.point.X)
	} else {
		b.restore()
	}
	if b.left.known = b.alone; b.alone {
		b.values(b.left.values)
	}
	if b.lazy {
		s.Run(b.recorded)
		s.Defer(b.det)
	} else {
		s.Run(b.det)
	}
	for _, c := range b.sums {
		c.finish(s, r)
	}
	return info
}

// sameData tells whether all data that the density depends on are what they were.
func (b *nuts) sameData() bool { return b.dataAt.same(b.s.V, b.left.data) }

func (b *nuts) values(x []float64) { b.at.gather(x, b.s.V) }

// restore takes the cells back to where they were before the step.
func (b *nuts) restore() { b.at.scatter(b.s.V, b.saved) }

// record tells which logical rows are read after each step: where nothing else reads any, the others are computed when somebody asks.
func (b *nuts) record(m *model.Model, read map[int32]bool) {
	if b.lazy = b.alone && b.whole; !b.lazy {
		return
	}
	var rows []int32
	for k := range rowsOf(m, b.det) {
		if read[k.row()] {
			rows = append(rows, k.row())
		}
	}
	b.recorded = m.LogicalSegs(rows)
}

// enter finds the numbers of a state that the kernel has not left itself, or not in this process.
func (b *nuts) enter(r *rand.Rand) {
	b.s.Settle()
	if !b.left.resumed || !b.resume() {
		b.x.read(b.s, b.point.X, r)
		b.logJacobian = b.x.place(b.s, b.point.X)
		b.restore()
	}
	b.left.resumed = false
	b.dataAt.gather(b.left.data, b.s.V)
	b.density.Prepare(b.s)
	for _, c := range b.sums {
		c.begin(b.s)
	}
	b.point.LogP = math.NaN() // other kernels may have changed what it depends on
}

// resume takes the numbers that came with the tuning, where they are those of the state: what is read from values differs from them by rounding.
func (b *nuts) resume() bool {
	x := slices.Clone(b.point.X)
	b.x.read(b.s, b.point.X, rand.New(rand.NewPCG(0, 0))) // fixes what does not change in a step, and leaves the chain's numbers alone
	copy(b.point.X, x)
	b.logJacobian = b.x.place(b.s, x)
	b.values(b.left.values)
	b.restore()
	return slices.Equal(b.saved, b.left.values)
}

// Step moves the nodes.
func (b *nuts) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return b.move(s, r, func() mcmc.Info { return b.k.Step(b.point, r) })
}

// Adapt moves the nodes and tunes.
func (b *nuts) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	if b.field != nil && w.Iteration == 0 && len(b.out) == 0 {
		s.Settle()
		b.field.climb(s, b, r)
		b.left.known = false
	}
	begun := b.forms.from
	if b.field != nil {
		begun = max(begun, b.field.from)
	}
	since := mcmc.Warmup{Iteration: w.Iteration - begun, Total: w.Total - begun}
	info := b.move(s, r, func() mcmc.Info {
		info := b.k.Adapt(b.point, r, since)
		if b.forms.learning(w) && vec.Finite(b.Gradient(b.point.X, b.slopes)) {
			info.Evals++
			b.forms.learn(s)
		}
		if watch, curve := b.field.watching(w); watch && vec.Finite(b.Gradient(b.point.X, b.slopes)) {
			s.Run(b.det)
			info.Evals += 1 + b.field.learn(s, curve)
		}
		return info
	})
	if b.field.settle(s, w) {
		b.begin()
		b.left.known = false
	}
	if b.forms.settle(w) {
		b.begin()
		b.left.known = false
	}
	return info
}

// Freeze ends the tuning.
func (b *nuts) Freeze() { b.k.Freeze() }

// Statistic tells of the last trajectory.
func (b *nuts) Statistic(name string) (float64, bool) { return b.k.Statistic(name) }

// LastLogDensity is that of all nodes and data where the kernel has moved the state last and they are all its own.
func (b *nuts) LastLogDensity(s *model.State) (lp float64, ok bool) {
	lp = b.point.LogP - b.logJacobian
	return lp, b.alone && b.whole && b.left.known && b.s == s && vec.Finite(lp)
}

// MarshalBinary writes the tuning, and the point where the next step begins there.
func (b *nuts) MarshalBinary() ([]byte, error) {
	known := 0.0
	if b.left.known || b.left.resumed {
		known = 1
	}
	all := b.forms.marshal()
	if b.field != nil {
		all = append(all, b.field.marshal()...)
	}
	all = append(all, putFloats(known)...)
	if known > 0 {
		all = append(all, putFloats(b.point.X...)...)
	}
	own, err := b.k.MarshalBinary()
	return append(all, own...), err
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (b *nuts) UnmarshalBinary(x []byte) error {
	own, err := b.forms.unmarshal(x)
	if err != nil {
		return err
	}
	if b.field != nil {
		if own, err = b.field.unmarshal(own); err != nil {
			return err
		}
	}
	var known float64
	if len(own) < 8 {
		return errTuning
	}
	if err := getFloats(own[:8], &known); err != nil {
		return err
	}
	own = own[8:]
	b.left.known, b.left.resumed = false, known > 0
	if b.left.resumed {
		n := 8 * len(b.point.X)
		if len(own) < n {
			return errTuning
		}
		for j := range b.point.X {
			if err := getFloats(own[8*j:8*j+8], &b.point.X[j]); err != nil {
				return err
			}
		}
		own = own[n:]
	}
	return b.k.UnmarshalBinary(own)
}
