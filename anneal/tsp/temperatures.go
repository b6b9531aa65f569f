package tsp

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// Of the edges of a tour as Start draws it: the first temperature in parts of mean³/median² and at most in parts of the mean; the last in parts of the
// mean and at most in parts of the median, which is not taken for less than a part of the mean. Cities that are scattered evenly have a median near the mean, and a higher first
// temperature only takes time. Where cities are in clusters most edges are within them, and the tour must change between clusters before it
// freezes within, which it does at the temperatures of short edges (bench/tsp).
const (
	hotPart      = 0.14
	hotMost      = 1.2
	coldPart     = 0.05
	coldOfMedian = 0.1
	leastMedian  = 1. / 6
)

// Temperatures are, of the edges of a tour as Start draws it, 0.14 times mean³/median², at most 1.2 times the mean, and the lower of 0.05 times their
// mean and 0.1 times their median, where a median below a sixth of the mean counts as that.
func (p *Problem) Temperatures() (hot, cold float64) {
	l, err := p.landscape()
	if err != nil {
		return 1, coldPart
	}
	w := l.walker()
	w.Start(rng.New(0, "tsp temperatures").Rand)
	mean := float64(w.length) / float64(p.n)
	if mean <= 0 { // all cities in one place, or weights below 0
		return 1, coldPart
	}
	median := min(max(w.medianEdge(), leastMedian*mean), mean)
	spread := mean / median
	return min(hotPart*spread*spread, hotMost) * mean, min(coldPart*mean, coldOfMedian*median)
}

func (w *Walker) medianEdge() float64 {
	edges := make([]int64, w.n)
	last := w.tour[w.n-1]
	for i, c := range w.tour {
		edges[i] = w.distance(last, c)
		last = c
	}
	slices.Sort(edges)
	return float64(edges[w.n/2])
}
