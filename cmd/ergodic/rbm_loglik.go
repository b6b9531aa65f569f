package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

type rbmLoglikCmd struct {
	Model string `arg:"" help:"Machine: .mat or .npz."`
	Test  string `help:"Data: .mat, .npy, .npz, or MNIST's IDX, gzip or not." placeholder:"FILE" required:""`
	rbmMethodFlags
	rbmDataFlags
	LogZ     *float64 `name:"log-z" help:"log Z, where it is known." placeholder:"X"`
	Seed     *uint64  `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads  int      `help:"Threads; 0 for all cores."`
	Out      string   `help:"Write the log likelihood of each case to this CSV file." placeholder:"FILE"`
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
func (c *rbmLoglikCmd) Run() error {
	v := newVoice(c.Progress)
	return v.fail(c.run(v))
}

func (c *rbmLoglikCmd) run(v *voice) error {
	logz := rbmLogzCmd{Models: []string{c.Model}, rbmMethodFlags: c.rbmMethodFlags, rbmDataFlags: c.rbmDataFlags, Seed: c.Seed, Threads: c.Threads, Progress: c.Progress}
	if err := logz.check(); err != nil {
		return err
	}
	seed := systemSeed()
	if c.Seed != nil {
		seed = *c.Seed
	}
	m, err := rbm.ReadModel(c.Model)
	if err != nil {
		return err
	}
	d, err := c.rbmDataFlags.read(c.Test, seed)
	if err != nil {
		return err
	}
	if err := d.Fits(m); err != nil {
		return fmt.Errorf("%s for %s: %w", c.Test, c.Model, err)
	}
	r := &rbmLoglikResult{Cases: d.Cases, Method: "given"}
	if c.LogZ != nil {
		r.LogZ = report.Number(*c.LogZ)
	} else if err := c.findLogZ(v, &logz, m, seed, r); err != nil {
		return err
	}
	w, err := m.LogWeights(d, c.Threads)
	if err != nil {
		return err
	}
	for n := range w {
		w[n] -= float64(r.LogZ)
	}
	mean, se := rbm.Mean(w)
	r.Mean, r.SECases = report.Number(mean), report.Number(se)
	if c.Out != "" {
		if err := writeCases(c.Out, w); err != nil {
			return err
		}
	}
	if c.JSON {
		return printJSON(r)
	}
	_, err = fmt.Printf("mean log likelihood %.4f nats of %d cases (± %.4f from log Z = %.4f by %s, ± %.2f over cases)\n",
		float64(r.Mean), r.Cases, float64(r.SE), float64(r.LogZ), r.Method, float64(r.SECases))
	return err
}

func (c *rbmLoglikCmd) findLogZ(v *voice, logz *rbmLogzCmd, m *rbm.Model, seed uint64, r *rbmLoglikResult) error {
	if c.Seed == nil {
		v.tell("start", fmt.Sprintf("seed %d", seed), map[string]any{"seed": seed})
	}
	ctx, stop := interruptible(func() { v.tell("interrupting", "stopping; once more kills at once", nil) })
	defer stop()
	e, err := logz.one(ctx, v, m, c.Model, seed)
	if errors.Is(err, mcmc.ErrInterrupted) || errors.Is(err, context.Canceled) {
		return exitError{code: exitInterrupted}
	}
	if err != nil {
		return err
	}
	r.LogZ, r.SE, r.Method = e.LogZ, e.SE, e.Method
	for _, w := range e.Warnings {
		v.tell("warning", fmt.Sprintf("warning: log Z: %s", w), map[string]any{"message": w})
	}
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
