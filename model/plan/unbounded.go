package plan

import (
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// bijection makes the values of some nodes of unbounded numbers u. It belongs to one chain.
type bijection interface {
	// size is how many numbers it takes.
	size() int
	// read writes the numbers of the values that the state has, and fixes what does not change in a step. Where numbers stand for nothing they are drawn.
	read(s *model.State, u []float64, r *rand.Rand)
	// place writes the values to the state and returns the logarithm of the Jacobian |dx/du|, with respect to the coordinates that the density
	// has; not finite where there is no such point. What its bounds depend on is in place.
	place(s *model.State, u []float64) (logJacobian float64)
	// pull writes the derivatives by u, of what has the derivatives s.A by the values, and of the logarithm of the Jacobian. It adds
	// to s.A what the values owe to the cells that bound them. It follows a place at the same u.
	pull(s *model.State, u, grad []float64)
	// owner is the cell that number j stands for, or of the element that it has most to do with.
	owner(j int) int32
	// forChain shares what no step changes.
	forChain() bijection
}

// unbounded is a list of transforms, in an order in which each comes after those that move its bounds.
type unbounded struct {
	parts  []bijection
	sizes  []int // of each
	size   int
	field  *field  // the last of them, if there is one
	passed []int32 // logical cells that bounds depend on: their derivatives have gone on to other cells before those by bounds come
}

// newUnbounded finds the transforms of a block's nodes; det are the logical rows that depend on them.
func newUnbounded(m *model.Model, rows []int32, det []model.Seg) *unbounded {
	x := &unbounded{}
	var all free
	var one oneSided
	var two twoSided
	var rest []bijection
	w := newBounder(m, rows)
	f := newField(w, rows)
	for _, row := range rows {
		t, i := m.TemplateOf(row)
		switch {
		case t.Stoch.Name == "ddirch":
			rest = append(rest, newSimplexNumbers(m, t, i))
		case t.Stoch.Name == "dwish":
			rest = append(rest, newMatrixNumbers(t, i))
		case t.Stoch.Scalar == nil:
			for _, c := range t.Cells(i) {
				if w.node(c).fixed() {
					all.cells = append(all.cells, c)
				}
			}
		default:
			n := w.node(t.Cells(i)[0])
			switch {
			case !n.fixed() || n.effect != nil || n.inField:
			case n.low.isFinite() && n.high.isFinite():
				two.add(n.cell, n.low.fixed, n.high.fixed)
			case n.low.isFinite():
				one.add(n.cell, n.low.fixed, 1)
			case n.high.isFinite():
				one.add(n.cell, n.high.fixed, -1)
			default:
				all.cells = append(all.cells, n.cell)
			}
		}
	}
	slices.Sort(all.cells)
	all.at = spansOf(all.cells)
	x.add(&all)
	x.add(&one)
	x.add(&two)
	for _, t := range rest {
		x.add(t)
	}
	for _, l := range w.layers(det) {
		if len(l.det) > 0 {
			b := &between{segs: l.det}
			if len(l.nodes) == 0 { // a bound has to have the bits that the interpreter gives it
				b.rows = m.NewRows(l.det)
			}
			x.parts, x.sizes = append(x.parts, b), append(x.sizes, 0)
			for k := range rowsOf(m, l.det) {
				x.passed = append(x.passed, k.out...)
			}
		}
		x.add(&moving{nodes: l.nodes})
		x.add(newHierarchical(l.effects))
	}
	if f != nil {
		x.add(f)
		x.field = f
	}
	return x
}

// add takes a transform that has numbers.
func (x *unbounded) add(t bijection) {
	if n := t.size(); n > 0 {
		x.parts, x.sizes = append(x.parts, t), append(x.sizes, n)
		x.size += n
	}
}

func (x *unbounded) forChain() *unbounded {
	c := &unbounded{size: x.size, sizes: x.sizes, passed: x.passed}
	for _, t := range x.parts {
		c.parts = append(c.parts, t.forChain())
	}
	if x.field != nil {
		c.field = c.parts[len(c.parts)-1].(*field)
	}
	return c
}

// read takes u from the state.
func (x *unbounded) read(s *model.State, u []float64, r *rand.Rand) {
	for _, t := range x.parts {
		n := t.size()
		t.read(s, u[:n], r)
		u = u[n:]
	}
}

// place moves the nodes to u, and no other cells than bounds need, and returns the log Jacobian.
func (x *unbounded) place(s *model.State, u []float64) (logJacobian float64) {
	for k, t := range x.parts {
		n := x.sizes[k]
		logJacobian += t.place(s, u[:n])
		u = u[n:]
	}
	return logJacobian
}

// placeOthers is place of all but the field.
func (x *unbounded) placeOthers(s *model.State, u []float64) (logJacobian float64) {
	for k, t := range x.parts[:len(x.parts)-1] {
		n := x.sizes[k]
		logJacobian += t.place(s, u[:n])
		u = u[n:]
	}
	return logJacobian
}

// pull takes the derivatives by the cells, in s.A, to those by u.
func (x *unbounded) pull(s *model.State, u, grad []float64) {
	for _, c := range x.passed {
		s.A[c] = 0
	}
	end := x.size
	for k := len(x.parts) - 1; k >= 0; k-- {
		from := end - x.sizes[k]
		x.parts[k].pull(s, u[from:end], grad[from:end])
		end = from
	}
}

// between are logical rows that lead from nodes to bounds of others, or to their means and precisions.
type between struct {
	segs []model.Seg
	rows *model.Rows          // nil: they go one by one
	run  *model.RowsEvaluator // of a chain
}

func (t *between) size() int                                { return 0 }
func (t *between) read(*model.State, []float64, *rand.Rand) {}
func (t *between) owner(int) int32                          { panic("no numbers") }

func (t *between) forChain() bijection {
	c := *t
	if t.rows != nil {
		c.run = t.rows.NewEvaluator()
	}
	return &c
}

func (t *between) place(s *model.State, _ []float64) float64 {
	if t.run != nil {
		t.run.Run(s)
	} else {
		s.Run(t.segs)
	}
	return 0
}

func (t *between) pull(s *model.State, _ []float64, _ []float64) {
	if t.run != nil {
		t.run.Pull(s)
	} else {
		s.Pull(t.segs)
	}
}
