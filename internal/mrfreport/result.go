// Package mrfreport is what the jobs on Markov random fields found, as JSON, as a table of all marginals, and as text.
package mrfreport

import (
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mrf"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Result is what is known of a model given evidence. What was not asked for is null.
type Result struct {
	Model     string `json:"model"`
	Sample    int    `json:"sample,omitempty"` // of the evidence, from 1, where there are several
	Variables int    `json:"variables"`
	Observed  int    `json:"observed"`
	Factors   int    `json:"factors"`
	Method    string `json:"method"`
	Width     *int   `json:"width,omitempty"`   // of the junction tree
	Entries   *int64 `json:"entries,omitempty"` // of its tables

	Log10Z          report.Number     `json:"log10_z"`
	Log10ZSE        report.Number     `json:"log10_z_se"` // 0 where it is exact
	Log10ZConverged bool              `json:"log10_z_converged"`
	Marginals       [][]report.Number `json:"marginals"`
	Converged       []bool            `json:"converged"`      // of each marginal
	MCSE            []report.Number   `json:"mcse,omitempty"` // the largest of a variable's values; 0 where it is observed
	Rhat            []report.Number   `json:"rhat,omitempty"` // the same
	ESS             []report.Number   `json:"ess,omitempty"`  // the smallest; null where it does not vary
	MAP             []int             `json:"map"`
	MAPValue        report.Number     `json:"map_value"` // log10 of the product of all factors
	MAPExact        bool              `json:"map_exact"`
	UpdatesPerS     report.Number     `json:"updates_per_s"` // null for exact results

	Chains   int      `json:"chains,omitempty"`
	Steps    int      `json:"steps,omitempty"` // of all chains
	Warnings []string `json:"warnings"`
	WallS    float64  `json:"wall_s"`
	CPUS     float64  `json:"cpu_s"`

	Names  []string   `json:"names,omitempty"`  // of variables
	Values [][]string `json:"values,omitempty"` // names of the values of each
	Given  []int      `json:"given"`            // the observed value of each variable, −1 where it is free
}

// New is the result of a model given evidence that has nothing in it yet.
func New(name string, c *mrf.Conditional) *Result {
	r := &Result{Model: name, Variables: len(c.Whole.Cards), Factors: len(c.Whole.Factors), Names: c.Whole.Names, Values: c.Whole.Values,
		Given: slices.Clone(c.Fixed), Warnings: []string{}, Log10Z: nan(), Log10ZSE: nan(), MAPValue: nan(), UpdatesPerS: nan()}
	for i, v := range r.Given {
		switch {
		case c.Whole.Cards[i] == 1: // has its value without having been observed
			r.Given[i] = -1
		case v >= 0:
			r.Observed++
		}
	}
	return r
}

func nan() report.Number { return report.Number(math.NaN()) }

// SetLogZ sets log Z with its standard error, natural logarithms.
func (r *Result) SetLogZ(logZ, se float64, converged bool) {
	r.Log10Z, r.Log10ZSE, r.Log10ZConverged = report.Number(logZ/math.Ln10), report.Number(se/math.Ln10), converged
}

// SetMarginals sets marginals of all variables that are exact.
func (r *Result) SetMarginals(all [][]float64) {
	r.Marginals, r.Converged = make([][]report.Number, len(all)), make([]bool, len(all))
	for i, p := range all {
		r.Converged[i] = true
		for _, x := range p {
			r.Marginals[i] = append(r.Marginals[i], report.Number(x))
		}
	}
}

// SetSample sets marginals that were estimated, of the free variables.
func (r *Result) SetSample(c *mrf.Conditional, s *mrf.Sample) {
	free := make([][]float64, len(s.Marginals))
	for k, m := range s.Marginals {
		for _, e := range m.Values {
			free[k] = append(free[k], e.P)
		}
	}
	r.SetMarginals(c.Marginals(free))
	n := r.Variables
	r.MCSE, r.Rhat, r.ESS = make([]report.Number, n), make([]report.Number, n), make([]report.Number, n)
	for i := range n {
		r.Rhat[i], r.ESS[i] = 1, report.Number(math.Inf(1))
	}
	for k, i := range c.Free {
		r.Converged[i] = s.Marginals[k].Converged
		for _, e := range s.Marginals[k].Values {
			r.MCSE[i] = report.Number(max(float64(r.MCSE[i]), e.MCSE))
			r.Rhat[i] = report.Number(max(float64(r.Rhat[i]), e.Rhat))
			r.ESS[i] = report.Number(min(float64(r.ESS[i]), e.ESS))
		}
	}
}

// SetMAP sets the most probable state that was found, of all variables, and the natural logarithm of its product of factors.
func (r *Result) SetMAP(state []int, logDensity float64, exact bool) {
	r.MAP, r.MAPValue, r.MAPExact = state, report.Number(logDensity/math.Ln10), exact
}

// Unconverged counts marginals that must not be trusted.
func (r *Result) Unconverged() (n int) {
	for _, ok := range r.Converged {
		if !ok {
			n++
		}
	}
	return n
}

// name of a variable.
func (r *Result) name(i int) string {
	if i < len(r.Names) {
		return r.Names[i]
	}
	return fmt.Sprint(i)
}

// value is the name of a value.
func (r *Result) value(i, v int) string {
	if i < len(r.Values) && v < len(r.Values[i]) {
		return r.Values[i][v]
	}
	return fmt.Sprint(v)
}

// mostMarginals is how many marginals of a result have a warning each.
const mostMarginals = 100

// AllWarnings are those of results for summary.json: of the first variables that have not converged, too.
func AllWarnings(all []*Result) []report.Warning {
	list := []report.Warning{}
	for _, r := range all {
		for _, text := range r.Warnings {
			list = append(list, report.Warning{Code: "mrf", Parameter: r.label(), Message: text})
		}
		doubted := 0
		for i, ok := range r.Converged {
			if ok {
				continue
			}
			if doubted++; doubted <= mostMarginals {
				list = append(list, report.Warning{Code: "marginal", Parameter: r.name(i), Value: r.Rhat[i], Message: fmt.Sprintf("the marginal of %s has not converged: %s", wording.Brief(r.name(i)), r.doubt(i))})
			}
		}
		if doubted > mostMarginals {
			list = append(list, report.Warning{Code: "marginal", Parameter: r.label(), Value: report.Number(doubted),
				Message: fmt.Sprintf("%s not converged, of which the first %d have a warning each: the result says of each whether it has", wording.Count(doubted, "marginal has", "marginals have"), mostMarginals)})
		}
	}
	return list
}

// doubt is what is known of the error of a marginal.
func (r *Result) doubt(i int) string {
	rhat, se := float64(r.Rhat[i]), float64(r.MCSE[i])
	if math.IsNaN(rhat) || math.IsNaN(se) {
		return "too few steps to tell its error"
	}
	return fmt.Sprintf("R-hat %.3g, standard error %.2g", rhat, se)
}

// label tells results of one run apart.
func (r *Result) label() string {
	if r.Sample == 0 {
		return wording.Brief(r.Model)
	}
	return fmt.Sprintf("%s, sample %d", wording.Brief(r.Model), r.Sample)
}

// SetUpdates sets how many variables a second were drawn.
func (r *Result) SetUpdates(perSecond float64) { r.UpdatesPerS = report.Number(math.Round(perSecond)) }

// Probabilities are the marginals as numbers.
func (r *Result) Probabilities() [][]float64 {
	all := make([][]float64, len(r.Marginals))
	for i, p := range r.Marginals {
		for _, x := range p {
			all[i] = append(all[i], float64(x))
		}
	}
	return all
}
