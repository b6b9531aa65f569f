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

// forget begins again.
func (m *moments) forget() {
	m.N = 0
	for _, v := range [...][]float64{m.MeanX, m.SumX, m.MeanG, m.SumG} {
		clear(v)
	}
}

// scale writes D.
func (m *moments) scale(d []float64) {
	var part [64]float64
	for from := 0; from < len(d); from += len(part) {
		to := min(from+len(part), len(d))
		s := part[:to-from]
		columns.Div(s, m.SumX[from:to], m.SumG[from:to])
		columns.Sqrt(s, s)
		columns.Sqrt(s, s)
		for i, v := range s {
			switch {
			case v >= scaleLeast && v <= scaleMost:
				d[from+i] = v
			case v > 0 && !math.IsInf(v, 1):
				d[from+i] = min(max(v, scaleLeast), scaleMost)
			}
		}
	}
}
