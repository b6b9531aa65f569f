package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/jagsscript"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

type jagsCmd struct {
	Script string `arg:"" optional:"" help:"Script of JAGS; without one, commands are read from standard input."`
	dialectFlag
	Seed    *uint64 `help:"64-bit seed of chains whose initial values give no .RNG.seed; drawn from the system and printed when not given."`
	Threads int     `help:"Threads; 0 for all cores. The draws do not depend on it."`
}

// jagsVersion is the version of JAGS whose scripts are read; packages that call JAGS look for it in the fourth word of the first line.
const jagsVersion = "4.3.1"

// Run carries out a script of JAGS.
func (c *jagsCmd) Run() error {
	if err := checkThreads("jags", c.Threads); err != nil {
		return err
	}
	out := &checkedWriter{to: os.Stdout}
	fmt.Fprintf(out, "Welcome to JAGS %s scripts, run by Ergodic %s\n", jagsVersion, version)
	s := &jagsscript.Session{Out: out, Threads: c.Threads, Seed: systemSeed(), Dialect: bugs.Dialect(c.Dialect), Note: func(text string) { say(text) },
		Interruptible: func() (context.Context, func()) { return job.Interruptible(func() {}) }}
	if c.Seed != nil {
		s.Seed = *c.Seed
	} else {
		s.SeedNote = fmt.Sprintf("seed %d", s.Seed)
	}
	for _, module := range []string{"basemod", "bugs"} {
		if err := s.Do(jagsscript.Command{Words: []string{"load", module}}); err != nil {
			return err
		}
	}
	err := c.run(s)
	switch {
	case errors.Is(err, mcmc.ErrInterrupted):
		return job.Exit{Code: job.Interrupted, Err: errors.New("interrupted; what the script has written stays, and the chains are lost")}
	case err != nil && !errors.Is(err, jagsscript.ErrExit):
		s.Fail()
		return err
	}
	s.End()
	return out.err
}

func (c *jagsCmd) run(s *jagsscript.Session) error {
	if c.Script == "" {
		s.Bars = true
		return s.Interactive(os.Stdin)
	}
	f, err := regular.Open(c.Script)
	if err != nil {
		return fmt.Errorf("the script %s cannot be opened: %w", c.Script, err)
	}
	defer f.Close()
	return s.Script(c.Script, f)
}

// calledAs gives the arguments of a program that is called jags, by a link to it, the command that JAGS's users mean.
func calledAs(name string, args []string) []string {
	switch strings.TrimSuffix(filepath.Base(name), ".exe") {
	case "jags", "jags-terminal":
		return append([]string{"jags"}, args...)
	}
	return args
}
