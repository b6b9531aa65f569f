package main

import (
	"fmt"
	"os"
	"path"
	"sort"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// load parses, compiles and plans a model.
func (f *modelFlags) load(seed uint64) (*loaded, error) {
	src, err := os.ReadFile(f.Model)
	if err != nil {
		return nil, err
	}
	prog, err := bugs.Parse(f.Model, string(src))
	if err != nil {
		return nil, err
	}
	data, err := bugs.ReadDataFiles(f.Data)
	if err != nil {
		return nil, err
	}
	c, err := bugs.Compile(prog, data, rng.New(seed, "data").Rand)
	if err != nil {
		return nil, err
	}
	over, err := f.overrides()
	if err != nil {
		return nil, err
	}
	p, err := plan.New(c.Model, over)
	if err != nil {
		return nil, err
	}
	return &loaded{compiled: c, plan: p, warnings: append(c.Warnings, data.Notes...)}, nil
}

// overrides reads --sampler 'beta[*]=slice'; of several that match a node the
// first in alphabetical order of the patterns wins.
func (f *modelFlags) overrides() ([]*plan.Override, error) {
	var pats []string
	for p := range f.Sampler {
		pats = append(pats, p)
	}
	sort.Strings(pats)
	var out []*plan.Override
	for _, p := range pats {
		match, err := nodePattern(p)
		if err != nil {
			return nil, err
		}
		out = append(out, &plan.Override{Pattern: p, Kernel: f.Sampler[p], Match: match})
	}
	return out, nil
}

// nodePattern matches names of nodes: a bare array name stands for all its
// elements, and * for anything inside the brackets.
func nodePattern(p string) (func(string) bool, error) {
	glob := strings.NewReplacer("[", `\[`, "]", `\]`).Replace(p)
	if _, err := path.Match(glob, ""); err != nil {
		return nil, fmt.Errorf("--sampler %s: %w", p, err)
	}
	return func(name string) bool {
		base, _, _ := strings.Cut(name, "[")
		ok, _ := path.Match(glob, name)
		return ok || base == p
	}, nil
}
