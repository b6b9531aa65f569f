package mh

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Matrix is the move of states 0 … n−1 by a proposal matrix Q, q(j|i) = Q[i][j], drawn in
// constant time.
type Matrix struct {
	from []dist.Alias
	log  [][]float64
}

// NewMatrix checks that the rows are probabilities.
func NewMatrix(q [][]float64) (*Matrix, error) {
	n := len(q)
	if n == 0 {
		return nil, fmt.Errorf("mh: an empty proposal matrix; give a row for each state")
	}
	k := &Matrix{from: make([]dist.Alias, n), log: make([][]float64, n)}
	for i, row := range q {
		if len(row) != n {
			return nil, fmt.Errorf("mh: row %d of the proposal matrix has %d numbers, not %d", i+1, len(row), n)
		}
		sum := 0.0
		k.log[i] = make([]float64, n)
		for j, p := range row {
			if !(p >= 0) {
				return nil, fmt.Errorf("mh: row %d of the proposal matrix has the probability %v in column %d", i+1, p, j+1)
			}
			sum += p
			k.log[i][j] = vec.Log(p)
		}
		if math.Abs(sum-1) > 1e-9 {
			return nil, fmt.Errorf("mh: row %d of the proposal matrix adds up to %v, not to 1", i+1, sum)
		}
		if err := k.from[i].Build(row); err != nil {
			return nil, fmt.Errorf("mh: row %d of the proposal matrix: %w", i+1, err)
		}
	}
	return k, nil
}

// Propose draws from the row of x.
func (k *Matrix) Propose(_, x int, r *rand.Rand) (to int, logRatio float64) {
	to = k.from[x].Draw(r)
	return to, k.log[to][x] - k.log[x][to]
}

// LogDensity is log Q[from][to].
func (k *Matrix) LogDensity(to, from int) float64 { return k.log[from][to] }
