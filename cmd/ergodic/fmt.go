package main

import (
	"errors"
	"os"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type fmtCmd struct {
	Models []string `arg:"" name:"model" help:"Models in the BUGS language."`
	dialectFlag
	Write bool `short:"w" help:"Write what is not in the style back to its file, and name it, instead of printing the models."`
}

// Run prints models in one style.
func (c *fmtCmd) Run() error {
	var all error
	for _, name := range c.Models {
		all = errors.Join(all, c.format(name))
	}
	return all
}

func (c *fmtCmd) format(name string) error {
	in, err := job.ReadInput("model", name)
	if err != nil {
		return err
	}
	text, err := bugs.FormatDialect(name, string(in.Text), bugs.Dialect(c.Dialect))
	if err != nil {
		return err
	}
	if !c.Write {
		_, err = os.Stdout.WriteString(text)
		return err
	}
	if text == string(in.Text) {
		return nil
	}
	say(name)
	return atomicfile.Write(in.Path, []byte(text), int64(len(text)), true)
}
