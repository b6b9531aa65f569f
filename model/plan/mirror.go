package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/hmc"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/mode"
	"github.com/ergodic-mcmc/ergodic/model"
)

// mirror looks, in warm-up, whether a chain has ended where coefficients have the wrong sign. In a_i (θ_j − b_i) the sign of a_i is that of all θ_j, or b_i goes far out where a_i is
// near 0: modes of their own, whose density is lower by far, and which chains come to that start high up and gather speed on their way. The nodes of a relation that
// multiply others have their signs changed, all at once with the mean of their prior, or one whose sign is not that of most; they are held there while the others
// climb, and then all climb. Where that leads higher than a climb from where the chain is, the chain goes on from there.
//
// All climb in the non-centred form, in which the density of effects does not grow without bound as their scale shrinks.
type mirror struct {
	relations []mirrored
}

// mirrored is a relation of coefficients.
type mirrored struct {
	cells []int32
	means []int32 // nodes that are their priors' means
	above []int32 // nodes that their priors depend on
	// with are for each the other nodes on which no data depend but those that depend on it.
	with [][]int32
}

const (
	mostMirrored = 64 // coefficients of a relation
	mostSingles  = 16 // of them, that are tried one by one
	heldClimb    = 30 // iterations
	mirrorClimb  = 200
	higher       = 6 // by how much a mode must be higher
	mirrorRounds = 4
	firstStep    = 0.01 // length of a climb's first step, short enough to stay on its side of 0
	mirrorShare  = 8    // gradients of a look, for each step of the warm-up
	mirrorLooks  = 4
	mirrorEvery  = 25 // a look after each 25th of the warm-up, before the metric of a low rank is learnt from long windows
)

// newMirror finds the relations; nil where there are none.
func newMirror(m *model.Model, rows []int32) *mirror {
	of := map[*model.Template][]int32{}
	var order []*model.Template
	in := map[int32]bool{}
	for _, r := range rows {
		t, i := m.TemplateOf(r)
		in[t.Cells(i)[0]] = true
		if of[t] == nil {
			order = append(order, t)
		}
		of[t] = append(of[t], r)
	}
	k := &mirror{}
	for _, t := range order {
		if t.Stoch.Name != "dnorm" || t.Stoch.Truncated() || len(of[t]) > mostMirrored {
			continue
		}
		var one mirrored
		for _, r := range of[t] {
			_, i := m.TemplateOf(r)
			one.cells = append(one.cells, t.Cells(i)[0])
			if mean := t.Operands(i)[0]; in[mean] && !slices.Contains(one.means, mean) {
				one.means = append(one.means, mean)
			}
			ancestors(m, t.Operands(i), func(c int32) bool {
				if in[c] && !slices.Contains(one.above, c) {
					one.above = append(one.above, c)
				}
				return m.Kinds[c] == model.Logical
			})
		}
		if multiplies(m, one.cells) {
			one.with = partners(m, of[t], rows)
			k.relations = append(k.relations, one)
		}
	}
	if len(k.relations) == 0 {
		return nil
	}
	return k
}

// partners are for each of some nodes the others of the block on which no data depend but those that depend on it.
func partners(m *model.Model, nodes, block []int32) [][]int32 {
	by := map[int32][]int32{} // of data, the nodes that they depend on
	for j, r := range nodes {
		for d := range densitiesOf(m, r) {
			by[d] = append(by[d], int32(j))
		}
	}
	with := make([][]int32, len(nodes))
	for _, r := range block {
		if slices.Contains(nodes, r) {
			continue
		}
		var both []int32
		met := false
		for d := range densitiesOf(m, r) {
			t, i := m.TemplateOf(d)
			if m.Kinds[t.Cells(i)[0]] != model.Observed {
				continue
			}
			if !met {
				both, met = slices.Clone(by[d]), true
			}
			if both = slices.DeleteFunc(both, func(j int32) bool { return !slices.Contains(by[d], j) }); len(both) == 0 {
				break
			}
		}
		t, i := m.TemplateOf(r)
		for _, j := range both {
			with[j] = append(with[j], t.Cells(i)...)
		}
	}
	return with
}

// multiplies tells whether something is the product of one of some nodes, or of a sum of them, and of what other nodes change.
func multiplies(m *model.Model, cells []int32) bool {
	b := m.Blanket(cells)
	if model.Count(b.Det) > maxBlockRows {
		return false
	}
	forms := m.Forms(&b)
	for k := range rowsOf(m, b.Det) {
		for _, c := range k.out {
			if f := forms.At(c); f.Kind == model.Affine && f.Scale && f.Varying && !f.Select {
				return true
			}
		}
	}
	return false
}

// due tells whether a step of the warm-up is one to look at.
func (k *mirror) due(w mcmc.Warmup) bool {
	if k == nil || w.Iteration == 0 {
		return false
	}
	for n := range mirrorLooks {
		if w.Iteration == (n+1)*w.Total/mirrorEvery {
			return true
		}
	}
	return false
}

// look moves the state where that leads higher, and tells whether it has.
func (k *mirror) look(block *nuts, s *model.State, w mcmc.Warmup) bool {
	l := newLooker(block, s, mirrorShare*w.Total)
	defer l.leave()
	if !l.climbed {
		return false
	}
	moved := false
	for range mirrorRounds {
		found := false
		for _, r := range k.relations {
			found = l.negate(r) || found
			few, usual := l.minority(r.cells)
			for _, j := range few {
				found = l.set(r, j, usual) || found
			}
		}
		if !found {
			break
		}
		moved = true
	}
	l.moved = moved
	return moved
}

// looker climbs from one place and from another. It has the block's transforms to itself, non-centred.
type looker struct {
	*nuts
	s       *model.State
	best    []float64 // the highest place so far
	high    float64
	climbed bool
	held    []bool
	u       []float64
	moved   bool
	budget  int // gradients that may be taken
}

func newLooker(block *nuts, s *model.State, gradients int) *looker {
	own := *block
	own.x, own.density = block.x.forChain(), block.block.NewEvaluator()
	own.saved = make([]float64, len(block.cells))
	own.s = s
	for _, t := range own.x.parts {
		if h, ok := t.(*hierarchical); ok {
			for j := range h.k {
				h.k[j] = 1
			}
		}
	}
	l := &looker{nuts: &own, s: s, held: make([]bool, own.x.size), u: make([]float64, own.x.size), budget: gradients}
	l.values(l.saved)
	l.density.Prepare(s)
	l.best, l.high, l.climbed = l.climb(l.numbers(), 2*mirrorClimb)
	return l
}

// leave takes the state to the highest place, if it has moved, or back to where it was.
func (l *looker) leave() {
	if l.moved {
		l.x.place(l.s, l.best)
	} else {
		l.restore()
	}
	l.s.Run(l.det)
}

// numbers are those of the state.
func (l *looker) numbers() []float64 {
	u := make([]float64, l.x.size)
	l.x.read(l.s, u, rand.New(rand.NewPCG(0, 0)))
	return u
}

// climb goes up from u.
func (l *looker) climb(u []float64, most int) ([]float64, float64, bool) {
	if l.budget <= 0 {
		return nil, 0, false
	}
	v := make([]float64, len(u))
	for j := range u {
		v[j] = u[j] / firstStep
	}
	top, err := mode.Climb(l, v, mode.Settings{Iterations: most, Rise: 0.01})
	if err != nil {
		return nil, 0, false
	}
	l.budget -= top.Evals
	for j, x := range top.X {
		v[j] = float64(firstStep * x)
	}
	return v, top.LogDensity, vec.Finite(top.LogDensity)
}

var _ hmc.Target = (*looker)(nil)

// Gradient is that of the numbers over firstStep, 0 along what is held.
func (l *looker) Gradient(v, grad []float64) float64 {
	for j, x := range v {
		l.u[j] = float64(firstStep * x)
	}
	lp := l.nuts.Gradient(l.u, grad)
	for j, held := range l.held {
		grad[j] *= firstStep
		if held {
			grad[j] = 0
		}
	}
	return lp
}

// negate changes the signs of a relation at the highest place so far, and tells whether that leads higher. Where nearly all have one sign, all get the other.
func (l *looker) negate(r mirrored) bool {
	l.x.place(l.s, l.best)
	few, usual := l.minority(r.cells)
	for _, c := range slices.Concat(r.cells, r.means) {
		l.s.V[c] = -l.s.V[c]
	}
	if 4*len(few) <= len(r.cells) {
		for _, j := range few {
			l.s.V[r.cells[j]] = -usual
		}
	}
	return l.try(slices.Concat(r.cells, r.above))
}

// set gives a coefficient a value there, to which those go first that have to do with its data alone.
func (l *looker) set(r mirrored, j int, value float64) bool {
	l.x.place(l.s, l.best)
	l.s.V[r.cells[j]] = value
	if len(r.with[j]) == 0 {
		return l.try(append([]int32{r.cells[j]}, r.above...))
	}
	return l.try(slices.DeleteFunc(slices.Clone(l.cells), func(c int32) bool { return slices.Contains(r.with[j], c) }))
}

// try climbs from the state, first with some nodes held, and tells whether that leads higher.
func (l *looker) try(held []int32) bool {
	u := l.numbers()
	l.hold(held)
	u, _, ok := l.climb(u, heldClimb)
	clear(l.held)
	if !ok {
		return false
	}
	u, high, ok := l.climb(u, mirrorClimb)
	if !ok || !(high > l.high+higher) {
		return false
	}
	l.best, l.high = u, high
	return true
}

// hold keeps the numbers of some cells where they are.
func (l *looker) hold(cells []int32) {
	at := 0
	for _, t := range l.x.parts {
		for j := range t.size() {
			l.held[at+j] = slices.Contains(cells, t.owner(j))
		}
		at += t.size()
	}
}

// minority are the places of the coefficients whose sign, at the highest place so far, is not that of most, as many as are tried one by one, with the median of all.
func (l *looker) minority(cells []int32) (few []int, usual float64) {
	if len(cells) < 3 {
		return nil, 0
	}
	l.x.place(l.s, l.best)
	values := make([]float64, len(cells))
	for j, c := range cells {
		values[j] = l.s.V[c]
	}
	slices.Sort(values)
	usual = values[len(values)/2]
	for j, c := range cells {
		if (l.s.V[c] < 0) != (usual < 0) && len(few) < mostSingles {
			few = append(few, j)
		}
	}
	return few, usual
}
