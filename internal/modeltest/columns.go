package modeltest

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// Columns compares the compiled density of the continuous nodes, and its derivatives, with those that rows give one by one, at points drawn from the prior. Some
// of the nodes are left out of the block, and move with the discrete ones. It returns the number of derivatives compared.
func (c *Case) Columns(points int) (compared int, err error) {
	m := c.comp.Model
	r := rng.New(c.Seed, "modeltest columns").Rand
	var cells, own []int32
	for _, row := range m.Unobserved() {
		t, i := m.TemplateOf(row)
		if !m.Informed(row) || t.Stoch.Interval || t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete || r.IntN(8) == 0 {
			continue
		}
		cells, own = append(cells, t.Cells(i)...), append(own, row)
	}
	if len(cells) == 0 {
		return 0, nil
	}
	around := m.Blanket(cells)
	for _, seg := range around.Stoch {
		for i := seg.Lo; i < seg.Hi; i++ {
			own = append(own, m.Templates[seg.T].First+i)
		}
	}
	slices.Sort(own)
	var stoch []model.Seg
	for _, row := range slices.Compact(own) {
		stoch = append(stoch, m.Seg(row))
		if n := len(stoch) - 1; n > 0 && stoch[n-1].T == stoch[n].T && stoch[n-1].Hi == stoch[n].Lo {
			stoch[n-1].Hi = stoch[n].Hi
			stoch = stoch[:n]
		}
	}
	e, g := m.NewBlock(cells, around.Det, stoch).NewEvaluator(), m.NewGradient(around.Det, stoch)
	s := m.NewState()
	want := make([]float64, len(cells))
	for range points {
		if cell, _ := s.Simulate(r); cell >= 0 {
			continue
		}
		lp := s.LogProb(stoch)
		if !(math.Abs(lp) < huge) {
			continue
		}
		g.At(s)
		most := 0.0
		for k, cell := range cells {
			want[k] = s.A[cell]
			most = max(most, math.Abs(want[k]))
		}
		e.Prepare(s)
		if got := e.ValueGradient(s); !near(got, lp, 1e-11) {
			return compared, fmt.Errorf("columns: the log density is %v by columns, %v by rows", got, lp)
		}
		for k, cell := range cells {
			compared++
			if !near(s.A[cell], want[k], 1e-8) && math.Abs(s.A[cell]-want[k]) > 1e-12*most {
				return compared, fmt.Errorf("columns: the derivative by %s is %v by columns, %v by rows", m.CellName(cell), s.A[cell], want[k])
			}
		}
	}
	return compared, nil
}
