package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type graphCmd struct {
	Model string `arg:"" help:"Model in the BUGS language."`
	dialectFlag
	Format string `help:"dot, for Graphviz, or svg, a picture." enum:"dot,svg" default:"dot"`
}

// Run prints the graph of a model.
func (c *graphCmd) Run() error {
	in, err := job.ReadInput("model", c.Model)
	if err != nil {
		return err
	}
	program, err := bugs.ParseDialect(c.Model, string(in.Text), bugs.Dialect(c.Dialect))
	if err != nil {
		return err
	}
	text := program.DOT
	if c.Format == "svg" {
		text = program.SVG
	}
	_, err = os.Stdout.WriteString(text())
	return err
}
