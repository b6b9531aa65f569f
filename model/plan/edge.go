package plan

import (
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// Edges are the ends of the support of a node near which numbers are too coarse for a
// density: what a prior such as dbeta(0.01, 0.01) or ddirch with parameters below 0.005
// has below 2⁻¹⁰²² or above 1 − 2⁻⁵³ no kernel that works with densities can reach. Draws
// from the full conditional itself are rounded to the nearest number, and miss nothing.
type Edges struct{ Zero, One bool }

// Edges finds those of the monitored elements that kernels move by densities. The state is
// of any draw.
func (j *Job) Edges(s *model.State) map[string]Edges {
	m, exact := j.Plan.Model, j.Plan.exact()
	names := map[string]Edges{}
	for _, mon := range j.Monitors {
		for k, c := range mon.Cells {
			if c < 0 || m.Kinds[c] != model.Unobserved || !m.Informed(m.DefRow(c)) || exact[m.DefRow(c)] {
				continue
			}
			if e := edgesOf(s, m.DefRow(c)); e != (Edges{}) {
				names[mon.ElementName(k)] = e
			}
		}
	}
	return names
}

// exact are the rows that some kernel draws from their full conditional.
func (p *Plan) exact() map[int32]bool {
	rows := map[int32]bool{}
	for _, it := range p.Items {
		exact := it.Rows[len(it.Rows)-it.drawn:]
		if strings.HasPrefix(it.Kernel, "conjugate-") {
			exact = it.Rows
		}
		for _, r := range exact {
			rows[r] = true
		}
	}
	return rows
}

func edgesOf(s *model.State, row int32) Edges {
	t, i := s.M.TemplateOf(row)
	if t.Stoch.Name == "ddirch" {
		return Edges{Zero: true}
	}
	d := t.Stoch.Scalar
	if d == nil || d.Discrete {
		return Edges{}
	}
	lo, hi := d.Support(s.ScalarParams(t, i))
	return Edges{Zero: lo == 0, One: hi == 1}
}
