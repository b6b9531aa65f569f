package path

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// lockstep runs chains in phases, with a barrier after each.
type lockstep struct {
	ctx     context.Context
	set     Settings
	running *running              // counts moves and reports
	save    func(chain int) error // nil keeps nothing
	tallies []tally               // of the chains in this phase
	evals   int64                 // of all chains, in the phases before
	moves   int64
}

func newLockstep(ctx context.Context, set Settings) *lockstep {
	return &lockstep{ctx: ctx, set: set, tallies: make([]tally, set.Runs),
		running: &running{set: set, rows: make([][]float64, set.Runs)}}
}

// phase calls work for each chain, on set.Threads threads. Work that returned errStopped goes on where it is called again.
func (l *lockstep) phase(work func(chain int, t *tally) error) error {
	l.running.done = 0
	chains := make([]runner.Unit, l.set.Runs)
	for c := range chains {
		chains[c] = &phaseUnit{lockstep: l, chain: c, work: work}
	}
	to := l.set.running(l.save != nil)
	to.Watch = l.running.watch()
	if err := runner.Run(l.ctx, chains, to); err != nil {
		return fmt.Errorf("path: %w", err)
	}
	return nil
}

// phaseUnit is one chain in one phase.
type phaseUnit struct {
	*lockstep
	chain int
	work  func(chain int, t *tally) error
}

func (u *phaseUnit) Place() (unit, step string) { return fmt.Sprintf("chain %d", u.chain+1), "" }

func (u *phaseUnit) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	t := &u.tallies[u.chain]
	t.turn = &turn{ctx: ctx, until: until, moves: &u.running.moves}
	if err := u.work(u.chain, t); errors.Is(err, errStopped) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	t.report()
	u.running.mu.Lock()
	defer u.running.mu.Unlock()
	u.running.done++
	return false, nil
}

func (u *phaseUnit) Save() error {
	if u.save == nil {
		return nil
	}
	return u.save(u.chain)
}

// count adds the work of the phase to that of those before.
func (l *lockstep) count() {
	for c := range l.tallies {
		l.moves += l.tallies[c].moves
		l.evals += l.tallies[c].evals
	}
	clear(l.tallies)
}
