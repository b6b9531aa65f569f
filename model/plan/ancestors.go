package plan

import "github.com/ergodic-mcmc/ergodic/model"

// ancestors visits cells and, where visit says so, those that the rows which define them read, and so on: each cell once.
func ancestors(m *model.Model, cells []int32, visit func(c int32) (further bool)) {
	var stack []int32
	seen := map[int32]bool{} // cells, and ^ of the rows whose parents are in
	push := func(c int32) {
		if !seen[c] {
			seen[c] = true
			stack = append(stack, c)
		}
	}
	for _, c := range cells {
		push(c)
	}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !visit(c) {
			continue
		}
		if row := m.DefRow(c); !seen[^row] {
			seen[^row] = true
			m.Parents(row, push)
		}
	}
}

// parents are the cells that rows read.
func parents(m *model.Model, rows ...int32) (cells []int32) {
	for _, r := range rows {
		m.Parents(r, func(c int32) { cells = append(cells, c) })
	}
	return cells
}
