package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

const shiftName = "shift"

// shift moves a normal node x₀ up and all normal effects of a relation down, or the other way round, where data see only sums in which the two cancel:
//
//	x₀ ← x₀ + c,   x_i ← x_i − c.
//
// Only priors depend on c. Its full conditional is normal, with precision P = Σ τ_i and mean Σ τ_i d_i (μ_i − x_i) / P over x₀, with d = 1, and the effects, with
// d = −1; the step draws from it (Liu and Sabatti 2000, "Generalised Gibbs sampler and multigrid Monte Carlo", for translations). An intercept and the level of many
// effects are known much less than their sum: where no metric learns such a direction, steps that are short enough for the sum take very long along it.
type shift struct{ along []direction }

// direction is one that data do not see.
type direction struct {
	terms []shiftTerm
	det   []model.Seg // logical rows whose values change
}

// shiftTerm is a node with its mean and precision, which nothing that moves reaches.
type shiftTerm struct {
	x, mu, tau int32
	d          float64
}

// Step draws the places along all directions, one after the other.
func (k *shift) Step(s *model.State, r *rand.Rand) mcmc.Info {
	for i := range k.along {
		k.along[i].step(s, r)
	}
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

func (k *direction) step(s *model.State, r *rand.Rand) {
	precision, weighted := 0.0, 0.0
	for _, t := range k.terms {
		tau := s.V[t.tau]
		precision += tau
		weighted += float64(tau * float64(t.d*(s.V[t.mu]-s.V[t.x])))
	}
	z := dist.StdNormal(r)
	if !(precision > 0) || !vec.Finite(precision) || !vec.Finite(weighted) {
		return
	}
	c := weighted/precision + z/math.Sqrt(precision)
	for _, t := range k.terms {
		s.V[t.x] += float64(t.d * c)
	}
	s.Run(k.det)
}

// shifts adds the kernel beside those of trajectories over more nodes than their metric learns directions of.
func shifts(p *planner, _ []int32) {
	for _, it := range p.Items {
		if it.Kernel != nutsName || len(it.Rows) <= mostMembers {
			continue
		}
		if k, rows := newShift(p.Model, it.Rows, p.probe()); k != nil {
			p.add(Item{Kernel: shiftName, Rows: rows, make: func([]kernel) kernel { own := *k; return &own }})
		}
	}
}

// maxDirections bounds the pairs of a node and a relation that are tried.
const maxDirections = 64

// newShift looks for directions among the normal nodes of some rows; at is a state to take derivatives at. It returns the nodes that move, too; nil where there
// are none.
func newShift(m *model.Model, rows []int32, at *model.State) (*shift, []int32) {
	var normal []int32
	for _, r := range rows {
		if t, _ := m.TemplateOf(r); t.Stoch.Name == "dnorm" && !t.Stoch.Truncated() {
			normal = append(normal, r)
		}
	}
	if len(normal) == 0 || at == nil {
		return nil, nil
	}
	f := newShiftFinder(m, normal, at)
	if f == nil {
		return nil, nil
	}
	k, moved := &shift{}, map[int32]bool{}
	tried := 0
	for _, one := range f.relations {
		for _, many := range f.relations {
			if len(one) != 1 || len(many) < 2 {
				continue
			}
			if tried++; tried > maxDirections {
				break
			}
			if d, ok := f.direction(one[0], many); ok {
				k.along = append(k.along, d)
				moved[one[0]] = true
				for _, j := range many {
					moved[j] = true
				}
			}
		}
	}
	if len(k.along) == 0 {
		return nil, nil
	}
	var out []int32
	for j, r := range normal {
		if moved[int32(j)] {
			out = append(out, r)
		}
	}
	return k, out
}

// shiftFinder knows what children see of normal nodes, the members.
type shiftFinder struct {
	m         *model.Model
	rows      []int32
	st        *structure
	jac       *model.Jacobian
	relations [][]int32 // members of each template
	own       []child   // prior of each member
	by        []float64 // how far each member moves along a direction
}

func newShiftFinder(m *model.Model, rows []int32, at *model.State) *shiftFinder {
	st, ok := newStructure(m, rows)
	if !ok {
		return nil
	}
	f := &shiftFinder{m: m, rows: rows, st: st, jac: m.NewJacobian(&st.b, st.forms), own: make([]child, len(rows)), by: make([]float64, len(rows))}
	f.jac.Eval(at)
	of := map[*model.Template]int{}
	for j, r := range rows {
		t, i := m.TemplateOf(r)
		k, ok := of[t]
		if !ok {
			k = len(f.relations)
			of[t] = k
			f.relations = append(f.relations, nil)
		}
		f.relations[k] = append(f.relations[k], int32(j))
		f.own[j] = child{t: t, i: i, in: t.Operands(i), out: t.Cells(i)}
	}
	return f
}

// direction is that of one member against many; ok is false where data, or the priors of other members, see it, or the moving members' own priors depend on members.
func (f *shiftFinder) direction(one int32, many []int32) (d direction, ok bool) {
	clear(f.by)
	f.by[one] = 1
	for _, j := range many {
		f.by[j] = -1
	}
	for _, e := range f.st.etas {
		if f.moves(e) {
			return d, false
		}
	}
	for _, k := range f.st.gauss {
		if p, own := f.jac.Pos(k.out[0]); own && f.by[f.jac.Idx[f.jac.Ptr[p]]] != 0 {
			continue // looked at below
		}
		if f.moves(k.in[0]) {
			return d, false
		}
	}
	free := func(c int32) bool { return f.st.forms.At(c).Kind == model.Free }
	for j, by := range f.by {
		if by == 0 {
			continue
		}
		k := &f.own[j]
		if !free(k.in[0]) || !free(k.in[1]) {
			return d, false
		}
		d.terms = append(d.terms, shiftTerm{x: k.out[0], mu: k.in[0], tau: k.in[1], d: by})
	}
	var det []int32
	for k := range rowsOf(f.m, f.st.b.Det) {
		if slices.ContainsFunc(k.out, f.moves) {
			det = append(det, k.row())
		}
	}
	d.det = f.m.LogicalSegs(det)
	return d, true
}

// moves tells whether an affine cell changes along the direction, or may at another state.
func (f *shiftFinder) moves(c int32) bool {
	idx, val := f.jac.Row(c)
	sum, touched := 0.0, false
	for k, j := range idx {
		if f.by[j] != 0 {
			sum += float64(val[k] * f.by[j])
			touched = true
		}
	}
	form := f.st.forms.At(c)
	return sum != 0 || touched && (form.Varying || form.Select)
}
