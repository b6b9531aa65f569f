package path

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// run takes the chains through the phases that are left, with a barrier after each.
func (w *temperedChains[S]) run(ctx context.Context) error {
	for {
		if err := w.note(); err != nil {
			return err
		}
		w.counter.done.Store(0)
		units := make([]runner.Unit, len(w.chains))
		for i := range units {
			units[i] = temperedUnit[S]{w, i}
		}
		if err := runner.Run(ctx, units, w.store.runner(w.set.Settings, w.counter)); err != nil {
			return fmt.Errorf("path: %w", err)
		}
		if w.at.Stage == drawing {
			return nil
		}
		w.next()
		w.count()
		w.begin()
	}
}

// temperedUnit is a chain in a phase.
type temperedUnit[S any] struct {
	*temperedChains[S]
	i int
}

func (u temperedUnit[S]) Place() (unit, step string) { return fmt.Sprintf("chain %d", u.i+1), "" }

func (u temperedUnit[S]) Turn(ctx context.Context, until time.Time) (more bool, err error) {
	t := &u.chains[u.i].tally
	t.turn = &turn{ctx: ctx, until: until, count: u.counter}
	work := u.rounds
	if u.at.Stage == ascending {
		work = u.annealUp
	}
	if err := work(u.i, t); errors.Is(err, errStopped) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	t.report()
	u.counter.done.Add(1)
	return false, nil
}

// Save notes where the chain is.
func (u temperedUnit[S]) Save() error {
	if u.store.name == "" {
		return nil
	}
	state, err := u.state(u.i)
	if err != nil {
		return err
	}
	u.store.Lock()
	defer u.store.Unlock()
	u.file.Chains[u.i] = state
	return nil
}

// count adds the work of the phase to that of those before.
func (w *temperedChains[S]) count() {
	for _, c := range w.chains {
		w.moves += c.tally.moves
		w.evals += c.tally.evals
		c.tally = tally{}
	}
}
