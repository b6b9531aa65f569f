package tempering

import "github.com/ergodic-mcmc/ergodic/internal/ladder"

// trips counts round trips of replicas from the hot end to the cold end and back. Fields are exported
// for gob.
type trips struct {
	Steps int
	Leg   []ladder.Leg // by label
	Round int          // completed round trips
}

func newTrips(rungs int) trips { return trips{Leg: make([]ladder.Leg, rungs)} }

func (t *trips) reset() {
	clear(t.Leg)
	t.Steps, t.Round = 0, 0
}

func (t *trips) step(label []int) {
	t.Steps++
	if t.Leg[label[0]].Visit(true, false) {
		t.Round++
	}
	t.Leg[label[len(label)-1]].Visit(false, true)
}
