package main

import (
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type mrfCmd struct {
	Infer   mrfInferCmd   `cmd:"" default:"withargs" help:"Marginals, log10 Z and the most probable state of a model. The word infer may be left out."`
	Denoise mrfDenoiseCmd `cmd:"" help:"Restore a noisy image with an Ising or Potts prior."`
}

type mrfInferCmd struct {
	Model string   `arg:"" optional:"" help:"A model in UAI's form (MARKOV or BAYES), or a Bayesian network in the Interchange Format (.bif)."`
	Evid  []string `help:"Evidence in UAI's form. Several samples in it are several results." placeholder:"FILE"`
	mrfFlags
	Steps    *int    `help:"Most steps of each chain (200000); chains end earlier where all has converged. With --resume a larger number extends a run." placeholder:"N"`
	Seed     *uint64 `help:"64-bit seed; drawn from the system and printed when not given. Exact results do not depend on it."`
	Out      string  `help:"The run's folder; default MODEL-run, with a number when that exists." placeholder:"DIR"`
	WriteMar string  `help:"Write marginals in UAI's form." placeholder:"FILE"`
	WritePr  string  `help:"Write log10 Z in UAI's form." placeholder:"FILE"`
	WriteMap string  `help:"Write the most probable state in UAI's form." placeholder:"FILE"`
	Strict   bool    `help:"Exit with status 3 when something has not converged."`
	resumable
	wideFlag
}

// mrfFlags determine the results. A nil pointer is a flag not given: its default, or on --resume what the run was started with.
type mrfFlags struct {
	Task      []string       `help:"mar: marginals; pr: log10 Z; map: the most probable state. Several with commas; default: all." placeholder:"TASK" json:"task,omitempty"`
	Given     []string       `help:"Observe a variable, NAME=VALUE; variables and values without names have numbers from 0." sep:"none" placeholder:"OBSERVATION" json:"given,omitempty"`
	Method    *string        `help:"exact: a junction tree; tempered: parallel tempering; gibbs: one variable at a time; blocks: gibbs and blocks of variables; auto: exact where its tables are small enough, otherwise tempered (auto)." placeholder:"NAME" json:"method,omitempty"`
	Entries   *float64       `help:"Most entries of all tables of a junction tree together (1073741824)." placeholder:"N" json:"entries,omitempty"`
	Chains    *int           `help:"Chains of a method that is not exact (4)." placeholder:"N" json:"chains,omitempty"`
	Tolerance *float64       `help:"The error that a marginal may have to be called converged (0.02)." placeholder:"E" json:"tolerance,omitempty"`
	Time      *time.Duration `help:"Stop chains after this time, so that results depend on the machine; default: never." placeholder:"TIME" json:"time,omitempty" resume:"any"`
}

const mrfJob = "mrf"

// Run infers.
func (c *mrfInferCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *mrfInferCmd) run(v *job.Notices) error {
	if err := c.check(mrfJob, "a model", c.Model != "", c.Out); err != nil {
		return err
	}
	w := &mrfWork{Run: &job.Run{Name: mrfJob, Version: version, Say: v}, cmd: c, began: time.Now()}
	defer w.Close()
	if err := w.open(); err != nil {
		return err
	}
	if err := w.load(); err != nil {
		return err
	}
	if !w.Resumed {
		if err := w.Create(outFolder(c.Out, c.Model), c.Force, &w.spec); err != nil {
			return err
		}
	}
	return w.infer()
}
