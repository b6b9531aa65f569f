package plan

import (
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/model"
)

// upstream are the logical rows that lead from cells that move to others, without those that nodes to be summed out reach as well.
type upstream struct {
	rows []model.Seg
	outs []int32         // cells that they write
	back *model.Gradient // through them
}

// newUpstream finds those that lead to read.
func newUpstream(m *model.Model, cells []int32, without []model.Seg, read []int32) upstream {
	mine := rowSet(m, m.Blanket(cells).Det)
	for r := range rowSet(m, without) {
		delete(mine, r)
	}
	var rows []int32
	ancestors(m, read, func(cell int32) bool {
		r := m.DefRow(cell)
		if r < 0 || !mine[r] {
			return false
		}
		delete(mine, r)
		rows = append(rows, r)
		return true
	})
	u := upstream{rows: m.LogicalSegs(rows)}
	for r := range rowsOf(m, u.rows) {
		u.outs = append(u.outs, r.out...)
	}
	u.back = m.NewGradient(u.rows, nil)
	return u
}

// summedOut are discrete nodes that are summed out of the density of others.
type summedOut interface {
	nodeRows() []int32
	// has tells of the stochastic rows that depend on the nodes: their densities are in the sums.
	has(row int32) bool
	// logic are the logical rows that depend on the nodes.
	logic() []model.Seg
	// along makes what a chain sums with, while other cells move.
	along(cells []int32) func() integral
}

// integral is the log of a sum over discrete nodes, as a function of other cells.
type integral interface {
	// begin readies it for steps from a state in which nothing but the cells and the nodes will change.
	begin(s *model.State)
	// value is the density at the cells as they are: a number or −Inf. The nodes, and what depends on them, are left anyhow.
	value(s *model.State) float64
	// slopes adds the derivatives by the cells to s.A, after a finite value at the same cells.
	slopes(s *model.State)
	// finish draws the nodes from their distribution given the rest, at the cells as they are, and brings what depends on them up to date.
	finish(s *model.State, r *rand.Rand)
}
