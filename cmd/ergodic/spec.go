package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// runSpec is what determines a run's draws; it is kept in the run's folder so
// that --resume needs no other argument.
type runSpec struct {
	Model      string            `json:"model"`
	Data       []string          `json:"data"`
	Inits      []string          `json:"inits"`
	Monitor    []string          `json:"monitor"`
	Sampler    map[string]string `json:"sampler"`
	LogLik     bool              `json:"log_lik"`
	Seed       uint64            `json:"seed"`
	Chains     int               `json:"chains"`
	Warmup     int               `json:"warmup"`
	Draws      int               `json:"draws"`
	Thin       int               `json:"thin"`
	SaveWarmup bool              `json:"save_warmup"`
}

// settle completes the spec from the flags. On --resume a flag that differs
// from what the run was started with is refused; only --draws may grow.
func (c *sampleCmd) settle(s *runSpec) error {
	if c.Resume == "" {
		if c.Model == "" {
			return exitError{2, fmt.Errorf("ergodic sample: name a model, or a run to --resume")}
		}
		*s = runSpec{Model: c.Model, Data: c.Data, Inits: c.Inits, Monitor: splitMonitors(c.Monitor), Sampler: c.Sampler, Chains: 4, Warmup: 1000, Draws: 1000, Thin: 1}
		s.Seed = systemSeed()
		if c.Seed != nil {
			s.Seed = *c.Seed
		}
		c.override(s)
		return s.check()
	}
	old := *s
	if c.Model != "" {
		s.Model = c.Model
	}
	if c.Data != nil {
		s.Data = c.Data
	}
	if c.Inits != nil {
		s.Inits = c.Inits
	}
	if c.Monitor != nil {
		s.Monitor = splitMonitors(c.Monitor)
	}
	if c.Sampler != nil {
		s.Sampler = c.Sampler
	}
	if c.Seed != nil {
		s.Seed = *c.Seed
	}
	c.override(s)
	if d := old.differs(s); d != "" {
		return fmt.Errorf("--resume %s: %s; start a new run instead, or leave the flag out", c.Resume, d)
	}
	return s.check()
}

func (c *sampleCmd) override(s *runSpec) {
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
}

func (s *runSpec) check() error {
	for _, f := range []struct {
		name string
		v    int
		min  int
	}{{"chains", s.Chains, 1}, {"warmup", s.Warmup, 0}, {"draws", s.Draws, 1}, {"thin", s.Thin, 1}} {
		if f.v < f.min {
			return exitError{2, fmt.Errorf("ergodic sample: --%s %d: it must be at least %d", f.name, f.v, f.min)}
		}
	}
	return nil
}

// differs names the first setting in which a resumed run may not differ.
func (s *runSpec) differs(n *runSpec) string {
	for _, f := range []struct {
		name     string
		old, new any
	}{
		{"the model", s.Model, n.Model}, {"--data", s.Data, n.Data}, {"--inits", s.Inits, n.Inits}, {"--monitor", s.Monitor, n.Monitor},
		{"--sampler", s.Sampler, n.Sampler}, {"--log-lik", s.LogLik, n.LogLik}, {"--seed", s.Seed, n.Seed}, {"--chains", s.Chains, n.Chains},
		{"--warmup", s.Warmup, n.Warmup}, {"--thin", s.Thin, n.Thin}, {"--save-warmup", s.SaveWarmup, n.SaveWarmup},
	} {
		a, b := fmt.Sprint(f.old), fmt.Sprint(f.new)
		if a != b {
			return fmt.Sprintf("%s was %s in the run and is %s now", f.name, a, b)
		}
	}
	if n.Draws < s.Draws {
		return fmt.Sprintf("--draws was %d in the run and may only grow, not be %d", s.Draws, n.Draws)
	}
	return ""
}

// fingerprint hashes the files and settings that the draws depend on.
func (s *runSpec) fingerprint() ([]mcmc.Ingredient, error) {
	var out []mcmc.Ingredient
	add := func(kind, file string) error {
		h, err := fileHash(file)
		out = append(out, mcmc.Ingredient{Name: kind + " " + file, Hash: h})
		return err
	}
	if err := add("model", s.Model); err != nil {
		return nil, err
	}
	for _, f := range s.Data {
		if err := add("data", f); err != nil {
			return nil, err
		}
	}
	for _, f := range s.Inits {
		if err := add("initial values", f); err != nil {
			return nil, err
		}
	}
	var over []string
	for k, v := range s.Sampler {
		over = append(over, k+"="+v)
	}
	sort.Strings(over)
	out = append(out, mcmc.Ingredient{Name: "--monitor", Hash: strings.Join(s.Monitor, ",")},
		mcmc.Ingredient{Name: "--sampler", Hash: strings.Join(over, ",")}, mcmc.Ingredient{Name: "--log-lik", Hash: fmt.Sprint(s.LogLik)})
	return out, nil
}

func fileHash(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:]), nil
}
