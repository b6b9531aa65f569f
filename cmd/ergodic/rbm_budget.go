package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// budget is that of --time, with the tasks that are done.
func (w *rbmWork) budget() rbm.Budget {
	b := rbm.Budget{Total: w.spec.Time, Tasks: w.tasks, Used: w.state.UsedS, Spent: w.state.Spent.WallS}
	for _, r := range w.state.Results {
		b.Took = append(b.Took, r.WallS)
	}
	return b
}

// within ends the context of the task at hand with its share of the time, of which an earlier process may have spent some; without --time it
// does not.
func (w *rbmWork) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if w.spec.Time == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, w.budget().Rest())
}

// outOfTime reports whether a task's error is that its share of the time is
// over, and not that the user stopped it.
func outOfTime(all, task context.Context, err error) bool {
	over := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, mcmc.ErrInterrupted)
	return over && all.Err() == nil && errors.Is(task.Err(), context.DeadlineExceeded)
}

// fitted says of a task's estimates that the time was over: of those that there
// are which runs they are of, and for the others that there are none.
func (w *rbmWork) fitted(t rbm.Task, done []*rbmreport.Estimate, share time.Duration) []*rbmreport.Estimate {
	took := max(share, 0).Round(time.Millisecond)
	for _, r := range done {
		if math.IsNaN(float64(r.LogZ)) { // of no run
			done = nil
			break
		}
		if r.Method == string(rbm.Exact) { // what others are relative to
			continue
		}
		r.Fit = rbmreport.Cut
		r.Warnings = append(r.Warnings, fmt.Sprintf("cut to what fits into %v of --time %v: the estimate is of the runs finished by then (%d), and another time gives another number of them",
			took, w.spec.Time, r.Runs))
	}
	if len(done) > 0 {
		return done
	}
	nan := math.NaN()
	for _, m := range t.Machines {
		e := &rbm.Estimate{Method: t.Method, LogZ: nan, SE: nan, CI95: [2]float64{nan, nan}, EffectiveRuns: nan,
			Warnings: []string{fmt.Sprintf("left out: nothing was finished in %v of --time %v; give more time, or name fewer --methods", took, w.spec.Time)}}
		r := rbmreport.NewEstimate(w.spec.Models[m].Name, e, milli(w.spent().WallS), milli(w.spent().CPUS))
		r.Fit = rbmreport.LeftOut
		done = append(done, r)
	}
	return done
}
