package path

import (
	"context"
	"fmt"
	"math"
)

// AutoSettings are the settings of Auto.
type AutoSettings struct {
	Settings     // Runs: chosen unless set
	Moves    int // what may be spent, in moves of the family; 0: a million
}

// AutoResult is an estimate with what it rests on.
type AutoResult struct {
	*Result          // the bridge
	Bounds  *Bounds  // what the ways up and down say by themselves
	Ladder  Schedule // along which the runs annealed
	Pilot   int64    // moves that went into fitting it
}

const (
	defaultMoves = 1_000_000
	autoRuns     = 16   // the fewest: an interval needs runs, but long runs tell more than many
	autoMost     = 64   // the most
	autoVariance = 0.05 // of log w, that allows more runs than the fewest
	pilotShare   = 20   // a twentieth of the moves, in two passes
)

// Auto spends a budget of moves as well as it knows: a pilot measures how fast the path changes and how slowly the
// moves forget, and fits the schedule whose steps have equal length in that metric (see EqualLength). Then few and long runs go up to
// the target, an eighth of the way's moves at it, and down again (see Sandwich), and Bennett's ratio of
// both ways is the estimate. Near equilibrium its variance is L²/moves of the length L, whatever the number of runs, while
// shorter runs lose exponentially: so the variance of log weights, L²/steps, decides how many runs there are.
//
// Where the bounds contradict each other, runs were stuck on the way; the interval then reaches from one bound to
// the other. A checkpoint keeps the runs up and down; the pilot is made again on resuming.
func Auto[S any](ctx context.Context, f Family[S], set AutoSettings) (*AutoResult, error) {
	if set.Moves == 0 {
		set.Moves = defaultMoves
	}
	if set.Moves < 40*autoRuns {
		return nil, fmt.Errorf("path: %d moves do not reach for %d runs; ask for %d or more", set.Moves, autoRuns, 40*autoRuns)
	}
	l, pilot, err := autoPilot(ctx, f, set)
	if err != nil {
		return nil, err
	}
	length := l.length[len(l.length)-1]
	budget := float64(set.Moves) - float64(pilot)
	runs := set.Runs
	if runs == 0 {
		runs = int(min(max(budget*autoVariance/(2.125*max(length*length, 1)), autoRuns), autoMost))
	}
	steps := max(int(budget/float64(runs)/2.125), 1)
	s, err := l.schedule(min(steps, maxSteps/2))
	if err != nil {
		return nil, err
	}
	up := set.Settings
	up.Runs = runs
	b, err := Sandwich(ctx, f, s, SandwichSettings{Settings: up, Equilibrate: max(s.Steps()/8, 1)})
	if b == nil {
		return nil, err
	}
	out := &AutoResult{Result: b.Bridge, Bounds: b, Ladder: s, Pilot: pilot}
	out.Result.Moves += pilot
	out.confront()
	return out, err
}

// autoPilot measures the path twice, the second time along what the first found.
func autoPilot[S any](ctx context.Context, f Family[S], set AutoSettings) (l profile, moves int64, err error) {
	p := Pilot{Settings: set.Settings, Friction: true}
	p.Runs = 0
	p = p.withDefaults()
	p.Runs = 30
	p.Steps = min(max(set.Moves/pilotShare/2/p.Runs, 4), 20_000)
	s, err := Uniform(p.Steps)
	for pass := range 2 {
		if err != nil {
			return l, moves, err
		}
		if l, err = measure(ctx, f, s, p, pass); err == nil {
			moves += l.moves
			s, err = l.schedule(p.Steps)
		}
	}
	return l, moves, err
}

// confront compares the bounds.
func (a *AutoResult) confront() {
	low, high := a.Bounds.Lower, a.Bounds.Upper
	for _, r := range []*Result{low, high} {
		if r.EffectiveRuns < float64(r.Runs)/4 {
			a.warn(fmt.Sprintf("%s rests on %.1f of %d runs: the budget is short for this path; allow more moves", r.Method, r.EffectiveRuns, r.Runs))
		}
	}
	if !(high.CI95[0] > low.CI95[1]) && !math.IsNaN(a.LogZ) {
		return
	}
	a.CI95 = [2]float64{min(a.CI95[0], low.CI95[0]), max(a.CI95[1], high.CI95[1])}
	a.warn(fmt.Sprintf("the ways up and down contradict each other: %.4g ± %.2g and %.4g ± %.2g; runs are stuck in parts of the space on the way, "+
		"and the truth lies between. Choose a base that is nearer to the target", low.LogZ, low.SE, high.LogZ, high.SE))
}
