package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/markov"
	"github.com/ergodic-mcmc/ergodic/rng"
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
	Spectrum    bool    `help:"Compute eigenvalues, mixing time and Kemeny's constant also beyond 1000 states, in n³ operations and n² numbers."`
	JSON        bool    `help:"Print the result as JSON."`
}

// spectrumStates is the largest chain whose eigenvalues are computed unasked, in seconds.
const spectrumStates = 1000

// chainResult is the result object. Pointers and slices are null where a number does not exist or was not computed;
// Why says the reason.
type chainResult struct {
	States      int       `json:"states"`
	Irreducible bool      `json:"irreducible"`
	Classes     int       `json:"classes"`
	Period      *int      `json:"period"`
	Stationary  []float64 `json:"stationary"`
	Reversible  *bool     `json:"reversible"`
	SLEM        *float64  `json:"slem"`
	MixingTime  *int      `json:"mixing_time"`
	Kemeny      *float64  `json:"kemeny"`

	SpectralGap     *float64          `json:"spectral_gap"`
	Why             map[string]string `json:"why_null"`
	Names           []string          `json:"names"`
	Transitions     int               `json:"transitions"`
	Transient       int               `json:"transient"`
	Absorbing       []string          `json:"absorbing"`
	Method          string            `json:"method,omitempty"`
	StationaryError *float64          `json:"stationary_error"`
	Imbalance       *float64          `json:"imbalance"`
	ClassList       []chainClass      `json:"class_list"`
	Absorption      *chainAbsorption  `json:"absorption"`
	Generations     [][]float64       `json:"generations,omitempty"`
	Distance        []float64         `json:"total_variation,omitempty"`
	Hitting         []*float64        `json:"hitting_times,omitempty"`
	Path            []string          `json:"path,omitempty"`
	Seed            *uint64           `json:"seed,omitempty"`
	Warnings        []string          `json:"warnings"`
}

type chainClass struct {
	First      string    `json:"first"`
	Size       int       `json:"size"`
	Closed     bool      `json:"closed"`
	Period     int       `json:"period"`
	States     []string  `json:"states,omitempty"`
	Stationary []float64 `json:"stationary,omitempty"`
}

type chainAbsorption struct {
	States  []string    `json:"states"`
	Classes []string    `json:"classes"` // their first states
	P       [][]float64 `json:"probability"`
	Steps   []float64   `json:"steps"`
}

// Run analyses a chain.
func (c *chainCmd) Run() error {
	if c.Generations < 0 || c.Simulate < 0 {
		return usage("--generations and --simulate cannot be negative")
	}
	if c.Generations > 0 && c.From == "" {
		return usage("--generations needs a start: --from STATE or --from 0.2,0.7,0.1")
	}
	if !(c.Epsilon > 0 && c.Epsilon < 1) {
		return usage("--epsilon %v is no total variation between 0 and 1", c.Epsilon)
	}
	chain, err := c.read()
	if err != nil {
		return err
	}
	r, err := c.analyse(chain)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(os.Stderr, "warning:", w)
	}
	if c.JSON {
		return printJSON(r)
	}
	return r.print(c)
}

func (c *chainCmd) read() (markov.Chain, error) {
	f, err := os.Open(c.File)
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

func (c *chainCmd) analyse(chain markov.Chain) (*chainResult, error) {
	cl := markov.Classify(chain)
	r := &chainResult{States: chain.Len(), Irreducible: cl.Irreducible(), Classes: len(cl.List), Why: map[string]string{}, Warnings: []string{}, Absorbing: []string{}}
	r.Transitions = markov.AsSparse(chain).Transitions()
	r.Transient = len(cl.Transient())
	for i := range chain.Len() {
		r.Names = append(r.Names, chain.Name(i))
	}
	for _, i := range cl.Absorbing() {
		r.Absorbing = append(r.Absorbing, r.Names[i])
	}
	if err := r.stationary(chain, cl); err != nil {
		return nil, err
	}
	if err := r.balance(chain); err != nil {
		return nil, err
	}
	if err := r.speed(c, chain, cl); err != nil {
		return nil, err
	}
	r.absorb(chain, cl)
	return r, c.follow(r, chain)
}

// manyClasses keeps results readable when a chain falls into dust.
const manyClasses = 1000

// stationary solves for each closed class.
func (r *chainResult) stationary(chain markov.Chain, cl *markov.Classes) error {
	closed := cl.Closed()
	for k, class := range cl.List {
		if k == manyClasses {
			r.Warnings = append(r.Warnings, fmt.Sprintf("of %d classes the first %d are listed", len(cl.List), manyClasses))
			break
		}
		out := chainClass{First: r.Names[class.States[0]], Size: len(class.States), Closed: class.Closed, Period: class.Period}
		if len(cl.List) > 1 {
			for _, i := range class.States {
				out.States = append(out.States, r.Names[i])
			}
		}
		if class.Closed {
			s, err := markov.Solver{}.SolveClass(chain, class)
			if err != nil {
				return err
			}
			r.warnWeak(s, out.First)
			if len(closed) == 1 {
				r.Stationary, r.Method, r.StationaryError = s.Pi, s.Method, &s.Error
				r.Period = &out.Period
			} else {
				for _, i := range class.States {
					out.Stationary = append(out.Stationary, s.Pi[i])
				}
			}
		}
		r.ClassList = append(r.ClassList, out)
	}
	if len(closed) > 1 {
		r.Why["stationary"] = fmt.Sprintf("there are %d closed classes, each with its own", len(closed))
		r.Why["period"] = "each class has its own"
		r.Why["reversible"] = "there is no single stationary distribution"
	} else if r.Stationary == nil { // beyond the classes listed
		s, err := markov.Solver{}.Solve(chain)
		if err != nil {
			return err
		}
		period := cl.List[closed[0]].Period
		r.Stationary, r.Method, r.StationaryError, r.Period = s.Pi, s.Method, &s.Error, &period
	}
	return nil
}

func (r *chainResult) warnWeak(s *markov.Stationary, first string) {
	if s.Weak > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("without transitions below %g the class of state %s falls apart: its stationary distribution is only as accurate as these", s.Weak, first))
	}
}

// balanced is how far, relative to the larger, two flows may differ that are taken for equal.
const balanced = 1e-9

func (r *chainResult) balance(chain markov.Chain) error {
	if r.Stationary == nil {
		return nil
	}
	b, err := markov.Balance(chain, r.Stationary)
	if err != nil {
		return err
	}
	r.Imbalance = &b.Total
	// By iteration π has an absolute error only.
	yes := b.Relative <= balanced || r.Method == "multilevel" && b.Total <= 2**r.StationaryError
	r.Reversible = &yes
	return nil
}

// speed computes what needs the whole spectrum, and for a reducible or periodic chain what is known without.
func (r *chainResult) speed(c *chainCmd, chain markov.Chain, cl *markov.Classes) error {
	const large = "not computed: %d states; --spectrum computes it"
	skip := r.States > spectrumStates && !c.Spectrum
	switch {
	case r.Stationary == nil:
		r.Why["mixing_time"] = "where the chain ends depends on where it starts"
	case *r.Period > 1:
		r.Why["mixing_time"] = fmt.Sprintf("infinite: the chain has period %d", *r.Period)
	}
	if !r.Irreducible {
		r.Why["kemeny"] = "the chain is reducible"
	}
	one, none := 1.0, 0.0
	if r.Why["mixing_time"] != "" {
		r.SLEM, r.SpectralGap = &one, &none
	}
	if skip {
		for key, known := range map[string]bool{"slem": r.SLEM != nil, "spectral_gap": r.SLEM != nil, "mixing_time": r.Why["mixing_time"] != "", "kemeny": !r.Irreducible} {
			if !known {
				r.Why[key] = fmt.Sprintf(large, r.States)
			}
		}
		return nil
	}
	if r.SLEM == nil {
		var pi []float64
		if r.Irreducible && *r.Reversible {
			pi = r.Stationary
		}
		values, err := markov.Eigenvalues(chain, pi)
		if err != nil {
			return err
		}
		slem := markov.SLEM(values)
		gap := 1 - slem
		r.SLEM, r.SpectralGap = &slem, &gap
	}
	if r.Why["mixing_time"] == "" {
		t, err := markov.MixingTime(chain, r.Stationary, c.Epsilon)
		if err != nil {
			return err
		}
		r.MixingTime = &t
	}
	if r.Irreducible {
		k, err := markov.Kemeny(chain)
		if err != nil {
			return err
		}
		r.Kemeny = &k
	}
	return nil
}

// Beyond these the table of absorption is not computed.
const (
	absorbStates = 2000
	absorbCells  = 1_000_000
)

func (r *chainResult) absorb(chain markov.Chain, cl *markov.Classes) {
	closed := cl.Closed()
	switch {
	case r.Transient == 0:
		r.Why["absorption"] = "no state is transient"
		return
	case r.Transient > absorbStates || r.Transient*len(closed) > absorbCells:
		r.Why["absorption"] = fmt.Sprintf("not computed: %d transient states and %d closed classes; --from START gives it for one start", r.Transient, len(closed))
		return
	}
	a := markov.Absorb(chain, cl)
	r.Absorption = &chainAbsorption{P: a.P, Steps: a.Steps}
	for _, i := range a.Transient {
		r.Absorption.States = append(r.Absorption.States, r.Names[i])
	}
	for _, k := range closed {
		r.Absorption.Classes = append(r.Absorption.Classes, r.Names[cl.List[k].States[0]])
	}
}

// follow does what flags ask for beyond the analysis.
func (c *chainCmd) follow(r *chainResult, chain markov.Chain) error {
	start, err := c.start(r, chain)
	if err != nil {
		return err
	}
	if c.Generations > 0 {
		if r.Generations, err = markov.Evolve(chain, start, c.Generations); err != nil {
			return err
		}
		if r.Stationary != nil {
			if r.Distance, err = markov.Distances(chain, start, r.Stationary, c.Generations); err != nil {
				return err
			}
		}
	}
	if r.Absorption == nil && r.Transient > 0 && c.From != "" {
		cl := markov.Classify(chain)
		e, err := markov.Solver{}.AbsorbFrom(chain, cl, start)
		if err != nil {
			return err
		}
		r.Absorption = &chainAbsorption{States: []string{"--from"}, P: [][]float64{e.P}, Steps: []float64{e.Steps}}
		for _, k := range cl.Closed() {
			r.Absorption.Classes = append(r.Absorption.Classes, r.Names[cl.List[k].States[0]])
		}
		delete(r.Why, "absorption")
	}
	if c.Hit != "" {
		if err := c.hit(r, chain); err != nil {
			return err
		}
	}
	if c.Simulate > 0 {
		return c.simulate(r, chain, start)
	}
	return nil
}

// start is the distribution --from asks for; without it the stationary one, or the first state.
func (c *chainCmd) start(r *chainResult, chain markov.Chain) ([]float64, error) {
	if c.From == "" && r.Stationary != nil {
		return r.Stationary, nil
	}
	start := make([]float64, r.States)
	if c.From == "" {
		start[0] = 1
		return start, nil
	}
	if i, err := markov.Find(chain, c.From); err == nil {
		start[i] = 1
		return start, nil
	}
	parts := strings.Split(c.From, ",")
	if len(parts) == 1 {
		return nil, fmt.Errorf("--from %s: no state has that name; the first is %s, the last %s", c.From, r.Names[0], r.Names[r.States-1])
	}
	if len(parts) != r.States {
		return nil, fmt.Errorf("--from has %d probabilities; the chain has %d states", len(parts), r.States)
	}
	sum := 0.0
	for i, p := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("--from: entry %d is %q; it must be a probability", i+1, p)
		}
		start[i] = v
		sum += v
	}
	if math.Abs(sum-1) > markov.Tolerance {
		return nil, fmt.Errorf("--from sums to %.12g, not 1", sum)
	}
	return start, nil
}

func (c *chainCmd) hit(r *chainResult, chain markov.Chain) error {
	if r.States > absorbStates && !c.Spectrum {
		return fmt.Errorf("hitting times of %d states need a dense matrix; --spectrum lets it be made", r.States)
	}
	target, err := markov.Find(chain, c.Hit)
	if err != nil {
		return fmt.Errorf("--hit %s: no state has that name; the first is %s, the last %s", c.Hit, r.Names[0], r.Names[r.States-1])
	}
	h, err := markov.Hitting(chain, target)
	if err != nil {
		return err
	}
	for _, v := range h {
		if math.IsInf(v, 1) {
			r.Hitting = append(r.Hitting, nil)
			r.Why["hitting_times"] = "infinite where the chain may never get there"
			continue
		}
		r.Hitting = append(r.Hitting, &v)
	}
	return nil
}

func (c *chainCmd) simulate(r *chainResult, chain markov.Chain, start []float64) error {
	r.Seed = c.Seed
	if r.Seed == nil {
		seed := rand.Uint64()
		r.Seed = &seed
		fmt.Fprintln(os.Stderr, "seed", seed)
	}
	s := rng.New(*r.Seed, "chain simulate").Rand
	path, err := markov.SimulateFrom(chain, start, c.Simulate, s)
	if err != nil {
		return err
	}
	r.Path = make([]string, len(path))
	for t, i := range path {
		r.Path[t] = r.Names[i]
	}
	return nil
}
