package tsp

import "github.com/ergodic-mcmc/ergodic/rng"

// The first and the last temperature as parts of the mean edge of a tour as Start draws it. Half of the first is enough for cities that are
// scattered evenly; where they are in clusters, tours must change between clusters before they freeze within (bench/tsp).
const (
	hotPart  = 1.2
	coldPart = 0.03
)

// Temperatures are 1.2 and 0.03 times the mean edge of a tour as Start draws it.
func (p *Problem) Temperatures() (hot, cold float64) {
	l, err := p.landscape()
	if err != nil {
		return hotPart, coldPart
	}
	w := l.walker()
	w.Start(rng.New(0, "tsp temperatures").Rand)
	mean := float64(w.length) / float64(p.n)
	if mean <= 0 { // all cities in one place, or weights below 0
		mean = 1
	}
	return hotPart * mean, coldPart * mean
}
