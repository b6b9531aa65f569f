package tsp

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// The first temperature in parts of mean²/median of the edges of a tour as Start draws it, and at most in parts of their mean; the last in parts of
// the mean. Cities that are scattered evenly have a median near the mean and need no higher temperature: one at which the tour still changes without
// being lost. Where cities are in clusters most edges are within them, and the tour must change between clusters before it freezes within (bench/tsp).
const (
	hotPart  = 0.2
	hotMost  = 1.2
	coldPart = 0.05
)

// Temperatures are, of the edges of a tour as Start draws it, 0.2 times mean²/median, but at most 1.2 times the mean, and 0.05 times the mean.
func (p *Problem) Temperatures() (hot, cold float64) {
	l, err := p.landscape()
	if err != nil {
		return hotMost, coldPart
	}
	w := l.walker()
	w.Start(rng.New(0, "tsp temperatures").Rand)
	mean := float64(w.length) / float64(p.n)
	if mean <= 0 { // all cities in one place, or weights below 0
		return hotMost, coldPart
	}
	median := max(w.medianEdge(), mean*hotPart/hotMost)
	return max(hotPart*mean*mean/median, coldPart*mean), coldPart * mean
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
