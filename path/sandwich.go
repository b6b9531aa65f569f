package path

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
)

// Start fills s with a draw from the target, exact or as nearly so as possible.
type Start[S any] func(run int, s S, r *rand.Rand) error

// Reverse is reverse AIS: runs start from draws at β = 1 and collect the log weights of the reversed schedule.
// −log mean exp of these estimates log Z, and for exact draws is a stochastic upper bound: too high on average (Grosse,
// Ghahramani and Adams 2015, "Sandwiching the marginal likelihood using bidirectional Monte Carlo").
// Runs: 100 unless set.
func Reverse[S any](ctx context.Context, f Family[S], s Schedule, start Start[S], set Settings) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(defaultRuns)
	o, err := anneal(ctx, f, set, job{purpose: "reverse ais", shape: s.hash(), width: 1}, func(a *annealing[S], fresh bool) error {
		if fresh { // the draws of the base have seeded the states' own generators
			if err := a.startAll(start); err != nil {
				return err
			}
		}
		return a.down(s, 0)
	})
	if o == nil {
		return nil, err
	}
	return reversed(f.LogZBase(), column(o, 0), o, set.Seed), err
}

func (a *annealing[S]) startAll(start Start[S]) error {
	g := a.group
	for i, run := range g.runs {
		g.now = i
		if err := start(run, a.all[i], g.r[i]); err != nil {
			return err
		}
	}
	return nil
}

// reversed is the result of log weights of Z_0/Z_1.
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

// Bounds are the estimates of bidirectional Monte Carlo.
type Bounds struct {
	Lower *Result // forward AIS, a stochastic lower bound: too low on average
	Upper *Result // reverse AIS, a stochastic upper bound: too high on average if its starts are draws from the target
	BAR   *Result // Bennett's acceptance ratio of both, the most accurate of the three
}

// SandwichSettings are the settings of Sandwich.
type SandwichSettings struct {
	Settings
	// Equilibrate is the number of moves at β = 1 between forward and reverse annealing; 0: as many as the schedule has steps.
	Equilibrate int
}

// Sandwich is bidirectional Monte Carlo: each run is annealed up, moved at the target, and annealed down again. The two log
// weights are combined by Bennett's (1976) acceptance ratio, which for reversible moves is the maximum likelihood estimate
// (Shirts, Bair, Hooker and Pande 2003). Reverse annealing starts from an annealed state, which is a draw from the target only
// with its forward weight, so the reverse weight counts with the forward weight. The error is a jackknife over runs, which
// allows for the dependence of the two.
//
// Where fewer than half of the forward runs are effective, or Upper and Lower differ by more than their errors explain,
// reverse annealing may have started in regions of little mass. BAR then warns, and its interval covers both bounds with
// their errors. Runs: 50 unless set.
func Sandwich[S any](ctx context.Context, f Family[S], s Schedule, set SandwichSettings) (*Bounds, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	set.Settings = set.withDefaults(defaultRuns / 2)
	set.Equilibrate = cmp.Or(set.Equilibrate, s.Steps())
	if set.Equilibrate < 0 {
		return nil, fmt.Errorf("path: %d moves at the target between forward and reverse annealing; ask for 0 (as many as there are steps) or more", set.Equilibrate)
	}
	shape := fmt.Sprint(s.hash(), " ", set.Equilibrate)
	o, err := anneal(ctx, f, set.Settings, job{purpose: "sandwich", shape: shape, width: 2}, func(a *annealing[S], _ bool) error {
		if err := a.up(s, 0); err != nil {
			return err
		}
		if err := a.equilibrate(1, set.Equilibrate); err != nil {
			return err
		}
		return a.down(s, 1)
	})
	if o == nil {
		return nil, err
	}
	base := f.LogZBase()
	up, down := column(o, 0), column(o, 1)
	b := &Bounds{
		Lower: annealed("AIS", base, up, o, set.Seed),
		Upper: reversed(base, down, o, set.Seed),
		BAR:   bidirectional(base, up, down, o, set.Seed),
	}
	b.addWarnings()
	return b, err
}
