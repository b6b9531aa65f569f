package model

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/columns"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// failures makes the density that of negative binomial counts with one size for all, from the log odds of failure u: y·u − (y+r)·log(1+exp(u)) and what
// only counts and size are in. It tells whether the probability is spelt by odds.
func (b *groupBuilder) failures(y int32, p []int32) bool {
	if b.node(p[1]).wide {
		return false
	}
	u := b.odds(p[0])
	if u < 0 {
		return false
	}
	d := &b.g.den
	d.kind, d.p, d.weight = negBinLog, [2]int32{u, p[1]}, b.number(1)
	d.checks = append(d.checks, check{y, 'c', 0}, check{p[1], 'p', 0})
	return true
}

// odds is the logarithm of (1−p)/p where p is spelt as s/(s+m) or ilogit(e); −1 where it is not.
func (b *groupBuilder) odds(p int32) int32 {
	n := *b.node(p)
	switch {
	case n.kind != opNode:
		return -1
	case n.op == OpIlogit:
		return b.op(OpNeg, nil, nil, n.args[0])
	case n.op != OpDiv:
		return -1
	}
	s, sum := n.args[0], *b.node(n.args[1])
	if sum.kind != opNode || sum.op != OpAdd {
		return -1
	}
	for k, a := range sum.args {
		if a == s {
			return b.op(OpSub, nil, nil, b.logOf(sum.args[1-k]), b.logOf(s))
		}
	}
	return -1
}

// logOf is the logarithm of a node: of an exponential its exponent, also within products and quotients.
func (b *groupBuilder) logOf(id int32) int32 {
	n := *b.node(id)
	switch {
	case n.kind == numberNode && n.x > 0:
		return b.number(vec.Log(n.x))
	case n.kind == opNode && n.op == OpExp:
		return n.args[0]
	case n.kind == opNode && (n.op == OpMul || n.op == OpDiv) && (b.exponential(n.args[0]) || b.exponential(n.args[1])):
		op := OpAdd
		if n.op == OpDiv {
			op = OpSub
		}
		return b.op(op, nil, nil, b.logOf(n.args[0]), b.logOf(n.args[1]))
	}
	return b.op(opCalled("log"), nil, nil, id)
}

// exponential tells whether a node is a product or quotient with an exponential.
func (b *groupBuilder) exponential(id int32) bool {
	n := b.node(id)
	if n.kind != opNode {
		return false
	}
	return n.op == OpExp || (n.op == OpMul || n.op == OpDiv) && (b.exponential(n.args[0]) || b.exponential(n.args[1]))
}

// rises is Σ log Γ(y+r) − log Γ(r) over counts y as a function of r. While the largest count is small beside the number of different ones it is Σ n_j·log(r+j) for
// j = 0, 1, …, n_j being how many are above j; otherwise a sum over the different ones.
type rises struct {
	direct bool
	at, n  []float64 // j and n_j; different counts and how many of each
	x, y   []float64
	sorted []float64
}

// manyLevels is how many logarithms cost as much as a log Γ and its derivative.
const manyLevels = 6

func (s *rises) count(y []float64) {
	s.sorted = append(s.sorted[:0], y...)
	slices.Sort(s.sorted)
	s.at, s.n = s.at[:0], s.n[:0]
	for _, v := range s.sorted {
		if k := len(s.at) - 1; k >= 0 && s.at[k] == v {
			s.n[k]++
			continue
		}
		s.at, s.n = append(s.at, v), append(s.n, 1)
	}
	most := s.at[len(s.at)-1]
	s.direct = most > float64(manyLevels*len(s.at))
	if !s.direct {
		s.levels(int(most))
	}
	s.x, s.y = slices.Grow(s.x[:0], len(s.at))[:len(s.at)], slices.Grow(s.y[:0], len(s.at))[:len(s.at)]
}

// levels counts the numbers above 0, 1, …
func (s *rises) levels(most int) {
	s.at, s.n = s.at[:0], s.n[:0]
	k := 0
	for j := range most {
		for s.sorted[k] <= float64(j) {
			k++
		}
		s.at, s.n = append(s.at, float64(j)), append(s.n, float64(len(s.sorted)-k))
	}
}

// of is the sum and its derivative by r.
func (s *rises) of(r float64) (sum, slope float64) {
	columns.AddScalar(s.x, s.at, r)
	if !s.direct {
		columns.Log(s.y, s.x)
		sum = columns.Dot(s.n, s.y)
		columns.Div(s.y, s.n, s.x)
		return sum, columns.Sum(s.y)
	}
	rows := float64(len(s.sorted))
	columns.Lgamma(s.y, s.x)
	sum = columns.Dot(s.n, s.y) - float64(rows*vec.Lgamma(r))
	columns.Digamma(s.y, s.x)
	return sum, columns.Dot(s.n, s.y) - float64(rows*vec.Digamma(r))
}
