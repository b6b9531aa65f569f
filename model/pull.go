package model

// Pull takes derivatives through runs of logical rows, from the last run to the first: to s.A of the cells that they read it adds those by the cells
// that they write, as s.A has them, times their own. The order is that of [State.Run], whose values the cells must have. s.A is there after
// [Gradient.At], whose derivatives by what the rows write have been taken further already: clear those before others are put in their
// place.
func (s *State) Pull(segs []Seg) {
	for k := len(segs) - 1; k >= 0; k-- {
		s.pullSeg(segs[k])
	}
}

func (s *State) pullSeg(g Seg) {
	t := s.M.Templates[g.T]
	for i := int(g.Hi) - 1; i >= int(g.Lo); i-- {
		s.adjointRow(t, i)
	}
}
