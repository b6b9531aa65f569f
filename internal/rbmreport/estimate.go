package rbmreport

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Estimate is an estimate of log Z of one machine.
type Estimate struct {
	Model         string            `json:"model"`
	Method        string            `json:"method"`
	LogZ          report.Number     `json:"log_z"`
	SE            report.Number     `json:"se"`
	CI95          *[2]report.Number `json:"ci95"`
	Runs          int               `json:"runs"`
	Temperatures  int               `json:"temperatures"`
	EffectiveRuns report.Number     `json:"effective_runs"`
	Converged     bool              `json:"converged"`
	WallS         float64           `json:"wall_s"`
	CPUS          float64           `json:"cpu_s"`

	Partial  bool               `json:"partial,omitempty"` // of the runs before an interruption
	Fit      string             `json:"fit,omitempty"`     // into a limited time: Cut or LeftOut
	Moves    int64              `json:"moves"`
	Warnings []string           `json:"warnings"`
	TAP      *TAP               `json:"tap,omitempty"`
	Trace    [][2]report.Number `json:"trace,omitempty"` // moves and log Z after them
}

// What an estimate is that did not fit into the time it was given.
const (
	Cut     = "cut"      // of the runs that were finished
	LeftOut = "left out" // no run was
)

// TAP is what mean field says instead of an error.
type TAP struct {
	Starts    int           `json:"starts"`
	Converged int           `json:"converged"`
	Lowest    report.Number `json:"lowest"`
	Spread    report.Number `json:"spread"`
}

// NewEstimate is an estimate for the machine in a file, with the seconds that it took.
func NewEstimate(file string, e *rbm.Estimate, wall, cpu float64) *Estimate {
	r := &Estimate{Model: filepath.Base(file), Method: string(e.Method), LogZ: report.Number(e.LogZ), SE: report.Number(e.SE),
		Runs: e.Runs, Temperatures: e.Temperatures, EffectiveRuns: report.Number(e.EffectiveRuns), Converged: e.Converged,
		WallS: wall, CPUS: cpu, Moves: e.Moves, Warnings: append([]string{}, e.Warnings...)}
	if !math.IsNaN(e.CI95[0]) && !math.IsInf(e.CI95[0], 0) && !math.IsInf(e.CI95[1], 0) {
		r.CI95 = &[2]report.Number{report.Number(e.CI95[0]), report.Number(e.CI95[1])}
	}
	if e.TAP != nil {
		r.TAP = &TAP{len(e.TAP.Starts), e.TAP.Converged, report.Number(e.TAP.Lowest), report.Number(e.TAP.LogZ - e.TAP.Lowest)}
	}
	for _, p := range e.Trace {
		r.Trace = append(r.Trace, [2]report.Number{report.Number(p.Moves), report.Number(p.LogZ)})
	}
	return r
}

// digits of log Z that its error leaves, at most those of an exact one.
func digits(se float64) int {
	switch {
	case math.IsNaN(se):
		return 4
	case se == 0:
		return 10
	}
	return max(0, min(10, 2-int(math.Floor(math.Log10(se)))))
}

// WriteEstimates writes the table for a person.
func WriteEstimates(to io.Writer, all []*Estimate, on report.Screen) error {
	t := report.Table{Keys: 2, Rows: [][]string{{"model", "method", "log Z", "se", "95 % interval", "runs", "temperatures", "effective", "converged", "seconds", "CPU s"}}}
	for _, r := range all {
		d := digits(float64(r.SE))
		number := func(x report.Number) string {
			if f := float64(x); !math.IsNaN(f) {
				return strconv.FormatFloat(f, 'f', d, 64)
			}
			return "–"
		}
		count := func(n int) string {
			if n == 0 {
				return "–"
			}
			return strconv.Itoa(n)
		}
		interval, effective, converged := "–", "–", "yes"
		if r.CI95 != nil {
			interval = number(r.CI95[0]) + " " + number(r.CI95[1])
		}
		if e := float64(r.EffectiveRuns); e > 0 {
			effective = strconv.FormatFloat(e, 'f', 1, 64)
		}
		if !r.Converged {
			converged = "no"
		}
		if r.TAP != nil {
			converged = fmt.Sprintf("%d of %d", r.TAP.Converged, r.TAP.Starts)
		}
		t.Rows = append(t.Rows, []string{wording.Brief(r.Model), r.Method, number(r.LogZ), number(r.SE), interval, count(r.Runs), count(r.Temperatures),
			effective, converged, fmt.Sprintf("%.2f", r.WallS), fmt.Sprintf("%.2f", r.CPUS)})
	}
	return t.Write(to, on)
}
