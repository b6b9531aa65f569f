package modeltest

import (
	"context"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// batches is the number of parts of a chain from whose means the error of a run is told.
const batches = 10

// run samples four chains by the project's own runner.
func (c *Case) run(p *plan.Plan, elements []int, n int, seed uint64) (*draws.Set, error) {
	job := &plan.Job{Plan: p}
	for _, e := range elements {
		job.Monitors = append(job.Monitors, model.Monitor{Variable: draws.Variable{Name: fmt.Sprintf("e%d", e)}, Cells: []int32{c.cell[e]}})
	}
	set := mcmc.Settings{Seed: c.Seed + seed, Chains: 4, Warmup: 300, Draws: n, Thin: 1 + int(c.Seed%2), Threads: 1}
	rec, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		return nil, err
	}
	if _, err := mcmc.Run(context.Background(), job, set, rec, nil); err != nil {
		return nil, &Refused{err}
	}
	return rec.Draws(), nil
}

// batchMeans are the moments of the batch means of each statistic.
func batchMeans(d *draws.Set, sc *scale, list []statistic) moments {
	all := newMoments(len(list))
	u, v, mean := make([]float64, len(sc.centre)), make([]float64, len(list)), make([]float64, len(list))
	size := d.Draws() / batches
	for ch := range d.Chains() {
		for b := range batches {
			clear(mean)
			for t := b * size; t < (b+1)*size; t++ {
				for e := range u {
					u[e] = sc.bounded(e, d.Chain(ch, e)[t])
				}
				values(v, list, u)
				for k, x := range v {
					mean[k] += x / float64(size)
				}
			}
			all.add(mean)
		}
	}
	return all
}

// told says whether a summary warns of what the draws are: elements that have not mixed, or
// whose tails are too heavy for a mean.
func told(d *draws.Set) bool {
	for e := range d.Names() {
		row := diag.Tabulate(d.Element(e), nil)
		if row.Rhat > 1.01 || row.ESSBulk < 400 || row.ESSTail < 400 || row.ParetoK > 0.7 {
			return true
		}
	}
	return false
}

// beside compares the means of runs of the default plan and of another one. A difference
// counts when the same statistic differs in three runs of each, the later ones twenty times
// as long, and no summary warns.
func (c *Case) beside(other *plan.Plan, l Length) error {
	elements, names := c.nodes()
	p, err := c.plan(nil)
	if err != nil || len(elements) == 0 {
		return err
	}
	c.judged = append(c.judged, "by runs beside each other")
	list := statistics(names, rng.New(c.Seed, "modeltest pairs").Rand)
	var sc scale
	var first difference
	for k, n := range []int{l.Draws / 4, 5 * l.Draws, 5 * l.Draws} {
		a, err := c.run(p, elements, n, uint64(10+k))
		if err != nil {
			return err
		}
		b, err := c.run(other, elements, n, uint64(20+k))
		if err != nil {
			return err
		}
		if k == 0 {
			sc = newScale(rowsOf(a), len(elements))
		}
		worst := apart(batchMeans(a, &sc, list), batchMeans(b, &sc, list), list)
		switch {
		case math.Abs(worst.z) < suspicious:
			return nil
		case told(a) || told(b):
			return &Suspect{fmt.Sprintf("plans: %s differs by %.1f standard errors, and a summary warns", worst.name, worst.z)}
		case k > 0 && worst.name != first.name:
			return &Suspect{fmt.Sprintf("plans: %s differs by %.1f standard errors, in an earlier run %s", worst.name, worst.z, first.name)}
		}
		first = worst
	}
	return fmt.Errorf("plans: %s differs by %.1f standard errors from the default plan", first.name, first.z)
}

// rowsOf are the draws of all chains, one slice each.
func rowsOf(d *draws.Set) [][]float64 {
	var out [][]float64
	for ch := range d.Chains() {
		for t := range d.Draws() {
			row := make([]float64, len(d.Names()))
			for e := range row {
				row[e] = d.Chain(ch, e)[t]
			}
			out = append(out, row)
		}
	}
	return out
}

// apart is the statistic whose means differ most, in standard errors of batch means.
func apart(a, b moments, list []statistic) (worst difference) {
	for k, st := range list {
		se := math.Sqrt(a.variance(k)/a.n+b.variance(k)/b.n) + 1e-4
		if z := (a.mean(k) - b.mean(k)) / se; math.Abs(z) > math.Abs(worst.z) || math.IsNaN(z) {
			worst = difference{st.name, z}
		}
	}
	return worst
}
