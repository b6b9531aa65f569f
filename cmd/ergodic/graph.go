package main

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type graphCmd struct {
	Model string `arg:"" help:"Model in the BUGS language."`
}

// Run prints the graph of a model.
func (c *graphCmd) Run() error {
	in, err := job.ReadInput("model", c.Model)
	if err != nil {
		return err
	}
	program, err := bugs.Parse(c.Model, string(in.Text))
	if err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(program.DOT())
	return err
}
