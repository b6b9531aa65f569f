package modeltest

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Guards moves each scalar node whose blanket has guards, at points drawn from the prior, by the rows that then depend on it and by all rows of its blanket: the cells, and the
// densities that the guards leave out, must be the same to the bit. It returns the number of moves.
func (c *Case) Guards(points int) (moves int, err error) {
	m := c.comp.Model
	r := rng.New(c.Seed, "modeltest guards").Rand
	s, all := m.NewState(), m.NewState()
	for range points {
		if cell, _ := s.Simulate(r); cell >= 0 {
			continue
		}
		s.RunAllLive()
		for _, row := range m.Unobserved() {
			t, i := m.TemplateOf(row)
			b := m.Blanket(t.Cells(i))
			g := m.Guards(&b)
			if g == nil {
				continue
			}
			if err := c.guarded(g, &b, s, all); err != nil {
				return moves, err
			}
			moves++
		}
	}
	return moves, nil
}

// guarded moves the node of a blanket and back.
func (c *Case) guarded(g *model.Guards, b *model.Blanket, s, all *model.State) error {
	m := c.comp.Model
	var now model.Blanket
	g.Now(s, &now)
	cell := b.Cells[0]
	x := s.V[cell]
	kept := map[int32]bool{}
	rows := func(segs []model.Seg, f func(t *model.Template, i int)) {
		for _, seg := range segs {
			for i := seg.Lo; i < seg.Hi; i++ {
				f(m.Templates[seg.T], int(i))
			}
		}
	}
	rows(now.Stoch, func(t *model.Template, i int) { kept[t.First+int32(i)] = true })
	was := map[int32]float64{}
	rows(b.Stoch, func(t *model.Template, i int) { was[t.First+int32(i)] = s.LogProbRow(t, i) })
	copy(all.V, s.V)
	all.V[cell] = x + 1
	all.Run(b.Det)
	s.V[cell] = x + 1
	s.Run(now.Det)
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }
	if !slices.EqualFunc(s.V, all.V, same) {
		return fmt.Errorf("guards: the rows that depend on %s leave a cell out of date", m.CellName(cell))
	}
	var err error
	rows(b.Stoch, func(t *model.Template, i int) {
		if row := t.First + int32(i); !kept[row] && !same(was[row], s.LogProbRow(t, i)) {
			err = fmt.Errorf("guards: the density of %s depends on %s and is left out", m.CellName(t.Cells(i)[0]), m.CellName(cell))
		}
	})
	s.V[cell] = x
	s.Run(now.Det)
	return err
}
