package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/modereport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const optimizeJob = "optimize"

type optimizeCmd struct {
	Model   string   `arg:"" help:"Model in the BUGS language."`
	Data    []string `help:"Data file in R's dump format or JSON; may be repeated." placeholder:"FILE" sep:","`
	Inits   []string `help:"Where to start; one file serves all starts, several are one a start." placeholder:"FILE" sep:","`
	Monitor []string `help:"What to tell: beta,theta[1:3],deviance. Default: all unobserved nodes and computed quantities of at most 100 elements." placeholder:"NAMES" sep:"none"`
	dialectFlag
	Seed       *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Starts     int     `help:"Climbs, from different parts of the priors." default:"8"`
	Iterations int     `help:"Steps of a climb at most." default:"2000"`
	Jacobian   bool    `help:"The mode of logarithms and logits of values between bounds, not of the values: of the density that --laplace and sample with nuts work on."`
	Laplace    int     `help:"Draw N times from the normal density at the mode, weighted." placeholder:"N"`
	Pathfinder int     `help:"Draw N times from the best normal densities on the way to modes, weighted." placeholder:"N"`
	WriteInits string  `help:"Write the mode as initial values for sample, in JSON." placeholder:"FILE"`
	Out        string  `help:"Keep the result in this folder, with the draws; default: none, of draws MODEL-run." placeholder:"DIR"`
	Force      bool    `help:"Overwrite a finished run, or the file of --write-inits."`
	Threads    int     `help:"Threads; 0 for all cores. The result does not depend on it."`
	Progress   string  `help:"auto: messages for people; json: an object a line; none." enum:"auto,json,none" default:"auto"`
	Strict     bool    `help:"Exit with status 3 when there is a warning."`
	JSON       bool    `help:"Print the result as JSON."`
	wideFlag
}

// someKhat is the shape above which weights have no variance.
const someKhat = 0.5

// mostStarts and mostKept bound what a slip of the finger asks for.
const (
	mostStarts = 1 << 16
	mostKept   = 1 << 24
)

func (c *optimizeCmd) check() error {
	switch {
	case c.Starts < 1 || c.Starts > mostStarts:
		return usage("optimize: --starts %d: it must be from 1 to %d", c.Starts, mostStarts)
	case c.Iterations < 1 || c.Iterations > math.MaxInt32:
		return usage("optimize: --iterations %d: it must be from 1 to %d", c.Iterations, math.MaxInt32)
	case c.Laplace < 0 || c.Laplace > mostKept || c.Pathfinder < 0 || c.Pathfinder > mostKept:
		return usage("optimize: %d draws; there can be from 1 to %d", c.Laplace+c.Pathfinder, mostKept)
	case c.Laplace > 0 && c.Pathfinder > 0:
		return usage("optimize: --laplace or --pathfinder, not both in one run")
	case c.Pathfinder > 0 && c.WriteInits != "":
		return usage("optimize: --pathfinder ends at no mode to write as initial values; leave one of the two flags out")
	case c.Out == "" && c.Force && c.WriteInits == "" && c.Laplace+c.Pathfinder == 0:
		return usage("optimize: --force is for --out and --write-inits")
	}
	if c.Monitor != nil && len(splitMonitors(c.Monitor)) == 0 {
		return usage("optimize: --monitor names nothing; leave it out to be told all unobserved nodes")
	}
	return checkThreads(optimizeJob, c.Threads)
}

// Run finds a mode.
func (c *optimizeCmd) Run() error { return noticed(c.Progress, c.run) }

func (c *optimizeCmd) run(v *job.Notices) error {
	began := time.Now()
	if err := c.check(); err != nil {
		return err
	}
	if c.WriteInits != "" {
		if err := mayWrite(c.WriteInits, c.Force); err != nil {
			return err
		}
	}
	// What is read, said and recorded is that of a run of sample with one chain for each start.
	s := &sampling{Run: &job.Run{Name: optimizeJob, Version: version, Say: v}, each: [2]string{"start", "starts"},
		cmd: &sampleCmd{Model: c.Model, modelInput: modelInput{Data: c.Data, dialectFlag: c.dialectFlag, Seed: c.Seed}, Inits: c.Inits, Monitor: c.Monitor}}
	s.timing.began = began
	o := &optimizing{sampling: s, cmd: c}
	if err := o.open(); err != nil {
		return err
	}
	defer s.Close()
	err := o.optimize()
	if err != nil && o.sum == nil {
		err = s.Failed(s.loaded.compiled.Explain(err), false)
	}
	return err
}

// optimizing is a run of the optimize job.
type optimizing struct {
	*sampling
	cmd   *optimizeCmd
	asked optimizeSpec
	out   string          // the folder to make; "" for none
	sum   *rundir.Summary // when it is finished
}

// optimizeSpec is what determines the result.
type optimizeSpec struct {
	job.Head
	modelSpec
	Starts     int  `json:"starts"`
	Iterations int  `json:"iterations"`
	Jacobian   bool `json:"jacobian"`
	Laplace    int  `json:"laplace"`
	Pathfinder int  `json:"pathfinder"`
}

// open reads all that the flags name, and makes the folder where there is to be one.
func (o *optimizing) open() (err error) {
	c := o.cmd
	if o.spec, err = o.sampling.cmd.newSpec(); err != nil {
		return err
	}
	o.spec.Chains = c.Starts
	s := &o.asked
	*s = optimizeSpec{Head: o.spec.Head, modelSpec: o.spec.modelSpec, Starts: c.Starts, Iterations: c.Iterations, Jacobian: c.Jacobian || c.Laplace > 0,
		Laplace: c.Laplace, Pathfinder: c.Pathfinder}
	s.Job = optimizeJob
	s.Origin = rundir.Origin(o.spec.fingerprint(), s.Seed, s.Starts, s.Iterations, s.Jacobian, s.Laplace, s.Pathfinder)
	if o.loaded, err = load(o.spec.Model, o.spec.Dialect, o.spec.Data, nil, o.spec.Seed); err != nil {
		return err
	}
	if err = o.makeJob(); err != nil {
		return err
	}
	out := c.Out
	if out == "" && c.Laplace+c.Pathfinder > 0 {
		out = outFolder("", c.Model)
	}
	if o.out = out; out != "" && !c.Force { // better known before the work; the folder is made after it
		d, err := rundir.Create(out, false)
		if err != nil {
			return err
		}
		if err := d.Discard(); err != nil {
			return err
		}
	}
	o.compiled = cputime.Process()
	return nil
}

// optimize finds the mode, draws if that is asked for, and tells.
func (o *optimizing) optimize() error {
	for _, n := range job.FewNotes(append(o.loaded.warnings, o.notes...)) {
		o.Say.Note(n)
	}
	said := fmt.Sprintf("seed %d", o.asked.Seed)
	if o.out != "" {
		said += ", folder " + o.out
	}
	o.Say.Tell("start", said, map[string]any{"seed": o.asked.Seed, "folder": o.out, "starts": o.asked.Starts})
	s := &modereport.Search{Plan: o.loaded.plan, Monitors: o.job.Monitors, Inits: o.job.Inits, Starts: o.asked.Starts, Seed: o.asked.Seed,
		Threads: cores(o.cmd.Threads), Iterations: o.asked.Iterations, Jacobian: o.asked.Jacobian || o.asked.Pathfinder > 0}
	r, kept, warn, err := o.find(s)
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := o.Create(o.out, o.cmd.Force, &o.asked); err != nil {
			return err
		}
		if err := o.Begin(&o.asked, false, map[string]any{"starts": o.asked.Starts, "model": o.asked.Model.Path}); err != nil {
			return err
		}
	}
	var rows report.Summary
	var digests []string
	if kept != nil {
		if rows, digests, err = o.write(kept); err != nil {
			return err
		}
	}
	if o.cmd.WriteInits != "" {
		if err := writeTo(o.cmd.WriteInits, s.WriteInits); err != nil {
			return err
		}
	}
	return o.tell(r, rows, digests, warn)
}

// find finds the mode, and the draws where they are asked for.
func (o *optimizing) find(s *modereport.Search) (r *modereport.Result, kept *modereport.Draws, warn []report.Warning, err error) {
	var weights []report.Warning
	if n := o.asked.Pathfinder; n > 0 {
		r, kept, weights, err = s.Pathfinder(n)
	} else if r, warn, err = s.Find(); err == nil && o.asked.Laplace > 0 {
		kept, weights, err = s.Laplace(r, o.asked.Laplace)
	}
	if err != nil {
		o.Say.Warn(warningsInFlags(warn)) // which say why
		return nil, nil, nil, err
	}
	if kept != nil && len(weights) == 0 {
		if k := float64(r.Approximate.Khat); k > someKhat {
			o.Say.Note(fmt.Sprintf("k-hat is %.2f: means may be relied upon, standard deviations and tails are likely too small", k))
		}
	}
	return r, kept, append(warn, weights...), nil
}

// write records the draws, with nodes that no data reach drawn from their distributions, and summarises them. The digests are those of the file.
func (o *optimizing) write(kept *modereport.Draws) (rows report.Summary, digests []string, err error) {
	l := draws.Layout{Origin: o.asked.Origin, Chains: 1, Stats: []string{draws.LP}, Observed: observed(o.loaded.compiled.Model)}
	for _, m := range o.job.Monitors {
		l.Posterior = append(l.Posterior, m.Variable)
	}
	if err := o.Dir.NeedRoom(l.Forecast(nil, 0, kept.Len())); err != nil {
		return rows, nil, err
	}
	w, err := o.Dir.Draws(l, false)
	if err != nil {
		return rows, nil, err
	}
	defer w.Close()
	ctx, stop := o.Interruptible("ending")
	defer stop()
	record, row := rng.New(o.asked.Seed, "record", 0).Rand, make([]float64, l.Width())
	for i := range kept.Len() {
		if ctx.Err() != nil {
			return rows, nil, context.Canceled
		}
		state := kept.At(i)
		o.job.Record(state, record, row)
		if err := w.Append(0, false, row, draws.Stat{LP: o.job.LogDensity(state)}); err != nil {
			return rows, nil, err
		}
	}
	if err := w.Close(); err != nil {
		return rows, nil, err
	}
	r, err := draws.Open(o.Dir.File(rundir.DrawsFolder))
	if err != nil {
		return rows, nil, err
	}
	rows, err = report.Summarize(r, o.cmd.Threads)
	return rows, rundir.Digests(r), err
}

// tell writes the summary, where there is a folder, and prints what was found.
func (o *optimizing) tell(r *modereport.Result, rows report.Summary, digests []string, warn []report.Warning) error {
	all := warningsInFlags(warn)
	if all == nil {
		all = []report.Warning{}
	}
	o.sum = &rundir.Summary{Ergodic: version, Job: optimizeJob, Parameters: rows.Parameters, Warnings: all, Result: r, Origin: o.asked.Origin, Digests: digests}
	if o.sum.Parameters == nil {
		o.sum.Parameters = report.Parameters{}
	}
	o.sum.Input = o.asked.inputs()
	o.sum.Run = rundir.Run{Seed: o.asked.Seed, Threads: cores(o.cmd.Threads), WallS: milli(time.Since(o.timing.began).Seconds()),
		CPUS: rundir.CPU{Compile: milli(o.compiled), Sampling: milli(cputime.Process() - o.compiled)}}
	if n := o.asked.Laplace + o.asked.Pathfinder; n > 0 {
		o.sum.Run.Chains, o.sum.Run.Draws, o.sum.Run.Thin = 1, n, 1
	}
	if o.Dir != nil {
		if err := o.Finish(o.sum, map[string]any{"warnings": len(all)}); err != nil {
			return err
		}
	}
	var err error
	if o.cmd.JSON {
		err = printJSON(o.sum)
	} else {
		err = printTable(o.sum, o.cmd.screen())
	}
	if err != nil {
		return err
	}
	o.Say.Warn(all)
	return warned(o.cmd.Strict, len(all))
}
