package model

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
)

// Simulate draws every unobserved node from its prior given its parents and
// computes every logical one. It returns a cell that could not be drawn and
// why, or −1.
func (s *State) Simulate(r *rand.Rand) (cell int32, msg string) { return s.simulate(r, false) }

// SimulateAll draws the observed nodes too: parameters from their prior, data
// from their likelihood.
func (s *State) SimulateAll(r *rand.Rand) (cell int32, msg string) { return s.simulate(r, true) }

func (s *State) simulate(r *rand.Rand, data bool) (cell int32, msg string) {
	for _, row := range s.M.Topological() {
		t, i := s.M.TemplateOf(row)
		if t.Stoch == nil {
			s.RunRow(t, i)
			continue
		}
		if !data && s.M.Kinds[t.out(i)[0]] == Observed {
			continue
		}
		if msg := s.SampleRow(t, i, r); msg != "" {
			return t.out(i)[0], msg
		}
	}
	return -1, ""
}

// SampleRow draws a stochastic row's cells from its distribution given its
// parents; it says what is wrong, or "".
func (s *State) SampleRow(t *Template, i int, r *rand.Rand) string {
	if msg := s.CheckRow(t, i); msg != "" {
		return msg
	}
	st := t.Stoch
	if st.Interval {
		in := t.in(i)
		cuts := s.par[:len(in)-1]
		for k := range cuts {
			cuts[k] = s.V[in[k+1]]
		}
		s.V[t.Out[i]] = dist.Interval(s.V[in[0]], cuts)
		return ""
	}
	if st.Scalar == nil {
		p := s.multiParams(t, i)
		x := s.par[t.NIn : t.NIn+t.NOut]
		st.Multi.Sample(x, r, p, st.PDims, &s.sc.work)
		for k, c := range t.out(i) {
			s.V[c] = x[k]
		}
		return ""
	}
	p, lo, hi := s.params(t, i)
	var x float64
	if st.Truncated() {
		x = st.Scalar.SampleT(r, p, lo, hi)
	} else {
		x = st.Scalar.Sample(r, p)
	}
	if math.IsNaN(x) {
		return "has no value within its bounds"
	}
	s.V[t.Out[i]] = x
	return ""
}
