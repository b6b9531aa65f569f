package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/chainreport"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/markov"
)

type chainCmd struct {
	File        string  `arg:"" help:"Transition matrix (CSV) or list of transitions: from, to, probability."`
	Format      string  `help:"Form of the file: auto, matrix or edges." enum:"auto,matrix,edges" default:"auto"`
	Normalise   bool    `help:"Divide each row by its sum, as for counts."`
	From        string  `help:"Where the chain starts: the name of a state, or a probability for each state: 0.2,0.7,0.1." placeholder:"START"`
	Generations int     `help:"Print the distribution of this many generations after --from." placeholder:"N"`
	Hit         string  `help:"Expected numbers of steps to this state." placeholder:"STATE"`
	Simulate    int     `help:"Draw a path of this many steps." placeholder:"N"`
	Seed        *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Epsilon     float64 `help:"Total variation that defines the mixing time." default:"0.25"`
	Spectrum    bool    `help:"Compute all eigenvalues, mixing time and Kemeny's constant also beyond 1000 states, in n³ operations and n² numbers."`
	JSON        bool    `help:"Print the result as JSON."`
	wideFlag
}

// What the tables of --generations and --simulate may hold.
const (
	chainGenerations = 1_000_000
	chainCells       = 1 << 25 // probabilities
	chainSteps       = 10_000_000
)

func (c *chainCmd) check() error {
	switch {
	case c.Generations < 0 || c.Generations > chainGenerations:
		return usage("chain: --generations %d: it must be from 0 to %d", c.Generations, chainGenerations)
	case c.Simulate < 0 || c.Simulate > chainSteps:
		return usage("chain: --simulate %d: it must be from 0 to %d", c.Simulate, chainSteps)
	case c.Generations > 0 && c.From == "":
		return usage("chain: --generations needs a start: --from STATE or --from 0.2,0.7,0.1")
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return usage("chain: --epsilon %v: it must be a total variation between 0 and 1", c.Epsilon)
	}
	return nil
}

// Run analyses a chain.
func (c *chainCmd) Run() error {
	if err := c.check(); err != nil {
		return err
	}
	chain, err := c.read()
	if err != nil {
		return err
	}
	r, err := c.analyse(chain)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, advised(err))
	}
	for _, w := range r.Warnings {
		say("warning: " + w)
	}
	if c.JSON {
		return printJSON(r)
	}
	return r.Write(os.Stdout, c.Epsilon, c.Hit, c.screen())
}

func (c *chainCmd) read() (markov.Chain, error) {
	f, err := regular.Open(c.File)
	var p *fs.PathError
	if errors.As(err, &p) {
		return nil, fmt.Errorf("the chain %s cannot be read: %w", c.File, p.Err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	format := map[string]markov.Format{"auto": markov.Auto, "matrix": markov.Matrix, "edges": markov.Edges}[c.Format]
	return markov.Read(f, markov.ReadSettings{Name: c.File, Format: format, Normalise: c.Normalise})
}

func (c *chainCmd) analyse(chain markov.Chain) (*chainreport.Result, error) {
	a, err := markov.Analyse(chain, markov.AnalysisSettings{Epsilon: c.Epsilon, Spectrum: c.Spectrum})
	if err != nil {
		return nil, err
	}
	for key, why := range a.Why {
		a.Why[key] = inFlags(why)
	}
	r := &chainreport.Result{Analysis: a, Warnings: append([]string{}, a.Warnings...)}
	return r, c.follow(r, chain)
}

// advised is an error without the name of the package.
func advised(err error) error {
	var size *markov.SizeError
	if errors.As(err, &size) {
		return errors.New(size.Reason() + "; " + size.Advice)
	}
	return err
}
