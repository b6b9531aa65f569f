package path

import (
	"context"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// Replicas is parallel tempering: each of the independent ensembles has a replica at every temperature of the ladder;
// neighbouring replicas swap after each move ([tempering.Kernel]). The draws give the same three estimates as those of
// Integrate, and swaps carry states between modes that moves at β = 1 would not connect. Runs is the number of ensembles (8
// unless set), and Burn the number of moves of each replica before the draws (0: half of Draws·Thin): half of them
// while it is annealed to its temperature, half with swaps.
//
// Every other ensemble starts from a state that is annealed up the ladder and copied at each temperature, the rest from a
// state that is annealed up and down again. The difference between the two kinds, and that between the halves of the draws,
// measure the distance from equilibrium; where significant, they enter the error and are warnings.
//
// Interrupted, it returns the estimates from the finished ensembles, nil for none, and an error that wraps mcmc.ErrInterrupted.
func Replicas[S any](ctx context.Context, f Family[S], ladder Schedule, set IntegrateSettings) (*Integrals, error) {
	c, o, err := set.withDefaults(2).sample(ctx, "replicas", f.LogZBase(), ladder, func(set IntegrateSettings, layout rowLayout) runFunc {
		e := newReplicaSet(f, ladder)
		return func(i int, r *rand.Rand, row []float64, t *tally) error {
			return e.run(origin(i) == 1, set, layout, row, r, t)
		}
	})
	if c == nil {
		return nil, err
	}
	for i, run := range o.run {
		c.origin[i] = origin(run)
	}
	out := c.integrals(o, c.drift(), c.originGap())
	for _, r := range []*Result{out.TI, out.SteppingStone, out.BAR} {
		r.Method = "parallel tempering, " + r.Method
	}
	return out, err
}

// replicaSet is the replicas of one ensemble.
type replicaSet[S any] struct {
	f      resolved[S]
	ladder Schedule
	state  *tempering.State[S]
}

func newReplicaSet[S any](f Family[S], ladder Schedule) *replicaSet[S] {
	e := &replicaSet[S]{f: resolve(f), ladder: ladder}
	replicas := make([]S, len(ladder))
	for k := range replicas {
		replicas[k] = f.New()
	}
	e.state = tempering.NewState(replicas)
	return e
}

// moveKernel is the family's transition at one temperature as a kernel.
type moveKernel[S any] struct {
	f    Family[S]
	beta float64
}

func (m moveKernel[S]) Step(s S, r *rand.Rand) mcmc.Info {
	m.f.Move(s, m.beta, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

// origin is 1 for runs that start from above.
func origin(run int) int { return run % 2 }

func (e *replicaSet[S]) run(down bool, set IntegrateSettings, layout rowLayout, row []float64, r *rand.Rand, t *tally) error {
	// A kernel counts its swaps, so each run has a new one.
	k, err := tempering.New[S](e.f.Family, func(beta float64) (mcmc.Kernel[S], error) {
		return moveKernel[S]{e.f.Family, beta}, nil
	}, tempering.Settings{Betas: e.ladder, Fixed: true, Threads: 1})
	if err != nil {
		return err
	}
	if err := e.start(down, set.Burn/2, r, t); err != nil {
		return err
	}
	if err := e.steps(set.Burn-set.Burn/2, k, r, t); err != nil {
		return err
	}
	for n := range set.Draws {
		if err := e.steps(set.Thin, k, r, t); err != nil {
			return err
		}
		for i, x := range e.state.Replicas {
			if err := e.f.measure(x, e.ladder, i, n, layout, row, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// start anneals one state up the ladder, and down again if asked, and leaves a copy at each temperature. Each replica costs
// burn moves.
func (e *replicaSet[S]) start(down bool, burn int, r *rand.Rand, t *tally) error {
	x, last := e.state.Replicas, len(e.ladder)-1
	if down {
		burn /= 2
	}
	for i := range x {
		e.f.Base(x[i], r) // seeds a state's own generator
	}
	arrive := func(i, from int) error {
		e.f.Copy(x[i], x[from])
		return e.f.moves(x[i], e.ladder[i], max(burn, 1), r, t)
	}
	for i := 1; i <= last; i++ {
		if err := arrive(i, i-1); err != nil {
			return err
		}
	}
	for i := last - 1; down && i > 0; i-- {
		if err := arrive(i, i+1); err != nil {
			return err
		}
	}
	e.state = tempering.NewState(x)
	return nil
}

// steps moves all replicas and swaps neighbours, n times.
func (e *replicaSet[S]) steps(n int, k *tempering.Kernel[S], r *rand.Rand, t *tally) error {
	for range n {
		k.Step(e.state, r)
		t.evals += int64(2 * (len(e.ladder) - 1))
		stop := false
		for range e.ladder {
			stop = t.moved() || stop
		}
		if stop {
			return errStopped
		}
	}
	return nil
}
