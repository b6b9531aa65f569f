package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/internal/annealreport"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
)

// annealJob begins the names of these jobs.
const annealJob = "anneal"

// annealSpec is what is kept in the run's folder for --resume.
type annealSpec struct {
	job.Head
	Instance job.Input   `json:"instance" what:"instance/instances"`
	Init     []job.Input `json:"init,omitempty" what:"solution to start from/solutions to start from"`
	Flags    annealFlags `json:"flags"`
	Reads    int         `json:"reads" resume:"grow"` // 0: the default
	Colours  *int        `json:"colours,omitempty"`
	Alone    *bool       `json:"independent,omitempty" name:"independent"`
	Known    *float64    `json:"best_known" name:"best-known" resume:"any"`
	WallS    float64     `json:"wall_s" resume:"any"`
	CPUS     float64     `json:"cpu_s" resume:"any"`
}

// open finds what is asked for: from the flags, or from the folder of the run to resume.
func (w *annealWork) open() (err error) {
	c := w.cmd
	now := annealSpec{Head: job.Head{Ergodic: version, Job: w.Name, Seed: given(c.Seed, 0)}, Flags: c.annealFlags, Reads: given(c.Reads, 0), Colours: w.own.colours, Alone: w.own.independent}
	var was annealSpec
	if c.Resume != "" {
		if err := w.Reopen(c.Resume, &was); err != nil {
			return err
		}
		now.Head, now.Seed, now.Reads = was.Head, given(c.Seed, was.Seed), given(c.Reads, was.Reads)
		now.Known, now.WallS, now.CPUS = was.Known, was.WallS, was.CPUS
	} else if c.Seed == nil {
		now.Seed = systemSeed()
	}
	if err := w.checkFlags(&now); err != nil {
		return err
	}
	if now.Instance, err = job.ReadInput("instance", orGiven(c.File, was.Instance.Path)); err != nil {
		return err
	}
	var initial []string
	if c.Init != "" {
		initial = []string{c.Init}
	}
	if now.Init, err = job.ReadAgain("solution to start from", initial, was.Init); err != nil {
		return err
	}
	if err := w.known(&now); err != nil {
		return err
	}
	if c.Resume != "" {
		if err := w.Same(&was, &now, nil); err != nil {
			return err
		}
		asked := now.Flags
		now.Flags, now.Colours, now.Alone = was.Flags, was.Colours, was.Alone
		w.extended = now.Reads > was.Reads || asked.Time != nil && *asked.Time > given(was.Flags.Time, 0)
		for _, f := range []struct{ to, from **float64 }{{&now.Flags.Target, &asked.Target}} {
			if *f.from != nil {
				*f.to = *f.from
			}
		}
		if asked.Time != nil {
			now.Flags.Time = asked.Time
		}
	}
	w.spec = now
	flags := now.Flags
	flags.Time, flags.Target = nil, nil // when to stop is not what to compute
	w.spec.Origin = rundir.Origin(w.Name, now.Instance.SHA256, job.Files(now.Init), flags, now.Colours, now.Alone, now.Seed)
	if c.Solution != "" {
		return mayWrite(c.Solution, c.Force || c.Resume != "")
	}
	return nil
}

// checkFlags refuses what is wrong for every instance.
func (w *annealWork) checkFlags(s *annealSpec) error {
	f, c := &s.Flags, w.cmd
	if f.Method != nil {
		if _, err := anneal.ParseMethod(*f.Method); err != nil {
			return usage("%s: --method: %w", w.Name, err)
		}
	}
	if f.Schedule != nil {
		if _, err := anneal.ParseKind(*f.Schedule); err != nil || *f.Schedule == anneal.Custom.String() {
			return usage("%s: --schedule: %w", w.Name, orCustom(err))
		}
	}
	for _, n := range []struct {
		flag  string
		value *int
		least int
	}{{"sweeps", f.Sweeps, 1}, {"reads", c.Reads, 1}, {"stagnation", f.Stagnation, 1}, {"rungs", f.Rungs, 2}, {"population", f.Population, 2}} {
		if x := given(n.value, n.least); x < n.least || x > 1<<30 {
			return usage("%s: --%s %d: it must be from %d to %d", w.Name, n.flag, x, n.least, 1<<30)
		}
	}
	if k := given(s.Colours, 1); k < 1 {
		return usage("%s: --colours %d: it must be at least 1", w.Name, k)
	}
	for _, x := range []struct {
		flag  string
		value *float64
	}{{"hot", f.Hot}, {"cold", f.Cold}} {
		if v := given(x.value, 1); !(v > 0) || math.IsInf(v, 0) {
			return usage("%s: --%s %v: it must be more than 0", w.Name, x.flag, v)
		}
	}
	return w.checkTogether(f)
}

func orCustom(err error) error {
	if err == nil {
		return fmt.Errorf("a custom one is given by its --temperatures")
	}
	return err
}

// checkTogether refuses flags that do nothing for each other.
func (w *annealWork) checkTogether(f *annealFlags) error {
	method := given(f.Method, anneal.Annealing.String())
	climbs := method == anneal.Stochastic.String() || method == anneal.Steepest.String() || method == anneal.First.String()
	tempered := method == anneal.Tempering.String()
	switch {
	case f.Time != nil && *f.Time <= 0:
		return usage("%s: --time %v: it must be more than 0", w.Name, *f.Time)
	case f.Hot != nil && f.Cold != nil && *f.Cold > *f.Hot:
		return usage("%s: --cold %v is above --hot %v", w.Name, *f.Cold, *f.Hot)
	case f.Target != nil && math.IsNaN(*f.Target):
		return usage("%s: --target %v: it must be a number", w.Name, *f.Target)
	case f.Temperatures != nil && (f.Schedule != nil || f.Hot != nil || f.Cold != nil):
		return usage("%s: --temperatures are instead of --schedule, --hot and --cold; leave these out", w.Name)
	case climbs && (f.Schedule != nil || f.Hot != nil || f.Cold != nil || f.Temperatures != nil):
		return usage("%s: hill climbing has no temperatures; leave --schedule, --temperatures, --hot and --cold out", w.Name)
	case tempered && (f.Schedule != nil || f.Temperatures != nil):
		return usage("%s: tempering finds its temperatures between --hot and --cold; leave --schedule and --temperatures out", w.Name)
	case f.Rungs != nil && !tempered:
		return usage("%s: --rungs are of --method tempering", w.Name)
	case f.Population != nil && method != anneal.Population.String():
		return usage("%s: --population is of --method population", w.Name)
	}
	for _, t := range f.Temperatures {
		if !(t >= 0) || math.IsInf(t, 0) {
			return usage("%s: --temperatures: %v: each must be at least 0", w.Name, t)
		}
	}
	return nil
}

// known reads the best value known, from the flag or from the file that it names.
func (w *annealWork) known(s *annealSpec) error {
	text := w.cmd.BestKnown
	if text == "" {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		in, err := job.ReadInput("file of best values", text)
		if err != nil {
			return err
		}
		if v, err = annealreport.Known(in.Name, in.Text, s.Instance.Path); err != nil {
			return err
		}
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return usage("%s: --best-known %s: it must be a number", w.Name, text)
	}
	s.Known = &v
	return nil
}
