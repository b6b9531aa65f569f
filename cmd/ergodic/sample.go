package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// runFlags are the flags of every job that samples. A nil pointer is a flag
// not given: its default, or on --resume what the run was started with.
type runFlags struct {
	Chains     *int          `help:"Chains (4)." placeholder:"N"`
	Warmup     *int          `help:"Warm-up iterations of each chain (1000)." placeholder:"N"`
	Draws      *int          `help:"Draws kept of each chain after warm-up and thinning (1000)." placeholder:"N"`
	Thin       *int          `help:"Keep every N-th iteration (1)." placeholder:"N"`
	SaveWarmup *bool         `help:"Keep the draws of the warm-up too." negatable:""`
	Threads    int           `help:"Threads; 0 for all cores. The draws do not depend on it."`
	Out        string        `help:"The run's folder; default MODEL-run, with a number when that exists." placeholder:"DIR"`
	Force      bool          `help:"Overwrite a finished run."`
	Resume     string        `help:"Go on with an interrupted run, or extend a finished one with a larger --draws." placeholder:"DIR"`
	Checkpoint time.Duration `help:"How often state goes to disk." default:"30s"`
	Progress   string        `help:"auto, json or none." enum:"auto,json,none" default:"auto"`
	Strict     bool          `help:"Exit with status 3 when a diagnostic warns."`
	JSON       bool          `help:"Print the summary as JSON."`
}

type sampleCmd struct {
	Model string `arg:"" optional:"" help:"Model in the BUGS language."`
	modelInput
	Inits   []string `help:"Initial values; one file serves all chains, several are one a chain." placeholder:"FILE" sep:","`
	Monitor []string `help:"What to record: beta,theta[1:3],deviance. Default: all unobserved nodes and computed quantities of at most 100 elements." placeholder:"NAMES" sep:"none"`
	LogLik  *bool    `name:"log-lik" help:"Keep the pointwise log likelihood, for LOO and WAIC." negatable:""`
	runFlags
}

// Run samples a model.
func (c *sampleCmd) Run(ctx context.Context) error {
	started := time.Now()
	job, err := c.open()
	if err != nil {
		return err
	}
	return job.sample(ctx, c, started)
}

func systemSeed() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// splitMonitors cuts a,b[1:3],c[,2] at the commas outside brackets.
func splitMonitors(specs []string) []string {
	var out []string
	for _, s := range specs {
		depth, from := 0, 0
		for i, r := range s {
			switch {
			case r == '[':
				depth++
			case r == ']':
				depth--
			case r == ',' && depth == 0:
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
		if last := strings.TrimSpace(s[from:]); last != "" {
			out = append(out, last)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// sampling is a run of the sample job with everything it needs.
type sampling struct {
	spec     runSpec
	dir      *rundir.Dir
	resume   bool
	loaded   *loaded
	job      *plan.Job
	notes    []string
	compiled float64 // CPU seconds up to here
}

// open settles what to run: from the flags, or from the folder to resume. The
// folder of a new run is made last, when all else is known to be sound.
func (c *sampleCmd) open() (s *sampling, err error) {
	s = &sampling{resume: c.Resume != ""}
	if s.resume {
		if s.dir, err = rundir.Resume(c.Resume); err != nil {
			return nil, err
		}
		if err = s.dir.ReadJSON(rundir.SpecFile, &s.spec); err != nil {
			return nil, err
		}
	}
	if err := c.settle(&s.spec); err != nil {
		return nil, err
	}
	in := modelFlags{Model: s.spec.Model, modelInput: modelInput{Data: s.spec.Data, Sampler: s.spec.Sampler}}
	if s.loaded, err = in.load(s.spec.Seed); err != nil {
		return nil, err
	}
	if err := s.makeJob(); err != nil {
		return nil, err
	}
	if !s.resume {
		if s.dir, err = rundir.Create(outFolder(c.Out, s.spec.Model), c.Force); err != nil {
			return nil, err
		}
	}
	s.compiled = mcmc.ProcessCPU()
	return s, nil
}

// outFolder is the folder of a new run: the one asked for, or MODEL-run with
// the first number that is free.
func outFolder(out, modelFile string) string {
	if out != "" {
		return out
	}
	base := strings.TrimSuffix(filepath.Base(modelFile), filepath.Ext(modelFile)) + "-run"
	out = base
	for k := 2; exists(out); k++ {
		out = fmt.Sprintf("%s-%d", base, k)
	}
	return out
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (s *sampling) makeJob() error {
	comp := s.loaded.compiled
	j := &plan.Job{Plan: s.loaded.plan, LogLik: s.spec.LogLik}
	names := s.spec.Monitor
	if len(names) == 0 {
		var left []string
		if names, left = comp.DefaultMonitors(); len(left) > 0 {
			s.notes = append(s.notes, "not recorded unless asked for with --monitor: "+strings.Join(left, ", "))
		}
	}
	var err error
	if j.Monitors, err = comp.Monitors(names); err != nil {
		return err
	}
	if len(j.Monitors) == 0 {
		return errors.New("the model has no unobserved node and nothing computed from one: there is nothing to sample")
	}
	warned := map[string]bool{}
	for _, f := range s.spec.Inits {
		d, err := bugs.ReadDataFiles([]string{f})
		if err != nil {
			return err
		}
		in, warn, err := comp.Inits(d)
		if err != nil {
			return err
		}
		for _, w := range warn {
			if !warned[w] {
				s.notes = append(s.notes, w)
			}
			warned[w] = true
		}
		j.Inits = append(j.Inits, in)
	}
	if n := len(j.Inits); n == 1 && s.spec.Chains > 1 {
		s.notes = append(s.notes, "one file of initial values serves all chains")
	} else if n > 1 && n < s.spec.Chains {
		return fmt.Errorf("%d files of initial values for %d chains: give one for all, or one for each", n, s.spec.Chains)
	}
	j.Ready()
	s.job = j
	return nil
}

func (s *sampling) settings(c *sampleCmd) (mcmc.Settings, error) {
	set := mcmc.Settings{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Draws, Thin: s.spec.Thin,
		Threads: c.Threads, SaveWarmup: s.spec.SaveWarmup, Dir: s.dir.Checkpoint(), Checkpoint: c.Checkpoint, Resume: s.resume}
	if set.Warmup == 0 {
		set.Warmup = -1
	}
	if set.Draws == 0 {
		set.Draws = -1
	}
	var err error
	set.Fingerprint, err = s.spec.fingerprint()
	return set, err
}

func (s *sampling) layout() draws.Layout {
	l := draws.Layout{Chains: s.spec.Chains, SaveWarmup: s.spec.SaveWarmup, LogLikelihood: s.job.LogLikelihood()}
	for _, m := range s.job.Monitors {
		l.Posterior = append(l.Posterior, m.Variable)
	}
	m := s.loaded.compiled.Model
	for _, a := range m.Arrays {
		vals := make([]float64, a.Size)
		seen := false
		for k := range vals {
			c := a.Base + int32(k)
			vals[k] = m.Init[c]
			seen = seen || m.Kinds[c] == model.Observed
		}
		if seen {
			l.Observed = append(l.Observed, draws.Array{Variable: draws.Variable{Name: a.Name, Dims: a.Dims}, Values: vals})
		}
	}
	return l
}

func (s *sampling) sample(ctx context.Context, c *sampleCmd, started time.Time) error {
	defer s.dir.Close()
	for _, n := range append(s.loaded.warnings, s.notes...) {
		fmt.Fprintln(os.Stderr, "note:", n)
	}
	fmt.Fprintf(os.Stderr, "seed %d, folder %s\n", s.spec.Seed, s.dir.Path())
	set, err := s.settings(c)
	if err != nil {
		return err
	}
	w, err := s.dir.Draws(s.layout(), s.resume)
	if err != nil {
		return err
	}
	if err := s.dir.WriteJSON(rundir.SpecFile, s.spec); err != nil {
		return err
	}
	event := "start"
	if s.resume {
		event = "resume"
	}
	if err := s.dir.Log(event, map[string]any{"seed": s.spec.Seed, "chains": s.spec.Chains, "draws": s.spec.Draws}); err != nil {
		return err
	}
	res, err := mcmc.Run[*model.State](ctx, s.job, set, mcmc.RecordTo(w), nil)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, mcmc.ErrInterrupted) {
		s.dir.Log("interrupted", nil)
		return exitError{130, fmt.Errorf("interrupted; the state is saved. Go on with:\n  ergodic sample --resume %s", s.dir.Path())}
	}
	if err != nil {
		s.dir.Log("failed", map[string]any{"error": err.Error()})
		return err
	}
	return s.finish(c, set, res, started)
}
