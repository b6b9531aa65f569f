package diag

import (
	"fmt"
	"math"
)

// AutocorrTime is an integrated autocorrelation time τ = 1 + 2 Σ_t ρ(t), in draws: the mean
// of n draws has the variance of one of n/τ independent ones.
type AutocorrTime struct {
	Tau    float64 // NaN if a walker is constant or not finite
	Window int     // the lag at which the sum was cut
	Draws  int     // of each walker
}

const (
	sokalWindow = 5  // Sokal's c
	enoughTimes = 50 // autocorrelation times that a trustworthy estimate takes
)

// IntegratedTime estimates τ as emcee does, so that figures can be compared: the
// autocorrelations of the walkers, each about its own mean, are averaged lag by lag, and their
// sum is cut at the smallest window M ≥ 5 τ(M) (Sokal 1989, section 3; Goodman and Weare
// 2010, section 3, average over the walkers before they correlate). Walkers × draws; walkers of
// unequal length are read up to the shortest.
func IntegratedTime(walkers [][]float64) AutocorrTime {
	n := shortest(walkers)
	t := AutocorrTime{Tau: math.NaN(), Draws: n}
	if n == 0 {
		return t
	}
	mean := make([]float64, n)
	for _, x := range walkers {
		for lag, rho := range Autocorrelation(x[:n]) {
			mean[lag] += rho / float64(len(walkers))
		}
	}
	if math.IsNaN(mean[0]) {
		return t
	}
	t.Tau = -1
	for lag, rho := range mean {
		t.Tau += 2 * rho
		t.Window = lag
		if float64(lag) >= sokalWindow*t.Tau {
			break
		}
	}
	return t
}

// Enough tells whether there are 50 τ draws or more of each walker; with fewer the estimate is
// most often too low.
func (t AutocorrTime) Enough() bool { return float64(t.Draws) >= enoughTimes*t.Tau }

// Warning says in words what to do if there are not [AutocorrTime.Enough] draws; "" if there are.
func (t AutocorrTime) Warning() string {
	switch {
	case math.IsNaN(t.Tau):
		return "no autocorrelation time: there are no draws, or a walker is constant or not finite"
	case !t.Enough():
		return fmt.Sprintf("the chain of %d draws is shorter than %d times its autocorrelation time of %.3g, which may well be longer than that: run on, to %.0f draws or more",
			t.Draws, enoughTimes, t.Tau, math.Ceil(enoughTimes*t.Tau))
	}
	return ""
}
