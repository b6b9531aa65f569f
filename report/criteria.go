package report

import (
	"fmt"
	"io"
	"math"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Criterion is an information criterion of a run: the mean deviance and a penalty, or what stands for it in WAIC and PSIS-LOO. Less is better.
type Criterion struct {
	Name        string `json:"criterion"` // DIC, PED, WAIC or LOO
	Value       Number `json:"value"`
	MCSE        Number `json:"mcse"` // of the value, by simulation
	SE          Number `json:"se"`   // of the value, by the choice of observations
	PenaltyName string `json:"penalty_name"`
	Penalty     Number `json:"penalty"`
	PenaltyMCSE Number `json:"penalty_mcse"`
	PenaltySE   Number `json:"penalty_se"`
	Nodes       int    `json:"observations"`
	Unreliable  int    `json:"unreliable"` // observations whose penalty is not to be trusted

	odd int    // observations without a finite penalty
	one string // of them
}

// NewCriterion sums what each observation contributes.
func NewCriterion(name, penaltyName string, nodes []string, fit, penalty []float64) Criterion {
	none := Number(math.NaN())
	c := Criterion{Name: name, PenaltyName: penaltyName, Nodes: len(nodes), MCSE: none, PenaltyMCSE: none}
	value, se := total(len(nodes), func(i int) float64 { return fit[i] + penalty[i] })
	c.Value, c.SE = Number(value), Number(se)
	value, se = total(len(nodes), func(i int) float64 { return penalty[i] })
	c.Penalty, c.PenaltySE = Number(value), Number(se)
	for i, x := range penalty {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			if c.odd == 0 {
				c.one = nodes[i]
			}
			c.odd++
		}
	}
	return c
}

// Criteria are WAIC and PSIS-LOO as deviances.
func (p *Predictive) Criteria() []Criterion {
	none := Number(math.NaN())
	waic := Criterion{Name: "WAIC", Value: Number(p.WAIC.IC()), MCSE: none, SE: Number(2 * p.WAIC.SE),
		PenaltyName: "p_waic", Penalty: Number(p.WAIC.P), PenaltyMCSE: none, PenaltySE: Number(p.WAIC.PSE), Nodes: len(p.Names), Unreliable: p.manyP()}
	loo := Criterion{Name: "LOO", Value: Number(-2 * p.LOO.ELPD), MCSE: none, SE: Number(2 * p.LOO.SE),
		PenaltyName: "p_loo", Penalty: Number(p.LOO.P), PenaltyMCSE: none, PenaltySE: Number(p.LOO.PSE), Nodes: len(p.Names), Unreliable: p.manyK()}
	return []Criterion{waic, loo}
}

// manyK is how many observations have a Pareto k at which their part of PSIS-LOO is not to be trusted.
func (p *Predictive) manyK() (n int) {
	for _, x := range p.LOO.Points {
		if !(x.K <= diag.KThreshold(p.Draws)) {
			n++
		}
	}
	return n
}

// manyP is how many have a variance of the log likelihood at which that of WAIC is not.
func (p *Predictive) manyP() (n int) {
	for _, x := range p.WAIC.Points {
		if !(x.P <= maxPWAIC) {
			n++
		}
	}
	return n
}

// CriteriaWarnings say what is wrong with criteria.
func CriteriaWarnings(all []Criterion) (warnings []Warning) {
	for _, c := range all {
		switch {
		case c.odd > 0:
			warnings = append(warnings, finding{CodeCriterion, c.one, math.NaN(),
				fmt.Sprintf("%s has no finite %s for %s, such as %s: values that one chain gives it are impossible in another, or no draws tell", c.Name, c.PenaltyName,
					wording.Count(c.odd, "observation", "observations"), c.one)}.warning())
		case c.Unreliable > 0 && c.Name == "WAIC":
			warnings = append(warnings, finding{CodeWAIC, "", float64(c.Unreliable),
				fmt.Sprintf("WAIC is not reliable: %d of %s a variance of the log likelihood above %g (Vehtari, Gelman and Gabry 2017)",
					c.Unreliable, wording.Count(c.Nodes, "observation has", "observations have"), maxPWAIC)}.warning())
		case c.Unreliable > 0 && c.Name == "LOO":
			warnings = append(warnings, finding{CodeLOO, "", float64(c.Unreliable),
				fmt.Sprintf("PSIS-LOO is not reliable: %d of %s a Pareto k above the threshold", c.Unreliable, wording.Count(c.Nodes, "observation has", "observations have"))}.warning())
		case c.Unreliable > 0:
			warnings = append(warnings, finding{CodeCriterion, "", float64(c.Unreliable),
				fmt.Sprintf("%s of %s rests on few pairs of draws, for which the weights that leave the observation out are large", c.PenaltyName,
					wording.Count(c.Unreliable, "observation", "observations"))}.warning())
		}
	}
	return warnings
}

// WriteCriteria writes a table of criteria.
func WriteCriteria(w io.Writer, all []Criterion, on Screen) error {
	t := Table{Rows: [][]string{{"", "value", "mcse", "se", "penalty", "", "mcse", "se"}}, Text: []int{4}, Least: []string{"se"}}
	for _, c := range all {
		t.Rows = append(t.Rows, []string{c.Name, number(float64(c.Value), 2), digits(float64(c.MCSE), 2), number(float64(c.SE), 2),
			c.PenaltyName, number(float64(c.Penalty), 2), digits(float64(c.PenaltyMCSE), 2), number(float64(c.PenaltySE), 2)})
	}
	return t.Write(w, on)
}
