package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
)

// maxEnumerate is the largest support that enumeration is chosen for, unless
// the node is categorical: JAGS draws the same line.
const maxEnumerate = 100

// enumerate draws a discrete node from its full conditional by evaluating every
// value of its support.
type enumerate struct {
	n    *node
	logw []float64
	last int // values that the last step weighed: logw then holds their weights
}

// newEnumerate serves discrete nodes whose support is known to be small.
func newEnumerate(n *node) *enumerate {
	if !n.scalar() || n.t.Stoch.Scalar == nil || !n.t.Stoch.Scalar.Discrete {
		return nil
	}
	size, ok := n.supportSize()
	if !ok || size > maxEnumerate && n.dist() != "dcat" {
		return nil
	}
	return &enumerate{n: n, logw: make([]float64, size)}
}

// supportSize bounds the number of values the node can ever take; ok is false
// where parameters that change while sampling decide it.
func (n *node) supportSize() (int, bool) {
	in := n.t.Operands(n.i)
	fixed := func(k int) (float64, bool) {
		switch n.m.Kinds[in[k]] {
		case model.Constant, model.Observed:
			return n.m.Init[in[k]], true
		}
		return 0, false
	}
	switch n.dist() {
	case "dbern":
		return 2, true
	case "dcat":
		return n.t.Stoch.NPar(), true
	case "dbin":
		x, ok := fixed(1)
		return int(min(x, 1<<30)) + 1, ok
	case "dbetabin":
		x, ok := fixed(2)
		return int(min(x, 1<<30)) + 1, ok
	case "dhyper":
		x, ok := fixed(2)
		return int(min(x, 1<<30)) + 1, ok
	}
	return 0, false
}

// Step draws the node.
func (e *enumerate) Step(s *model.State, r *rand.Rand) mcmc.Info {
	lo, hi := s.Bounds(e.n.t, e.n.i)
	if math.IsNaN(lo) || math.IsNaN(hi) || hi < lo {
		return mcmc.Info{}
	}
	old := s.V[e.n.cells[0]]
	k := min(int(hi-lo)+1, len(e.logw))
	e.last = 0
	top := math.Inf(-1)
	own := e.n.dist() == "dcat" && s.CategoryLogProbs(e.n.t, e.n.i, e.logw[:k])
	for j := range k {
		switch {
		case !own:
			e.logw[j] = e.n.at(s, lo+float64(j))
		case e.logw[j] > math.Inf(-1):
			e.n.set(s, lo+float64(j))
			e.logw[j] = e.n.logProbFrom(s, e.logw[j])
		}
		top = max(top, e.logw[j])
	}
	info := mcmc.Info{Evals: k}
	if math.IsInf(top, 0) {
		e.n.set(s, old)
		return info
	}
	x := lo + float64(dist.CategoricalLog(r, e.logw[:k]))
	e.last = k
	e.n.set(s, x)
	info.Accepted, info.AcceptProb = x != old, 1
	return info
}

// entropy is that of the full conditional from which the last step drew.
func (e *enumerate) entropy() float64 {
	total, sum := 0.0, 0.0
	for _, w := range e.logw[:e.last] {
		if w > 0 {
			total += w
			sum += float64(w * vec.Log(w))
		}
	}
	if !(total > 0) {
		return 0
	}
	return vec.Log(total) - sum/total
}
