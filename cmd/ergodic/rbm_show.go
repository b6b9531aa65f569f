package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// show prints results as JSON or as a table, which says what it lacks, and their warnings.
func (w *rbmWork) show(result any, all []*rbmreport.Estimate, table func(io.Writer, report.Screen) error) error {
	var err error
	if w.flags.JSON {
		err = printJSON(result)
	} else if err = table(os.Stdout, w.flags.screen()); err == nil {
		_, err = io.WriteString(os.Stdout, w.lacking(all))
	}
	w.warn(all)
	return err
}

// lacking says of an interrupted run's results what they are not; "" where all are there.
func (w *rbmWork) lacking(all []*rbmreport.Estimate) string {
	if len(w.state.Results) == len(w.tasks) {
		return ""
	}
	text := fmt.Sprintf("partial: %d of %s finished", len(w.state.Results), wording.Count(len(w.tasks), "estimate is", "estimates are"))
	for _, r := range all {
		if r.Partial {
			text += fmt.Sprintf("; that of %s by %s is of the work so far", wording.Brief(r.Model), r.Method)
		}
	}
	return text + "\n"
}

func (w *rbmWork) warn(all []*rbmreport.Estimate) {
	for _, r := range all {
		for _, text := range r.Warnings {
			w.Say.Tell("warning", fmt.Sprintf("warning: %s, %s: %s", r.Model, r.Method, text), map[string]any{"model": r.Model, "method": r.Method, "message": text})
		}
	}
}
