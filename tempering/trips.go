package tempering

// trips counts how often a replica has gone from the hot end to the cold one and back.
// Fields are exported for gob.
type trips struct {
	Steps int
	Leg   []leg // by label: on which part of the way the replica is
	Round int   // trips completed
}

type leg int8

const (
	nowhere leg = iota // has not been at the hot end
	rising             // was at the hot end, not yet at the cold one
	falling            // was at the hot end and then at the cold one
)

func newTrips(rungs int) trips { return trips{Leg: make([]leg, rungs)} }

func (t *trips) reset() {
	clear(t.Leg)
	t.Steps, t.Round = 0, 0
}

func (t *trips) step(label []int) {
	t.Steps++
	hot, cold := label[0], label[len(label)-1]
	if t.Leg[hot] == falling {
		t.Round++
	}
	t.Leg[hot] = rising
	if t.Leg[cold] == rising {
		t.Leg[cold] = falling
	}
}
