package mh

import (
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// moments are the running mean and the sum of squared deviations of a vector (Welford,
// 1962), matrices column-major with the lower triangle in use. Exported fields are for gob.
type moments struct {
	N         int
	Mean, Sum []float64
	delta     []float64
}

func newMoments(d int) moments {
	return moments{Mean: make([]float64, d), Sum: make([]float64, d*d), delta: make([]float64, d)}
}

func (m *moments) reset() {
	m.N = 0
	clear(m.Mean)
	clear(m.Sum)
}

func (m *moments) add(x []float64) {
	m.N++
	for i, v := range x {
		m.delta[i] = v - m.Mean[i]
		m.Mean[i] += m.delta[i] / float64(m.N)
	}
	d := len(x)
	for j := range d {
		after := x[j] - m.Mean[j]
		col := m.Sum[j*d : (j+1)*d]
		for i := j; i < d; i++ {
			col[i] += float64(m.delta[i] * after)
		}
	}
}

// ridge is the share by which variances are raised, so that a covariance estimated from
// few or collinear points has a Cholesky factor (the ε of Haario, Saksman and Tamminen 2001).
const ridge = 1e-6

// chol writes the Cholesky factor of the covariance to dst, with work for scratch, and
// reports whether there is one.
func (m *moments) chol(dst, work []float64) bool {
	d := len(m.Mean)
	for i, v := range m.Sum {
		work[i] = v / float64(m.N-1)
	}
	for i := range d {
		work[i*d+i] *= 1 + ridge
	}
	if !vec.Chol(work, work, d) {
		return false
	}
	for _, v := range work {
		if !vec.Finite(v) {
			return false
		}
	}
	copy(dst, work)
	return true
}
