package labels

import "math"

// assigner finds assignments of least cost by shortest augmenting paths with potentials (Jonker and Volgenant 1987, "A shortest augmenting path algorithm
// for dense and sparse linear assignment problems"): O(K³).
type assigner struct {
	rowPotential, colPotential, least []float64
	row, way                          []int // row that each column is given, and the column before it on the path; column and row 0 are none
	used                              []bool
}

func newAssigner(k int) *assigner {
	return &assigner{rowPotential: make([]float64, k+1), colPotential: make([]float64, k+1), least: make([]float64, k+1), row: make([]int, k+1), way: make([]int, k+1), used: make([]bool, k+1)}
}

// assign writes to of, for each row, the column that it is given: the sum of cost[row*k+column] is least.
func (a *assigner) assign(of []int, cost []float64) {
	k := len(of)
	clear(a.rowPotential)
	clear(a.colPotential)
	clear(a.row)
	for i := 1; i <= k; i++ {
		a.augment(i, k, cost)
	}
	for j := 1; j <= k; j++ {
		of[a.row[j]-1] = j - 1
	}
}

// augment gives row i a column, and others new ones on the way to it.
func (a *assigner) augment(i, k int, cost []float64) {
	a.row[0] = i
	for j := range a.least {
		a.least[j], a.used[j] = math.Inf(1), false
	}
	j0 := 0
	for a.row[j0] != 0 {
		j0 = a.nearest(j0, k, cost)
	}
	for j0 != 0 {
		j := a.way[j0]
		a.row[j0] = a.row[j]
		j0 = j
	}
}

// nearest goes on from column j0 to the column that costs least more.
func (a *assigner) nearest(j0, k int, cost []float64) (next int) {
	a.used[j0] = true
	i0, delta := a.row[j0], math.Inf(1)
	for j := 1; j <= k; j++ {
		if a.used[j] {
			continue
		}
		if c := cost[(i0-1)*k+j-1] - a.rowPotential[i0] - a.colPotential[j]; c < a.least[j] {
			a.least[j], a.way[j] = c, j0
		}
		if a.least[j] < delta {
			delta, next = a.least[j], j
		}
	}
	for j := range k + 1 {
		if a.used[j] {
			a.rowPotential[a.row[j]] += delta
			a.colPotential[j] -= delta
		} else {
			a.least[j] -= delta
		}
	}
	return next
}
