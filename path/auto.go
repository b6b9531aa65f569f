package path

import (
	"context"
	"fmt"
)

// AutoSettings are the settings of Auto.
type AutoSettings struct {
	Settings     // Runs: chosen unless set
	Moves    int // what may be spent, in moves of the family; 0: a million
}

// AutoResult is an estimate with what it rests on.
type AutoResult struct {
	*Result          // forward AIS
	Check   *Bounds  // shorter runs up and down: what contradicts the estimate if runs are stuck
	Ladder  Schedule // along which the runs annealed
	Pilot   int64    // moves that went into fitting it
}

const (
	defaultMoves  = 1_000_000
	autoRuns      = 12   // the fewest: an interval needs runs, but long runs tell more than many
	autoMost      = 64   // the most
	autoVariance  = 0.05 // of log w, that allows more runs than the fewest
	pilotShare    = 20   // a twentieth of the moves, in two passes
	checkShare    = 0.15
	autoPilotRuns = 30
	checkRuns     = 8 // half of whose moves are at the target
)

// Auto spends a budget of moves as well as it knows: a pilot measures how fast the path changes and how slowly the
// moves forget, and fits the schedule whose steps have equal length in that metric (see EqualLength). Then few and long runs of
// AIS give the estimate. Near equilibrium its variance is L²/moves of the length L, whatever the number of runs, while
// shorter runs lose exponentially: so the variance of log weights, L²/steps, decides how many runs there are.
//
// Shorter runs then go up, stay at the target, and come down again (see Sandwich). What they say on the way down bounds
// log Z from above. Where that contradicts the estimate, runs were stuck on the way; the interval then reaches from
// one to the other. A checkpoint keeps the long runs; the rest is made again on resuming.
func Auto[S any](ctx context.Context, f Family[S], set AutoSettings) (*AutoResult, error) {
	if set.Moves == 0 {
		set.Moves = defaultMoves
	}
	if set.Moves < leastMoves {
		return nil, fmt.Errorf("path: %d moves do not reach for a pilot and %d runs; ask for %d or more", set.Moves, autoRuns, leastMoves)
	}
	l, pilot, err := autoPilot(ctx, f, set)
	if err != nil {
		return nil, err
	}
	check := float64(float64(set.Moves) * checkShare)
	long := set.Settings
	ladder, runs, err := l.spend(float64(set.Moves)-float64(pilot)-check, set.Runs)
	if err != nil {
		return nil, err
	}
	long.Runs = runs
	out := &AutoResult{Ladder: ladder, Pilot: pilot}
	if out.Result, err = AIS(ctx, f, ladder, long); out.Result == nil {
		return nil, err
	}
	out.Result.Moves += pilot
	if err != nil {
		return out, err
	}
	short := set.Settings
	short.Runs, short.Checkpoint, short.Resume = checkRuns, "", false
	s, err := l.schedule(max(int(check/(4*checkRuns)), 2))
	if err != nil {
		return nil, err
	}
	out.Check, err = Sandwich(ctx, f, s, SandwichSettings{Settings: short, Equilibrate: 2 * s.Steps()})
	if err != nil {
		return out, err
	}
	out.Result.Moves += out.Check.Upper.Moves
	out.confront()
	return out, nil
}

const leastMoves = 1000

// spend is a schedule and the number of runs along it that a budget of moves allows.
func (l profile) spend(budget float64, runs int) (Schedule, int, error) {
	length := l.length[len(l.length)-1]
	if runs == 0 {
		runs = int(min(max(budget*autoVariance/max(length*length, 1), autoRuns), autoMost))
	}
	s, err := l.schedule(min(max(int(budget/float64(max(runs, 1))), 1), maxSteps/2))
	return s, runs, err
}

// autoPilot spends its share of the moves on measuring the path.
func autoPilot[S any](ctx context.Context, f Family[S], set AutoSettings) (l profile, moves int64, err error) {
	p := Pilot{Settings: set.Settings, Friction: true}.withDefaults()
	p.Runs = autoPilotRuns
	p.Steps = min(max(set.Moves/pilotShare/2/p.Runs, 4), 20_000)
	return fit(ctx, f, p)
}

// confront compares the estimate with the bound from above.
func (a *AutoResult) confront() {
	high := a.Check.Upper
	if !(high.CI95[0] > a.CI95[1]) {
		return
	}
	a.CI95[1] = max(a.CI95[1], high.CI95[1])
	a.warn(fmt.Sprintf("runs up and runs down contradict each other: %.6g ± %.2g and %.6g ± %.2g; runs are stuck in parts of the space on the way, "+
		"and the truth lies between. Choose a base that is nearer to the target", a.LogZ, a.SE, high.LogZ, high.SE))
}
