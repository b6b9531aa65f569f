package plan

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/model"
)

// moving are nodes whose bounds change: from step to step with what other kernels move, or with nodes of the block, which are placed before.
// For bounds lo and hi, as functions of other nodes, x = lo + eᵘ, hi − eᵘ, lo + (hi − lo)/(1 + e⁻ᵘ) or u. The matrix of all derivatives is triangular, so that the
// Jacobian is the product of dx/du.
type moving struct{ nodes []bounded }

// bounded is a node of one number with its bounds.
type bounded struct {
	cell      int32
	placed    bool // by itself; else an element of a node with a transform of its own, which only others' bounds ask for
	low, high bound
	cuts      []cutBy
	depth     int     // layer
	effect    *effect // where the node is a function of its mean and precision
	inField   bool    // it is one of a field, which is placed last

	// At u, between place and pull:
	ends  ends
	width float64 // hi − lo
	share float64 // (x − lo)/(hi − lo)
	slope float64 // dx/du
}

// ends says which bounds there are.
type ends uint8

const (
	below ends = 1 << iota
	above
)

// bound is one end of a node's support.
type bound struct {
	fixed float64 // by constants, infinite where there is none
	still []int32 // cells that bound it too
	moves []int32 // and those that the block moves

	// In a step:
	held float64 // by all that does not move
	now  []int32 // what moves
	at   int32   // at u, the cell that is the bound, or −1
}

// cutBy is a dinterval child that bounds the node: of its operands, one is the node's cell, the value that is cut or a cut point.
type cutBy struct {
	child
	point int    // the node is the cut point of this number, or −1: it is what is cut
	moves []bool // of each cut point: whether the block moves it
}

func (b *bound) isFinite() bool { return !math.IsInf(b.fixed, 0) }

// fixed tells whether the bounds never change.
func (n *bounded) fixed() bool {
	return len(n.low.still)+len(n.low.moves)+len(n.high.still)+len(n.high.moves)+len(n.cuts) == 0
}

func (t *moving) size() int         { return len(t.nodes) }
func (t *moving) owner(j int) int32 { return t.nodes[j].cell }

func (t *moving) forChain() bijection {
	c := &moving{nodes: slices.Clone(t.nodes)}
	for j := range c.nodes {
		n := &c.nodes[j]
		n.low.now = make([]int32, 0, len(n.low.moves)+len(n.cuts))
		n.high.now = make([]int32, 0, len(n.high.moves)+len(n.cuts))
	}
	return c
}

func (t *moving) read(s *model.State, u []float64, _ *rand.Rand) {
	for j := range t.nodes {
		n := &t.nodes[j]
		n.hold(s)
		lo, hi := n.between(s)
		switch x := s.V[n.cell]; n.ends {
		case below | above:
			u[j] = logitBetween(x, lo, hi)
		case below:
			u[j] = within(vec.Log(x - lo))
		case above:
			u[j] = within(vec.Log(hi - x))
		default:
			u[j] = x
		}
	}
}

// hold finds what the bounds are in a step.
func (n *bounded) hold(s *model.State) {
	n.low.held, n.low.now = n.low.fixed, append(n.low.now[:0], n.low.moves...)
	n.high.held, n.high.now = n.high.fixed, append(n.high.now[:0], n.high.moves...)
	for _, c := range n.low.still {
		n.low.held = max(n.low.held, s.V[c])
	}
	for _, c := range n.high.still {
		n.high.held = min(n.high.held, s.V[c])
	}
	for k := range n.cuts {
		n.cut(s, &n.cuts[k])
	}
}

// cut adds the bounds that a dinterval child's value stands for: the value that is cut lies above as many cut points.
func (n *bounded) cut(s *model.State, k *cutBy) {
	y, points := int(s.V[k.out[0]]), k.in[1:]
	switch {
	case k.point == y && y >= 0:
		n.low.held = max(n.low.held, s.V[k.in[0]])
	case k.point == y-1 && y > 0:
		n.high.held = min(n.high.held, s.V[k.in[0]])
	case k.point >= 0:
	default:
		if y > 0 && y <= len(points) {
			n.low.held = n.low.meet(s, points[y-1], k.moves[y-1], n.low.held, math.Max)
		}
		if y >= 0 && y < len(points) {
			n.high.held = n.high.meet(s, points[y], k.moves[y], n.high.held, math.Min)
		}
	}
}

// meet takes a cut point in.
func (b *bound) meet(s *model.State, c int32, moves bool, held float64, nearer func(x, y float64) float64) float64 {
	if moves {
		b.now = append(b.now, c)
		return held
	}
	return nearer(held, s.V[c])
}

// between finds the bounds now.
func (n *bounded) between(s *model.State) (lo, hi float64) {
	lo, hi = n.low.held, n.high.held
	n.low.at, n.high.at = -1, -1
	for _, c := range n.low.now {
		if x := s.V[c]; x > lo {
			lo, n.low.at = x, c
		}
	}
	for _, c := range n.high.now {
		if x := s.V[c]; x < hi {
			hi, n.high.at = x, c
		}
	}
	n.ends = 0
	if !math.IsInf(lo, -1) {
		n.ends |= below
	}
	if !math.IsInf(hi, 1) {
		n.ends |= above
	}
	return lo, hi
}

func (t *moving) place(s *model.State, u []float64) (logJacobian float64) {
	for j := range t.nodes {
		logJacobian += t.nodes[j].place(s, u[j])
	}
	return logJacobian
}

func (n *bounded) place(s *model.State, u float64) (logJacobian float64) {
	lo, hi := n.between(s)
	switch n.ends {
	case below | above:
		return n.inside(s, lo, hi, u)
	case below:
		n.slope = vec.Exp(u)
		s.V[n.cell] = lo + n.slope
		return u
	case above:
		n.slope = -vec.Exp(u)
		s.V[n.cell] = hi + n.slope
		return u
	}
	s.V[n.cell] = u
	return 0
}

func (n *bounded) inside(s *model.State, lo, hi, u float64) (logJacobian float64) {
	e := vec.Exp(-math.Abs(u))
	q := 1 / (1 + e)
	p := float64(e * q)
	n.width = hi - lo
	n.slope = float64(n.width * float64(p*q))
	if u < 0 {
		s.V[n.cell], n.share = lo+float64(n.width*p), p
	} else {
		s.V[n.cell], n.share = hi-float64(n.width*p), q
	}
	return vec.Log(n.width) - math.Abs(u) - float64(2*vec.Log1p(e)) // NaN or −Inf where the bounds have met
}

func (t *moving) pull(s *model.State, _, grad []float64) {
	for j := len(t.nodes) - 1; j >= 0; j-- {
		grad[j] = t.nodes[j].pull(s)
	}
}

// pull gives bounds their part of the derivative by the value, and of log(hi − lo).
func (n *bounded) pull(s *model.State) (slope float64) {
	a := s.A[n.cell]
	toLow, toHigh := a, a
	switch n.ends {
	case 0:
		return a
	case below | above:
		slope = float64(a*n.slope) + 1 - float64(2*n.share)
		toLow = float64(a*(1-n.share)) - 1/n.width
		toHigh = float64(a*n.share) + 1/n.width
	default:
		slope = float64(a*n.slope) + 1
	}
	if n.low.at >= 0 {
		s.A[n.low.at] += toLow
	}
	if n.high.at >= 0 {
		s.A[n.high.at] += toHigh
	}
	return slope
}
