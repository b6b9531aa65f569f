package dic

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// parts is how many parts of the chains the jackknife leaves out in turn.
const parts = 16

// fewPairs is how many equal weights those of popt should be worth.
const fewPairs = 100

// part is what some iterations say: of each node, and the sums over the nodes at each iteration.
type part struct {
	deviance, pD []Moments
	popt         []Weighted
}

// Room fails where the sampled nodes of a run do not fit in memory, as [Criteria] needs them.
func Room(m *model.Model, chains, iterations int) error {
	return memory.Room(8 * memory.Product(len(m.SampledCells()), chains, iterations))
}

// Criteria computes the deviance information criterion, and the penalised expected deviance if popt is asked for, from the sampled nodes
// that a run kept. Threads change nothing but the time.
func Criteria(m *model.Model, r *draws.Reader, pD, popt bool, seed uint64, threads int) ([]report.Criterion, error) {
	if err := Room(m, r.Chains(draws.SampledNodes), r.Draws(draws.SampledNodes)); err != nil {
		return nil, fmt.Errorf("pD and popt need the draws of all sampled nodes in memory: %w", err)
	}
	kept, err := r.ReadGroup(draws.SampledNodes)
	if err != nil {
		return nil, err
	}
	chains, iterations := kept.Chains(), kept.Draws()
	all := make([]part, min(parts, iterations))
	sums := make([][]float64, chains+1) // the deviance of each chain, and pD
	for c := range sums {
		sums[c] = make([]float64, iterations)
	}
	names := New(m, 0).Names()
	fanout.Each(report.Workers(threads), len(all), func() *Comparison { return New(m, chains) }, func(c *Comparison, k int) {
		all[k] = c.part(kept, k*iterations/len(all), (k+1)*iterations/len(all), sums, popt, rng.New(seed, "divergence", uint64(k)))
	})
	return criteria(all, sums, names, pD, popt), nil
}

// part looks at some iterations.
func (c *Comparison) part(kept *draws.Set, from, to int, sums [][]float64, popt bool, r *rng.Stream) part {
	n, chains := len(c.nodes), len(c.states)
	p := part{deviance: make([]Moments, n), pD: make([]Moments, n)}
	if popt {
		p.popt = make([]Weighted, n)
	}
	for i := from; i < to; i++ {
		for chain := range chains {
			c.Set(chain, func(k int) float64 { return kept.Chain(chain, k)[i] })
		}
		c.Each(r.Rand, func(k int, one *Node) {
			for chain, lp := range one.LogP {
				p.deviance[k].Add(float64(-2 * lp))
				sums[chain][i] -= 2 * lp
			}
			p.pD[k].Add(one.Mean)
			sums[chains][i] += one.Mean
			if popt {
				one.Weigh(&p.popt[k])
			}
		})
	}
	return p
}

// criteria makes one of all parts.
func criteria(all []part, sums [][]float64, names []string, wantD, wantOpt bool) (out []report.Criterion) {
	chains := len(sums) - 1
	pD, both := sums[chains], slices.Clone(sums[chains])
	for _, deviance := range sums[:chains] {
		for i, x := range deviance {
			both[i] += x / float64(chains)
		}
	}
	iterations := float64(len(both))
	share := make([]float64, len(all)) // of the iterations
	for k := range all {
		share[k] = all[k].pD[0].n / iterations
	}
	deviance := weigh(all, share, func(p *part, i int) float64 { return p.deviance[i].Mean() })
	if wantD {
		penalty := weigh(all, share, func(p *part, i int) float64 { return p.pD[i].Mean() })
		d := report.NewCriterion("DIC", "pD", names, deviance, penalty)
		d.MCSE, d.PenaltyMCSE = report.Number(diag.MCSEMean([][]float64{both})), report.Number(diag.MCSEMean([][]float64{pD}))
		out = append(out, d)
	}
	if wantOpt {
		out = append(out, expected(all, share, names, deviance))
	}
	return out
}

// weigh is the mean over the parts, of each node.
func weigh(all []part, share []float64, of func(p *part, i int) float64) []float64 {
	out := make([]float64, len(all[0].pD))
	for i := range out {
		for k := range all {
			out[i] += float64(share[k] * of(&all[k], i))
		}
	}
	return out
}

// expected is the penalised expected deviance, with a jackknife over the parts for the error of its penalty.
func expected(all []part, share []float64, names []string, deviance []float64) report.Criterion {
	n, few := len(names), 0
	penalty := make([]float64, n)
	without := make([]float64, len(all)) // the sum over nodes where a part is left out
	rested := make([]float64, len(all))  // with the deviance
	for i := range n {
		var whole Weighted
		for k := range all {
			whole.join(all[k].popt[i])
		}
		penalty[i] = 2 * whole.Mean()
		if !(whole.effective() >= fewPairs) {
			few++
		}
		for k := range all {
			var rest Weighted
			for o := range all {
				if o != k {
					rest.join(all[o].popt[i])
				}
			}
			without[k] += 2 * rest.Mean()
			rested[k] += 2*rest.Mean() + (deviance[i]-float64(share[k]*all[k].deviance[i].Mean()))/(1-share[k])
		}
	}
	d := report.NewCriterion("PED", "popt", names, deviance, penalty)
	d.MCSE, d.PenaltyMCSE, d.Unreliable = jackknife(rested), jackknife(without), few
	return d
}

// jackknife is the standard error of what leaving out each part in turn gives.
func jackknife(without []float64) report.Number {
	var m Moments
	for _, x := range without {
		m.Add(x)
	}
	n := float64(len(without))
	return report.Number(math.Sqrt(m.Variance()/n) * (n - 1))
}
