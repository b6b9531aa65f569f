package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/internal/latticereport"
	"github.com/ergodic-mcmc/ergodic/internal/ldareport"
	"github.com/ergodic-mcmc/ergodic/internal/modereport"
	"github.com/ergodic-mcmc/ergodic/internal/mrfreport"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/textreport"
	"github.com/ergodic-mcmc/ergodic/report"
)

// printResult prints what a job without parameters found, as the job itself
// printed it.
func printResult(s *rundir.Summary, on report.Screen) error {
	b, err := json.Marshal(s.Result)
	if err != nil {
		return err
	}
	var print func(io.Writer) error
	lacking := false // an object where the file has null
	switch s.Job {
	case rbmLogzJob:
		if !bytes.HasPrefix(b, []byte("[")) { // of one machine
			b = slices.Concat([]byte("["), b, []byte("]"))
		}
		var all []*rbmreport.Estimate
		err = json.Unmarshal(b, &all)
		lacking = slices.Contains(all, nil)
		print = func(to io.Writer) error { return rbmreport.WriteEstimates(to, all, on) }
	case optimizeJob:
		var r modereport.Result
		err = json.Unmarshal(b, &r)
		print = func(to io.Writer) error { return r.Write(to, on) }
	case rbmCompareJob:
		var c rbmreport.Comparison
		err = json.Unmarshal(b, &c)
		for _, m := range c.Models {
			lacking = lacking || slices.Contains(m.Estimates, nil)
		}
		print = func(to io.Writer) error { return c.Write(to, on) }
	case rbmTrainJob:
		var r rbmreport.Training
		err = json.Unmarshal(b, &r)
		print = r.Write
	case ldaTrainJob:
		var r ldareport.Training
		err = json.Unmarshal(b, &r)
		print = func(to io.Writer) error { return r.Write(to, on) }
	case latticeIsingJob, latticePottsJob:
		if !bytes.HasPrefix(b, []byte("[")) { // of one point
			b = slices.Concat([]byte("["), b, []byte("]"))
		}
		var all []*latticereport.Point
		err = json.Unmarshal(b, &all)
		lacking = slices.Contains(all, nil)
		print = func(to io.Writer) error { return latticereport.WritePoints(to, all, on) }
	case mrfJob:
		if !bytes.HasPrefix(b, []byte("[")) { // of one sample of evidence
			b = slices.Concat([]byte("["), b, []byte("]"))
		}
		var all []*mrfreport.Result
		err = json.Unmarshal(b, &all)
		lacking = slices.Contains(all, nil)
		print = func(to io.Writer) error { return mrfreport.Write(to, all, ", in "+mrfMarginalsFile, on) }
	case mrfDenoiseJob:
		var r mrfreport.Denoised
		err = json.Unmarshal(b, &r)
		print = r.Write
	case textGenerateJob, textParaphraseJob, textCorrectJob, textFillJob, textComposeJob:
		var r textreport.Result
		err = json.Unmarshal(b, &r)
		lacking = slices.Contains(r.Cases, nil)
		print = func(to io.Writer) error { return r.Write(to, on) }
	default:
		if isAnneal(s.Job) {
			var r annealreport.Result
			err = json.Unmarshal(b, &r)
			print = func(to io.Writer) error { return r.Write(to, on) }
			break
		}
		return printJSON(s.Result)
	}
	if err == nil && lacking {
		err = errors.New("a result is null")
	}
	if err != nil {
		return fmt.Errorf("the result of %s in %s cannot be read: %w", s.Job, rundir.SummaryFile, err)
	}
	return print(os.Stdout)
}
