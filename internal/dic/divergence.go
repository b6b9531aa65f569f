package dic

import (
	"math"
	"math/rand/v2"
)

// Replicates is how many draws estimate a divergence that has no closed form here.
const Replicates = 10

// diverge finds the divergences of a node's distribution between chains.
func (c *Comparison) diverge(one *observed, r *rand.Rand) {
	chains, kl := len(c.states), c.seen.KL
	closed := divergence(one)
	if closed != nil {
		for i, s := range c.states {
			c.params[i] = append(c.params[i][:0], s.ScalarParams(one.t, one.i)...)
		}
	}
	mean := 0.0
	for i := range chains {
		if closed == nil {
			c.estimate(one, i, r)
		}
		for o := range chains {
			if o == i {
				continue
			}
			if closed != nil {
				kl[i*chains+o] = closed(c.params[i], c.params[o])
			}
			mean += kl[i*chains+o]
		}
	}
	c.seen.Mean = mean / float64(chains*(chains-1))
}

// estimate finds the divergences of a chain's distribution from the others' by draws from it.
func (c *Comparison) estimate(one *observed, chain int, r *rand.Rand) {
	chains, cells := len(c.states), one.t.Cells(one.i)
	own := c.seen.KL[chain*chains : (chain+1)*chains]
	clear(own)
	for range Replicates {
		from := c.states[chain]
		if from.SampleRow(one.t, one.i, r) != "" {
			for o := range own {
				if o != chain {
					own[o] = math.NaN()
				}
			}
			break
		}
		for o, s := range c.states {
			if o == chain {
				continue
			}
			for _, cell := range cells {
				s.V[cell] = from.V[cell]
			}
			own[o] += (from.LogProbRow(one.t, one.i) - s.LogProbRow(one.t, one.i)) / Replicates
		}
	}
	for _, s := range c.states {
		for k, cell := range cells {
			s.V[cell] = one.value[k]
		}
	}
}

// divergence is the divergence of a node's distribution with parameters p from that with q, in closed form; nil where none is here.
func divergence(one *observed) func(p, q []float64) float64 {
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
		return func(p, q []float64) float64 { return term(p[0], q[0]) - p[0] + q[0] }
	case "dexp":
		return func(p, q []float64) float64 { return math.Log(p[0]/q[0]) + q[0]/p[0] - 1 }
	case "dbern":
		return func(p, q []float64) float64 { return term(p[0], q[0]) + term(1-p[0], 1-q[0]) }
	case "dbin":
		return func(p, q []float64) float64 {
			if p[1] != q[1] {
				return math.Inf(1)
			}
			return p[1] * (term(p[0], q[0]) + term(1-p[0], 1-q[0]))
		}
	}
	return nil
}

// term is p log p/q, 0 where p is.
func term(p, q float64) float64 {
	if p == 0 {
		return 0
	}
	return p * math.Log(p/q)
}
