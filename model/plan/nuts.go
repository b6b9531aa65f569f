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

// nuts moves the nodes that overrides ask it for, all at once, by the no-U-turn sampler. Their values are functions of unbounded numbers u:
// x = lo + eᵘ, hi − eᵘ or lo + (hi − lo)/(1 + e⁻ᵘ) between bounds that do not move, and u elsewhere, with the Jacobian in the density. Bounds that move, by
// other nodes, and values that logical functions step at are met as densities of zero, or with gradients that miss them: the kernel stays exact, as
// the leapfrog integrator is reversible and keeps volume for whatever function takes the gradient's place.
type nuts struct {
	rows       []int32
	cells      []int32
	lo, hi     []float64 // of each cell
	cut        []cutCell
	det, stoch []model.Seg
	grad       *model.Gradient

	s     *model.State // while it moves
	k     *hmc.NUTS
	point *mcmc.Point
	saved []float64
}

// cutCell is a cell that data say to be in an interval: lo and hi are its bounds without them.
type cutCell struct {
	at     int // in cells
	lo, hi float64
	kids   []child
}

// nutsTakes says which nodes it can move.
const nutsTakes = "continuous nodes: of one number, or multivariate normal or t"

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
	block := newNUTSBlock(p.Model, members)
	p.add(Item{Kernel: nutsName, Rows: members, make: func([]kernel) kernel { return block.forChain() }})
}

func continuous(m *model.Model, row int32) bool {
	t, _ := m.TemplateOf(row)
	if t.Stoch.Scalar != nil {
		return !t.Stoch.Scalar.Discrete
	}
	return slices.Contains([]string{"dmnorm", "dmnorm.vcov", "dmt"}, t.Stoch.Name)
}

// HasTrajectories tells whether a kernel of the plan has steps that diverge, tree depths, energies and step sizes.
func (p *Plan) HasTrajectories() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return it.Kernel == nutsName })
}

// newNUTSBlock analyses the nodes once for all chains.
func newNUTSBlock(m *model.Model, rows []int32) *nuts {
	b := &nuts{rows: rows}
	for _, row := range rows {
		t, i := m.TemplateOf(row)
		lo, hi := math.Inf(-1), math.Inf(1)
		if t.Stoch.Scalar != nil {
			lo, hi = fixedBounds(m, t, i)
			if kids := censored(m, t, i); len(kids) > 0 {
				b.cut = append(b.cut, cutCell{len(b.cells), lo, hi, kids})
			}
		}
		for _, c := range t.Cells(i) {
			b.cells, b.lo, b.hi = append(b.cells, c), append(b.lo, lo), append(b.hi, hi)
		}
	}
	around := m.Blanket(b.cells)
	b.det = around.Det
	seen := map[int32]bool{}
	all := slices.Clone(rows)
	for k := range rowsOf(m, around.Stoch) {
		all = append(all, k.row())
	}
	slices.Sort(all)
	for _, row := range all {
		if seen[row] {
			continue
		}
		seen[row] = true
		next := m.Seg(row)
		if n := len(b.stoch); n > 0 && b.stoch[n-1].T == next.T && b.stoch[n-1].Hi == next.Lo {
			b.stoch[n-1].Hi = next.Hi
			continue
		}
		b.stoch = append(b.stoch, next)
	}
	b.grad = m.NewGradient(b.det, b.stoch)
	return b
}

// fixedBounds are the support of a node and its T(,) as far as constants and data say, and infinite where they do not.
func fixedBounds(m *model.Model, t *model.Template, i int) (lo, hi float64) {
	lo, hi = m.FixedBounds(t, i)
	if math.IsNaN(lo) {
		lo = math.Inf(-1)
	}
	if math.IsNaN(hi) {
		hi = math.Inf(1)
	}
	return lo, hi
}

// censored finds the observed dinterval children of a scalar node, with cut points that are data.
func censored(m *model.Model, t *model.Template, i int) (kids []child) {
	c := t.Cells(i)[0]
	moves := func(c int32) bool { return m.Kinds[c] == model.Unobserved || m.Kinds[c] == model.Logical }
	for k := range rowsOf(m, m.Children(c)) {
		if k.t.Stoch != nil && k.t.Stoch.Interval && k.in[0] == c && m.Kinds[k.out[0]] == model.Observed && !slices.ContainsFunc(k.in[1:], moves) {
			kids = append(kids, k)
		}
	}
	return kids
}

// forChain shares the analysis.
func (b *nuts) forChain() *nuts {
	c := *b
	n := len(b.cells)
	k, err := hmc.NewNUTS(&c, n, hmc.Settings{})
	if err != nil {
		panic(err) // the settings are the usual ones
	}
	c.k, c.point, c.saved = k, &mcmc.Point{X: make([]float64, n)}, make([]float64, n)
	c.lo, c.hi = slices.Clone(b.lo), slices.Clone(b.hi)
	return &c
}

// LogDensity is that of u.
func (b *nuts) LogDensity(u []float64) float64 {
	jacobian := b.place(u)
	return b.s.LogProb(b.stoch) + jacobian
}

// Gradient is that of u.
func (b *nuts) Gradient(u, grad []float64) float64 {
	lp := b.LogDensity(u)
	if !vec.Finite(lp) {
		return lp
	}
	b.grad.At(b.s)
	for j, c := range b.cells {
		slope, lo, hi := b.s.A[c], b.lo[j], b.hi[j]
		switch low, high := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
		case low && high:
			p := vec.Ilogit(u[j])
			grad[j] = float64(slope*float64((hi-lo)*float64(p*(1-p)))) + 1 - float64(2*p)
		case low:
			grad[j] = float64(slope*vec.Exp(u[j])) + 1
		case high:
			grad[j] = 1 - float64(slope*vec.Exp(u[j]))
		default:
			grad[j] = slope
		}
	}
	return lp
}

// place moves the nodes to u and returns the log Jacobian.
func (b *nuts) place(u []float64) (jacobian float64) {
	for j, c := range b.cells {
		x, lo, hi := u[j], b.lo[j], b.hi[j]
		switch low, high := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
		case low && high:
			jacobian += vec.Log(hi-lo) - vec.Log1pExp(-x) - vec.Log1pExp(x)
			x = lo + float64((hi-lo)*vec.Ilogit(x))
		case low:
			jacobian += x
			x = lo + vec.Exp(x)
		case high:
			jacobian += x
			x = hi - vec.Exp(x)
		}
		b.s.V[c] = x
	}
	b.s.Run(b.det)
	return jacobian
}

// uMost keeps u finite where a value has been rounded to its bound.
const uMost = 700

// read takes u from the state.
func (b *nuts) read() {
	for _, c := range b.cut {
		lo, hi := interval(b.s, c.kids)
		b.lo[c.at], b.hi[c.at] = max(c.lo, lo), min(c.hi, hi)
	}
	for j, c := range b.cells {
		x, lo, hi := b.s.V[c], b.lo[j], b.hi[j]
		b.saved[j] = x
		switch low, high := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
		case low && high:
			x = vec.Log((x - lo) / (hi - x))
		case low:
			x = vec.Log(x - lo)
		case high:
			x = vec.Log(hi - x)
		default:
			b.point.X[j] = x
			continue
		}
		b.point.X[j] = min(max(x, -uMost), uMost)
	}
	b.point.LogP = math.NaN() // other kernels may have changed what it depends on
}

// move makes a step by the kernel's own.
func (b *nuts) move(s *model.State, step func() mcmc.Info) mcmc.Info {
	b.s = s
	b.read()
	info := step()
	if info.Accepted {
		b.place(b.point.X)
		return info
	}
	for j, c := range b.cells {
		s.V[c] = b.saved[j]
	}
	s.Run(b.det)
	return info
}

// Step moves the nodes.
func (b *nuts) Step(s *model.State, r *rand.Rand) mcmc.Info {
	return b.move(s, func() mcmc.Info { return b.k.Step(b.point, r) })
}

// Adapt moves the nodes and tunes.
func (b *nuts) Adapt(s *model.State, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	return b.move(s, func() mcmc.Info { return b.k.Adapt(b.point, r, w) })
}

// Freeze ends the tuning.
func (b *nuts) Freeze() { b.k.Freeze() }

// Statistic tells of the last trajectory.
func (b *nuts) Statistic(name string) (float64, bool) { return b.k.Statistic(name) }

// MarshalBinary writes the tuning.
func (b *nuts) MarshalBinary() ([]byte, error) { return b.k.MarshalBinary() }

// UnmarshalBinary reads what MarshalBinary wrote.
func (b *nuts) UnmarshalBinary(x []byte) error { return b.k.UnmarshalBinary(x) }
