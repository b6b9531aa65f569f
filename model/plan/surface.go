package plan

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// Surface is the joint log density of all nodes that data reach, as a function of unbounded numbers u that stand for them: the values themselves,
// logarithms and logits between bounds, and what the transforms of nuts are for shares, matrices and bounds that move. It is an hmc.Target, and belongs to one goroutine.
type Surface struct {
	// Jacobian says that the density is that of u, with log |dx/du|: the posterior's, for integrals. Without it the density is that of the values, whose mode does
	// not depend on the transforms.
	Jacobian bool

	plan  *Plan
	block *nuts
	rest  []model.Seg // rows whose density does not change with u
	g     []float64
}

// Surface makes it of the plan's model. Discrete nodes are summed out where a finite sum's structure allows. It is an error that a node is left that has no
// gradient, which the error names.
func (p *Plan) Surface() (*Surface, error) {
	m := p.Model
	var rows, discrete []int32
	for _, row := range m.Unobserved() {
		if t, i := m.TemplateOf(row); m.IsCut(row) {
			return nil, fmt.Errorf("%s is a cut: the model has no joint posterior, and so no mode. Sample it", m.CellName(t.Cells(i)[0]))
		}
		switch {
		case !m.Informed(row):
		case continuous(m, row):
			rows = append(rows, row)
		default:
			discrete = append(discrete, row)
		}
	}
	if len(rows)+len(discrete) == 0 {
		return nil, errors.New("no data reach any node: there is no posterior to find the mode of")
	}
	out, left := sumsOver(m, rows, discrete)
	if len(left) > 0 || len(rows) == 0 {
		return nil, noGradient(m, left)
	}
	f := &Surface{plan: p, block: newNUTSBlock(m, rows, out).forChain(false)}
	in := map[int32]bool{}
	for k := range rowsOf(m, f.block.stoch) {
		in[k.row()] = true
	}
	var rest []int32
	for k := range rowsOf(m, m.DensityRows()) {
		if row := k.row(); !in[row] && !slices.ContainsFunc(out, func(c summedOut) bool { return c.has(row) }) {
			rest = append(rest, row)
		}
	}
	slices.Sort(rest)
	f.rest, f.g = runsOf(m, rest), make([]float64, f.Dim())
	return f, nil
}

// sumsOver finds the sums over discrete nodes, and the nodes that are left: those over which a sum is too large, and those of which the support of another node depends.
func sumsOver(m *model.Model, members, discrete []int32) (out []summedOut, left []int32) {
	if len(discrete) == 0 {
		return nil, nil
	}
	var rows, cells []int32
	for _, row := range slices.Backward(m.Topological()) { // the deepest first
		if slices.Contains(discrete, row) {
			rows = append(rows, row)
		}
	}
	good := map[int32]bool{}
	c := chainsOf(m, rows, func(int32) bool { return true }, true)
	if c != nil {
		out = append(out, c)
		for _, n := range c.nodes {
			good[n.row] = true
		}
		for _, row := range members {
			t, i := m.TemplateOf(row)
			cells = append(cells, t.Cells(i)...)
		}
		around := m.Blanket(cells)
		c.eachLink(func(row, v int32) {
			t, i := m.TemplateOf(row)
			if slices.Contains(members, row) && !fixedSupport(m, t, i) || t.Stoch.Interval && contains(m, around.Stoch, row) {
				good[c.nodes[v].row] = false
			}
		})
	}
	if n := latentCounts(m, rows, func(d int32) bool { return c != nil && c.has(d) }); n != nil {
		out = append(out, n)
		for _, row := range n.nodeRows() {
			good[row] = true
		}
	}
	for _, row := range discrete {
		if !good[row] {
			left = append(left, row)
		}
	}
	return out, left
}

// noGradient names nodes.
func noGradient(m *model.Model, rows []int32) error {
	var names []string
	for _, row := range rows {
		t, i := m.TemplateOf(row)
		name, _, _ := strings.Cut(m.CellName(t.Cells(i)[0]), "[")
		if what := fmt.Sprintf("%s (%s)", name, t.Stoch.Name); !slices.Contains(names, what) {
			names = append(names, what)
		}
	}
	if len(names) == 0 {
		return errors.New("all nodes are discrete: there is no mode to climb to; sample the model, which visits their values")
	}
	return fmt.Errorf("the density has no gradient by %s, nor can %s be summed out: a mode is found over continuous nodes. Give %s a value in the data, or sample the model, which moves every node",
		wording.Few(names, 5), wording.Word(len(names), "it", "they"), wording.Word(len(names), "it", "each"))
}

// Dim is how many numbers u is.
func (f *Surface) Dim() int { return f.block.x.size }

// Start finds a start as [Plan.StartApart] does, and its u.
func (f *Surface) Start(given model.Inits, at mcmc.Place, r *rand.Rand) ([]float64, error) {
	s, err := f.plan.StartApart(given, at, r)
	if err != nil {
		return nil, err
	}
	u := make([]float64, f.Dim())
	f.block.s = s
	f.block.x.read(s, u, r)
	f.ready()
	return u, nil
}

// Fork is the surface for another goroutine. The surface has had a Start.
func (f *Surface) Fork() *Surface {
	c := &Surface{Jacobian: f.Jacobian, plan: f.plan, block: f.block.forChain(false), rest: f.rest, g: make([]float64, f.Dim())}
	c.block.s = f.plan.Model.NewState()
	copy(c.block.s.V, f.block.s.V)
	c.block.x.read(c.block.s, c.g, rand.New(rand.NewPCG(0, 0)))
	c.ready()
	return c
}

// ready prepares what evaluates the density at the state of the block.
func (f *Surface) ready() {
	f.block.density.Prepare(f.block.s)
	for _, c := range f.block.sums {
		c.begin(f.block.s)
	}
}

// LogDensity is −Inf where u stands for no values of positive density.
func (f *Surface) LogDensity(u []float64) float64 {
	jacobian := f.block.x.place(f.block.s, u)
	if !vec.Finite(jacobian) {
		return math.Inf(-1)
	}
	f.block.s.Run(f.block.det)
	lp := f.block.s.LogProb(f.block.stoch)
	lp += f.block.summed()
	if f.Jacobian {
		lp += jacobian
	}
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	return lp
}

// Gradient is that of LogDensity.
func (f *Surface) Gradient(u, grad []float64) float64 {
	b := f.block
	jacobian := b.x.place(b.s, u)
	if !vec.Finite(jacobian) {
		return math.Inf(-1)
	}
	lp := b.density.ValueGradient(b.s)
	if vec.Finite(lp) {
		lp += b.summed()
	}
	if f.Jacobian {
		lp += jacobian
	}
	if !vec.Finite(lp) {
		return math.Inf(-1)
	}
	for _, c := range b.sums {
		c.slopes(b.s)
	}
	b.x.pull(b.s, u, grad)
	if !f.Jacobian { // what is pulled from derivatives of zero is the Jacobian's
		clear(b.s.A)
		b.x.pull(b.s, u, f.g)
		for j, g := range f.g {
			grad[j] -= g
		}
	}
	for j, g := range grad {
		if !vec.Finite(g) {
			grad[j] = 0
		}
	}
	return lp
}

// Move brings the state to u, with all that is computed from it, and returns it: it changes with the next call of a method.
func (f *Surface) Move(u []float64) *model.State {
	f.block.x.place(f.block.s, u)
	f.block.s.Run(f.block.det)
	return f.block.s
}

// Draw is Move, with the nodes that are summed out drawn from their distribution there.
func (f *Surface) Draw(u []float64, r *rand.Rand) *model.State {
	s := f.Move(u)
	for _, c := range f.block.sums {
		c.finish(s, r)
	}
	return s
}

// Joint is the log density of all nodes and data, of their values, constants included, at u.
func (f *Surface) Joint(u []float64) float64 {
	was := f.Jacobian
	defer func() { f.Jacobian = was }()
	f.Jacobian = false
	return f.LogDensity(u) + f.block.s.LogProb(f.rest)
}

// Cells are those of the nodes.
func (f *Surface) Cells() []int32 { return f.block.cells }

// Owner is the cell of the node that number j of u stands for, or of the element that it has most to do with.
func (f *Surface) Owner(j int) (cell int32) {
	parts := f.block.x.parts
	for ; j >= parts[0].size(); parts = parts[1:] {
		j -= parts[0].size()
	}
	return parts[0].owner(j)
}
