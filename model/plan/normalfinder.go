package plan

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// normalFinder looks for nodes to integrate out. Of a node that many densities depend on it asks nothing that takes time as their number, but once.
type normalFinder struct {
	*planner
	kernel    map[int32]string // of nodes that one moves alone
	densities map[int32]int    // that depend on each normal node
	ptr, near []int32          // normal nodes by the rows of their densities, in compressed rows
	taken     []int32          // 1 + the node for which a row was last taken, by row
	touched   []int32          // and of those normal nodes of which a density was, by row

	refused map[*model.Template]int // nodes of each relation that have too many
}

// mostRefused is how many nodes of a relation may have too many normal nodes near them before none of the others is looked at: each look takes time as keepRows.
const mostRefused = 100

// findNear finds the normal nodes that may be integrated out, and their densities.
func (f *normalFinder) findNear() {
	rows := f.Model.Rows()
	f.densities, f.refused = map[int32]int{}, map[*model.Template]int{}
	f.ptr, f.taken, f.touched = make([]int32, rows+1), make([]int32, rows), make([]int32, rows)
	each := func(visit func(density, normal int32)) {
		for _, row := range f.rows {
			if f.kernel[row] == "conjugate-normal" && f.asked[row] == nil {
				for r := range densitiesOf(f.Model, row) {
					visit(r, row)
				}
			}
		}
	}
	each(func(r, normal int32) {
		f.ptr[r+1]++
		f.densities[normal]++
	})
	for r := range rows {
		f.ptr[r+1] += f.ptr[r]
	}
	f.near = make([]int32, f.ptr[rows])
	next := slices.Clone(f.ptr[:rows])
	each(func(r, normal int32) {
		f.near[next[r]] = normal
		next[r]++
	})
}

// nearTo are the normal nodes that a row's density depends on.
func (f *normalFinder) nearTo(row int32) []int32 { return f.near[f.ptr[row]:f.ptr[row+1]] }

// find gives a node, as it is while normal nodes are integrated out, and these; nil where there are none.
func (f *normalFinder) find(row int32) (*node, []*node) {
	kernel := f.kernel[row]
	if f.asked[row] != nil || !slices.Contains([]string{"adaptive", "slice", "conjugate-normal"}, kernel) {
		return nil, nil
	}
	t, i := f.Model.TemplateOf(row)
	if f.refused[t] >= mostRefused || !f.anyNear(f.Model.Densities(t.Cells(i))) {
		return nil, nil
	}
	n := newNode(f.Model, row)
	if newAdaptive(n) == nil {
		return nil, nil
	}
	found := f.normalsOf(n, kernel)
	if found == nil {
		return nil, nil
	}
	var normals []*node
	without := map[int32]bool{}
	for _, other := range found {
		x := newNode(f.Model, other)
		x.analyse() // chains share it
		normals, without[other] = append(normals, x), true
	}
	var rest []model.Seg
	for k := range rowsOf(f.Model, n.b.Stoch) {
		if !without[k.row()] {
			rest = append(rest, f.Model.Seg(k.row()))
		}
	}
	n.b.Stoch = joinSegs(rest)
	return n, normals
}

// normalsOf are the normal nodes to integrate out of a node, no two of which have a density together; nil where they have too many.
func (f *normalFinder) normalsOf(n *node, kernel string) (found []int32) {
	rows, mark := 0, n.row+1
	for k := range rowsOf(f.Model, n.b.Stoch) {
		for _, other := range f.nearTo(k.row()) {
			if f.taken[k.row()] == mark {
				break // one of the densities of each
			}
			if other == n.row || f.touched[other] == mark || !f.goes(n, &k, other, kernel) || f.isCut(other) {
				continue
			}
			if rows += f.densities[other]; rows > keepRows {
				f.refused[n.t]++
				return nil
			}
			for r := range densitiesOf(f.Model, other) {
				f.taken[r] = mark
				for _, o := range f.nearTo(r) {
					f.touched[o] = mark
				}
			}
			found = append(found, other)
		}
	}
	return found
}

// isCut tells whether a normal node's full conditional is cut.
func (f *normalFinder) isCut(row int32) bool {
	t, i := f.Model.TemplateOf(row)
	if t.Stoch.Truncated() {
		return true
	}
	intervals := func(g model.Seg) bool { return f.Model.Templates[g.T].Stoch.Interval }
	return slices.ContainsFunc(f.Model.Densities(t.Cells(i)), intervals) && newConjNormal(newNode(f.Model, row)).bounded
}

// anyNear tells whether there is a normal node to the density of some rows.
func (f *normalFinder) anyNear(segs []model.Seg) bool {
	return slices.ContainsFunc(segs, func(g model.Seg) bool {
		first := f.Model.Templates[g.T].First
		return f.ptr[first+g.Lo] < f.ptr[first+g.Hi]
	})
}

// goes tells whether a normal node that a row's density depends on goes with n, on which it depends too.
func (f *normalFinder) goes(n *node, k *child, normal int32, kernel string) bool {
	if k.row() == normal {
		return kernel != "conjugate-normal"
	}
	n.analyse()
	if (k.t.Stoch.Name != "dnorm" && k.t.Stoch.Name != "dlnorm") || n.form(k.in[0]).Kind == model.Free {
		return false
	}
	means := f.Model.Alternatives(k.in[0])
	if means == nil {
		means = k.in[:1]
	} else if !slices.ContainsFunc(means, func(c int32) bool { return n.form(c).Kind != model.Free && !slices.Contains(n.cells, c) }) {
		return false // the mean is the node or another, as an index has it
	}
	return slices.ContainsFunc(means, func(c int32) bool { return n.form(c).Kind != model.Free && f.moves(normal, c) })
}

// moves tells whether a cell depends on a normal node, by the logical rows above the cell alone.
func (f *normalFinder) moves(normal, cell int32) bool {
	m := f.Model
	var above []int32
	ancestors(m, []int32{cell}, func(c int32) bool {
		if m.Kinds[c] != model.Logical {
			return false
		}
		above = append(above, m.DefRow(c))
		return true
	})
	slices.Sort(above)
	t, i := m.TemplateOf(normal)
	return m.Forms(&model.Blanket{Cells: t.Cells(i), Det: m.LogicalSegs(slices.Compact(above))}).At(cell).Kind != model.Free
}
