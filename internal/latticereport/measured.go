package latticereport

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/report"
)

const (
	mostCurves    = 7 // on one chart, as there are colours
	histogramBins = 50
)

// HistogramPlots draws the densities of the energy at each temperature of one size, of at most seven at equal distances.
func HistogramPlots(title string, all []*lattice.Series) report.Page {
	chart := report.Chart{Title: "density of the energy", X: "energy per site  e"}
	var names []string
	for _, s := range spaced(all) {
		var set report.Points
		set.LineX, set.LineY = density(lattice.EnergyHistogram(s, 1<<14))
		chart.Sets = append(chart.Sets, set)
		names = append(names, temperatureOf(s.Beta))
	}
	return report.Charts(title, "T =", names, 1, []report.Chart{chart})
}

// spaced are at most seven of a list, the first and the last among them.
func spaced[T any](all []T) (some []T) {
	n := min(len(all), mostCurves)
	for k := range n {
		some = append(some, all[k*(len(all)-1)/max(n-1, 1)])
	}
	return some
}

func temperatureOf(beta float64) string { return fmt.Sprintf("%.4g", 1/beta) }

// density is counts in bins as wide as some steps between the energies, so that each has as many of them: about 50 bins.
func density(h lattice.Histogram) (x, y []float64) {
	n := len(h.Energy)
	switch n {
	case 0:
		return nil, nil
	case 1:
		return []float64{h.Energy[0], h.Energy[0]}, []float64{0, 1}
	}
	total, step := 0.0, math.Inf(1)
	for k, c := range h.Count {
		total += c
		if k > 0 {
			step = min(step, h.Energy[k]-h.Energy[k-1])
		}
	}
	lo, hi := h.Energy[0], h.Energy[n-1]
	width := math.Ceil((hi-lo)/step/histogramBins) * step
	lo -= float64(step / 2)
	bins := int((hi-lo)/width) + 1
	x, y = make([]float64, bins), make([]float64, bins)
	for k := range x {
		x[k] = lo + float64(width*(float64(k)+0.5))
	}
	for k, e := range h.Energy {
		y[int((e-lo)/width)] += h.Count[k] / total / width
	}
	return x, y
}

// Correlated is the correlation function at one temperature.
type Correlated struct {
	Beta     float64
	Distance []int
	G        []lattice.Estimate
}

// CorrelationPlots draws the correlations at each temperature of one size, of at most seven at equal distances: on a logarithmic scale, where
// an exponential decay is straight.
func CorrelationPlots(title string, all []Correlated) report.Page {
	chart := report.Chart{Title: "correlation function  G(r)", X: "distance  r", LogY: true}
	var names []string
	for _, c := range spaced(all) {
		set := report.Points{Joins: true}
		for k, r := range c.Distance {
			g := c.G[k]
			if g.Value < 2*g.SE() { // lost in noise, which a logarithm exaggerates
				g.Value = math.NaN()
			}
			set.X, set.Y, set.SE = append(set.X, float64(r)), append(set.Y, g.Value), append(set.SE, g.SE())
		}
		chart.Sets = append(chart.Sets, set)
		names = append(names, temperatureOf(c.Beta))
	}
	return report.Charts(title, "T =", names, 1, []report.Chart{chart})
}
