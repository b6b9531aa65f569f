package plan_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// graphsOfCounts are programs whose counts depend on one another in cycles.
var graphsOfCounts = []conformance{
	{"classes that feed one another", `model { l ~ dunif(0.5, 2); g ~ dunif(0, 1); w ~ dunif(0, 1); v ~ dunif(0, 1); p ~ dunif(0.2, 0.9); A ~ dpois(l); B ~ dpois(1); R ~ dpois(g * B + 0.2); S ~ dbin(w, A); U ~ dbin(v, B); y[1] ~ dbin(p, A + B); y[2] ~ dbin(p, A + B); y[3] ~ dbin(p, S + U); y[4] ~ dbin(w, R + S) }`, `y <- c(2,1,1,2)`, "", ""},
	{"trials of two counts with one above both", `model { l ~ dunif(0.5, 2); w ~ dunif(0.1, 1); r ~ dunif(0.5, 2); p ~ dunif(0.2, 1); A ~ dnegbin(0.6, r); B ~ dbin(w, A + 1); C ~ dpois(l * (A + 2 * B)); D ~ dbin(0.3, B + C); y[1] ~ dbin(p, B + D + 1); y[2] ~ dbin(p * w, C); y[3] ~ dbin(0.5, A + C) }`, `y <- c(2,1,0)`, "", ""},
}

// The density of the nodes above counts is estimated without bias: estimates over the sum, taken value by value, have the mean 1. Given counts that are drawn from their distribution given the rest
// estimates have the law of others, weighted by these: the mean of a function of them is that of the function times the estimate over the sum, of others. The values taken are below 14 each, beyond which no term is above 1e-9 of the sum. Means are off by more than 5.5 of their standard errors in 4e-8 of tests with
// normal means; weights are bounded, as counts are few.
func TestGraphsOfCountsAreEstimatedWithoutBias(t *testing.T) {
	for k, tc := range graphsOfCounts {
		c := compileText(t, tc.model, tc.data)
		p, err := plan.New(c.Model, nil)
		if err != nil {
			t.Fatal(err)
		}
		sweep := p.Sweep()
		for trial := range uint64(2) {
			r := rand.New(rand.NewPCG(trial, uint64(k)))
			s := jointModel(t, c.Model).Draw(r)
			copyData(c.Model, s)
			_, cells := sweep.CountEstimate(s, r, 6, false)
			if len(cells) == 0 {
				t.Fatalf("%s: no graph of counts", tc.name)
			}
			values, weights := countValues(c.Model, s, cells, 14)
			total := 0.0
			for _, w := range weights {
				total += w
			}
			var ratios [2][]float64 // to the sum
			for given := range 2 {
				for range 40000 {
					setCounts(s.V, cells, values[drawIndex(r, weights, total)])
					s.RunAllLive()
					x, _ := sweep.CountEstimate(s, r, 6, given == 1)
					ratios[given] = append(ratios[given], math.Exp(x)/total)
				}
			}
			of := func(x []float64, f func(x float64) float64) (mean, variance float64) {
				for _, x := range x {
					mean += f(x) / float64(len(ratios[0]))
					variance += f(x) * f(x)
				}
				n := float64(len(x))
				return mean, (variance/n - mean*mean) / n
			}
			for name, f := range map[string]func(x float64) float64{
				"all":   func(float64) float64 { return 1 },
				"small": func(x float64) float64 { return math.Min(1, 1/x) },
				"large": func(x float64) float64 { return math.Min(1, x) },
			} {
				mean, variance := of(ratios[0], func(x float64) float64 {
					if x == 0 {
						return 0
					}
					return x * f(x)
				})
				given, more := of(ratios[1], f)
				if z := (mean - given) / math.Sqrt(variance+more); !(math.Abs(z) < 5.5) {
					t.Errorf("%s, trial %d, %s: %v and, given counts, %v: off by %v standard errors", tc.name, trial, name, mean, given, z)
				}
			}
		}
	}
}

// countValues are values of counts below a bound, with the densities there.
func countValues(m *model.Model, s *model.State, cells []int32, bound int) (values [][]float64, weights []float64) {
	at := make([]float64, len(cells))
	top := 0.0
	var visit func(k int)
	visit = func(k int) {
		if k == len(cells) {
			s.RunAllLive()
			if w := math.Exp(s.LogProb(m.DensityRows())); w > 1e-12*top {
				top = max(top, w)
				values, weights = append(values, append([]float64(nil), at...)), append(weights, w)
			}
			return
		}
		for n := range bound {
			at[k] = float64(n)
			s.V[cells[k]] = at[k]
			visit(k + 1)
		}
	}
	visit(0)
	return values, weights
}

func setCounts(to []float64, cells []int32, values []float64) {
	for k, c := range cells {
		to[c] = values[k]
	}
}

func drawIndex(r *rand.Rand, weights []float64, total float64) int {
	u, last := r.Float64()*total, 0
	for k, w := range weights {
		last = k
		if u -= w; u < 0 {
			break
		}
	}
	return last
}
