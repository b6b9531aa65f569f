package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// loaded is a model ready to run.
type loaded struct {
	compiled *bugs.Compiled
	plan     *plan.Plan
	tempered bool // by --sampler tempered
	warnings []string
}

// load parses, compiles and plans a model. The seed draws what a data block
// leaves to chance.
func load(model job.Input, dialect string, data []job.Input, sampler map[string]string, seed uint64) (*loaded, error) {
	prog, err := bugs.ParseDialect(model.Name, string(model.Text), bugs.Dialect(dialect))
	if err != nil {
		return nil, err
	}
	d, err := readData(data)
	if err != nil {
		return nil, err
	}
	notes := d.Notes // the values are in the model from here on
	c, err := bugs.Compile(prog, d, rng.New(seed, "data").Rand)
	if err != nil {
		for _, note := range notes { // such as that a file is empty
			err = fmt.Errorf("%w\n  Note: %s", err, inFlags(note))
		}
		return nil, err
	}
	over, err := overrides(sampler)
	if err != nil {
		return nil, err
	}
	p, err := plan.New(c.Model, over)
	if err != nil {
		return nil, c.Explain(err)
	}
	l := &loaded{compiled: c, plan: p, tempered: sampler[allNodes] == plan.TemperedName}
	for _, text := range append(c.Warnings, notes...) {
		l.warnings = append(l.warnings, inFlags(text))
	}
	return l, nil
}

// samplerFlag is what all --sampler together ask for: kernels by nodes.
type samplerFlag map[string]string

// UnmarshalText adds one --sampler, which may hold several after semicolons.
func (f *samplerFlag) UnmarshalText(text []byte) error {
	if *f == nil {
		*f = samplerFlag{}
	}
	for _, pair := range kong.SplitEscaped(string(text), ';') {
		nodes, kernel, ok := strings.Cut(pair, "=")
		if pair == plan.TemperedName {
			nodes, kernel, ok = allNodes, pair, true
		}
		if !ok {
			return fmt.Errorf("expected NODES=KERNEL, such as 'beta[*]=slice', but got %s", wording.Quote(pair))
		}
		if was, twice := (*f)[nodes]; twice && was != kernel {
			return fmt.Errorf("%s is asked for %s and for %s", wording.Brief(nodes), wording.Brief(was), wording.Brief(kernel))
		}
		(*f)[nodes] = kernel
	}
	return nil
}

// allNodes are those that --sampler tempered is for, which names none.
const allNodes = "*"

// checkSampler refuses what of --sampler is wrong for every model.
func (in *modelInput) checkSampler(job string) error {
	for _, p := range slices.Sorted(maps.Keys(in.Sampler)) {
		kernel := in.Sampler[p]
		if kernel == plan.TemperedName {
			if p == allNodes {
				continue
			}
			return usage("%s: --sampler %s: all nodes are tempered together; say --sampler %s", job, wording.Brief(p+"="+kernel), kernel)
		}
		if _, err := draws.ParsePattern(p); err != nil || strings.Contains(p, `\`) {
			return usage("%s: --sampler %s: it must be NODES=KERNEL, such as 'beta[1:3]=slice'", job, wording.Brief(p+"="+kernel))
		}
		if known := plan.Kernels(); !slices.Contains(known, kernel) {
			return usage("%s: --sampler %s: there is no sampler %s to ask for; there are %s", job, wording.Brief(p+"="+kernel), wording.Quote(kernel), strings.Join(known, ", "))
		}
	}
	return nil
}

// overrides reads --sampler 'beta[*]=slice', in alphabetical order of the patterns.
func overrides(sampler map[string]string) ([]*plan.Override, error) {
	var out []*plan.Override
	for _, p := range slices.Sorted(maps.Keys(sampler)) {
		if sampler[p] == plan.TemperedName {
			continue
		}
		nodes, err := draws.ParsePattern(p)
		if err != nil {
			return nil, err
		}
		out = append(out, &plan.Override{Pattern: p, Kernel: sampler[p], Match: nodes.Matches})
	}
	return out, nil
}

// readData parses and merges data files, and lets go of their text.
func readData(files []job.Input) (*bugs.Data, error) {
	all := &bugs.Data{Values: map[string]*bugs.Value{}}
	for i, f := range files {
		files[i].Text = nil
		d, err := bugs.ReadData(f.Name, f.Text)
		if err != nil {
			return nil, err
		}
		if len(d.Names) == 0 {
			d.Notes = append(d.Notes, f.Name+" holds no values")
		}
		if err := all.Merge(d); err != nil {
			return nil, err
		}
	}
	return all, nil
}
