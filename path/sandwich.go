package path

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Start fills s with a draw from the target, as exact as can be had.
type Start[S any] func(run int, s S, r *rand.Rand) error

// Reverse anneals from the target to the base: runs start from draws at β = 1 and collect the log weight of the
// reversed schedule. −log mean exp of these is log Z, on average too high where draws are exact (Grosse, Ghahramani and
// Adams 2015, "Sandwiching the marginal likelihood using bidirectional Monte Carlo"): a stochastic upper bound.
// Runs: 100 unless set.
func Reverse[S any](ctx context.Context, f Family[S], s Schedule, start Start[S], set Settings) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(defaultRuns)
	o, err := job{purpose: "reverse ais", shape: s.hash(), width: 1, together: newWalk(f).together, grouped: func() groupRunner {
		h := newAnnealing(f)
		return func(g *group) error {
			if err := h.begin(g); err != nil { // seeds the states' own generators
				return err
			}
			if g.half == nil {
				if err := h.startAll(start); err != nil {
					return err
				}
			}
			return h.down(s, 0)
		}
	}}.do(ctx, set)
	if o == nil {
		return nil, err
	}
	return reversed(f.LogZBase(), column(o, 0), o, set.Seed), err
}

func (h *annealing[S]) startAll(start Start[S]) error {
	g := h.group
	for i, run := range g.runs {
		g.now = i
		if err := start(run, h.all[i], g.r[i]); err != nil {
			return err
		}
	}
	return nil
}

// reversed is the result of weights for Z_0/Z_1.
func reversed(base float64, logw []float64, o *outcome, seed uint64) *Result {
	res := annealed("reverse AIS", -base, logw, o, seed)
	res.LogZ = -res.LogZ
	res.CI95 = [2]float64{-res.CI95[1], -res.CI95[0]}
	for i := range res.PerRun {
		res.PerRun[i] = -res.PerRun[i]
	}
	for i := range res.Trace {
		res.Trace[i].LogZ = -res.Trace[i].LogZ
	}
	return res
}

// Bounds is what walking up and down says.
type Bounds struct {
	Lower  *Result // forward AIS: too low on average
	Upper  *Result // reverse AIS: too high on average, as far as its starts are draws from the target
	Bridge *Result // Bennett's acceptance ratio of both, the best of the three
}

// SandwichSettings are the settings of Sandwich.
type SandwichSettings struct {
	Settings
	// Equilibrate is the number of moves at β = 1 between the way up and the way down; 0: as many as the schedule has steps.
	Equilibrate int
}

// Sandwich anneals each run up, moves it at the target, and anneals it down again. The two works are combined by
// Bennett's (1976) acceptance ratio, which for reversible moves is the maximum likelihood estimate (Shirts, Bair, Hooker and
// Pande 2003). The way down starts from a state that was annealed, which is a draw from the target only with the weight of
// its way up: with that weight the way down counts. The error is a jackknife over runs, so it counts that up and down belong
// together.
//
// Where fewer than half of the runs up are effective, or Upper and Lower differ by more than their errors explain, the way
// down may have started in parts of the space that hardly matter. Bridge then warns, and its interval reaches over both
// bounds with their errors. Runs: 50 unless set.
func Sandwich[S any](ctx context.Context, f Family[S], s Schedule, set SandwichSettings) (*Bounds, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set.Settings = set.withDefaults(defaultRuns / 2)
	if set.Equilibrate == 0 {
		set.Equilibrate = s.Steps()
	}
	if set.Equilibrate < 0 {
		return nil, fmt.Errorf("path: %d moves at the target between the ways up and down; ask for 0 (as many as there are steps) or more", set.Equilibrate)
	}
	shape := fmt.Sprint(s.hash(), " ", set.Equilibrate)
	o, err := job{purpose: "sandwich", shape: shape, width: 2, together: newWalk(f).together, grouped: func() groupRunner {
		h := newAnnealing(f)
		return func(g *group) error {
			if err := h.begin(g); err != nil {
				return err
			}
			if err := h.up(s, 0); err != nil {
				return err
			}
			if err := h.equilibrate(1, set.Equilibrate); err != nil {
				return err
			}
			return h.down(s, 1)
		}
	}}.do(ctx, set.Settings)
	if o == nil {
		return nil, err
	}
	base := f.LogZBase()
	up, down := column(o, 0), column(o, 1)
	b := &Bounds{
		Lower:  annealed("AIS", base, up, o, set.Seed),
		Upper:  reversed(base, down, o, set.Seed),
		Bridge: bridged(base, up, down, o, set.Seed),
	}
	b.addWarnings()
	return b, err
}
