package tempering

// State is the state of parallel tempering: one replica at each inverse temperature.
type State[S any] struct {
	Replicas []S   // Replicas[i] is at rung i of the ladder; the last is at the target
	Label    []int // Label[i] identifies the replica at rung i by the rung where it started
	Odd      bool  // whether the next swaps are of rungs 1 and 2, 3 and 4, … (counted from 0)
}

// NewState returns a state with these replicas, from the hottest to the coldest.
func NewState[S any](replicas []S) *State[S] {
	s := &State[S]{Replicas: replicas, Label: make([]int, len(replicas))}
	for i := range s.Label {
		s.Label[i] = i
	}
	return s
}

// Cold is the replica at the inverse temperature of the target.
func (s *State[S]) Cold() S { return s.Replicas[len(s.Replicas)-1] }

// swap exchanges the replicas at rungs i and i+1.
func (s *State[S]) swap(i int) {
	s.Replicas[i], s.Replicas[i+1] = s.Replicas[i+1], s.Replicas[i]
	s.Label[i], s.Label[i+1] = s.Label[i+1], s.Label[i]
}
