package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

// rbmMethodFlags say how log Z is found.
type rbmMethodFlags struct {
	Method       string  `help:"auto, exact, smc, ais, sandwich, rts, ts, mbar, sams, samc, ti, stepping, bridge or tap. auto is exact where the smaller layer has at most 24 units, otherwise smc." enum:"auto,exact,smc,ais,sandwich,rts,ts,mbar,sams,samc,ti,stepping,bridge,tap" default:"auto"`
	Base         string  `help:"Where paths begin: own, units that are on as often as the machine's; uniform; or rates, units that are on as often as in the data of --train." enum:"own,uniform,rates" default:"own"`
	Train        string  `help:"Training data, for --base rates." placeholder:"FILE"`
	Straight     bool    `help:"Scale weights and biases along the path by the same factor, as is usual, instead of keeping the units' rates."`
	Runs         int     `help:"Independent runs, populations, chains or starts; default: the method's." placeholder:"N"`
	Temperatures int     `help:"Temperatures along the path; default: the method's." placeholder:"N"`
	Particles    int     `help:"Particles in each population of smc; default: as many as take some 20 s of one core." placeholder:"N"`
	Schedule     string  `help:"How temperatures lie: uniform, geometric, sigmoid, length or friction (measured by a pilot), or pieces such as 500:0.5,4000:0.9,10000:1." default:"uniform"`
	Prior        bool    `name:"beta-from-prior" help:"For rts: draw temperatures from their prior, as a course paper did. Biased; only to reproduce its numbers."`
	Order        int     `help:"Order of tap: 1, 2 or 3." default:"2"`
	Damping      float64 `help:"Damping of tap." default:"0.5"`
}

type rbmLogzCmd struct {
	Models []string `arg:"" name:"model" help:"Machines: .mat of MATLAB version 5, or .npz, with parameter_W (visible×hidden), parameter_a (hidden bias) and parameter_b (visible bias)."`
	rbmMethodFlags
	rbmDataFlags
	Seed     *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Threads  int     `help:"Threads; 0 for all cores. The result does not depend on it."`
	Out      string  `help:"Folder for summary.json." placeholder:"DIR"`
	Force    bool    `help:"Overwrite a finished run."`
	Progress string  `help:"auto, json or none." enum:"auto,json,none" default:"auto"`
	JSON     bool    `help:"Print the result as JSON."`
}

// Run finds log Z of each machine.
func (c *rbmLogzCmd) Run() error {
	v := newVoice(c.Progress)
	return v.fail(c.run(v, time.Now()))
}

func (c *rbmLogzCmd) check() error {
	switch {
	case c.Threads < 0:
		return usage("rbm logz: --threads %d: it must be 0, for all cores, or more", c.Threads)
	case c.Runs < 0 || c.Temperatures < 0 || c.Particles < 0:
		return usage("rbm logz: --runs, --temperatures and --particles must be above 0")
	case (c.Base == "rates") != (c.Train != ""):
		return usage("rbm logz: --base rates and --train FILE go together")
	}
	return nil
}

func (c *rbmLogzCmd) run(v *voice, began time.Time) error {
	if err := c.check(); err != nil {
		return err
	}
	seed := systemSeed()
	if c.Seed != nil {
		seed = *c.Seed
	} else {
		v.tell("start", fmt.Sprintf("seed %d", seed), map[string]any{"seed": seed})
	}
	var models []*rbm.Model
	for _, file := range c.Models { // all are sound before the first is worked on
		m, err := rbm.ReadModel(file)
		if err != nil {
			return err
		}
		models = append(models, m)
	}
	var dir *rundir.Dir
	if c.Out != "" {
		var err error
		if dir, err = rundir.Create(c.Out, c.Force); err != nil {
			return err
		}
		defer dir.Close()
	}
	ctx, stop := interruptible(func() { v.tell("interrupting", "stopping; once more kills at once", nil) })
	defer stop()
	var all []*rbmLogzResult
	var failure error
	for k, m := range models {
		r, err := c.one(ctx, v, m, c.Models[k], seed)
		if r != nil {
			all = append(all, r)
		}
		if failure = err; err != nil {
			break
		}
	}
	if err := c.print(v, all); err != nil {
		return err
	}
	if failure != nil {
		if dir != nil && len(all) == 0 {
			dir.Discard()
		}
		if errors.Is(failure, mcmc.ErrInterrupted) || errors.Is(failure, context.Canceled) {
			v.tell("interrupted", "interrupted: what is printed comes from the runs that were finished", nil)
			return exitError{code: exitInterrupted}
		}
		return failure
	}
	if dir == nil {
		return nil
	}
	return dir.WriteSummary(c.summary(all, seed, time.Since(began).Seconds()))
}

// one finds log Z of a machine.
func (c *rbmLogzCmd) one(ctx context.Context, v *voice, m *rbm.Model, file string, seed uint64) (*rbmLogzResult, error) {
	began, cpu := time.Now(), mcmc.ProcessCPU()
	show := newRBMProgress(v, c.Progress, filepath.Base(file))
	defer show.clear()
	set := rbm.LogZSettings{
		Settings: path.Settings{Seed: seed, Runs: c.Runs, Threads: c.Threads, Progress: show.show},
		Method:   rbm.Estimator(c.Method), Straight: c.Straight, Temperatures: c.Temperatures, Particles: c.Particles,
		FromPrior: c.Prior, TAP: rbm.TAP{Order: c.Order, Damping: c.Damping},
	}
	var err error
	if set.Schedule, err = rbmSchedule(c.Schedule, path.Settings{Seed: seed, Threads: c.Threads}); err != nil {
		return nil, err
	}
	switch c.Base {
	case "uniform":
		set.Base = make([]float64, m.Visible)
	case "rates":
		d, err := c.rbmDataFlags.read(c.Train, seed)
		if err == nil {
			err = d.Fits(m)
		}
		if err != nil {
			return nil, fmt.Errorf("%s for %s: %w", c.Train, file, err)
		}
		set.Base = d.BaseRates()
	}
	e, err := m.LogZ(ctx, set)
	if err != nil && !errors.Is(err, mcmc.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s: %w", file, err)
	}
	if e == nil {
		return nil, err
	}
	return newRBMLogzResult(file, e, time.Since(began).Seconds(), mcmc.ProcessCPU()-cpu), err
}

// print prints the results: an object for one machine, a list for several, or
// the table.
func (c *rbmLogzCmd) print(v *voice, all []*rbmLogzResult) error {
	if len(all) == 0 {
		return nil
	}
	var err error
	switch {
	case c.JSON && len(c.Models) == 1:
		err = printJSON(all[0])
	case c.JSON:
		err = printJSON(all)
	default:
		err = rbmLogzTable(all)
	}
	for _, r := range all {
		for _, w := range r.Warnings {
			v.tell("warning", fmt.Sprintf("warning: %s: %s", r.Model, w), map[string]any{"model": r.Model, "message": w})
		}
	}
	return err
}

func (c *rbmLogzCmd) summary(all []*rbmLogzResult, seed uint64, wall float64) *rundir.Summary {
	s := &rundir.Summary{Ergodic: version, Job: "rbm logz", Input: rundir.Input{Model: strings.Join(c.Models, " ")}}
	s.Run = rundir.Run{Seed: seed, Threads: c.Threads, WallS: milli(wall), CPUS: rundir.CPU{Sampling: milli(mcmc.ProcessCPU())}}
	if s.Result = any(all); len(all) == 1 {
		s.Result = all[0]
	}
	for _, r := range all {
		for _, w := range r.Warnings {
			s.Warnings = append(s.Warnings, report.Warning{Code: "logz", Parameter: r.Model, Value: r.LogZ, Message: w})
		}
	}
	return s
}
