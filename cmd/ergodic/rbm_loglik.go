package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

type rbmLoglikCmd struct {
	Model  string        `arg:"" help:"Machine: .mat or .npz."`
	Test   string        `help:"Data: .mat, .npy, .npz, or MNIST's IDX, gzip or not." placeholder:"FILE" required:""`
	Method rbm.Estimator `help:"How log Z is found; see rbm logz." enum:"auto,exact,smc,ais,sandwich,rts,ts,mbar,sams,samc,ti,stepping,bridge,pt,tap" default:"auto"`
	rbmMethodFlags
	rbmDataFlags
	Train    string   `help:"Training data, for --base rates." placeholder:"FILE"`
	LogZ     *float64 `name:"log-z" help:"log Z, where it is known." placeholder:"X"`
	Seed     *uint64  `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads  int      `help:"Threads; 0 for all cores."`
	Out      string   `help:"Write the log likelihood of each case to this CSV file." placeholder:"FILE"`
	Force    bool     `help:"Overwrite that file."`
	Progress string   `help:"auto, json or none." enum:"auto,json,none" default:"auto"`
	JSON     bool     `help:"Print the result as JSON."`
}

// rbmLoglikResult is the result object of rbm loglik. SE is the error that
// log Z brings; how much another sample of cases would differ is SECases.
type rbmLoglikResult struct {
	LogZ    report.Number `json:"log_z"`
	Mean    report.Number `json:"mean_log_likelihood"`
	SE      report.Number `json:"se"`
	Cases   int           `json:"cases"`
	SECases report.Number `json:"se_cases"`
	Method  string        `json:"method"`
}

// Run finds the mean log likelihood.
func (c *rbmLoglikCmd) Run() error { return noticed(c.Progress, c.run) }

const rbmLoglikJob = "rbm loglik"

// check validates the flags that rbm logz does not have.
func (c *rbmLoglikCmd) check() error {
	if c.LogZ != nil {
		if !(math.Abs(*c.LogZ) <= 1e12) { // beyond, no digit of a log likelihood is left
			return usage("%s: --log-z %v: it must be a number, of 1e12 at most", rbmLoglikJob, *c.LogZ)
		}
		usual, err := usualRBMSpec(rbmLoglikJob, nil)
		if err != nil {
			return err
		}
		if name := c.unfit(&usual.Flags, nil); name != "" {
			return usage("%s: %s does nothing where --log-z is given; leave it out", rbmLoglikJob, name)
		}
	}
	if c.Out == "" {
		return nil
	}
	return mayWrite(c.Out, c.Force)
}

func (c *rbmLoglikCmd) run(v *job.Notices) error {
	w := &rbmWork{Run: &job.Run{Name: rbmLoglikJob, Version: version, Say: v}, flags: rbmRunFlags{Seed: c.Seed, resumable: resumable{Threads: c.Threads, Progress: c.Progress, Checkpoint: time.Hour}},
		unsaved: rbmLoglikJob + " is not resumed; rbm logz is, and its result can be given here as --log-z"}
	w.spec = rbmSpec{Head: job.Head{Job: rbmLoglikJob}, Methods: []rbm.Estimator{c.Method}, Flags: c.rbmMethodFlags, Data: c.rbmDataFlags}
	if err := c.check(); err != nil {
		return err
	}
	if err := w.open([]string{c.Model}, c.Train, c.Test); err != nil {
		return err
	}
	if c.LogZ == nil || c.Draw {
		w.announce()
	}
	m, d := w.machines[0], w.test
	r := &rbmLoglikResult{Cases: d.Cases, Method: "given"}
	if c.LogZ != nil {
		r.LogZ = report.Number(*c.LogZ)
	} else if err := findLogZ(w, r); err != nil {
		return err
	}
	logp, err := m.LogWeights(d, c.Threads)
	if err != nil {
		return err
	}
	for n := range logp {
		logp[n] -= float64(r.LogZ)
	}
	mean, se := rbm.Mean(logp)
	r.Mean, r.SECases = report.Number(mean), report.Number(se)
	if c.Out != "" {
		if err := writeCases(c.Out, logp); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(r)
	}
	by := "by " + r.Method
	if c.LogZ != nil {
		by = "as given"
	}
	_, err = fmt.Printf("mean log likelihood %.4f nats of %s (± %.4f from log Z = %.4f %s, ± %.2f over cases)\n",
		float64(r.Mean), wording.Count(r.Cases, "case", "cases"), float64(r.SE), float64(r.LogZ), by, float64(r.SECases))
	return err
}

// findLogZ estimates log Z of the one machine.
func findLogZ(w *rbmWork, r *rbmLoglikResult) error {
	ctx, stop := w.Interruptible("stopping")
	defer stop()
	all, err := w.run(ctx)
	if err != nil {
		return w.ended(err)
	}
	e := all[0]
	r.LogZ, r.SE, r.Method = e.LogZ, e.SE, e.Method
	w.warn(all)
	return nil
}

// writeCases writes a line per case.
func writeCases(file string, logp []float64) error {
	b := bytes.NewBufferString("case,log_likelihood\n")
	for n, x := range logp {
		fmt.Fprintf(b, "%d,%s\n", n+1, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return atomicfile.Write(file, b.Bytes(), int64(b.Len()), false)
}
