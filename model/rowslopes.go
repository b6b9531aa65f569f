package model

import "github.com/ergodic-mcmc/ergodic/internal/vec"

// RowSlopes adds w times the derivatives of a stochastic row's log density, by its value and its operands, to s.A. It is one row of what
// [Gradient.At] begins with: logical rows follow by [State.Pull]. Work is memory, which is returned for the next call.
func (s *State) RowSlopes(t *Template, i int, w float64, work []float64) []float64 {
	if s.A == nil {
		s.clearAdjoints()
	}
	if s.scaledAdjoint(t, i, w) {
		return work
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

// scaledAdjoint is RowSlopes of a row with one value and no bounds; false for others.
func (s *State) scaledAdjoint(t *Template, i int, w float64) bool {
	v, a := s.V, s.A
	switch st := t.Stoch; st.fast {
	case fastNorm:
		y, mu, tau := t.Out[i], t.In[2*i], t.In[2*i+1]
		d := v[y] - v[mu]
		g := float64(w * float64(v[tau]*d))
		a[y] -= g
		a[mu] += g
		a[tau] += float64(w * (0.5/v[tau] - float64(0.5*d*d)))
	case fastBernLogit:
		e := st.eta[i]
		a[e] += float64(w * (v[t.Out[i]] - vec.Ilogit(v[e])))
	case fastBinLogit:
		e := st.eta[i]
		a[e] += float64(w * (v[t.Out[i]] - float64(v[t.In[2*i+1]]*vec.Ilogit(v[e]))))
	case fastPoisLog:
		a[st.eta[i]] += float64(w * (v[t.Out[i]] - v[t.In[i]]))
	default:
		if st.Scalar == nil || st.Truncated() || st.Interval {
			return false
		}
		n := st.NPar()
		dp := s.sc.gradient(n)
		p, _, _ := s.params(t, i)
		if st.Scalar.Check(p) != "" {
			return true
		}
		dx := st.Scalar.Grad(v[t.Out[i]], p, dp)
		s.gainScaled(t.Out[i], dx, w)
		for k, c := range t.in(i)[:n] {
			s.gainScaled(c, dp[k], w)
		}
	}
	return true
}

func (s *State) gainScaled(c int32, by, w float64) {
	if vec.Finite(by) {
		s.A[c] += float64(w * by)
	}
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
