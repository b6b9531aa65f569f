package markov

import (
	"errors"
	"fmt"
	"math"
)

// Absorption is what becomes of a chain that starts in a transient state.
type Absorption struct {
	Transient []int32     // the states the rows are about
	Closed    []int       // the classes the columns are about, as numbers in the chain's Classes
	P         [][]float64 // P[r][k]: probability of ending in class Closed[k] from state Transient[r]
	Steps     []float64   // expected number of steps until then
}

// Absorb finds, from each transient state, the probability of ending in each closed class and the expected number of
// steps to get there, by state reduction: every number is accurate, also the smallest. The work grows with the cube of
// the transient states and the square times the classes.
func Absorb(c Chain, cl *Classes) *Absorption {
	a := &Absorption{Transient: cl.Transient(), Closed: cl.Closed()}
	m, classes := len(a.Transient), len(a.Closed)
	if m == 0 {
		return a
	}
	column := make([]int, len(cl.List))
	for q, k := range a.Closed {
		column[k] = m + q
	}
	r := newReduction(m, m+classes, m)
	at := make([]int, c.Len())
	for k, i := range a.Transient {
		at[i] = k
	}
	for k, i := range a.Transient {
		row := r.row(k)
		for j, v := range c.Row(int(i)) {
			if class := cl.Of[j]; cl.List[class].Closed {
				row[column[class]] += v
			} else {
				row[at[j]] = v
			}
		}
	}
	r.run() // every transient state can reach a closed class
	x := make([]float64, m+classes)
	a.P = make([][]float64, m)
	cells := make([]float64, m*classes)
	for k := range m {
		a.P[k] = cells[k*classes : (k+1)*classes]
	}
	for q := range classes {
		clear(x)
		x[m+q] = 1
		r.back(x)
		for k := range m {
			a.P[k][q] = x[k]
		}
	}
	a.Steps = r.expected(x)
	return a
}

// expected is the expected number of steps before each eliminated state is left for good.
func (r *reduction) expected(x []float64) []float64 {
	clear(x)
	for k := range r.m {
		x[k] = 1
	}
	r.forward(x)
	r.back(x)
	return append([]float64(nil), x[:r.m]...)
}

// Hitting gives the expected number of steps from each state to the first visit to one of the targets: 0 at these, +Inf
// where the chain may never get there. The work grows with the cube of the states.
func Hitting(c Chain, targets ...int) ([]float64, error) {
	if len(targets) == 0 {
		return nil, fmt.Errorf("markov: hitting times need a state to hit")
	}
	for _, t := range targets {
		if err := checkState(t, c.Len()); err != nil {
			return nil, err
		}
	}
	sure := surely(AsSparse(c), targets)
	const target = -2
	at := make([]int, c.Len())
	var states []int32
	for i := range at {
		at[i] = -1
		if sure[i] {
			at[i] = len(states)
			states = append(states, int32(i))
		}
	}
	for _, t := range targets {
		at[t] = target
	}
	m := len(states)
	r := newReduction(m, m+1, m)
	for k, i := range states {
		row := r.row(k)
		for j, v := range c.Row(int(i)) {
			if at[j] == target {
				row[m] += v
			} else {
				row[at[j]] = v
			}
		}
	}
	r.run()
	h := make([]float64, c.Len())
	for i := range h {
		h[i] = math.Inf(1)
	}
	for k, v := range r.expected(make([]float64, m+1)) {
		h[states[k]] = v
	}
	for _, t := range targets {
		h[t] = 0
	}
	return h, nil
}

// surely marks the states, targets excepted, from which a target is reached with probability 1: those that cannot get
// to a state from which no target can be reached.
func surely(s *Sparse, targets []int) []bool {
	back := s.transpose()
	reach := back.search(targets, nil)
	var lost []int
	for i, ok := range reach {
		if !ok {
			lost = append(lost, i)
		}
	}
	stop := make([]bool, s.Len())
	for _, t := range targets {
		stop[t] = true
	}
	sure := back.search(lost, stop)
	for i := range sure {
		sure[i] = !sure[i] && !stop[i]
	}
	return sure
}

// transpose lists for each state where it can be entered from; it has no probabilities.
func (s *Sparse) transpose() *Sparse {
	n := s.Len()
	t := &Sparse{start: make([]int, n+1), to: make([]int32, len(s.to))}
	for _, j := range s.to {
		t.start[j+1]++
	}
	for i := range n {
		t.start[i+1] += t.start[i]
	}
	for i := range n {
		to, _ := s.row(i)
		for _, j := range to {
			t.to[t.start[j]] = int32(i)
			t.start[j]++
		}
	}
	copy(t.start[1:], t.start)
	t.start[0] = 0
	return t
}

// search marks what can be reached from some states without entering those of stop.
func (s *Sparse) search(from []int, stop []bool) []bool {
	seen := make([]bool, s.Len())
	var queue []int32
	for _, i := range from {
		if !seen[i] {
			seen[i] = true
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, j := range s.to[s.start[i]:s.start[i+1]] {
			if !seen[j] && (stop == nil || !stop[j]) {
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	return seen
}

// Ending is what becomes of a chain that starts in a distribution.
type Ending struct {
	P     []float64 // probability of ending in each closed class, in the order of Classes.Closed
	Steps float64   // expected number of steps until then
	Error float64   // estimated error of P, relative to 1; see Stationary
}

// AbsorbFrom is Absorb for one start and chains of any size. A chain that begins anew, in start, each time it is
// absorbed is stationary, with probability 1/(1+Steps) of beginning: that is what is solved.
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
	begin := make([]float64, c.Len()) // what of the start is transient
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

// Kemeny is Kemeny's constant Σ_j π_j m_ij, the expected number of steps to a state drawn from the stationary
// distribution, with m_jj = 0: the same from every i (Kemeny, Snell, 1960). It is also Σ 1/(1−λ) over the eigenvalues
// other than 1. The chain must be irreducible; the work grows with the cube of the states.
//
// With T the chain without its last state, N = (I − T)⁻¹ and h = N 1, it is tr N − π h.
func Kemeny(c Chain) (float64, error) {
	if !Classify(c).Irreducible() {
		return 0, fmt.Errorf("markov: Kemeny's constant exists for irreducible chains only")
	}
	n := c.Len()
	r := reduceClosed(c, allStates(n))
	pi := make([]float64, n)
	if !r.visitsTo(pi) {
		return 0, errUnderflow
	}
	k := r.trace()
	for i, h := range r.expected(make([]float64, n)) {
		k -= float64(pi[i] * h)
	}
	return k, nil
}

var errUnderflow = errors.New("markov: parts of the chain exchange with probabilities below 1e-300")

func allStates(n int) []int32 {
	states := make([]int32, n)
	for i := range states {
		states[i] = int32(i)
	}
	return states
}

// trace is tr (S − U)⁻¹ (I − L)⁻¹, of which both factors have no negative entry.
func (r *reduction) trace() float64 {
	m := r.m
	x, y := make([]float64, m*m), make([]float64, m*m)
	for i := range m {
		row := x[i*m : (i+1)*m]
		row[i] = 1
		for k, l := range r.row(i)[:i] {
			axpy(row[:k+1], l, x[k*m:][:k+1])
		}
	}
	sum := 0.0
	for i := m - 1; i >= 0; i-- {
		row := y[i*m : (i+1)*m]
		row[i] = 1
		for k := i + 1; k < m; k++ {
			axpy(row[k:], r.row(i)[k], y[k*m+k:(k+1)*m])
		}
		for k := i; k < m; k++ {
			row[k] /= r.s[i]
			sum += float64(row[k] * x[k*m+i])
		}
	}
	return sum
}
