package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/report"
)

// draw draws likelihoods against processor time.
func draw(file string, all []named) error {
	var curves []report.Curve
	for _, t := range all {
		c := report.Curve{Name: t.name}
		for _, s := range t.Trace {
			c.Cost, c.Value = append(c.Cost, s.CPU), append(c.Value, s.LogLikelihood)
		}
		c.Interval = [2]float64{t.LogLikelihood, t.LogLikelihood}
		curves = append(curves, c)
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := report.EstimateCurves("20news, 100 topics", "CPU seconds of sweeps", "log likelihood per token", curves).Write(f, "png"); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
