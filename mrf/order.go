package mrf

import "github.com/ergodic-mcmc/ergodic/rng"

const (
	maxTries  = 300
	orderWork = 3e8 // steps through lists of variables: about a second
)

// bestOrder tries criteria with ties broken at random until the search has taken about as long as the elimination will. Orders whose tables
// have more than most entries are given up. It is nil where all are; width is then what the last one had come to.
func bestOrder(m *Model, most float64) (best *elimination, width int) {
	g := m.interactions()
	r := rng.New(0, "mrf elimination order")
	work := 0.0
	for try := range maxTries {
		e := newElimination(g, criterion(try)%criteria, limits{total: most}, r.Rand)
		done := e.run(nil)
		work += e.work
		switch {
		case done && (best == nil || e.entries < best.entries):
			best, most = e, e.entries
		case best == nil:
			width = max(width, e.width)
		}
		if try+1 >= int(criteria) && (work > orderWork || best != nil && work > min(orderWork, best.entries)) {
			break
		}
	}
	return best, width
}
