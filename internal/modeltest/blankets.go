package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Blankets compares the blankets of all nodes, and of all nodes together, with a walk by single rows, and the forms in them with those of rows that are looked at one by one. It
// tells how many rows of blankets there were.
func (c *Case) Blankets() (rows int, err error) {
	m := c.comp.Model
	var errs []error
	var all []int32
	for _, row := range m.Unobserved() {
		t, i := m.TemplateOf(row)
		all = append(all, t.Cells(i)...)
		n, err := c.blanket(t.Cells(i))
		rows, errs = rows+n, append(errs, err)
	}
	n, err := c.blanket(all)
	return rows + n, errors.Join(append(errs, err)...)
}

func (c *Case) blanket(cells []int32) (rows int, err error) {
	m := c.comp.Model
	b := m.Blanket(cells)
	det, stoch := c.reached(cells)
	if got := numbersOf(m, b.Stoch); !slices.Equal(got, stoch) {
		return 0, fmt.Errorf("cells %v: the densities %v, not %v", cells, got, stoch)
	}
	got := numbersOf(m, b.Det)
	if err := c.inOrder(b.Det); err != nil {
		return 0, fmt.Errorf("cells %v: %w", cells, err)
	}
	if slices.Sort(got); !slices.Equal(got, det) {
		return 0, fmt.Errorf("cells %v: the logical rows %v, not %v", cells, got, det)
	}
	apart := model.Blanket{Cells: cells, Stoch: b.Stoch}
	for _, g := range b.Det {
		for i := g.Lo; i < g.Hi; i++ {
			apart.Det = append(apart.Det, model.Seg{T: g.T, Lo: i, Hi: i + 1})
		}
	}
	forms, want := m.Forms(&b), m.Forms(&apart)
	for cell := range m.Kinds {
		if f, w := forms.At(int32(cell)), want.At(int32(cell)); f != w {
			return 0, fmt.Errorf("cells %v: %s is %+v, not %+v", cells, m.CellName(int32(cell)), f, w)
		}
	}
	return len(det) + len(stoch), nil
}

func numbersOf(m *model.Model, segs []model.Seg) (rows []int32) {
	for _, g := range segs {
		for i := g.Lo; i < g.Hi; i++ {
			rows = append(rows, m.Templates[g.T].First+i)
		}
	}
	return rows
}

// reached are the rows that a change of cells reaches, in order.
func (c *Case) reached(cells []int32) (det, stoch []int32) {
	m := c.comp.Model
	seen := map[int32]bool{}
	stack := slices.Clone(cells)
	for len(stack) > 0 {
		cell := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, row := range numbersOf(m, m.Children(cell)) {
			t, i := m.TemplateOf(row)
			switch {
			case seen[row]:
			case t.Stoch == nil && m.Live(row):
				det, stack = append(det, row), append(stack, t.Cells(i)...)
			case t.Stoch != nil && m.Informed(row) && !m.IsCut(row):
				stoch = append(stoch, row)
			}
			seen[row] = true
		}
	}
	slices.Sort(det)
	slices.Sort(stoch)
	return det, stoch
}

// inOrder looks whether logical rows come after those that they read, none of which is in the same run.
func (c *Case) inOrder(segs []model.Seg) error {
	m := c.comp.Model
	later := map[int32]bool{}
	for _, row := range numbersOf(m, segs) {
		later[row] = true
	}
	for _, g := range segs {
		t := m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			for _, cell := range t.Operands(i) {
				if r := m.DefRow(cell); r >= 0 && later[r] {
					return fmt.Errorf("%s is computed before or with %s", m.CellName(t.Cells(i)[0]), m.CellName(cell))
				}
			}
		}
		for i := g.Lo; i < g.Hi; i++ {
			delete(later, t.First+i)
		}
	}
	return nil
}
