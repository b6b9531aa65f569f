package model

// RowSlopes adds w times the derivatives of a stochastic row's log density, by its value and its operands, to s.A. It is one row of what
// [Gradient.At] begins with: logical rows follow by [State.Pull]. Work is memory, which is returned for the next call.
func (s *State) RowSlopes(t *Template, i int, w float64, work []float64) []float64 {
	if s.A == nil {
		s.clearAdjoints()
	}
	work = work[:0]
	s.rowCells(t, i, func(c int32) {
		work = append(work, s.A[c])
	})
	s.rowCells(t, i, func(c int32) { s.A[c] = 0 })
	s.densityAdjoints(t, i, i+1)
	n := len(work)
	s.rowCells(t, i, func(c int32) { work = append(work, s.A[c]) })
	k := 0
	s.rowCells(t, i, func(c int32) { // a cell that is met again gets the same sum again
		s.A[c] = work[k] + float64(w*work[n+k])
		k++
	})
	return work
}

// rowCells calls f with the cells by which a row has derivatives.
func (s *State) rowCells(t *Template, i int, f func(c int32)) {
	for _, c := range t.out(i) {
		f(c)
	}
	for _, c := range t.in(i) {
		f(c)
	}
	if t.Stoch.eta != nil {
		f(t.Stoch.eta[i])
	}
}
