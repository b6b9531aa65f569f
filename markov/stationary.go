package markov

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Solver says how stationary distributions and expectations are computed. The zero value is ready to use.
type Solver struct {
	// Dense is the largest number of states for which a dense matrix is reduced; 2000 when 0, never when negative. A class
	// beyond DenseStates, for which the matrix would be too large, is then an error ([*SizeError]).
	Dense int
	// Error is the total variation to reach by iteration; 1e-10 when 0.
	Error float64
	// Cycles bounds the iteration; 1000 when 0.
	Cycles int
}

func (s Solver) withDefaults() Solver {
	if s.Dense == 0 {
		s.Dense = 2000
	}
	if s.Error == 0 {
		s.Error = 1e-10
	}
	if s.Cycles == 0 {
		s.Cycles = 1000
	}
	return s
}

// Stationary is a stationary distribution π = π P.
type Stationary struct {
	// Pi is over all states of the chain, zero outside the class. By gth each entry is accurate relative to itself. By
	// multilevel Error is all that holds: entries far below it may be wrong by any factor, and none is less than some
	// 1e-251, also where the probability is below the least float64. That is harmless in total variation, n·1e-250 for n
	// states, but logarithms and quotients of such entries mean nothing.
	Pi []float64
	// Method is "gth", "multilevel" or, for an absorbing state, "absorbing".
	Method string
	// Error estimates ½ Σ|π_i − exact|: rounding for gth; for multilevel, twice the last change times the
	// largest factor between errors and changes observed.
	Error float64
	// Cycles is the number of iterations.
	Cycles int
	// Weak tells a nearly decomposable class: without transitions below this probability it has several closed
	// classes, its parts; 0 if it has none. Relative errors of those transitions are
	// relative errors of the parts' probabilities.
	Weak float64
}

// NotUniqueError reports a chain with several closed classes, hence several stationary distributions.
type NotUniqueError struct {
	Closed []string // the first state of each closed class
}

func (e *NotUniqueError) Error() string {
	const most = 5
	shown := e.Closed[:min(most, len(e.Closed))]
	more := ""
	if len(e.Closed) > most {
		more = ", …"
	}
	return fmt.Sprintf("the stationary distribution is not unique: the chain has %d closed classes, with the states %s%s; ask for one a class",
		len(e.Closed), strings.Join(shown, ", "), more)
}

// Solve finds the stationary distribution of a chain. Where it is not unique, the error is a [*NotUniqueError].
func (s Solver) Solve(c Chain) (*Stationary, error) {
	cl := Classify(c)
	closed := cl.Closed()
	if len(closed) > 1 {
		e := &NotUniqueError{}
		for _, k := range closed {
			e.Closed = append(e.Closed, c.Name(int(cl.List[k].States[0])))
		}
		return nil, e
	}
	return s.SolveClass(c, cl.List[closed[0]])
}

// SolveClass finds the stationary distribution on one closed class.
func (s Solver) SolveClass(c Chain, class Class) (*Stationary, error) {
	if !class.Closed {
		return nil, fmt.Errorf("markov: the class of state %s is not closed; it has no stationary distribution", c.Name(int(class.States[0])))
	}
	s = s.withDefaults()
	out := &Stationary{}
	var x []float64
	var err error
	switch m := len(class.States); {
	case m == 1:
		x, out.Method = []float64{1}, "absorbing"
	case m <= s.Dense:
		out.Method, out.Error = "gth", float64(m)*0x1p-52
		if x, err = gth(c, class.States); err != nil {
			return nil, err
		}
	default:
		out.Method = "multilevel"
		if x, err = s.iterate(c, class.States, out); err != nil {
			return nil, err
		}
	}
	out.Weak = weakness(c, class.States)
	if len(x) == c.Len() {
		out.Pi = x
		return out, nil
	}
	out.Pi = make([]float64, c.Len())
	for k, i := range class.States {
		out.Pi[i] = x[k]
	}
	return out, nil
}

// StationaryOf is the stationary distribution of a chain that has one, computed with the defaults.
func StationaryOf(c Chain) ([]float64, error) {
	s, err := Solver{}.Solve(c)
	if err != nil {
		return nil, err
	}
	return s.Pi, nil
}

// gth is the stationary distribution on a closed class by state reduction. Where probabilities underflow on the way in
// one order of the states, the other order is tried.
func gth(c Chain, states []int32) ([]float64, error) {
	n := len(states)
	if err := fits("stationary distributions", n, "let the Solver iterate: Dense is the most states it reduces"); err != nil {
		return nil, err
	}
	x := make([]float64, n)
	if reduceClosed(c, states).visitsTo(x) {
		return x, nil
	}
	turned := slices.Clone(states)
	slices.Reverse(turned)
	if !reduceClosed(c, turned).visitsTo(x) {
		return nil, fmt.Errorf("markov: the stationary distribution cannot be found: parts of the chain, those of the states %s and %s among them, exchange with probabilities below 1e-300", c.Name(int(states[0])), c.Name(int(states[n-1])))
	}
	slices.Reverse(x)
	return x, nil
}

// reduceClosed prepares the elimination of all states of a closed class but the last.
func reduceClosed(c Chain, states []int32) *reduction {
	n := len(states)
	return &reduction{rows: n, cols: n, m: n - 1, a: toDense(c, states), s: make([]float64, n-1)}
}

// visitsTo eliminates and writes the stationary distribution; false if probabilities underflow.
func (r *reduction) visitsTo(x []float64) bool {
	if r.run() >= 0 {
		return false
	}
	r.visits(x, r.m)
	scale(x)
	return true
}

// scale divides x by its sum, which may be beyond the largest number.
func scale(x []float64) {
	top := 0.0
	for _, v := range x {
		top = max(top, v)
	}
	sum, lost := 0.0, 0.0 // with what rounding loses (Kahan, 1965): a million terms would lose three digits
	for i := range x {
		x[i] /= top
		y := x[i] - lost
		t := sum + y
		lost = t - sum - y
		sum = t
	}
	for i := range x {
		x[i] /= sum
	}
}

// weakLimits are the limits below which weakness leaves transitions out.
var weakLimits = [...]float64{1e-6, 1e-8, 1e-10, 1e-12}

// weakness looks for parts that only small transitions connect: it leaves out those below 1e-6, 1e-8, … and reports the
// smallest of these limits at which more than one closed class is left.
func weakness(c Chain, states []int32) float64 {
	smallest := least(c)
	if smallest >= weakLimits[0] {
		return 0
	}
	if d, ok := c.(*Dense); ok && len(states) == d.n && d.connected(weakLimits[0]) {
		return 0
	}
	s := restrict(AsSparse(c), states)
	weak := 0.0
	for _, limit := range weakLimits {
		if smallest >= limit || len(Classify(s.above(limit)).Closed()) == 1 {
			break
		}
		weak = limit
	}
	return weak
}

// least is the smallest positive probability.
func least(c Chain) float64 {
	p := []float64(nil)
	switch t := c.(type) {
	case *Dense:
		p = t.p
	default:
		p = AsSparse(c).p
	}
	least := 1.0
	for _, v := range p {
		if v > 0 && v < least {
			least = v
		}
	}
	return least
}

// above is the chain without the transitions below limit, not normalised.
func (s *Sparse) above(limit float64) *Sparse {
	t := &Sparse{start: make([]int, 1, len(s.start))}
	for i := range s.Len() {
		to, p := s.row(i)
		for k, v := range p {
			if v >= limit {
				t.to, t.p = append(t.to, to[k]), append(t.p, v)
			}
		}
		t.start = append(t.start, len(t.to))
	}
	return t
}

// restrict is the chain on some states, renumbered; transitions out of them are lost.
func restrict(s *Sparse, states []int32) *Sparse {
	if len(states) == s.Len() {
		return s
	}
	at := make([]int32, s.Len())
	for i := range at {
		at[i] = -1
	}
	for k, i := range states {
		at[i] = int32(k)
	}
	t := &Sparse{start: make([]int, 1, len(states)+1)}
	for _, i := range states {
		to, p := s.row(int(i))
		for k, j := range to {
			if at[j] >= 0 {
				t.to, t.p = append(t.to, at[j]), append(t.p, p[k])
			}
		}
		t.start = append(t.start, len(t.to))
	}
	return t
}

// TotalVariation is ½ Σ|x_i − y_i|, the largest difference of probability that two distributions give to one event.
func TotalVariation(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += math.Abs(v - y[i])
	}
	return sum / 2
}
