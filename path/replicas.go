package path

import (
	"context"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// Replicas is parallel tempering: each of the independent ensembles has a replica at every temperature of the ladder, which are
// moved together and swap neighbours ([tempering.Kernel]). Its draws give the same three estimates as those of Integrate, and a
// state that no move of its own would lead to another mode is carried there by the swaps. Runs is the number of
// ensembles (8 unless set), and Burn how many moves each replica is given before the draws (0: half of Draws·Thin): half
// of them on the way to its temperature, half with swaps.
//
// Every other ensemble starts from one state that is annealed up the ladder and leaves a copy at each temperature, the rest from one
// that has come down again. What these differ by, and the halves of the draws, say how far from equilibrium
// ensembles are; beyond chance it enters the error and is a warning.
//
// Interrupted, it returns what the finished ensembles say, nil for none, and an error that wraps mcmc.ErrInterrupted.
func Replicas[S any](ctx context.Context, f Family[S], ladder Schedule, set IntegrateSettings) (*Integrals, error) {
	if err := ladder.check(); err != nil {
		return nil, err
	}
	set = set.withDefaults(2)
	if err := set.check(len(ladder)); err != nil {
		return nil, err
	}
	d := drawn{temperatures: len(ladder), draws: set.Draws}
	o, err := job{purpose: "replicas", shape: set.shape(ladder), width: d.width(), worker: func() runner {
		e := newEnsemble(f, ladder)
		return func(i int, r *rand.Rand, row []float64, t *tally) error {
			return e.run(origin(i) == 1, set, d, row, r, t)
		}
	}}.do(ctx, set.Settings)
	if o == nil || len(o.rows) == 0 {
		return nil, err
	}
	c := newChained(d, f.LogZBase(), ladder, o, origin)
	out := c.integrals(o, c.drift(), c.origins())
	for _, r := range []*Result{out.TI, out.SteppingStone, out.Bridge} {
		r.Method = "parallel tempering, " + r.Method
	}
	return out, err
}

// ensemble is the replicas of one run.
type ensemble[S any] struct {
	w      walk[S]
	ladder Schedule
	state  *tempering.State[S]
}

func newEnsemble[S any](f Family[S], ladder Schedule) *ensemble[S] {
	e := &ensemble[S]{w: newWalk(f), ladder: ladder}
	replicas := make([]S, len(ladder))
	for k := range replicas {
		replicas[k] = f.New()
	}
	e.state = tempering.NewState(replicas)
	return e
}

// mover moves a replica at its temperature.
type mover[S any] struct {
	f    Family[S]
	beta float64
}

func (m mover[S]) Step(s S, r *rand.Rand) mcmc.Info {
	m.f.Move(s, m.beta, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// origin is 1 for runs that start from above.
func origin(run int) int { return run % 2 }

func (e *ensemble[S]) run(down bool, set IntegrateSettings, d drawn, row []float64, r *rand.Rand, t *tally) error {
	// A kernel holds the account of its swaps, so each run has a new one.
	k, err := tempering.New[S](e.w.Family, func(beta float64) (mcmc.Kernel[S], error) {
		return mover[S]{e.w.Family, beta}, nil
	}, tempering.Settings{Betas: e.ladder, Fixed: true, Threads: 1})
	if err != nil {
		return err
	}
	if err := e.start(down, set.Burn/2, r, t); err != nil {
		return err
	}
	for range set.Burn - set.Burn/2 {
		if e.step(k, r, t) {
			return errStopped
		}
	}
	for n := range set.Draws {
		for range set.Thin {
			if e.step(k, r, t) {
				return errStopped
			}
		}
		for i, x := range e.state.Replicas {
			if err := e.w.measure(x, e.ladder, i, n, d, row, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// start takes one state up the ladder, perhaps down again, and leaves a copy at each temperature. Each replica costs burn moves.
func (e *ensemble[S]) start(down bool, burn int, r *rand.Rand, t *tally) error {
	x, last := e.state.Replicas, len(e.ladder)-1
	if down {
		burn /= 2
	}
	for i := range x {
		e.w.Base(x[i], r) // seeds a state's own generator
	}
	for i := 1; i <= last; i++ {
		e.w.Copy(x[i], x[i-1])
		if err := e.w.moves(x[i], e.ladder[i], max(burn, 1), r, t); err != nil {
			return err
		}
	}
	for i := last - 1; down && i > 0; i-- {
		e.w.Copy(x[i], x[i+1])
		if err := e.w.moves(x[i], e.ladder[i], max(burn, 1), r, t); err != nil {
			return err
		}
	}
	e.state = tempering.NewState(x)
	return nil
}

// step moves all replicas and swaps.
func (e *ensemble[S]) step(k *tempering.Kernel[S], r *rand.Rand, t *tally) (stop bool) {
	k.Step(e.state, r)
	t.evals += int64(2 * (len(e.ladder) - 1))
	for range e.ladder {
		stop = t.moved() || stop
	}
	return stop
}
