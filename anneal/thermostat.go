package anneal

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	heatBins    = 64   // temperatures at which the specific heat is measured
	heatPass    = 0.1  // part of a read that measures
	heatUniform = 0.25 // part of the rest that is spent evenly, for what a noisy measurement says is not needed
)

// thermostat gives a read its temperatures. What of it changes is exported for gob.
type thermostat struct {
	schedule *Schedule
	sweeps   int // of a read; 0: it ends by the clock

	LogT  float64   // of Acceptance; 0 before the first sweep
	Last  float64   // the position of the sweep before
	Bins  []heatBin // of SpecificHeat
	Share []float64 // of the time that is over as each bin begins, once measured
}

// heatBin is what was seen of energies near a temperature.
type heatBin struct {
	N, Mean, M2        float64
	Proposed, Accepted float64
}

// temperature is the one at x from 0 to 1.
func (t *thermostat) temperature(x float64) float64 {
	s := t.schedule
	switch {
	case s.Kind == Acceptance && t.LogT != 0:
		return vec.Exp(t.LogT)
	case s.Kind == SpecificHeat && x < heatPass:
		return s.Temperature(x/heatPass, t.sweeps)
	case s.Kind == SpecificHeat:
		return s.Temperature(t.spent((x-heatPass)/(1-heatPass)), t.sweeps)
	}
	return s.Temperature(x, t.sweeps)
}

// observe is told what a sweep at x did.
func (t *thermostat) observe(x float64, proposed, accepted int64, walkers []Walker) {
	switch t.schedule.Kind {
	case Acceptance:
		t.steer(x, float64(accepted)/float64(max(proposed, 1)))
	case SpecificHeat:
		if x < heatPass {
			t.measure(x/heatPass, proposed, accepted, walkers)
		}
	}
	t.Last = x
}

// steer moves the temperature toward the curve of acceptance. It can cross the whole range in a fortieth of the read, and not within ten
// sweeps, and never leaves it by more than a factor of 100.
func (t *thermostat) steer(x, acceptance float64) {
	hot, cold := vec.Log(t.schedule.Hot), vec.Log(t.schedule.Cold)
	if t.LogT == 0 {
		t.LogT = hot
	}
	want := lamRate(x)
	off := min(max((want-acceptance)/max(want, acceptance, 1e-9), -1), 1)
	step := float64(max(hot-cold, 1) * min(40*(x-t.Last), 0.1))
	t.LogT = min(max(t.LogT+float64(off*step), cold-2*math.Ln10), hot+2*math.Ln10)
}

// lamRate is the share of proposals to accept at x (Boyan, 1998, "Learning evaluation functions for global optimization", appendix B.2).
func lamRate(x float64) float64 {
	switch {
	case x < 0.15:
		return 0.44 + float64(0.56*vec.Exp(-vec.Log(560)*x/0.15))
	case x < 0.65:
		return 0.44
	}
	return 0.44 * vec.Exp(-vec.Log(440)*(x-0.65)/0.35)
}

// measure adds the energies after a sweep to their bin.
func (t *thermostat) measure(x float64, proposed, accepted int64, walkers []Walker) {
	if t.Bins == nil {
		t.Bins = make([]heatBin, heatBins)
	}
	b := &t.Bins[min(int(x*heatBins), heatBins-1)]
	b.Proposed += float64(proposed)
	b.Accepted += float64(accepted)
	for _, w := range walkers {
		for i := range w.Replicas() {
			e := w.Energy(i)
			b.N++
			d := e - b.Mean
			b.Mean += d / b.N
			b.M2 += float64(d * (e - b.Mean))
		}
	}
}

// spent is the position on the geometric schedule where a part x of the time after the measurement is over.
func (t *thermostat) spent(x float64) float64 {
	if t.Share == nil {
		t.Share = shares(t.Bins, t.schedule)
	}
	for k := range heatBins {
		if a, b := t.Share[k], t.Share[k+1]; x <= b || k == heatBins-1 {
			return (float64(k) + min(max((x-a)/max(b-a, 1e-300), 0), 1)) / heatBins
		}
	}
	return 1
}

// shares are the parts of the time that are over as bins begin, by Lam's and Delosme's rate.
func shares(bins []heatBin, s *Schedule) []float64 {
	weights := make([]float64, heatBins)
	total := 0.0
	for k := range weights {
		if bins == nil || bins[k].N < 2 {
			continue
		}
		b := bins[k]
		hot, cold := s.Temperature(float64(k)/heatBins, 0), s.Temperature(float64(k+1)/heatBins, 0)
		beta := (1/hot + 1/cold) / 2
		variance := b.M2 / (b.N - 1)
		rho := min(max(b.Accepted/max(b.Proposed, 1), 1e-3), 0.999)
		rate := 4 * rho * (1 - rho) * (1 - rho) / ((2 - rho) * (2 - rho))
		weights[k] = float64(float64(beta*beta) * variance * math.Sqrt(variance) / rate * (1/cold - 1/hot))
		total += weights[k]
	}
	all := make([]float64, heatBins+1)
	for k, w := range weights {
		if total > 0 && !math.IsInf(total, 0) {
			w = float64((1-heatUniform)*w/total) + heatUniform/heatBins
		} else {
			w = 1.0 / heatBins
		}
		all[k+1] = all[k] + w
	}
	return all
}
