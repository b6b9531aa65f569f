package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// modelInput is what sample and check ask of a model besides its file.
type modelInput struct {
	Data    []string    `help:"Data file in R's dump format or JSON; may be repeated." placeholder:"FILE" sep:","`
	Sampler samplerFlag `help:"Ask for a kernel for some nodes: --sampler 'beta[*]=slice'; or for replicas of all that move between modes: --sampler tempered." placeholder:"NODES=KERNEL"`
	dialectFlag
	Seed *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
}

// dialectFlag is what every command that reads a model asks of it.
type dialectFlag struct {
	Dialect string `help:"Whose BUGS it is: jags, openbugs, winbugs or nimble; jags, where the text leaves a doubt." enum:",jags,openbugs,winbugs,nimble" default:"" placeholder:"NAME"`
}

type checkCmd struct {
	Model string `arg:"" help:"Model in the BUGS language."`
	modelInput
	Strict  bool   `help:"Warn of priors known to be bad, sums that data do not tell apart, separated data and unused nodes; exit with status 3 where there are any."`
	Explain string `help:"Print what a node depends on, what depends on it, its kernel and why: 'beta[2]'." placeholder:"NODE"`
	JSON    bool   `help:"Print the plan as JSON."`
	wideFlag
}

// Run prints the plan of a model.
func (c *checkCmd) Run() error {
	if err := c.checkSampler("check"); err != nil {
		return err
	}
	model, err := job.ReadInput("model", c.Model)
	if err != nil {
		return err
	}
	data, err := job.ReadInputs("data file", c.Data)
	if err != nil {
		return err
	}
	seed := uint64(0) // matters only to a data block that draws
	if c.Seed != nil {
		seed = *c.Seed
	}
	l, err := load(model, c.Dialect, data, c.Sampler, seed)
	if err != nil {
		return err
	}
	if c.Explain != "" {
		return l.explain(c.Explain, c.JSON)
	}
	d := l.describe(c.Model)
	if c.Strict {
		if d.Findings, err = l.lint(c.Model, seed); err != nil {
			return err
		}
	}
	if c.JSON {
		return errors.Join(printJSON(d), warned(true, len(d.Findings)))
	}
	if _, err := os.Stdout.WriteString(d.text(c.screen())); err != nil {
		return err
	}
	for _, m := range job.FewNotes(d.Warnings) {
		say("note: " + m)
	}
	for _, f := range d.Findings {
		say(f.text)
	}
	return warned(c.Strict, len(d.Findings))
}

// text is what a person reads, in tables for a terminal of some width.
func (d *planInfo) text(on report.Screen) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %d to sample, %d observed, %d that no data reach, %d computed\n\n", wording.Brief(d.Model), d.Sampled, d.Observed, d.Unreached, d.Computed)
	var table strings.Builder
	w := &table
	fmt.Fprintln(w, "node\telements\trole\tdistribution\tkernel")
	for _, n := range d.Nodes {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", n.Name, n.Elements, n.Role, strings.Join(n.Distributions, " "), strings.Join(n.Kernels, " "))
	}
	fmt.Fprintln(w, "\nkernel\tnodes\texample")
	for _, s := range d.Samplers {
		fmt.Fprintf(w, "%s\t%d\t%s\n", s.Kernel, s.Nodes, s.Example)
	}
	_ = report.WriteTables(&out, table.String(), on) // a Builder takes everything
	for _, s := range d.Samplers {
		if s.Why != "" {
			fmt.Fprintf(&out, "\n%s: %s\n", s.Kernel, s.Why)
		}
	}
	if len(d.Monitors) > 0 {
		fmt.Fprintf(&out, "\nrecorded by default: %s\n", strings.Join(d.Monitors, ", "))
	}
	if len(d.Unmonitored) > 0 {
		fmt.Fprintf(&out, "recorded if asked for with --monitor: %s\n", strings.Join(d.Unmonitored, ", "))
	}
	return out.String()
}
