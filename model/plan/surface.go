package plan

import (
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
	all   []model.Seg // rows whose density is told
	g     []float64
}

// Surface makes it of the plan's model. It is an error that a node is discrete, or one that has no gradient, which the error names.
func (p *Plan) Surface() (*Surface, error) {
	m := p.Model
	var rows []int32
	var cannot []string
	for _, row := range m.Unobserved() {
		if !m.Informed(row) {
			continue
		}
		if rows = append(rows, row); continuous(m, row) {
			continue
		}
		t, i := m.TemplateOf(row)
		name, _, _ := strings.Cut(m.CellName(t.Cells(i)[0]), "[")
		if what := fmt.Sprintf("%s (%s)", name, t.Stoch.Name); !slices.Contains(cannot, what) {
			cannot = append(cannot, what)
		}
	}
	switch {
	case len(cannot) > 0:
		return nil, fmt.Errorf("the density has no gradient by %s: a mode is found over continuous nodes alone. Give %s a value in the data, sum %s out in the model, or sample it, which moves every node",
			wording.Few(cannot, 5), wording.Word(len(cannot), "it", "each"), wording.Word(len(cannot), "it", "them"))
	case len(rows) == 0:
		return nil, fmt.Errorf("no data reach any node: there is no posterior to find the mode of")
	}
	f := &Surface{plan: p, block: newNUTSBlock(m, rows, nil).forChain(), all: m.DensityRows()}
	f.g = make([]float64, f.Dim())
	return f, nil
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
	f.block.density.Prepare(s)
	return u, nil
}

// Fork is the surface for another goroutine. The surface has had a Start.
func (f *Surface) Fork() *Surface {
	c := &Surface{Jacobian: f.Jacobian, plan: f.plan, block: f.block.forChain(), all: f.all, g: make([]float64, f.Dim())}
	c.block.s = f.plan.Model.NewState()
	copy(c.block.s.V, f.block.s.V)
	c.block.x.read(c.block.s, c.g, rand.New(rand.NewPCG(0, 0)))
	c.block.density.Prepare(c.block.s)
	return c
}

// LogDensity is −Inf where u stands for no values of positive density.
func (f *Surface) LogDensity(u []float64) float64 {
	jacobian := f.block.x.place(f.block.s, u)
	if !vec.Finite(jacobian) {
		return math.Inf(-1)
	}
	f.block.s.Run(f.block.det)
	lp := f.block.s.LogProb(f.block.stoch)
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
	if f.Jacobian {
		lp += jacobian
	}
	if !vec.Finite(lp) {
		return math.Inf(-1)
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

// Joint is the log density of all nodes and data at the state that Move left, constants included, of their values.
func (f *Surface) Joint() float64 { return f.block.s.LogProb(f.all) }

// Cells are those of the nodes.
func (f *Surface) Cells() []int32 { return f.block.cells }

// Owner is the cell of the node that number j of u stands for, or of the element that it has most to do with.
func (f *Surface) Owner(j int) (cell int32) {
	for _, t := range f.block.x.parts {
		n := t.size()
		if j >= n {
			j -= n
			continue
		}
		switch t := t.(type) {
		case *free:
			return t.cells[j]
		case *oneSided:
			return t.cells[j]
		case *twoSided:
			return t.cells[j]
		case *moving:
			return t.nodes[j].cell
		case *simplexNumbers:
			return t.cells[j+1]
		case *matrixNumbers:
			return t.cells[j]
		}
	}
	return f.block.cells[0]
}
