package plan

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/model"
)

// CurvatureError is how much P T Tᵀ g differs from g, for a vector g and minus the second derivatives P of the log density by the nodes of a field, by differences.
func (s *Sweep) CurvatureError(at *model.State, r *rand.Rand) float64 {
	for _, k := range s.kernels {
		b, ok := k.(*nuts)
		if !ok || b.field == nil {
			continue
		}
		f, n := b.field, len(b.field.nodes)
		for _, node := range f.nodes {
			at.V[node.cell] = 0.3 * r.NormFloat64()
		}
		at.RunAllLive()
		p := make([]float64, n*n)
		lp := func(i int, a float64, j int, c float64) float64 {
			at.V[f.nodes[i].cell] += a
			at.V[f.nodes[j].cell] += c
			at.RunAllLive()
			v := at.LogProb(b.stoch)
			at.V[f.nodes[i].cell] -= a
			at.V[f.nodes[j].cell] -= c
			return v
		}
		const h = 1e-3
		for i := range n {
			for j := range n {
				p[i*n+j] = -(lp(i, h, j, h) - lp(i, h, j, -h) - lp(i, -h, j, h) + lp(i, -h, j, -h)) / (4 * h * h)
			}
		}
		at.RunAllLive()
		ones, g, x := make([]float64, n), make([]float64, n), make([]float64, n)
		for j := range ones {
			ones[j], g[j] = 1, r.NormFloat64()
		}
		f.at.begin()
		f.at.add(at, ones)
		at.RunAllLive()
		if !f.at.factor(at) {
			return math.Inf(1)
		}
		f.at.solve(x, g)
		worst := 0.0
		for i := range n {
			sum := -g[i]
			for j := range n {
				sum += p[i*n+j] * x[j]
			}
			worst = max(worst, math.Abs(sum))
		}
		return worst
	}
	return math.Inf(1)
}
