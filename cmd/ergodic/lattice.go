package main

import (
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

type latticeCmd struct {
	Ising latticeIsingCmd `cmd:"" name:"ising" help:"Sample the Ising model: spins of -1 and 1."`
	Potts latticePottsCmd `cmd:"" name:"potts" help:"Sample the Potts model: spins of q colours."`
}

type latticeIsingCmd struct {
	latticeRunFlags
}

type latticePottsCmd struct {
	Q *int `help:"Colours, from 2 to 255 (3)." placeholder:"Q"`
	latticeRunFlags
}

// Jobs of this command.
const (
	latticeIsingJob = "lattice ising"
	latticePottsJob = "lattice potts"
)

// measuresSpins tells the jobs whose warnings are about measurements of spins, not about parameters.
func measuresSpins(job string) bool { return job == latticeIsingJob || job == latticePottsJob }

// latticeRunFlags are the flags of both models.
type latticeRunFlags struct {
	latticeFlags
	Edges      string  `help:"Bonds of any graph instead of a lattice: a line for each, I J or I J COUPLING, with numbers or names of sites." placeholder:"FILE"`
	Chains     *int    `help:"Chains from starts of their own (4)." placeholder:"N"`
	Warmup     *int    `help:"Sweeps of warm-up of each chain (1000; cftp: 0, as each draw is exact)." placeholder:"N"`
	Sweeps     *int    `help:"Sweeps of each chain after warm-up (10000). With --resume a larger number extends a finished run." placeholder:"N"`
	Thin       *int    `help:"Measure every N-th sweep (1)." placeholder:"N"`
	Seed       *uint64 `help:"64-bit seed; drawn from the system and printed when not given."`
	Out        string  `help:"The run's folder; default MODEL-SIZE-run, with a number when that exists." placeholder:"DIR"`
	Reweight   *string `help:"Inverse temperatures, or with --temperature temperatures, near those of the run, for which its measurements are weighted anew." placeholder:"B"`
	Film       string  `help:"Write the first sweeps of the first chain as an animated GIF, for one size and temperature." placeholder:"FILE"`
	FilmEvery  *int    `help:"Sweeps from one frame to the next (1)." placeholder:"N"`
	FilmFrames *int    `help:"Frames (200)." placeholder:"N"`
	Strict     bool    `help:"Exit with status 3 when a diagnostic warns."`
	resumable
	wideFlag
}

// latticeFlags determine what is sampled, and how. A nil pointer is a flag not given: its default, or on --resume what the run was
// started with.
type latticeFlags struct {
	Size          *string  `help:"Lengths: 64x64, 16x16x16, or 64 for as long on every side; several, as in 16,32,64, for all in one run." placeholder:"SIZE" json:"size,omitempty"`
	Lattice       *string  `help:"chain, square, triangular, honeycomb, cubic or hypercubic; default: as --size has lengths, and square." placeholder:"NAME" json:"lattice,omitempty"`
	Boundary      *string  `help:"periodic (default), open or helical." placeholder:"NAME" json:"boundary,omitempty"`
	Beta          *string  `help:"Inverse temperature, Boltzmann's constant being 1; several as 0.4,0.44, and 17 from 0.40 to 0.48 as 0.40:0.48:17; inf is temperature 0." placeholder:"B" json:"beta,omitempty"`
	Temperature   *string  `help:"Temperature, instead of --beta; several in the same way. At 0 no move raises the energy." placeholder:"T" json:"temperature,omitempty"`
	Coupling      *float64 `help:"J of every bond; below 0 is the antiferromagnet (1)." placeholder:"J" json:"coupling,omitempty"`
	Field         *float64 `help:"h of every site: on spin 1, or on colour 0 (0)." placeholder:"H" json:"field,omitempty"`
	Disorder      *string  `help:"Couplings that are drawn, each for itself: pm1, J or -J; gaussian, normal with mean 0 and standard deviation J." placeholder:"NAME" json:"disorder,omitempty"`
	DisorderSeed  *uint64  `help:"Seed of the couplings, apart from that of the chains (1)." placeholder:"N" json:"disorder_seed,omitempty"`
	Algorithm     *string  `help:"How spins move: metropolis (default), heatbath; swendsen-wang, wolff, which turn clusters; cftp, exact draws of a ferromagnet by coupling from the past; n-fold, the heat bath in continuous time without rejections; kawasaki, which exchanges neighbours; wang-landau, the density of states, which tells all temperatures." placeholder:"NAME" json:"algorithm,omitempty"`
	Scan          *string  `help:"Order of single-site moves: checkerboard (default), which threads share; systematic; random." placeholder:"NAME" json:"scan,omitempty"`
	Start         *string  `help:"random (default): spins of their own for each chain, and in a field the first ordered along it, the second against it; ordered: all the same." placeholder:"NAME" json:"start,omitempty"`
	Magnetisation *float64 `help:"kawasaki: mean of the Ising spins, which it keeps (0)." placeholder:"M" json:"magnetisation,omitempty"`
	Correlation   *bool    `help:"Measure correlations along the axes, and the correlation length by its second moment." json:"correlation,omitempty"`
	Tempering     *bool    `help:"Swap replicas at neighbouring temperatures, which are adapted between the first and the last." json:"tempering,omitempty"`
}

// Run samples the Ising model.
func (c *latticeIsingCmd) Run() error {
	return noticed(c.Progress, func(v *job.Notices) error { return c.run(v, latticeIsingJob, nil) })
}

// Run samples the Potts model.
func (c *latticePottsCmd) Run() error {
	return noticed(c.Progress, func(v *job.Notices) error { return c.run(v, latticePottsJob, c.Q) })
}

func (c *latticeRunFlags) run(v *job.Notices, name string, q *int) error {
	if err := c.check(name, "a --size, or the --edges of a graph", c.Size != nil || c.Edges != "", c.Out); err != nil {
		return err
	}
	s := &simulating{Run: &job.Run{Name: name, Version: version, Say: v}, cmd: c, began: time.Now()}
	defer s.Close()
	if err := s.open(q); err != nil {
		return err
	}
	if err := s.build(); err != nil {
		return err
	}
	if !s.Resumed {
		if err := s.Create(outFolder(c.Out, s.spec.title()), c.Force, &s.spec); err != nil {
			return err
		}
	}
	if s.spec.move().name == densityAlgorithm {
		return s.density()
	}
	return s.simulate()
}
