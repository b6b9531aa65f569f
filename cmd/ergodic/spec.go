package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// runSpec is what determines a run's draws; it is kept in the run's folder so
// that --resume needs no other argument.
type runSpec struct {
	Ergodic    string            `json:"ergodic"` // version that started the run
	Origin     string            `json:"origin"`  // stands for all that the draws depend on
	Model      input             `json:"model"`
	Data       []input           `json:"data"`
	Inits      []input           `json:"inits"`
	Monitor    []string          `json:"monitor"`
	Sampler    map[string]string `json:"sampler"`
	LogLik     bool              `json:"log_lik"`
	Seed       uint64            `json:"seed"`
	Chains     int               `json:"chains"`
	Warmup     int               `json:"warmup"`
	Draws      int               `json:"draws"`
	Thin       int               `json:"thin"`
	SaveWarmup bool              `json:"save_warmup"`
	WallS      float64           `json:"wall_s"` // spent so far; the draws do not depend on it
}

// newSpec is the spec of a new run.
func (c *sampleCmd) newSpec() (s runSpec, err error) {
	if c.Model == "" {
		return s, usage("sample: name a model, or a run to --resume")
	}
	s = runSpec{Ergodic: version, Seed: systemSeed(), Chains: 4, Warmup: 1000, Draws: 1000, Thin: 1}
	if err = c.override(&s); err != nil {
		return s, err
	}
	if err = s.check(); err != nil {
		return s, err
	}
	if s.Model, err = readInput("model", c.Model); err != nil {
		return s, err
	}
	if s.Data, err = readInputs("data file", c.Data); err != nil {
		return s, err
	}
	if s.Inits, err = readInputs("file of initial values", c.Inits); err != nil {
		return s, err
	}
	s.Origin = s.origin()
	return s, nil
}

// resumedSpec is the spec of a run that goes on. A flag or a file that differs
// from what the run was started with is refused; only --draws may grow.
func (c *sampleCmd) resumedSpec(old runSpec) (s runSpec, err error) {
	s = old
	if err = c.override(&s); err != nil {
		return s, err
	}
	if err = s.check(); err != nil {
		return s, err
	}
	s.Model.Path = orGiven(c.Model, s.Model.Path)
	if s.Model, err = readInput("model", s.Model.Path); err != nil {
		return s, err
	}
	if s.Data, err = givenOrAgain("data file", c.Data, old.Data); err != nil {
		return s, err
	}
	if s.Inits, err = givenOrAgain("file of initial values", c.Inits, old.Inits); err != nil {
		return s, err
	}
	if d := old.differs(&s); d != "" {
		return s, fmt.Errorf("--resume %s: %s; go on as it was started, or start a new run", c.Resume, d)
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

func givenOrAgain(what string, given []string, old []input) ([]input, error) {
	if given != nil {
		return readInputs(what, given)
	}
	return again(what, old)
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
	return nil
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

// differs names the first thing in which a resumed run may not differ.
func (s *runSpec) differs(n *runSpec) string {
	for _, f := range []string{
		sameInputs("model", []input{s.Model}, []input{n.Model}),
		sameInputs("data file", s.Data, n.Data),
		sameInputs("file of initial values", s.Inits, n.Inits),
	} {
		if f != "" {
			return f
		}
	}
	for _, f := range []struct {
		name     string
		old, now any
	}{
		{"--monitor", strings.Join(s.Monitor, ","), strings.Join(n.Monitor, ",")},
		{"--sampler", samplerText(s.Sampler), samplerText(n.Sampler)}, {"--log-lik", s.LogLik, n.LogLik},
		{"--seed", s.Seed, n.Seed}, {"--chains", s.Chains, n.Chains}, {"--warmup", s.Warmup, n.Warmup},
		{"--thin", s.Thin, n.Thin}, {"--save-warmup", s.SaveWarmup, n.SaveWarmup},
	} {
		if f.old != f.now {
			return fmt.Sprintf("%s is %v, and the run was started with %v", f.name, orNone(f.now), orNone(f.old))
		}
	}
	if n.Draws < s.Draws {
		return fmt.Sprintf("--draws is %d, and the run was started with %d, which may only grow", n.Draws, s.Draws)
	}
	return ""
}

func orNone(v any) any {
	if v == "" {
		return "none"
	}
	return v
}

// samplerText writes the overrides in a fixed order.
func samplerText(m map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, k+"="+m[k])
	}
	return strings.Join(parts, ";")
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
	return append(out, mcmc.Ingredient{Name: "--monitor", Hash: strings.Join(s.Monitor, ",")},
		mcmc.Ingredient{Name: "--sampler", Hash: samplerText(s.Sampler)}, mcmc.Ingredient{Name: "--log-lik", Hash: fmt.Sprint(s.LogLik)})
}
