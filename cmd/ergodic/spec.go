package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// modelSpec is what is read of a model, and what is told of it.
type modelSpec struct {
	Model   job.Input   `json:"model" what:"model/models"`
	Data    []job.Input `json:"data" what:"data file/data files"`
	Inits   []job.Input `json:"inits" what:"file of initial values/files of initial values"`
	Monitor []string    `json:"monitor"`
	Dialect string      `json:"dialect,omitempty"`
}

// inputs names the files in the summary.
func (s *modelSpec) inputs() rundir.Input {
	return rundir.Input{Model: filepath.Base(s.Model.Path), SHA256: s.Model.SHA256, Data: job.Files(s.Data), Inits: job.Files(s.Inits)}
}

// runSpec is what determines a run's draws; it is kept in the run's folder so
// that --resume needs no other argument.
type runSpec struct {
	job.Head
	modelSpec
	Sampler    map[string]string `json:"sampler"`
	LogLik     bool              `json:"log_lik"`
	Chains     int               `json:"chains"`
	Warmup     int               `json:"warmup"`
	Draws      int               `json:"draws" resume:"grow"`
	Thin       int               `json:"thin"`
	SaveWarmup bool              `json:"save_warmup"`
	untilSpec
	WallS float64 `json:"wall_s" resume:"any"` // spent so far; the draws do not depend on it
}

const sampleJob = "sample"

// newSpec is the spec of a new run.
func (c *sampleCmd) newSpec() (s runSpec, err error) {
	s = runSpec{Head: job.Head{Ergodic: version, Job: sampleJob, Seed: systemSeed()}, Chains: 4, Warmup: 1000, Draws: 1000, Thin: 1}
	if err = c.override(&s); err != nil {
		return s, err
	}
	if err = s.check(); err != nil {
		return s, err
	}
	if s.Model, err = job.ReadInput("model", c.Model); err != nil {
		return s, err
	}
	if s.Data, err = job.ReadInputs("data file", c.Data); err != nil {
		return s, err
	}
	if s.Inits, err = job.ReadInputs("file of initial values", c.Inits); err != nil {
		return s, err
	}
	s.Origin = s.origin()
	return s, nil
}

// resumedSpec is the spec of a run that goes on: what it was started with, with the flags and files that are given now.
func (c *sampleCmd) resumedSpec(old *runSpec) (s runSpec, err error) {
	s = *old
	if err = c.override(&s); err != nil {
		return s, err
	}
	if err = s.check(); err != nil {
		return s, err
	}
	if s.Model, err = job.ReadInput("model", orGiven(c.Model, s.Model.Path)); err != nil {
		return s, err
	}
	if s.Data, err = job.ReadAgain("data file", c.Data, old.Data); err != nil {
		return s, err
	}
	if s.Inits, err = job.ReadAgain("file of initial values", c.Inits, old.Inits); err != nil {
		return s, err
	}
	s.Origin = s.origin()
	return s, nil
}

func orGiven(given, old string) string {
	if given != "" {
		return given
	}
	return old
}

// override takes over the flags that were given.
func (c *sampleCmd) override(s *runSpec) error {
	for _, f := range []struct {
		flag *int
		to   *int
	}{{c.Chains, &s.Chains}, {c.Warmup, &s.Warmup}, {c.Draws, &s.Draws}, {c.Thin, &s.Thin}} {
		if f.flag != nil {
			*f.to = *f.flag
		}
	}
	if c.SaveWarmup != nil {
		s.SaveWarmup = *c.SaveWarmup
	}
	if c.LogLik != nil {
		s.LogLik = *c.LogLik
	}
	if c.Seed != nil {
		s.Seed = *c.Seed
	}
	if c.Monitor != nil {
		s.Monitor = splitMonitors(c.Monitor)
		if len(s.Monitor) == 0 {
			return usage("sample: --monitor names nothing; leave it out to record all unobserved nodes")
		}
	}
	if c.Sampler != nil {
		s.Sampler = c.Sampler
	}
	if c.Dialect != "" {
		s.Dialect = c.Dialect
	}
	return c.untilFlags.override(&s.untilSpec, &s.Draws)
}

func (s *runSpec) check() error {
	for _, f := range []struct {
		name   string
		v      int
		lo, hi int
	}{{"chains", s.Chains, 1, 1 << 16}, {"warmup", s.Warmup, 0, math.MaxInt32}, {"draws", s.Draws, 1, math.MaxInt32}, {"thin", s.Thin, 1, 1 << 20}} {
		if f.v < f.lo || f.v > f.hi {
			return usage("sample: --%s %d: it must be from %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	return nil
}

func (s *runSpec) origin() string {
	return rundir.Origin(s.fingerprint(), s.Seed, s.Chains, s.Warmup, s.Thin, s.SaveWarmup)
}

// fingerprint hashes the files and settings that the draws depend on, so that
// a checkpoint knows the run it belongs to.
func (s *runSpec) fingerprint() []mcmc.Ingredient {
	out := []mcmc.Ingredient{{Name: "the model", Hash: s.Model.SHA256}}
	for i, f := range s.Data {
		out = append(out, mcmc.Ingredient{Name: fmt.Sprintf("data file %d", i+1), Hash: f.SHA256})
	}
	for i, f := range s.Inits {
		out = append(out, mcmc.Ingredient{Name: fmt.Sprintf("file %d of initial values", i+1), Hash: f.SHA256})
	}
	if s.Dialect != "" {
		out = append(out, mcmc.Ingredient{Name: "--dialect", Hash: s.Dialect})
	}
	return append(out, mcmc.Ingredient{Name: "--monitor", Hash: strings.Join(s.Monitor, ",")},
		mcmc.Ingredient{Name: "--sampler", Hash: job.MapText(s.Sampler)}, mcmc.Ingredient{Name: "--log-lik", Hash: fmt.Sprint(s.LogLik)})
}
