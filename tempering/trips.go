package tempering

// trips counts round trips of replicas from the hot end to the cold end and back. Fields are exported
// for gob.
type trips struct {
	Steps int
	Leg   []leg // by label: the part of the round trip that the replica is on
	Round int   // completed round trips
}

type leg int8

const (
	unstarted   leg = iota // has not been at the hot end
	towardsCold            // was at the hot end, not yet at the cold end
	towardsHot             // was at the hot end and then at the cold end
)

func newTrips(rungs int) trips { return trips{Leg: make([]leg, rungs)} }

func (t *trips) reset() {
	clear(t.Leg)
	t.Steps, t.Round = 0, 0
}

func (t *trips) step(label []int) {
	t.Steps++
	hot, cold := label[0], label[len(label)-1]
	if t.Leg[hot] == towardsHot {
		t.Round++
	}
	t.Leg[hot] = towardsCold
	if t.Leg[cold] == towardsCold {
		t.Leg[cold] = towardsHot
	}
}
