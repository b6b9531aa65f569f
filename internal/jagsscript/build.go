package jagsscript

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func (s *Session) modelIn(name string, _ map[string]string) error {
	if s.program != nil {
		s.printf("Replacing existing model\n")
		s.clearModel()
	}
	b, err := s.readFile(name)
	if err != nil {
		return err
	}
	program, err := bugs.ParseDialect(name, string(b), s.Dialect)
	if err != nil {
		s.Note("Error parsing model file:")
		return err
	}
	s.program, s.deleted = program, false
	return nil
}

func (s *Session) dataIn(name string, _ map[string]string) error {
	s.printf("Reading data file %s\n", name)
	b, err := s.readFile(name)
	if err != nil {
		return err
	}
	d, err := bugs.ReadData(name, b)
	if err != nil {
		s.Note("Error reading data file:")
		return err
	}
	if s.data == nil {
		s.data = d
		return nil
	}
	for _, name := range d.Names { // what is read last holds
		if s.data.Values[name] != nil {
			s.data.Values[name] = d.Values[name]
		}
	}
	return s.data.Merge(d)
}

func (s *Session) dataClear(string, map[string]string) error {
	s.printf("Clearing data table\n")
	s.data = nil
	return nil
}

// maxChains is far above what a script has memory for.
const maxChains = 1000

func (s *Session) compile(_ string, options map[string]string) error {
	chains, err := positive("nchains", options["nchains"], 1)
	switch {
	case s.program == nil:
		s.printf("Compiling model graph\n")
		return words("Nothing to compile. Read a model with model in FILE")
	case err != nil:
		return err
	case chains > maxChains:
		return fmt.Errorf("nchains is %d: it must be from 1 to %d", chains, maxChains)
	}
	s.clearCompiled()
	if s.data == nil {
		s.data = &bugs.Data{Values: map[string]*bugs.Value{}}
	}
	s.printf("Compiling model graph\n")
	if len(s.program.Vars) > 0 {
		s.printf("   Declaring variables\n")
	}
	s.printf("   Resolving undeclared variables\n")
	if err := s.build(); err != nil {
		s.clearModel()
		return s.runtimeError(err)
	}
	m := s.compiled.Model
	s.printf("   Allocating nodes\nGraph information:\n   Observed stochastic nodes: %d\n   Unobserved stochastic nodes: %d\n   Total graph size: %d\n",
		model.Count(m.ObservedRows()), len(m.Unobserved()), len(m.Kinds))
	for _, text := range append(s.compiled.Warnings, s.data.Notes...) {
		if !strings.Contains(text, ".RNG.") {
			s.Note(text)
		}
	}
	s.given = make([]chainInits, chains)
	for c := range s.given {
		s.given[c].values = model.Inits{}
	}
	return nil
}

// build compiles the program and plans its kernels.
func (s *Session) build() (err error) {
	if s.compiled, err = bugs.Compile(s.program, s.data, rng.New(s.Seed, "data").Rand); err != nil {
		return err
	}
	if s.plan, err = plan.New(s.compiled.Model, nil); err != nil {
		err = s.compiled.Explain(err)
		s.plan = nil
	}
	return err
}

// ofRandomNumbers finds what a file of initial values says of JAGS's generators.
var ofRandomNumbers = regexp.MustCompile("[`\"']?\\.RNG\\.(?:name|seed|state)[`\"']?\\s*(?:<-|=)\\s*(?:c\\([^)]*\\)|[^\\s,;)]+)")

func (s *Session) parametersIn(name string, options map[string]string) error {
	s.printf("Reading parameter file %s\n", name)
	if err := s.need("Can't set initial values", false); err != nil {
		return err
	}
	if s.states != nil {
		return fmt.Errorf("initial values come before initialize: compile the model again")
	}
	first, last, err := s.chainsOf(options)
	if err != nil {
		return err
	}
	b, err := s.readFile(name)
	if err != nil { // JAGS goes on without
		s.Note(err.Error())
		return nil
	}
	d, err := bugs.ReadData(name, b)
	if err != nil {
		s.Note("Error reading parameter file:")
		return err
	}
	values, notes, err := s.compiled.Inits(d)
	if err != nil {
		return err
	}
	for _, text := range notes {
		if !strings.Contains(text, ".RNG.") {
			s.Note(text)
		}
	}
	for c := first; c <= last; c++ {
		maps.Copy(s.given[c].values, values)
		if said := ofRandomNumbers.FindAllString(string(b), -1); said != nil {
			s.given[c].rng = strings.Join(said, "\n")
		}
	}
	return nil
}

// chainsOf are the first and the last chain that a command is for.
func (s *Session) chainsOf(options map[string]string) (first, last int, err error) {
	n := len(s.given)
	if options["chain"] == "" {
		return 0, n - 1, nil
	}
	c, err := positive("chain", options["chain"], 0)
	if err == nil && c > n {
		err = fmt.Errorf("chain is %d, and there are %s", c, wording.Count(n, "chain", "chains"))
	}
	return c - 1, c - 1, err
}

func (s *Session) initialize(string, map[string]string) error {
	s.printf("Initializing model\n")
	if err := s.need("Can't initialize", false); err != nil {
		return err
	}
	if s.states != nil {
		s.Note("the model is initialized already")
		return nil
	}
	s.seed = s.chainSeed()
	job := &plan.Job{Plan: s.plan}
	for _, g := range s.given {
		job.Inits = append(job.Inits, g.values)
	}
	var states []*model.State
	for c := range s.given {
		at := mcmc.Place{Chain: c, Chains: len(s.given), Common: rng.New(s.seed, "places").Rand}
		state, err := job.StartApart(context.Background(), at, rng.New(s.seed, "init", uint64(c)).Rand)
		if err != nil {
			err = s.compiled.Explain(err)
			s.clearModel()
			return s.runtimeError(err)
		}
		states = append(states, state)
	}
	s.states = states
	s.kernels = make([]mcmc.Kernel[*model.State], len(states))
	s.adapting = true
	return nil
}

// setSeed names the draws of what is compiled from here on.
func (s *Session) setSeed(text string, _ map[string]string) error {
	seed, err := positive("set seed", text, 0)
	if err == nil {
		s.Seed, s.SeedNote = uint64(seed), ""
	}
	return err
}

// chainSeed is the seed of the chains: the session's, or what .RNG.name, .RNG.seed and .RNG.state of the chains stand for. Names alone, such as runjags gives
// to chains of several processes, do not repeat draws.
func (s *Session) chainSeed() uint64 {
	if !slices.ContainsFunc(s.given, func(g chainInits) bool { return strings.Contains(g.rng, ".RNG.s") }) {
		if s.SeedNote != "" {
			s.Note(s.SeedNote)
		}
		return s.Seed
	}
	h := sha256.New()
	for c, g := range s.given {
		fmt.Fprintf(h, "%d %s\n", c, strings.Join(strings.Fields(g.rng), " "))
	}
	return binary.LittleEndian.Uint64(h.Sum(nil))
}
