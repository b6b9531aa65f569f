package rbm

import "math"

// Best is the estimate to hold others of the same machine against: an exact sum, or the one with the least error of those that
// converged, or of all; nil where none has an error. RTSPrior is never the best.
func Best(all []*Estimate) (best *Estimate) {
	better := func(e *Estimate) bool {
		switch {
		case math.IsNaN(e.SE) || e.Method == RTSPrior:
			return false
		case best == nil || e.Converged != best.Converged:
			return best == nil || e.Converged
		}
		return e.SE < best.SE
	}
	for _, e := range all {
		if better(e) {
			best = e
		}
	}
	return best
}

// Against is how far the estimate is from another, the best, and that in units of both standard errors, which is NaN where it is the other, or
// neither has an error. Both are NaN without another.
func (e *Estimate) Against(best *Estimate) (difference, z float64) {
	if best == nil {
		return math.NaN(), math.NaN()
	}
	difference, z = e.LogZ-best.LogZ, math.NaN()
	if se := math.Hypot(e.SE, best.SE); e != best && se > 0 {
		z = difference / se
	}
	return difference, z
}

// Caution says why what others have published by the method may be so far from the best estimate; "" where there is nothing known
// to be wrong with it.
func (e Estimator) Caution(off float64) string {
	switch {
	case math.Abs(off) < 0.05:
	case e == AIS && off < 0:
		return "Weights are unbiased for Z, and so their log is low: by half its variance where that is small, and by more where most runs " +
			"miss the few large weights that carry the mean. A bootstrap of the runs that were made does not see those that were not."
	case e == RTSPrior || e == RTS:
		return "Where β is drawn from its prior instead of from q(β | x), the chain leaves no distribution invariant for which the " +
			"averages of q(β | x) would estimate Z: x lags behind β, and the error does not go away with more draws. Drawn from q(β | x), " +
			"the same method agrees with the others; its ladder has to be learnt first, and too short a start of that fails too."
	case e == MeanTAP:
		return "Mean field knows no error: the expansion is cut off, and of several fixed points none is known to be the best."
	case e == SAMC || e == SAMS:
		return "Its error is that of the adaptation, which falls with the square root of the sweeps after every temperature is visited."
	}
	return ""
}
