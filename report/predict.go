package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// Predictive is how well a run's model predicts each observation.
type Predictive struct {
	Names []string // of the observations
	LOO   diag.LOO
	WAIC  diag.WAIC
	Draws int // over all chains
}

// PredictiveRow is a run's expected log predictive density. Difference is
// from the best run, and its standard error that of the sum of the pointwise
// differences (Vehtari, Gelman and Gabry 2017, equation 24).
type PredictiveRow struct {
	Run          string `json:"run"`
	ELPD         Number `json:"elpd"`
	SE           Number `json:"se"`
	P            Number `json:"p"`
	Difference   Number `json:"elpd_diff"`
	DifferenceSE Number `json:"se_diff"`
	Unreliable   int    `json:"unreliable"` // observations whose k, or p for WAIC, is too large
}

// Predict computes PSIS-LOO and WAIC from the pointwise log likelihood that a
// run kept; nil without error where it kept none. An element of the data that
// is missing has NaN in every draw, and is no observation.
func Predict(r *draws.Reader, threads int) (*Predictive, error) {
	if !r.Has(draws.LogLikelihood) {
		return nil, nil
	}
	p := &Predictive{Draws: r.Chains(draws.LogLikelihood) * r.Draws(draws.LogLikelihood)}
	for _, v := range r.Variables(draws.LogLikelihood) {
		p.Names = append(p.Names, v.ElementNames()...)
	}
	p.LOO.Points = make([]diag.LOOPoint, len(p.Names))
	p.WAIC.Points = make([]diag.WAICPoint, len(p.Names))
	all, err := scanGroup(r, draws.LogLikelihood, threads)
	if err != nil {
		return nil, err
	}
	absent := make([]bool, len(p.Names))
	err = all.each(threads, func(_ *diag.Work, i int, chains [][]float64) error {
		if absent[i] = allNaN(chains); absent[i] {
			return nil
		}
		if err := p.observe(i, chains); err != nil {
			return fmt.Errorf("log likelihood of %s: %w", p.Names[i], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.drop(absent)
	p.LOO.ELPD, p.LOO.SE = total(len(p.Names), func(i int) float64 { return p.LOO.Points[i].ELPD })
	p.LOO.P, p.LOO.PSE = total(len(p.Names), func(i int) float64 { return p.LOO.Points[i].P })
	p.WAIC.ELPD, p.WAIC.SE = total(len(p.Names), func(i int) float64 { return p.WAIC.Points[i].ELPD })
	p.WAIC.P, p.WAIC.PSE = total(len(p.Names), func(i int) float64 { return p.WAIC.Points[i].P })
	return p, nil
}

// observe computes the part of one observation.
func (p *Predictive) observe(i int, chains [][]float64) error {
	one := [][][]float64{chains}
	loo, err := diag.LeaveOneOut(one)
	if err != nil {
		return err
	}
	waic, err := diag.ComputeWAIC(one)
	if err != nil {
		return err
	}
	p.LOO.Points[i], p.WAIC.Points[i] = loo.Points[0], waic.Points[0]
	return nil
}

func allNaN(chains [][]float64) bool {
	for _, c := range chains {
		for _, x := range c {
			if !math.IsNaN(x) {
				return false
			}
		}
	}
	return true
}

// drop leaves only the observations that are not absent.
func (p *Predictive) drop(absent []bool) {
	n := 0
	for i, gone := range absent {
		if gone {
			continue
		}
		p.Names[n], p.LOO.Points[n], p.WAIC.Points[n] = p.Names[i], p.LOO.Points[i], p.WAIC.Points[i]
		n++
	}
	p.Names, p.LOO.Points, p.WAIC.Points = p.Names[:n], p.LOO.Points[:n], p.WAIC.Points[:n]
}

// total is the sum over observations and its standard error, sqrt(n) times
// the standard deviation of the terms.
func total(n int, term func(int) float64) (sum, se float64) {
	for i := range n {
		sum += term(i)
	}
	mean, squares := sum/float64(n), 0.0
	for i := range n {
		d := term(i) - mean
		squares += d * d
	}
	return sum, math.Sqrt(float64(n) * squares / float64(n-1))
}

// predictive compares the runs that kept the log likelihood of the same
// observations.
func (c *Comparison) predictive(runs []Compared) {
	var with []Compared
	for _, r := range runs {
		switch {
		case r.Predictive == nil:
			continue
		case len(with) > 0 && !slices.Equal(r.Predictive.Names, with[0].Predictive.Names):
			c.Notes = append(c.Notes, fmt.Sprintf("%s has other observations than %s, so their predictions are not compared", r.Name, with[0].Name))
		default:
			with = append(with, r)
		}
	}
	if len(with) == 0 {
		return
	}
	c.LOO = rank(with, func(p *Predictive) PredictiveRow {
		return PredictiveRow{ELPD: Number(p.LOO.ELPD), SE: Number(p.LOO.SE), P: Number(p.LOO.P), Unreliable: p.manyK()}
	}, func(p *Predictive, i int) float64 { return p.LOO.Points[i].ELPD })
	c.WAIC = rank(with, func(p *Predictive) PredictiveRow {
		return PredictiveRow{ELPD: Number(p.WAIC.ELPD), SE: Number(p.WAIC.SE), P: Number(p.WAIC.P), Unreliable: p.manyP()}
	}, func(p *Predictive, i int) float64 { return p.WAIC.Points[i].ELPD })
}

// maxPWAIC is the variance of an observation's log likelihood above which
// WAIC is not to be trusted (Vehtari, Gelman and Gabry 2017, section 2.2).
const maxPWAIC = 0.4

// rank orders runs from the best and adds the differences from it.
func rank(runs []Compared, row func(*Predictive) PredictiveRow, point func(*Predictive, int) float64) []PredictiveRow {
	order := make([]int, len(runs))
	rows := make([]PredictiveRow, len(runs))
	for i, r := range runs {
		order[i] = i
		rows[i] = row(r.Predictive)
		rows[i].Run = r.Name
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := float64(rows[a].ELPD), float64(rows[b].ELPD); {
		case x > y || math.IsNaN(y) && !math.IsNaN(x):
			return -1
		case x < y || math.IsNaN(x) && !math.IsNaN(y):
			return 1
		}
		return 0
	})
	best := runs[order[0]].Predictive
	out := make([]PredictiveRow, len(runs))
	for k, i := range order {
		p := runs[i].Predictive
		out[k] = rows[i]
		if k > 0 {
			d, se := total(len(p.Names), func(i int) float64 { return point(p, i) - point(best, i) })
			out[k].Difference, out[k].DifferenceSE = Number(d), Number(se)
		}
	}
	return out
}
