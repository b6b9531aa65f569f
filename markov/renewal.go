package markov

// Ending holds absorption probabilities and the expected time from a starting distribution.
type Ending struct {
	P     []float64 // probability of ending in each closed class, in the order of Classes.Closed
	Steps float64   // expected number of steps until then
	Error float64   // estimated error of P, relative to 1; see Stationary
}

// AbsorbFrom is Absorb for one start and chains of any size. It solves the renewal chain, which restarts
// from start after each absorption: the stationary probability of a restart is 1/(1+Steps).
func (s Solver) AbsorbFrom(c Chain, cl *Classes, start []float64) (*Ending, error) {
	if err := checkDistribution(start, c.Len()); err != nil {
		return nil, err
	}
	column := make([]int, len(cl.List))
	closed := cl.Closed()
	for q, k := range closed {
		column[k] = q
	}
	e := &Ending{P: make([]float64, len(closed))}
	begin := make([]float64, c.Len()) // the transient part of start
	moves := 0.0
	for i, v := range start {
		if k := cl.Of[i]; cl.List[k].Closed {
			e.P[column[k]] += v
		} else {
			begin[i] = v
			moves += v
		}
	}
	if moves == 0 {
		return e, nil
	}
	renewed, states := renewal(AsSparse(c), cl, begin, moves)
	st, err := s.Solve(renewed)
	if err != nil {
		return nil, err
	}
	origin := st.Pi[len(states)]
	for k, i := range states {
		visits := moves * st.Pi[k] / origin
		e.Steps += visits
		for j, v := range c.Row(int(i)) {
			if q := cl.Of[j]; cl.List[q].Closed {
				e.P[column[q]] += float64(visits * v)
			}
		}
	}
	e.Error = st.Error / origin
	return e, nil
}

// renewal is the chain on the transient states and, last, one more that stands for all closed classes and leads to begin.
func renewal(s *Sparse, cl *Classes, begin []float64, moves float64) (*Sparse, []int32) {
	states := cl.Transient()
	at := make([]int32, s.Len())
	for k, i := range states {
		at[i] = int32(k)
	}
	t := &Sparse{start: make([]int, 1, len(states)+2)}
	for _, i := range states {
		to, p := s.row(int(i))
		end := 0.0
		for k, j := range to {
			if cl.List[cl.Of[j]].Closed {
				end += p[k]
				continue
			}
			t.to, t.p = append(t.to, at[j]), append(t.p, p[k])
		}
		if end > 0 {
			t.to, t.p = append(t.to, int32(len(states))), append(t.p, end)
		}
		t.start = append(t.start, len(t.to))
	}
	for k, i := range states {
		if begin[i] > 0 {
			t.to, t.p = append(t.to, int32(k)), append(t.p, begin[i]/moves)
		}
	}
	t.start = append(t.start, len(t.to))
	return t, states
}
