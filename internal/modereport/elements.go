package modereport

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/report"
)

// reader reads off a state what is monitored: nodes that have a mode, and what is computed from them and from nothing that chance adds.
type reader struct {
	m        *model.Model
	rows     []int32 // to compute, parents first
	names    []string
	cells    []int32
	observed []model.Seg // for the deviance, cell −1
}

func newReader(m *model.Model, nodes []int32, monitors []model.Monitor) *reader {
	r := &reader{m: m, observed: m.ObservedRows()}
	known := make([]bool, len(m.Kinds))
	for c, k := range m.Kinds {
		known[c] = k == model.Constant || k == model.Observed
	}
	for _, c := range nodes {
		known[c] = true
	}
	for _, row := range m.Topological() {
		t, i := m.TemplateOf(row)
		if t.Stoch != nil {
			continue
		}
		all := true
		m.Parents(row, func(c int32) { all = all && known[c] })
		for _, c := range t.Cells(i) {
			known[c] = all
		}
		if all {
			r.rows = append(r.rows, row)
		}
	}
	for _, mon := range monitors {
		if mon.Cells == nil {
			r.names, r.cells = append(r.names, mon.Name), append(r.cells, -1)
			continue
		}
		for k, name := range mon.ElementNames() {
			if known[mon.Cells[k]] {
				r.names, r.cells = append(r.names, name), append(r.cells, mon.Cells[k])
			}
		}
	}
	return r
}

// read writes the values of a state.
func (r *reader) read(s *model.State, dst []float64) {
	for _, row := range r.rows {
		t, i := r.m.TemplateOf(row)
		s.RunRow(t, i)
	}
	for k, c := range r.cells {
		if c < 0 {
			dst[k] = -2 * s.LogProb(r.observed)
			continue
		}
		dst[k] = s.At(c)
	}
}

// values are what is monitored, at u, without errors.
func (s *Search) values(u []float64) Elements {
	v := make([]float64, len(s.reader.cells))
	s.reader.read(s.surface.Move(u), v)
	out := make(Elements, len(v))
	for k, x := range v {
		out[k] = Element{s.reader.names[k], report.Number(x), report.Number(math.NaN())}
	}
	return out
}

// mostSlopes bounds the memory of the derivatives of what is monitored.
const mostSlopes = 1 << 25

// elements are the values with their standard errors: √(∇gᵀ Σ ∇g) for the covariance Σ of u and the quantity g, with derivatives by central differences.
func (s *Search) elements(u []float64) Elements {
	out, n := s.values(u), len(s.free)
	if !s.definite() || n*len(out) > mostSlopes {
		return out
	}
	slopes := make([]float64, n*len(out)) // of each quantity
	up, down, at := make([]float64, len(out)), make([]float64, len(out)), slices.Clone(u)
	for col, j := range s.free {
		v, h := u[j], float64(1e-4*s.sds[col])
		at[j] = v + h
		s.reader.read(s.surface.Move(at), up)
		at[j] = v - h
		s.reader.read(s.surface.Move(at), down)
		at[j] = v
		for k := range out {
			slopes[k*n+col] = (up[k] - down[k]) / float64(2*h)
		}
	}
	held := map[int32]bool{}
	for _, j := range s.ends {
		held[s.surface.Owner(j)] = true
	}
	for k := range out {
		if held[s.reader.cells[k]] {
			continue
		}
		g := slopes[k*n : (k+1)*n]
		if vec.AllFinite(g) {
			out[k].SE = report.Number(s.curve.SD(g))
		}
	}
	s.surface.Move(u)
	return out
}
