package rbm

import (
	"math"
	"runtime"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
)

// LogWeights computes log p*(v) of each case; log p(v) is that less log Z.
// threads below 1 stand for all cores.
func (m *Model) LogWeights(d *Data, threads int) ([]float64, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := d.Fits(m); err != nil {
		return nil, err
	}
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	w := make([]float64, d.Cases)
	input := func() []float64 { return make([]float64, m.Hidden) }
	fanout.Each(threads, d.Cases, input, func(input []float64, n int) {
		w[n] = m.LogWeight(d.Case(n), input)
	})
	return w, nil
}

// Mean is the mean of x and its standard error over independent cases, NaN
// for one.
func Mean(x []float64) (mean, se float64) {
	for _, v := range x {
		mean += v
	}
	n := float64(len(x))
	mean /= n
	for _, v := range x {
		se += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(se / (n - 1) / n)
}
