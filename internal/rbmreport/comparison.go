package rbmreport

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Comparison is machines by methods.
type Comparison struct {
	Cases  int       `json:"cases,omitempty"` // of the test data
	Models []Machine `json:"models"`
}

// Machine is a machine by all methods. Others are held against Best:
// an exact sum, or the estimate with the least error of those without a
// warning, or of all.
type Machine struct {
	Model     string      `json:"model"`
	Best      string      `json:"best"`
	Estimates []*Compared `json:"estimates"`
}

// Compared is one estimate. FromBest is its difference from the best one, and
// Z that in units of both standard errors. The log likelihood's error is that
// of log Z.
type Compared struct {
	Estimate
	FromBest      report.Number  `json:"from_best"`
	Z             report.Number  `json:"z"`
	LogLikelihood *report.Number `json:"mean_log_likelihood,omitempty"`
	Published     *report.Number `json:"published,omitempty"`
}

// Inputs are what a comparison takes besides the estimates.
type Inputs struct {
	Files      []string // of the machines
	Tasks      []rbm.Task
	Cases      int             // of the test data
	LogWeights []float64       // mean over them for each machine; nil without
	Published  map[Key]float64 // estimates of others
}

// NewComparison compares the estimates of the tasks, the last of which may not be there yet.
func NewComparison(in Inputs, all []*Estimate) *Comparison {
	c := &Comparison{Models: []Machine{}, Cases: in.Cases}
	for k, file := range in.Files {
		m := Machine{Model: ModelName(file)}
		next := map[rbm.Estimator]int{} // of results of tasks for several machines
		for i, r := range all {
			t := in.Tasks[i]
			of := t.Machines[0]
			if len(t.Machines) > 1 {
				of = t.Machines[next[t.Method]]
				next[t.Method]++
			}
			if of != k || r.Method == string(rbm.Exact) && t.Method != rbm.Exact { // what others are relative to
				continue
			}
			e := &Compared{Estimate: *r}
			if in.LogWeights != nil {
				x := report.Number(in.LogWeights[k] - float64(r.LogZ))
				e.LogLikelihood = &x
			}
			if x, ok := in.Published[Key{m.Model, r.Method}]; ok {
				number := report.Number(x)
				e.Published = &number
			}
			m.Estimates = append(m.Estimates, e)
		}
		m.compare()
		c.Models = append(c.Models, m)
	}
	return c
}

// compare compares all estimates with the best.
func (m *Machine) compare() {
	var all []*rbm.Estimate
	for _, e := range m.Estimates {
		all = append(all, &rbm.Estimate{Method: rbm.Estimator(e.Method), LogZ: float64(e.LogZ), SE: float64(e.SE), Converged: e.Converged})
	}
	best := rbm.Best(all)
	if best != nil {
		m.Best = string(best.Method)
	}
	for k, e := range m.Estimates {
		d, z := all[k].Against(best)
		e.FromBest, e.Z = report.Number(d), report.Number(z)
	}
}

// Write writes the table for a person.
func (c *Comparison) Write(to io.Writer, on report.Screen) error {
	return report.Table{Rows: c.rows(), Keys: 2, Least: []string{"in se"}}.Write(to, on)
}

// rows are the lines of the table, with its head. Columns that nothing has are left out.
func (c *Comparison) rows() [][]string {
	head := []string{"model", "method", "log Z", "se", "95 % interval", "from best", "in se", "CPU s"}
	likelihood, published, fit := false, false, false
	for _, m := range c.Models {
		for _, e := range m.Estimates {
			likelihood = likelihood || e.LogLikelihood != nil
			published = published || e.Published != nil
			fit = fit || e.Fit != ""
		}
	}
	if likelihood {
		head = append(head, "log likelihood")
	}
	if published {
		head = append(head, "published", "from best")
	}
	if fit {
		head = append(head, "in time")
	}
	all := [][]string{append(head, "warnings")}
	for _, m := range c.Models {
		for _, e := range m.Estimates {
			d := digits(float64(e.SE))
			number := func(x report.Number, digits int) string {
				if f := float64(x); !math.IsNaN(f) {
					return strconv.FormatFloat(f, 'f', digits, 64)
				}
				return "–"
			}
			interval := "–"
			if e.CI95 != nil {
				interval = number(e.CI95[0], d) + " " + number(e.CI95[1], d)
			}
			row := []string{wording.Brief(m.Model), e.Method, number(e.LogZ, d), number(e.SE, d), interval, number(e.FromBest, min(d, 4)), number(e.Z, 1), fmt.Sprintf("%.2f", e.CPUS)}
			if m.Best == e.Method {
				row[5] = "best"
			}
			if likelihood && e.LogLikelihood != nil {
				row = append(row, number(*e.LogLikelihood, min(d, 4)))
			} else if likelihood {
				row = append(row, "")
			}
			if published && e.Published != nil {
				row = append(row, number(*e.Published, 4), number(*e.Published-(e.LogZ-e.FromBest), 2))
			} else if published {
				row = append(row, "", "")
			}
			if fit {
				row = append(row, e.Fit)
			}
			warnings := ""
			if n := len(e.Warnings); n > 0 {
				warnings = strconv.Itoa(n)
			}
			all = append(all, append(row, warnings))
		}
	}
	return all
}
