package report

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Autocorrelations draws the autocorrelation of each chain up to the lag where
// it has died away. Between the grey lines ±1.96/√n lie 95 % of those of
// independent draws.
func Autocorrelations(set *draws.Set) []Page {
	var panels []panel
	for _, s := range allSeries(set) {
		panels = append(panels, s.autocorrelation)
	}
	return sheet{Autocorrelation, "Autocorrelations", 3, 5, 112}.pages(panels, set.Chains())
}

func (s series) autocorrelation(c draw.Canvas, t typist) {
	curves, last := s.correlograms()
	least, defined := -0.1, false
	for _, rho := range curves {
		for _, r := range rho {
			least = min(least, r)
			defined = true
		}
	}
	y := newAxis(0, 1, 2)
	y.lo, y.hi = max(least*1.05, -1.02), 1.02
	f := framed(c, t, s.name, s.remark(), newAxis(0, float64(max(last, 1)), 5), y)
	switch {
	case s.empty():
		f.say(t, s.why())
		return
	case s.constant():
		f.say(t, "constant: no autocorrelation")
		return
	case !defined:
		f.say(t, "no chain has one")
		return
	}
	limit := 1.96 / math.Sqrt(float64(s.draws))
	for _, level := range []float64{-limit, 0, limit} {
		style := draw.LineStyle{Color: axisColor, Width: 0.5}
		if level != 0 {
			style.Dashes = []vg.Length{2, 2}
		}
		a, b := f.at(f.x.lo, level), f.at(f.x.hi, level)
		f.StrokeLine2(style, a.X, a.Y, b.X, b.Y)
	}
	for i, rho := range curves {
		var points []vg.Point
		for lag, r := range rho {
			points = append(points, f.at(float64(lag), r))
		}
		f.line(draw.LineStyle{Color: veiled(chainColor(i), 0.9), Width: 0.9}, points)
	}
}

// correlograms are the autocorrelations of the chains, nil for a chain without
// one, up to three times the lag at which they first die away, or 300.
func (s series) correlograms() (curves [][]float64, last int) {
	const least, most, dead = 20, 300, 0.1
	last = least
	curves = make([][]float64, len(s.chains))
	for i, chain := range s.chains {
		rho := diag.Autocorrelation(chain)
		if len(rho) == 0 || math.IsNaN(rho[0]) {
			continue
		}
		curves[i] = rho
		first := slices.IndexFunc(rho, func(r float64) bool { return math.Abs(r) < dead })
		if first < 0 {
			first = most
		}
		last = max(last, 3*first)
	}
	last = min(last, most, max(s.draws-1, 0))
	for i, rho := range curves {
		curves[i] = rho[:min(last+1, len(rho))]
	}
	return curves, last
}
