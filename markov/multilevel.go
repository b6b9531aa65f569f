package markov

import (
	"fmt"
	"math"
)

// The multilevel iteration (Horton, Leutenegger, 1994; De Sterck, Manteuffel, McCormick, Nguyen, Ruge, 2008): sweeps
// of relaxation settle what differs between neighbours, then states that exchange much flow become one state of a
// smaller chain, whose solution corrects their sums. All of it multiplies, adds and divides positive numbers.

// relaxation below 1 keeps sweeps from running in circles on chains that Gauss–Seidel would only permute: the matrix of
// a sweep then has a positive diagonal, and 1 is its only eigenvalue of modulus 1.
const relaxation = 0.95

// coarsest is the number of states that are solved by reduction.
const coarsest = 64

// faint is the least probability the iteration works with: all states together cannot hold 1e-240.
const faint = 1e-250

// level is a chain as transitions between different states, by the state they enter. Rates out of a state need not sum
// to 1.
type level struct {
	start []int
	from  []int32
	q     []float64
	out   []float64 // sum of the rates out of each state
	x     []float64 // the distribution, not normalised

	group  []int32 // the state of the next level
	entry  []int32 // for each transition, its place in the next level; −1 inside a group
	weight []float64
	next   *level
	twice  bool // visit the next level twice
}

func (l *level) n() int { return len(l.out) }

// newLevel turns a closed class around.
func newLevel(s *Sparse) *level {
	n := s.Len()
	l := &level{start: make([]int, n+1), out: make([]float64, n), x: make([]float64, n)}
	for i := range n {
		to, _ := s.row(i)
		for _, j := range to {
			if int(j) != i {
				l.start[j+1]++
			}
		}
	}
	for i := range n {
		l.start[i+1] += l.start[i]
	}
	l.from, l.q = make([]int32, l.start[n]), make([]float64, l.start[n])
	for i := range n {
		to, p := s.row(i)
		for k, j := range to {
			if int(j) == i {
				continue
			}
			l.from[l.start[j]], l.q[l.start[j]] = int32(i), p[k]
			l.start[j]++
			l.out[i] += p[k]
		}
	}
	copy(l.start[1:], l.start)
	l.start[0] = 0
	return l
}

// relax is one sweep of x_j ← Σ x_i q_ij / out_j, forward or backward.
func (l *level) relax(backward bool) {
	n := l.n()
	for t := range n {
		j := t
		if backward {
			j = n - 1 - t
		}
		sum := 0.0
		for k := l.start[j]; k < l.start[j+1]; k++ {
			sum += float64(l.x[l.from[k]] * l.q[k])
		}
		l.x[j] = max(l.x[j]+float64(relaxation*(sum/l.out[j]-l.x[j])), faint)
	}
}

// cycle improves x.
func (l *level) cycle() {
	if l.n() <= coarsest {
		l.direct()
		return
	}
	l.relax(false)
	l.relax(true)
	if l.next == nil {
		return
	}
	l.aggregate()
	l.next.cycle()
	if l.twice {
		l.next.cycle()
	}
	for i, g := range l.group {
		l.x[i] = l.weight[i] * l.next.x[g]
	}
	l.lift()
	l.relax(false)
	l.relax(true)
}

// direct solves a small level.
func (l *level) direct() {
	n := l.n()
	r := newReduction(n, n, n-1)
	for j := range n {
		for k := l.start[j]; k < l.start[j+1]; k++ {
			r.row(int(l.from[k]))[j] = l.q[k]
		}
	}
	if r.run() >= 0 {
		return // rates have underflowed: leave x to the sweeps
	}
	r.visits(l.x, n-1)
	scale(l.x)
	l.lift()
}

// lift keeps probabilities from underflowing to zero, which nothing would multiply up again.
func (l *level) lift() {
	for i, v := range l.x {
		l.x[i] = max(v, faint)
	}
}

// aggregate computes the rates of the next level under the present x: Q_IJ = Σ x_i q_ij / Σ x_i.
func (l *level) aggregate() {
	c := l.next
	clear(c.x)
	for i, g := range l.group {
		c.x[g] += l.x[i]
	}
	for i, g := range l.group {
		l.weight[i] = l.x[i] / c.x[g]
	}
	clear(c.q)
	for k, e := range l.entry {
		if e >= 0 {
			c.q[e] += float64(l.weight[l.from[k]] * l.q[k])
		}
	}
	clear(c.out)
	for k, i := range c.from {
		c.out[i] += c.q[k]
	}
}

// coarsen builds the levels below.
func (l *level) coarsen() {
	for l.n() > coarsest {
		groups := l.gather()
		if groups > l.n()*4/5 {
			return
		}
		l.next = l.pattern(groups)
		l.weight = make([]float64, l.n())
		l.twice = len(l.next.from) <= len(l.from)*2/5
		l.aggregate()
		l = l.next
	}
}

// pattern lists which groups have transitions between them.
func (l *level) pattern(groups int) *level {
	c := &level{start: make([]int, 1, groups+1), out: make([]float64, groups), x: make([]float64, groups)}
	l.entry = make([]int32, len(l.from))
	first := make([]int32, groups+1) // members by group
	for _, g := range l.group {
		first[g+1]++
	}
	for g := range groups {
		first[g+1] += first[g]
	}
	members := make([]int32, l.n())
	at := append([]int32(nil), first...)
	for i, g := range l.group {
		members[at[g]] = int32(i)
		at[g]++
	}
	place := make([]int32, groups) // of the transition from a group to the present one
	for g := range place {
		place[g] = -1
	}
	for g := range int32(groups) {
		base := int32(len(c.from))
		for _, j := range members[first[g]:first[g+1]] {
			for k := l.start[j]; k < l.start[j+1]; k++ {
				h := l.group[l.from[k]]
				if h == g {
					l.entry[k] = -1
					continue
				}
				if place[h] < base {
					place[h] = int32(len(c.from))
					c.from = append(c.from, h)
				}
				l.entry[k] = place[h]
			}
		}
		c.start = append(c.start, len(c.from))
	}
	c.q = make([]float64, len(c.from))
	return c
}

// iterate is the stationary distribution of a large closed class.
func (s Solver) iterate(c Chain, states []int32, out *Stationary) ([]float64, error) {
	p := restrict(AsSparse(c), states)
	if p.Transitions() > math.MaxInt32 {
		return nil, fmt.Errorf("markov: %d transitions are too many; at most %d can be held", p.Transitions(), math.MaxInt32)
	}
	l := newLevel(p)
	for i := range l.x {
		l.x[i] = 1 / float64(l.n())
	}
	// A few sweeps tell which transitions carry flow.
	for range 5 {
		l.relax(false)
		l.relax(true)
	}
	l.coarsen()
	return s.converge(l, out)
}

// converge cycles, with acceleration, until the error is small enough.
func (s Solver) converge(l *level, out *Stationary) ([]float64, error) {
	acc := newAccelerator(l.n())
	old := make([]float64, l.n())
	var w watch
	for out.Cycles = 1; out.Cycles <= s.Cycles; out.Cycles++ {
		copy(old, l.x)
		l.cycle()
		scale(l.x)
		acc.step(l.x, old)
		scale(l.x)
		out.Error = w.error(TotalVariation(l.x, old))
		if out.Error <= s.Error {
			return l.x, nil
		}
	}
	return nil, fmt.Errorf("markov: the stationary distribution of %d states is not found after %d cycles: the error is still some %.2g in total variation; allow more cycles or a larger error", l.n(), s.Cycles, out.Error)
}

// watch estimates the error that is left from the changes of x so far. If changes go on to shrink by a factor r a
// cycle, r/(1−r) times the last is still to come; r is the mean factor over the last changes, the last change the largest
// of three, and the estimate is doubled.
type watch struct{ change []float64 }

const watched = 6

func (w *watch) error(change float64) float64 {
	w.change = append(w.change, change)
	n := len(w.change)
	if n < watched {
		return math.Inf(1)
	}
	last := max(w.change[n-1], w.change[n-2], w.change[n-3])
	// Rounding errors do not shrink.
	r := 0.5
	if last > 0 {
		r = min(max(math.Pow(last/w.change[n-watched], 1.0/(watched-1)), r), 0.99)
	}
	return 2 * max(last, 4e-15) * r / (1 - r)
}
