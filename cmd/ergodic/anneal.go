package main

import (
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type annealCmd struct {
	Maxcut    annealMaxcutCmd    `cmd:"" name:"maxcut" help:"Cut a graph in two so that the weights between the parts are most: G-set and rudy files, dimod."`
	Qubo      annealQuboCmd      `cmd:"" name:"qubo" help:"Minimise a quadratic function of binary variables: Biq Mac and dimod (COO, BQM) files."`
	Ising     annealIsingCmd     `cmd:"" name:"ising" help:"Minimise the energy of Ising spins on a graph: rudy and dimod (COO, BQM) files."`
	Qap       annealQapCmd       `cmd:"" name:"qap" help:"Assign facilities to places: QAPLIB."`
	Tsp       annealTspCmd       `cmd:"" name:"tsp" help:"The shortest tour through cities: TSPLIB."`
	Colour    annealColourCmd    `cmd:"" name:"colour" help:"Colour the nodes of a graph so that no edge joins equal colours: DIMACS."`
	Partition annealPartitionCmd `cmd:"" name:"partition" help:"Part numbers so that the sums of the parts are as near as can be: numbers in a file."`
	Function  annealFunctionCmd  `cmd:"" name:"function" help:"Minimise or maximise a function of real variables within bounds: relations of the BUGS language in a file."`
}

// annealRunFlags are the flags of all problems.
type annealRunFlags struct {
	File string `arg:"" optional:"" help:"The instance."`
	annealFlags
	Reads     *int    `help:"Walks that are shown and judged; default: 256 of spins and 8 of others, or with --time what fits. 32 of spins run at once: fewer take as long. With --resume a larger number extends a run." placeholder:"N"`
	Seed      *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out       string  `help:"The run's folder; default FILE-run, with a number when that exists." placeholder:"DIR"`
	Init      string  `help:"A solution that all reads start from, as --solution writes it." placeholder:"FILE"`
	Solution  string  `help:"Write the best solution to this file, too." placeholder:"FILE"`
	BestKnown string  `help:"The best value known, or a file that has it: lines of a name and a value, or CSV with a header." placeholder:"V"`
	Strict    bool    `help:"Exit with status 3 when there is a warning, as that the target was not reached."`
	resumable
	wideFlag
}

// annealFlags determine the reads. A nil pointer is a flag not given: its default, or on --resume what the run was started with.
type annealFlags struct {
	Method       *string        `help:"annealing (default), threshold accepting, tempering (parallel), population (annealing), or hill climbing with restarts: stochastic, first, steepest." placeholder:"NAME" json:"method,omitempty"`
	Schedule     *string        `help:"How temperatures fall: geometric (default), linear-beta, linear, logarithmic; acceptance and specific-heat adapt." placeholder:"NAME" json:"schedule,omitempty"`
	Hot          *float64       `help:"The first temperature; default: from the instance." placeholder:"T" json:"hot,omitempty"`
	Cold         *float64       `help:"The last temperature; default: from the instance." placeholder:"T" json:"cold,omitempty"`
	Temperatures []float64      `help:"The temperatures instead of a schedule, with commas, each for as many sweeps." placeholder:"T" json:"temperatures,omitempty"`
	Sweeps       *int           `help:"Sweeps of each read; a sweep proposes about as many changes as there are variables. Default: 1000 of spins and 10000 of others, or with --time as many as there is time for." placeholder:"N" json:"sweeps,omitempty"`
	Time         *time.Duration `help:"Stop after this time, so that results depend on the machine: without --sweeps, reads that take from 1/32 to half of it." placeholder:"TIME" json:"time,omitempty" resume:"any"`
	Target       *float64       `help:"Stop at a value as good." placeholder:"V" json:"target,omitempty" resume:"any"`
	Stagnation   *int           `help:"End a read after so many sweeps without a better state; stochastic climbs start anew after as many (10)." placeholder:"N" json:"stagnation,omitempty"`
	Rungs        *int           `help:"Temperatures of tempering; default: the root of the number of variables, from 8 to 64." placeholder:"N" json:"rungs,omitempty"`
	Population   *int           `help:"Replicas of population annealing (64)." placeholder:"N" json:"population,omitempty"`
}

// annealOwn are the flags that some problems have.
type annealOwn struct {
	colours     *int
	independent *bool
}

// annealSpinFlags are those of spins, of which a walker has several reads at once.
type annealSpinFlags struct {
	Independent *bool `help:"Reads know nothing of each other. Otherwise, on graphs of up to 6 edges at a node, each 32 swap clusters, which finds lower energies: they are then not independent samples."`
	annealRunFlags
}

type annealMaxcutCmd struct{ annealSpinFlags }

type annealQuboCmd struct{ annealSpinFlags }

type annealIsingCmd struct{ annealSpinFlags }

type annealQapCmd struct{ annealRunFlags }

type annealTspCmd struct{ annealRunFlags }

type annealColourCmd struct {
	Colours *int `help:"How many there are; default: as few as a run with fewer and fewer of them can do with, down from what a greedy colouring takes; --target, --best-known and values are then numbers of colours." placeholder:"K"`
	annealRunFlags
}

type annealPartitionCmd struct{ annealRunFlags }

type annealFunctionCmd struct{ annealRunFlags }

// Run minimises.
func (c *annealMaxcutCmd) Run() error {
	return c.run(annealMaxcut, annealOwn{independent: c.Independent})
}

// Run minimises.
func (c *annealQuboCmd) Run() error { return c.run(annealQubo, annealOwn{independent: c.Independent}) }

// Run minimises.
func (c *annealIsingCmd) Run() error {
	return c.run(annealIsing, annealOwn{independent: c.Independent})
}

// Run minimises.
func (c *annealQapCmd) Run() error { return c.run(annealQap, annealOwn{}) }

// Run minimises.
func (c *annealTspCmd) Run() error { return c.run(annealTsp, annealOwn{}) }

// Run minimises.
func (c *annealColourCmd) Run() error { return c.run(annealColour, annealOwn{colours: c.Colours}) }

// Run minimises.
func (c *annealPartitionCmd) Run() error { return c.run(annealPartition, annealOwn{}) }

// Run minimises.
func (c *annealFunctionCmd) Run() error { return c.run(annealFunction, annealOwn{}) }

func (c *annealRunFlags) run(p *annealProblem, own annealOwn) error {
	return noticed(c.Progress, func(v *job.Notices) error {
		name := p.job()
		if err := c.check(name, "an instance", c.File != "", c.Out); err != nil {
			return err
		}
		w := &annealWork{Run: &job.Run{Name: name, Version: version, Say: v}, cmd: c, problem: p, own: own, began: time.Now()}
		defer w.Close()
		if err := w.open(); err != nil {
			return err
		}
		if err := w.load(); err != nil {
			return err
		}
		if !w.Resumed {
			if err := w.Create(outFolder(c.Out, c.File), c.Force, &w.spec); err != nil {
				return err
			}
		}
		return w.search()
	})
}
