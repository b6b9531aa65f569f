package diag

import "math"

// WAIC is the widely applicable information criterion (Watanabe 2010), in
// the form of Vehtari, Gelman and Gabry (2017), equations 11-13, with
// p_waic the posterior variance of the log likelihood. Prefer [LOO], whose
// failures show: here, points with P above 0.4 are a warning.
type WAIC struct {
	ELPD, SE float64
	P, PSE   float64
	Points   []WAICPoint
}

// WAICPoint is what one observation contributes.
type WAICPoint struct{ ELPD, P float64 }

// IC is -2 ELPD.
func (w WAIC) IC() float64 { return -2 * w.ELPD }

// ComputeWAIC takes the pointwise log likelihood as [LeaveOneOut] does, with
// the same errors.
func ComputeWAIC(logLik [][][]float64) (WAIC, error) {
	if err := checkLogLik(logLik); err != nil {
		return WAIC{}, err
	}
	waic := WAIC{Points: make([]WAICPoint, len(logLik))}
	var w Work
	for i, chains := range logLik {
		w.load(chains)
		p := variance(w.x, w.mean)
		waic.Points[i] = WAICPoint{ELPD: logSumExp(w.x) - math.Log(float64(len(w.x))) - p, P: p}
	}
	waic.ELPD, waic.SE = sumOf(waic.Points, func(p WAICPoint) float64 { return p.ELPD })
	waic.P, waic.PSE = sumOf(waic.Points, func(p WAICPoint) float64 { return p.P })
	return waic, nil
}
