package main

import (
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

type rbmCompareCmd struct {
	Models    []string        `arg:"" optional:"" name:"model" help:"Machines: .mat or .npz."`
	Test      string          `help:"Data for the mean log likelihood: .mat, .npy, .npz, or MNIST's IDX, gzip or not." placeholder:"FILE"`
	Methods   []rbm.Estimator `help:"Those of rbm logz, and rts-prior, which is rts with --beta-from-prior (default: exact where it is quick, smc, ais, rts, sams, samc, ti, pt and tap)." placeholder:"NAMES"`
	Published string          `help:"Estimates by others to hold against these: a CSV file of model,method,log_z with a heading." placeholder:"FILE"`
	rbmMethodFlags
	rbmDataFlags
	Train  string        `help:"Training data, for --base rates." placeholder:"FILE"`
	Time   time.Duration `help:"The most that all estimates may take together, such as 10m: each has its share of what is left, and is cut to the runs that fit or left out; 0 for no limit." placeholder:"DURATION" default:"0"`
	Format string        `help:"Of the pictures in --out: png or svg." enum:"png,svg" default:"png"`
	rbmRunFlags
}

const rbmCompareJob = "rbm compare"

// Run makes the table of methods by machines.
func (c *rbmCompareCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *rbmCompareCmd) run(v *job.Notices) error {
	if c.Methods == nil {
		c.Methods = rbm.Usual()
	}
	if c.Time < 0 {
		return usage("%s: --time %v: it must be 0, for no limit, or more", rbmCompareJob, c.Time)
	}
	for _, name := range c.Methods {
		if name != rbm.RTSPrior && !slices.Contains(rbm.Estimators(), name) {
			return usage("%s: there is no method %s; see the help of --methods", rbmCompareJob, wording.Quote(string(name)))
		}
	}
	w := &rbmWork{Run: &job.Run{Name: rbmCompareJob, Version: version, Say: v}, flags: c.rbmRunFlags, usual: rbm.Usual()}
	w.spec = rbmSpec{Head: job.Head{Job: rbmCompareJob}, Methods: c.Methods, Flags: c.rbmMethodFlags, Data: c.rbmDataFlags, Time: c.Time}
	published, err := rbmreport.ReadPublished(c.Published)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.open(c.Models, c.Train, c.Test); err != nil {
		return err
	}
	likelihoods, err := w.testWeights()
	if err != nil {
		return err
	}
	w.announce()
	ctx, stop := w.Interruptible("stopping")
	defer stop()
	all, failure := w.run(ctx)
	in := rbmreport.Inputs{Tasks: w.tasks, LogWeights: likelihoods, Published: published}
	for _, m := range w.spec.Models {
		in.Files = append(in.Files, m.Name)
	}
	if w.test != nil {
		in.Cases = w.test.Cases
	}
	cmp := rbmreport.NewComparison(in, all)
	err = w.show(cmp, all, cmp.Write)
	if failure != nil {
		return w.ended(failure)
	}
	if err != nil || w.Dir == nil {
		return err
	}
	if err := cmp.WriteReport(w.Dir.Output, c.Format); err != nil {
		return err
	}
	return w.finish(cmp)
}

// testWeights is the mean of log p* over the cases of --test for each machine;
// nil without.
func (w *rbmWork) testWeights() (mean []float64, err error) {
	if w.test == nil {
		return nil, nil
	}
	for _, m := range w.machines {
		logw, err := m.LogWeights(w.test, w.flags.Threads)
		if err != nil {
			return nil, err
		}
		x, _ := rbm.Mean(logw)
		mean = append(mean, x)
	}
	return mean, nil
}
