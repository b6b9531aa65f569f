package jagsscript

import (
	"math"
	"math/rand/v2"
)

// replicates is how many draws estimate a divergence that has no closed form here.
const replicates = 10

// diverge fills n.kl with the divergences of a node's distribution between chains, and gives their mean.
func (n *nodes) diverge(one *node, r *rand.Rand) (mean float64) {
	chains := len(n.scratch)
	closed := divergence(one)
	if closed != nil {
		for c, s := range n.scratch {
			n.params[c] = append(n.params[c][:0], s.ScalarParams(one.t, one.i)...)
		}
	}
	for c := range chains {
		if closed == nil {
			n.estimate(one, c, r)
		}
		for o := range chains {
			if o == c {
				continue
			}
			if closed != nil {
				n.kl[c*chains+o] = closed(n.params[c], n.params[o])
			}
			mean += n.kl[c*chains+o]
		}
	}
	return mean / float64(chains*(chains-1))
}

// estimate finds the divergences of chain c's distribution from the others' by draws from it.
func (n *nodes) estimate(one *node, c int, r *rand.Rand) {
	chains, cells := len(n.scratch), one.t.Cells(one.i)
	own := n.kl[c*chains : (c+1)*chains]
	clear(own)
	for range replicates {
		from := n.scratch[c]
		if from.SampleRow(one.t, one.i, r) != "" {
			for o := range own {
				own[o] = math.NaN()
			}
			break
		}
		for o, s := range n.scratch {
			if o == c {
				continue
			}
			for _, cell := range cells {
				s.V[cell] = from.V[cell]
			}
			own[o] += (from.LogProbRow(one.t, one.i) - s.LogProbRow(one.t, one.i)) / replicates
		}
	}
	for _, s := range n.scratch {
		for k, cell := range cells {
			s.V[cell] = one.value[k]
		}
	}
}

// divergence is the divergence of a node's distribution with parameters p from that with q, in closed form; nil where none is here.
func divergence(one *node) func(p, q []float64) float64 {
	if st := one.t.Stoch; st.Scalar == nil || st.Truncated() || st.Interval {
		return nil
	}
	switch one.t.Stoch.Name {
	case "dnorm", "dlnorm":
		return func(p, q []float64) float64 {
			d := p[0] - q[0]
			return (q[1]/p[1] - 1 - math.Log(q[1]/p[1]) + float64(q[1]*d*d)) / 2
		}
	case "dpois":
		return func(p, q []float64) float64 { return part(p[0], q[0]) - p[0] + q[0] }
	case "dexp":
		return func(p, q []float64) float64 { return math.Log(p[0]/q[0]) + q[0]/p[0] - 1 }
	case "dbern":
		return func(p, q []float64) float64 { return part(p[0], q[0]) + part(1-p[0], 1-q[0]) }
	case "dbin":
		return func(p, q []float64) float64 {
			if p[1] != q[1] {
				return math.Inf(1)
			}
			return p[1] * (part(p[0], q[0]) + part(1-p[0], 1-q[0]))
		}
	}
	return nil
}

// part is p log p/q, 0 where p is.
func part(p, q float64) float64 {
	if p == 0 {
		return 0
	}
	return p * math.Log(p/q)
}

// weighted is a mean with weights whose logarithms may be large.
type weighted struct{ top, sum, weights float64 }

func (w *weighted) add(x, logWeight float64) {
	if w.weights == 0 || logWeight > w.top {
		scale := math.Exp(w.top - logWeight)
		if w.weights == 0 {
			scale = 0
		}
		w.sum, w.weights, w.top = w.sum*scale, w.weights*scale, logWeight
	}
	e := math.Exp(logWeight - w.top)
	w.sum += float64(e * x)
	w.weights += e
}

func (w *weighted) mean() float64 { return w.sum / w.weights }

// weigh adds a node's divergences between chains, each with the weight that leaves its value out.
func (n *nodes) weigh(to *weighted) {
	chains := len(n.scratch)
	for c := range chains {
		for o := range chains {
			if o != c {
				to.add(n.kl[c*chains+o], -n.logp[c]-n.logp[o])
			}
		}
	}
}
