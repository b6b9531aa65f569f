package markov

// The multilevel iteration (Horton, Leutenegger, 1994; De Sterck, Manteuffel, McCormick, Nguyen, Ruge, 2008): sweeps
// of relaxation smooth the error between neighbours, then states that exchange much flow become one state of a
// smaller chain, whose solution corrects their sums. All operations are on positive numbers, without subtraction.

// relaxation below 1 makes sweeps converge also on chains for which those of Gauss–Seidel are periodic: the matrix of
// a sweep then has a positive diagonal, and 1 is its only eigenvalue of modulus 1.
const relaxation = 0.95

// coarsest is the number of states that are solved by reduction.
const coarsest = 64

// leastProb is the lower bound of probabilities in the iteration; over all states they sum to less than 1e-240.
const leastProb = 1e-250

// level is a chain as transitions between different states, by the state they enter. Rates out of a state need not sum
// to 1.
type level struct {
	start []int
	from  []int32
	q     []float64
	out   []float64 // sum of the rates out of each state
	x     []float64 // the distribution, not normalised

	group        []int32 // the state of the next level
	entry        []int32 // for each transition, its place in the next level; −1 inside a group
	weight       []float64
	next         *level
	twice        bool // visit the next level twice
	last, change []float64
}

func (l *level) n() int { return len(l.out) }

// newLevel stores a closed class by the states that transitions enter.
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
	x := l.x[:n]
	for t := range n {
		j := t
		if backward {
			j = n - 1 - t
		}
		from := l.from[l.start[j]:l.start[j+1]]
		q := l.q[l.start[j]:l.start[j+1]][:len(from)]
		even, odd := 0.0, 0.0 // two independent sums, which the processor pipelines
		for len(from) > 1 {
			even += float64(x[from[0]] * q[0])
			odd += float64(x[from[1]] * q[1])
			from, q = from[2:], q[2:]
		}
		if len(from) > 0 {
			even += float64(x[from[0]] * q[0])
		}
		x[j] = max(x[j]+float64(relaxation*((even+odd)/l.out[j]-x[j])), leastProb)
	}
}

// cycle improves x.
func (l *level) cycle() {
	if l.n() <= coarsest {
		l.direct()
		return
	}
	l.relax(false)
	if l.next == nil {
		l.relax(true)
		return
	}
	l.aggregate()
	if l.twice {
		l.next.cycleTwice()
	} else {
		l.next.cycle()
	}
	for i, g := range l.group {
		l.x[i] = l.weight[i] * l.next.x[g]
	}
	l.keepPositive()
	l.relax(true)
}

// cycleTwice improves x by two cycles and the combination of their results whose predicted change is least, as Notay's
// K-cycle (2008) does to keep the number of cycles from growing with the levels.
func (l *level) cycleTwice() {
	if l.n() <= coarsest {
		l.direct()
		return
	}
	if l.last == nil {
		l.last, l.change = make([]float64, l.n()), make([]float64, l.n())
	}
	scale(l.x)
	copy(l.last, l.x)
	l.cycle()
	scale(l.x)
	for i, v := range l.x {
		l.change[i] = v - l.last[i]
	}
	copy(l.last, l.x)
	l.cycle()
	scale(l.x)
	fit, norm := 0.0, 0.0
	for i, v := range l.x {
		w := 1 / max(v, leastProb)
		f := v - l.last[i]
		d := f - l.change[i]
		fit += float64(f * d * w)
		norm += float64(d * d * w)
	}
	if !(norm > 0) {
		return
	}
	c := min(max(fit/norm, -30), 0.5)
	for i, v := range l.x {
		l.x[i] = max(v-float64(c*(v-l.last[i])), v/8, leastProb)
	}
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
		return // rates have underflowed: x stays as the sweeps left it
	}
	r.visits(l.x, n-1)
	scale(l.x)
	l.keepPositive()
}

// keepPositive keeps probabilities from underflowing to zero, which no multiplication would undo.
func (l *level) keepPositive() {
	for i, v := range l.x {
		l.x[i] = max(v, leastProb)
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
