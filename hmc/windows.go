package hmc

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// schedule places the windows of a warm-up: from First on, the first as long as Base, each twice as long as the one before, the last up to
// Last.
type schedule struct{ First, Base, Last int }

// ends tells whether a window ends with step i.
func (s schedule) ends(i int) bool {
	if i < s.First || i >= s.Last {
		return false
	}
	for end, length := s.First, s.Base; ; length *= 2 {
		end += length
		if end+2*length > s.Last {
			end = s.Last // the rest is too short for a window of its own
		}
		if i+1 <= end {
			return i+1 == end
		}
	}
}

// stanSchedule is that of Stan's reference manual (section on automatic parameter tuning).
func stanSchedule(total int) schedule {
	switch {
	case total < 20:
		return schedule{} // the step size alone
	case total < 150:
		first, last := total*15/100, total-total/10
		return schedule{first, last - first, last}
	}
	return schedule{75, 25, total - 50}
}

// window is what a window has seen. Fields are exported for gob.
type window struct {
	Moments moments
	Cross   []float64 // sums of scatter of deviations, for a dense metric
	X, G    scatter   // of points and gradients, for a low rank
	Seen    int       // steps, of which every so many are in X and G
}

// learnWindows follows Stan.
func (k *sampler) learnWindows(r *rand.Rand, plan schedule, i int) (evals int) {
	if i < plan.First || i >= plan.Last {
		return 0
	}
	w := &k.tuning.Window
	if k.set.Metric == Dense {
		w.addCross(k.at.x)
	}
	w.Moments.add(k.at.x, k.at.grad)
	if !plan.ends(i) {
		return 0
	}
	ok := true
	if k.set.Metric == Dense {
		ok = k.tuning.Scaling.setCovariance(w)
	} else {
		k.tuning.Scaling.setVariance(&w.Moments)
	}
	k.tuning.Window = window{}
	if !ok {
		return 0
	}
	return k.restart(r)
}

// addCross adds (x − mean before)(x − mean after)ᵀ, the multivariate form of Welford's sums; the moments have not seen x yet.
func (w *window) addCross(x []float64) {
	d := len(x)
	if w.Cross == nil {
		w.Cross = make([]float64, d*d)
	}
	if w.Moments.N == 0 {
		return // the first point is the mean
	}
	n := float64(w.Moments.N)
	factor := n / (n + 1)
	for j, v := range x {
		c := float64(factor * (v - w.Moments.MeanX[j]))
		col := w.Cross[j*d : (j+1)*d]
		for i := j; i < d; i++ {
			col[i] += float64(c * (x[i] - w.Moments.MeanX[i]))
		}
	}
}

// Stan shrinks the estimates from n steps to n/(n+5) of themselves, and adds 5/(n+5) thousandths of the identity.
const (
	stanPrior   = 5
	stanTowards = 1e-3
)

func (s *scaling) setVariance(m *moments) {
	n := float64(m.N)
	for i, v := range m.SumX {
		variance := float64(n/(n+stanPrior)*(v/(n-1))) + float64(stanTowards*(stanPrior/(n+stanPrior)))
		s.Scale[i] = clampScale(math.Sqrt(variance))
	}
}

// setCovariance is false where the estimate has no Cholesky factor.
func (s *scaling) setCovariance(w *window) bool {
	d, n := len(w.Moments.MeanX), float64(w.Moments.N)
	a := make([]float64, d*d)
	for j := range d {
		for i := j; i < d; i++ {
			a[i+j*d] = float64(n / (n + stanPrior) * (w.Cross[i+j*d] / (n - 1)))
		}
		a[j+j*d] += float64(stanTowards * (stanPrior / (n + stanPrior)))
	}
	if !vec.Chol(a, a, d) {
		return false
	}
	s.Lower = a
	return true
}
