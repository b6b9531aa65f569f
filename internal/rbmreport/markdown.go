package rbmreport

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// WriteReport writes report.md and a picture for each machine, to where output says that files of these names belong.
func (c *Comparison) WriteReport(output func(name string) (path string, err error), format string) error {
	var b bytes.Buffer
	b.WriteString("# log Z by method\n\n")
	for k, row := range c.rows() {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if k == 0 {
			fmt.Fprintf(&b, "|%s\n", strings.Repeat(" --- |", len(row)))
		}
	}
	b.WriteString("\nBest is an exact sum, or the estimate with the least standard error among those without a warning; " +
		"\"in se\" is the difference from it in units of both standard errors. The log likelihood has the error of log Z.\n")
	for _, m := range c.Models {
		name := m.Model + "." + format
		path, err := output(name)
		if err != nil {
			return err
		}
		if err := m.picture(path, format); err != nil {
			return err
		}
		fmt.Fprintf(&b, "\n## %s\n\n![estimates of log Z against CPU time](%s)\n\n", m.Model, name)
		for _, e := range m.Estimates {
			for _, text := range e.remarks(m.Best) {
				fmt.Fprintf(&b, "- %s: %s\n", e.Method, text)
			}
		}
	}
	path, err := output("report.md")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, b.Bytes(), int64(b.Len()), false)
}

// remarks say in words how an estimate, and what others have published by the same
// method, may be wrong.
func (e *Compared) remarks(best string) (all []string) {
	all = append(all, e.Warnings...)
	if z := math.Abs(float64(e.Z)); z > 3 {
		all = append(all, fmt.Sprintf("%.2f nats from %s, %.1f times both standard errors: one of them is wrong.", float64(e.FromBest), best, z))
	}
	if e.Published == nil || math.IsNaN(float64(e.FromBest)) {
		return all
	}
	d := float64(*e.Published - (e.LogZ - e.FromBest))
	text := fmt.Sprintf("the published %.4f is %+.2f nats from %s.", float64(*e.Published), d, best)
	if why := rbm.Estimator(e.Method).Caution(d); why != "" {
		text += " " + why
	}
	return append(all, text)
}

// picture draws the estimates against the time of the processor, which is
// counted by the moves made.
func (m *Machine) picture(file, format string) error {
	var curves []report.Curve
	for _, e := range m.Estimates {
		curve := report.Curve{Name: e.Method}
		if e.Fit != "" {
			curve.Name += " (" + e.Fit + ")"
		}
		if e.CI95 != nil {
			curve.Interval = [2]float64{float64(e.CI95[0]), float64(e.CI95[1])}
		}
		for _, p := range e.Trace {
			curve.Cost = append(curve.Cost, e.CPUS*float64(p[0])/float64(max(e.Moves, 1)))
			curve.Value = append(curve.Value, float64(p[1]))
		}
		if e.Fit != LeftOut && (e.Method == string(rbm.Exact) || len(e.Trace) == 0) {
			curve.Cost, curve.Value = []float64{max(e.CPUS, 1e-3)}, []float64{float64(e.LogZ)}
		}
		curves = append(curves, curve)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	err = report.EstimateCurves(m.Model, "CPU seconds", "log Z", curves).Write(f, format)
	return errors.Join(err, f.Close())
}
