package hmc

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
)

// moments are running means and sums of squares of points and gradients (Welford, 1962). Fields are exported for gob.
type moments struct {
	N                        int
	MeanX, SumX, MeanG, SumG []float64
}

func (m *moments) add(x, grad []float64) {
	if m.MeanX == nil {
		d := len(x)
		m.MeanX, m.SumX, m.MeanG, m.SumG = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	}
	m.N++
	w := 1 / float64(m.N)
	columns.Moments(m.MeanX, m.SumX, x, w)
	columns.Moments(m.MeanG, m.SumG, grad, w)
}

// scale writes D.
func (m *moments) scale(d []float64) {
	for i := range d {
		if s := m.SumX[i] / m.SumG[i]; s > 0 && !math.IsInf(s, 1) {
			d[i] = clampScale(math.Sqrt(math.Sqrt(s)))
		}
	}
}
