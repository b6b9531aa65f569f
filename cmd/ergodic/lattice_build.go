package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// latticeKind is a lattice by its name, with its directions; 0: any number.
type latticeKind struct {
	name       string
	kind       lattice.Kind
	directions int
}

var latticeNames = []latticeKind{{"chain", lattice.Cubic, 1}, {"square", lattice.Cubic, 2}, {"triangular", lattice.Triangular, 2},
	{"honeycomb", lattice.Honeycomb, 2}, {"cubic", lattice.Cubic, 3}, {"hypercubic", lattice.Cubic, 0}}

var (
	latticeScans  = []string{"checkerboard", "systematic", "random"}
	latticeStarts = []string{"random", "ordered"}
	disorders     = []string{"pm1", "gaussian"}
)

func latticeKinds() (names []string) {
	for _, k := range latticeNames {
		names = append(names, k.name)
	}
	return names
}

func latticeBoundaries() []string { return []string{"periodic", "open", "helical"} }

// mostDirections is the most that a lattice has.
const mostDirections = 16

// geometries are the lattices of --size, all of a kind.
func (s *latticeSpec) geometries() (all []lattice.Geometry, err error) {
	f := &s.Flags
	boundary := lattice.Boundary(slices.Index(latticeBoundaries(), given(f.Boundary, "periodic")))
	if f.Size == nil {
		return nil, nil
	}
	for text := range strings.SplitSeq(*f.Size, ",") {
		bad := func(why string) error {
			return usage("%s: --size %s: %s", s.Job, wording.Brief(text), why)
		}
		var lengths []int
		for part := range strings.SplitSeq(strings.ToLower(text), "x") {
			n, err := strconv.Atoi(part)
			if err != nil || n < 1 || len(lengths) == mostDirections {
				return nil, bad("a size has lengths of 1 or more, as 64x64, or one for all sides, as 64")
			}
			lengths = append(lengths, n)
		}
		kind := latticeKind{directions: len(lengths)}
		if f.Lattice != nil {
			kind = latticeNames[slices.Index(latticeKinds(), *f.Lattice)]
		}
		switch {
		case len(lengths) == 1 && kind.directions == 0:
			return nil, bad("a hypercubic lattice has a length for each direction")
		case len(lengths) == 1:
			lengths = slices.Repeat(lengths, directions(f.Lattice, kind))
		case kind.directions != 0 && len(lengths) != kind.directions:
			return nil, bad("a " + *f.Lattice + " lattice has " + wording.Count(kind.directions, "direction", "directions"))
		}
		all = append(all, lattice.Geometry{Kind: kind.kind, Size: lengths, Boundary: boundary})
	}
	return all, nil
}

// directions is how often a single length is meant: twice where no lattice is named.
func directions(name *string, kind latticeKind) int {
	if name == nil {
		return 2
	}
	return kind.directions
}

// build makes the simulation.
func (s *simulating) build() error {
	betas, err := s.spec.betas()
	if err != nil {
		return err
	}
	if err := s.spec.checkTogether(betas); err != nil {
		return err
	}
	if s.cmd.Reweight != nil {
		if s.asked, err = s.spec.temperatures("reweight", *s.cmd.Reweight, s.spec.Flags.Temperature != nil); err != nil {
			return err
		}
	}
	if s.shapes, err = s.spec.geometries(); err != nil {
		return err
	}
	if err := s.checkFilm(len(betas) * max(len(s.shapes), 1)); err != nil {
		return err
	}
	s.sim = &lattice.Simulation{Betas: betas, Seed: s.spec.Seed, Tempering: given(s.spec.Flags.Tempering, false),
		Correlation: given(s.spec.Flags.Correlation, false)}
	if s.spec.move().name == densityAlgorithm {
		if err := s.checkDensity(); err != nil {
			return err
		}
	}
	replicas, inside := s.share(len(betas) * max(len(s.shapes), 1))
	s.sim.Threads = replicas
	if len(s.spec.Edges) > 0 {
		err = s.graph(inside)
	}
	for _, g := range s.shapes {
		if err == nil {
			err = s.lattice(g, inside)
		}
	}
	if err != nil {
		return err
	}
	if s.spec.move().name == densityAlgorithm {
		return nil
	}
	return s.sim.Prepare(s.spec.Chains)
}

// worthSharing is how many spins a step must have for threads to share it.
const worthSharing = 1 << 16

// share divides the threads that are left to a chain among its replicas, and the rest among the parts of each.
func (s *simulating) share(replicas int) (among, inside int) {
	left := max(1, cores(s.cmd.Threads)/s.spec.Chains)
	largest := 0.0
	for _, g := range s.shapes {
		n := 1.0
		for _, length := range g.Size {
			n *= float64(length)
		}
		largest = max(largest, n)
	}
	if largest*float64(replicas) < worthSharing {
		return 1, 1
	}
	among = min(left, replicas)
	if inside = left / among; largest < worthSharing {
		inside = 1
	}
	return among, inside
}

// checkTogether refuses flags that do nothing, or cannot be, beside the others.
func (s *latticeSpec) checkTogether(betas []float64) error {
	f := &s.Flags
	move := s.move()
	switch {
	case (f.Size == nil) == (len(s.Edges) == 0):
		return usage("%s: give either --size or --edges", s.Job)
	case len(s.Edges) > 0 && (f.Lattice != nil || f.Boundary != nil):
		return usage("%s: --lattice and --boundary are for --size", s.Job)
	case len(s.Edges) > 0 && given(f.Correlation, false):
		return usage("%s: --correlation is along the axes of a lattice, and a graph has none", s.Job)
	case f.Magnetisation != nil && (!move.keeps || s.Q != nil):
		return usage("%s: --magnetisation is for kawasaki and Ising spins", s.Job)
	case given(f.Magnetisation, 0) < -1 || given(f.Magnetisation, 0) > 1:
		return usage("%s: --magnetisation %v: it must be from -1 to 1", s.Job, *f.Magnetisation)
	case move.keeps && f.Start != nil:
		return usage("%s: kawasaki starts with spins in random order; --magnetisation says how many", s.Job)
	case move.exact && f.Start != nil:
		return usage("%s: the draws of %s do not depend on a --start", s.Job, move.name)
	case move.exact && given(f.Tempering, false):
		return usage("%s: the draws of %s are exact at each temperature; --tempering would add nothing", s.Job, move.name)
	case given(f.Tempering, false) && len(betas) < 2:
		return usage("%s: --tempering needs several temperatures, as --beta 0.40:0.48:17", s.Job)
	case given(f.Tempering, false) && math.IsInf(betas[len(betas)-1], 1):
		return usage("%s: --tempering needs temperatures above 0", s.Job)
	case f.Scan != nil && !move.scans:
		return usage("%s: --scan is for metropolis and heatbath", s.Job)
	case f.DisorderSeed != nil && f.Disorder == nil:
		return usage("%s: --disorder-seed needs --disorder", s.Job)
	}
	return nil
}

// checkFilm refuses a film that cannot be made.
func (s *simulating) checkFilm(points int) error {
	c := s.cmd
	every, frames := given(c.FilmEvery, 1), given(c.FilmFrames, latticeFrames)
	switch {
	case c.Film == "" && (c.FilmEvery != nil || c.FilmFrames != nil):
		return usage("%s: --film-every and --film-frames need --film", s.Name)
	case c.Film == "":
		return nil
	case points > 1:
		return usage("%s: --film is for one size and temperature", s.Name)
	case every < 1 || every > 1<<20 || frames < 1 || frames > 1<<16:
		return usage("%s: --film-every %d --film-frames %d: a film has up to %d frames, every sweep of the chain or every N-th", s.Name, every, frames, 1<<16)
	case !c.Force && exists(c.Film):
		return fmt.Errorf("%s exists; name another --film, or overwrite it with --force", c.Film)
	}
	return mayWrite(c.Film, true)
}

// move is the algorithm.
func (s *latticeSpec) move() *latticeMove {
	return &latticeMoves[slices.Index(latticeAlgorithms(), given(s.Flags.Algorithm, latticeMoves[0].name))]
}

// lattice adds the system on a regular lattice.
func (s *simulating) lattice(g lattice.Geometry, threads int) error {
	f, move := &s.spec.Flags, s.spec.move()
	if move.packed != nil && s.spec.Q == nil && given(f.Field, 0) == 0 && f.Disorder == nil && given(f.Scan, "checkerboard") == "checkerboard" && lattice.Packable(g) {
		coupling := given(f.Coupling, 1)
		y := lattice.System{Packed: &lattice.Packed{Geometry: g, Coupling: coupling, Kernel: func(beta float64) (mcmc.Kernel[*lattice.Bits], error) {
			return move.packed(g, coupling, beta, threads)
		}}}
		if given(f.Start, "random") == "ordered" {
			n := y.Sites()
			y.Start = func(int, *rand.Rand) *lattice.State { return &lattice.State{Spins: bytes.Repeat([]byte{1}, n)} }
		}
		s.sim.Systems, s.names = append(s.sim.Systems, y), append(s.names, g.String())
		return nil
	}
	graph, err := g.Graph(given(f.Coupling, 1))
	if err != nil {
		return err
	}
	return s.add(g.String(), graph, &g, threads)
}

// graph adds the system on the graph of --edges.
func (s *simulating) graph(threads int) error {
	in := s.spec.Edges[0]
	g, err := lattice.ReadEdges(in.Name, in.Text, given(s.spec.Flags.Coupling, 1))
	if err != nil {
		return err
	}
	return s.add(wording.Count(g.Sites(), "site", "sites"), g, nil, threads)
}

// add adds the system on a graph, which may be that of a lattice.
func (s *simulating) add(name string, g *lattice.Graph, of *lattice.Geometry, threads int) (err error) {
	f, move := &s.spec.Flags, s.spec.move()
	switch seed := given(f.DisorderSeed, 1); given(f.Disorder, "") {
	case "pm1":
		g, err = g.PlusMinus(given(f.Coupling, 1), 0.5, seed)
	case "gaussian":
		g, err = g.Gaussian(0, given(f.Coupling, 1), seed)
	}
	if err != nil {
		return err
	}
	m := &lattice.Model{Graph: g, Q: given(s.spec.Q, 0)}
	if h := given(f.Field, 0); h != 0 {
		m.Field = lattice.UniformField(g.Sites(), h)
	}
	set := lattice.ScanSettings{Scan: scans[given(f.Scan, "checkerboard")], Threads: threads}
	y := lattice.System{Model: m, Geometry: of, Kernel: func(beta float64) (mcmc.Kernel[*lattice.State], error) { return move.kernel(m, beta, set) }}
	switch {
	case move.keeps:
		counts := s.spec.counts(g.Sites())
		y.Start = func(_ int, r *rand.Rand) *lattice.State { return m.Fixed(r, counts) }
	case given(f.Start, "random") == "ordered":
		y.Start = func(int, *rand.Rand) *lattice.State { return m.Ordered() }
	default:
		y.Start = m.Starts
	}
	s.sim.Systems, s.names = append(s.sim.Systems, y), append(s.names, name)
	return nil
}

// counts are how many spins have each value where that never changes: what the magnetisation asks for, or as many of each.
func (s *latticeSpec) counts(sites int) []int {
	if s.Q == nil {
		up := int(math.Round(float64(sites) * (1 + given(s.Flags.Magnetisation, 0)) / 2))
		return []int{sites - up, up}
	}
	counts := make([]int, *s.Q)
	for i := range counts {
		counts[i] = (sites + i) / *s.Q
	}
	return counts
}

var scans = map[string]lattice.Scan{"checkerboard": lattice.Checkerboard, "systematic": lattice.Systematic, "random": lattice.Random}

// latticeMove is an algorithm.
type latticeMove struct {
	name   string
	scans  bool // single sites, in any order
	keeps  bool // how many spins have each value
	exact  bool // every step is a draw for itself, and needs no warm-up
	kernel func(m *lattice.Model, beta float64, set lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error)
	packed func(g lattice.Geometry, coupling, beta float64, threads int) (mcmc.Kernel[*lattice.Bits], error) // of the Ising model; nil: none
}

var latticeMoves = []latticeMove{
	{name: "metropolis", scans: true, kernel: metropolis, packed: packedMetropolis},
	{name: "heatbath", scans: true, kernel: heatBath, packed: packedHeatBath},
	{name: "swendsen-wang", kernel: func(m *lattice.Model, beta float64, set lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
		return lattice.NewSwendsenWang(m, beta, set.Threads)
	}},
	{name: "wolff", kernel: func(m *lattice.Model, beta float64, _ lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
		return lattice.NewWolffSweep(m, beta)
	}},
	{name: "cftp", exact: true, kernel: func(m *lattice.Model, beta float64, _ lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
		return lattice.NewCouplingFromThePast(m, beta, 0)
	}},
	{name: "n-fold", kernel: func(m *lattice.Model, beta float64, _ lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
		return lattice.NewContinuous(m, beta)
	}},
	{name: densityAlgorithm}, // has walkers of its own
	{name: "kawasaki", keeps: true, kernel: func(m *lattice.Model, beta float64, _ lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
		return lattice.NewKawasaki(m, beta)
	}},
}

// metropolis has the heat bath beside it where it could move in circles.
func metropolis(m *lattice.Model, beta float64, set lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
	k, err := lattice.NewMetropolis(m, beta, set)
	if err != nil || set.Scan == lattice.Random || m.States() > 2 {
		return k, err
	}
	bath, err := lattice.NewHeatBath(m, beta, set)
	if err != nil {
		return nil, err
	}
	return lattice.WithHeatBath[*lattice.State](k, bath)
}

func heatBath(m *lattice.Model, beta float64, set lattice.ScanSettings) (mcmc.Kernel[*lattice.State], error) {
	return lattice.NewHeatBath(m, beta, set)
}

func packedMetropolis(g lattice.Geometry, coupling, beta float64, threads int) (mcmc.Kernel[*lattice.Bits], error) {
	k, err := lattice.NewBitMetropolis(g, coupling, beta, threads)
	if err != nil {
		return nil, err
	}
	bath, err := lattice.NewBitHeatBath(g, coupling, beta, threads)
	if err != nil {
		return nil, err
	}
	return lattice.WithHeatBath[*lattice.Bits](k, bath)
}

func packedHeatBath(g lattice.Geometry, coupling, beta float64, threads int) (mcmc.Kernel[*lattice.Bits], error) {
	return lattice.NewBitHeatBath(g, coupling, beta, threads)
}

func latticeAlgorithms() (names []string) {
	for _, a := range latticeMoves {
		names = append(names, a.name)
	}
	return names
}
