package rbmreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Training is what came of a training.
type Training struct {
	Visible        int           `json:"visible"`
	Hidden         int           `json:"hidden"`
	Method         string        `json:"method"`
	Cases          int           `json:"cases"`
	Updates        int           `json:"updates"`
	UpdatesPerCPUS report.Number `json:"updates_per_cpu_s"` // of this process, evaluations included
	Measure        string        `json:"measure"`
	Validation     int           `json:"validation_cases"`
	Best           *Score        `json:"best"`
	Last           *Score        `json:"last"`
	StoppedEarly   bool          `json:"stopped_early"`
	Model          string        `json:"model"`
	WallS          float64       `json:"wall_s"`
	CPUS           float64       `json:"cpu_s"`
	Trace          []Score       `json:"trace"`
}

// Score is an evaluation.
type Score struct {
	Epoch int           `json:"epoch"`
	Value report.Number `json:"value"`
	SE    report.Number `json:"se"`
}

// Scores takes over the evaluations, of which the highest is the best.
func (r *Training) Scores(all []rbm.Score) {
	r.Trace = []Score{}
	for _, s := range all {
		r.Trace = append(r.Trace, Score{s.Epoch, report.Number(s.Value), report.Number(s.SE)})
		last := &r.Trace[len(r.Trace)-1]
		if r.Last = last; r.Best == nil || last.Value > r.Best.Value {
			best := *last
			r.Best = &best
		}
	}
}

// Write writes it for a person.
func (r *Training) Write(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d×%d machine after %d updates by %s, %.0f a CPU second: %s\n", r.Visible, r.Hidden, r.Updates, r.Method, float64(r.UpdatesPerCPUS), r.Model)
	if r.Best != nil && r.Last != nil {
		fmt.Fprintf(&b, "%s of %s set aside: %.2f", r.Measure, wording.Count(r.Validation, "case", "cases"), float64(r.Last.Value))
		if r.Last.SE > 0 {
			fmt.Fprintf(&b, " ± %.2f", float64(r.Last.SE))
		}
		fmt.Fprintf(&b, " in the end, %.2f at best, after epoch %d\n", float64(r.Best.Value), r.Best.Epoch)
	}
	_, err := io.WriteString(to, b.String())
	return err
}
