package path

import (
	"cmp"
	"context"
	"fmt"
)

// AutoSettings are the settings of Auto.
type AutoSettings struct {
	Settings     // Runs: chosen unless set
	Moves    int // the budget, in moves of the family; 0: a million
}

// AutoResult is an estimate with its schedule and a check from annealing in both directions.
type AutoResult struct {
	*Result          // forward AIS
	Check   *Bounds  // shorter runs up and down, which contradict the estimate if runs are stuck
	Ladder  Schedule // the schedule of the runs
	Pilot   int64    // moves of the pilot that it was fitted to
}

const (
	defaultMoves  = 1_000_000
	autoMinRuns   = 12   // the fewest: an interval needs several runs, but few long runs are more accurate than many short ones
	autoMaxRuns   = 64   // the most
	autoVariance  = 0.05 // of log w, up to which there may be more runs than the fewest
	pilotShare    = 20   // a twentieth of the moves, in two passes
	checkShare    = 0.15
	autoPilotRuns = 30
	checkRuns     = 8 // half of whose moves are at the target
)

// Auto estimates log Z within a budget of moves. A pilot measures the thermodynamic length of the path with friction, and the
// schedule has steps of equal length (see EqualLength). Then few and long runs of AIS give the estimate. Near equilibrium its
// variance is L²/moves for the length L, whatever the number of runs, while the loss of shorter runs grows exponentially;
// so the number of runs follows from the variance of log weights, L²/steps.
//
// Shorter runs are then annealed up, moved at the target, and annealed down again (see Sandwich); the reverse estimate is a
// stochastic upper bound of log Z. Where it contradicts the estimate, runs were stuck on the way, and the interval is
// widened to cover both. A checkpoint holds the long runs; the pilot and the check are repeated on resuming.
func Auto[S any](ctx context.Context, f Family[S], set AutoSettings) (*AutoResult, error) {
	set.Moves = cmp.Or(set.Moves, defaultMoves)
	if set.Moves < leastMoves {
		return nil, fmt.Errorf("path: %d moves are too few for a pilot and %d runs; ask for %d or more", set.Moves, autoMinRuns, leastMoves)
	}
	l, pilot, err := autoPilot(ctx, f, set)
	if err != nil {
		return nil, err
	}
	check := float64(float64(set.Moves) * checkShare)
	long := set.Settings
	ladder, runs, err := l.budget(float64(set.Moves)-float64(pilot)-check, set.Runs)
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
	out.compareBounds()
	return out, nil
}

const leastMoves = 1000

// budget is the schedule, and the number of runs along it, for so many moves.
func (l profile) budget(moves float64, runs int) (Schedule, int, error) {
	length := l.length[len(l.length)-1]
	if runs == 0 {
		runs = int(min(max(moves*autoVariance/max(length*length, 1), autoMinRuns), autoMaxRuns))
	}
	s, err := l.schedule(min(max(int(moves/float64(max(runs, 1))), 1), maxSteps/2))
	return s, runs, err
}

// autoPilot measures the thermodynamic length of the path with its share of the moves.
func autoPilot[S any](ctx context.Context, f Family[S], set AutoSettings) (l profile, moves int64, err error) {
	p := Pilot{Settings: set.Settings, Friction: true}.withDefaults()
	p.Runs = autoPilotRuns
	p.Steps = min(max(set.Moves/pilotShare/2/p.Runs, 4), 20_000)
	return fit(ctx, f, p)
}

// compareBounds compares the estimate with the stochastic upper bound.
func (a *AutoResult) compareBounds() {
	high := a.Check.Upper
	if !(high.CI95[0] > a.CI95[1]) {
		return
	}
	a.CI95[1] = max(a.CI95[1], high.CI95[1])
	a.warn(fmt.Sprintf("forward and reverse AIS contradict each other: %.6g ± %.2g and %.6g ± %.2g; runs are stuck in parts of the space on the way, "+
		"and log Z lies between. Choose a base that is nearer to the target", a.LogZ, a.SE, high.LogZ, high.SE))
}
