package diag

import (
	"fmt"
	"math"
)

// LOO is leave-one-out cross-validation by Pareto smoothed importance sampling
// (Vehtari, Gelman and Gabry 2017, "Practical Bayesian model evaluation using
// leave-one-out cross-validation and WAIC", section 2).
type LOO struct {
	ELPD, SE float64 // expected log pointwise predictive density, and its standard error over observations
	P, PSE   float64 // effective number of parameters p_loo
	Points   []LOOPoint
}

// LOOPoint is what one observation contributes.
type LOOPoint struct {
	ELPD float64
	MCSE float64 // Monte Carlo standard error of ELPD; do not trust it for a large K
	P    float64
	K    float64 // Pareto shape; see [KThreshold]
	REff float64 // relative efficiency of the likelihood's draws
	NEff float64 // effective sample size of the weights
}

// IC is the information criterion on the scale of the deviance: -2 ELPD.
func (l LOO) IC() float64 { return -2 * l.ELPD }

// LeaveOneOut takes the pointwise log likelihood, observations × chains ×
// draws. It fails when there are no observations or draws, when shapes differ,
// and on a log likelihood of NaN or +Inf. A log likelihood of -Inf in some
// draw makes the leave-one-out density of that observation 0.
func LeaveOneOut(logLik [][][]float64) (LOO, error) { return leaveOneOut(logLik, math.NaN()) }

// LeaveOneOutIndependent is [LeaveOneOut] for independent draws: relative
// efficiencies of 1.
func LeaveOneOutIndependent(logLik [][][]float64) (LOO, error) { return leaveOneOut(logLik, 1) }

func leaveOneOut(logLik [][][]float64, efficiency float64) (LOO, error) {
	if err := checkLogLik(logLik); err != nil {
		return LOO{}, err
	}
	loo := LOO{Points: make([]LOOPoint, len(logLik))}
	var w Work
	var s smoother
	for i, chains := range logLik {
		loo.Points[i] = leaveOut(chains, efficiency, &w, &s)
	}
	loo.ELPD, loo.SE = sumOf(loo.Points, func(p LOOPoint) float64 { return p.ELPD })
	loo.P, loo.PSE = sumOf(loo.Points, func(p LOOPoint) float64 { return p.P })
	return loo, nil
}

func leaveOut(chains [][]float64, efficiency float64, w *Work, s *smoother) LOOPoint {
	w.load(chains)
	size := float64(len(w.x))
	point := LOOPoint{REff: efficiency}
	if math.IsNaN(efficiency) {
		point.REff = w.relativeEfficiency()
	}
	w.seq = resize(w.seq, len(w.x))
	for i, l := range w.x {
		w.seq[i] = -l
	}
	weights, k := s.smooth(w.seq, point.REff)
	point.K = k
	if math.IsNaN(weights[0]) {
		// Some draw gives the observation no density: the others cannot have
		// been drawn without it.
		point.ELPD, point.P, point.MCSE, point.NEff = math.Inf(-1), math.Inf(1), math.NaN(), math.NaN()
		return point
	}
	for i, l := range w.x {
		w.seq[i] = weights[i] + l
	}
	point.ELPD = logSumExp(w.seq)
	point.P = logSumExp(w.x) - math.Log(size) - point.ELPD

	squares, spread := 0.0, 0.0
	for i, l := range w.x {
		weight := math.Exp(weights[i])
		d := weight * math.Expm1(l-point.ELPD) // relative to exp(ELPD)
		squares += weight * weight
		spread += d * d
	}
	point.NEff = point.REff / squares
	point.MCSE = math.Sqrt(w.logVariance(math.Sqrt(spread)) / point.REff)
	return point
}

// logVariance is the variance of log X for a normal X > 0 of mean 1 and the
// given sd, from the expected order statistics of a thousand draws: the
// estimate of a density is near normal, and its logarithm is wanted.
func (w *Work) logVariance(sd float64) float64 {
	const size = 1000
	z := w.normalScores(size)
	w.seq = w.seq[:0]
	for r := 1; r <= size; r++ {
		if x := sd * z[r-1]; x > -1 {
			w.seq = append(w.seq, math.Log1p(x))
		}
	}
	return variance(w.seq, mean(w.seq))
}

// relativeEfficiency is ESS/S of the likelihood, chains as they are; the log
// likelihood is w.x. 1 where the ESS does not exist.
func (w *Work) relativeEfficiency() float64 {
	w.seq = resize(w.seq, len(w.x))
	for i, l := range w.x {
		w.seq[i] = math.Exp(l - w.hi) // the scale does not matter, its underflow would
	}
	r := w.ess(w.seq, w.chains, w.n, 0) / float64(len(w.x))
	if math.IsNaN(r) {
		return 1
	}
	return r
}

func checkLogLik(logLik [][][]float64) error {
	if len(logLik) == 0 {
		return fmt.Errorf("no pointwise log likelihood: keep it while sampling")
	}
	chains, n := len(logLik[0]), shortest(logLik[0])
	if chains == 0 || n == 0 {
		return fmt.Errorf("the pointwise log likelihood has no draws")
	}
	for i, element := range logLik {
		if len(element) != chains || shortest(element) != n {
			return fmt.Errorf("log likelihood of observation %d: %d chains of %d draws, but the first has %d of %d",
				i+1, len(element), shortest(element), chains, n)
		}
		for c, draws := range element {
			for t, l := range draws[:n] {
				if math.IsNaN(l) || math.IsInf(l, 1) {
					return fmt.Errorf("log likelihood of observation %d is %g in chain %d, draw %d: remove the observation or the draw", i+1, l, c+1, t+1)
				}
			}
		}
	}
	return nil
}

// sumOf is the sum over observations and its standard error √(n·var).
func sumOf[T any](points []T, value func(T) float64) (sum, se float64) {
	x := make([]float64, len(points))
	for i, p := range points {
		x[i] = value(p)
		sum += x[i]
	}
	return sum, math.Sqrt(float64(len(x)) * variance(x, mean(x)))
}

// Difference is the difference of two models' ELPD over the same observations
// and its standard error, from the pointwise values (Vehtari et al. 2017,
// equation 24). It is an error when the numbers of observations differ.
func Difference(a, b []float64) (elpd, se float64, err error) {
	if len(a) != len(b) {
		return 0, 0, fmt.Errorf("cannot compare models of %d and %d observations", len(a), len(b))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	elpd, se = sumOf(d, func(x float64) float64 { return x })
	return elpd, se, nil
}
