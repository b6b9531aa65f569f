package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// What an estimate is that did not fit into its share of --time.
const (
	rbmCut     = "cut"      // of the runs that were finished
	rbmLeftOut = "left out" // no run was
)

// share is the part of --time that the task of result k has: as much of what
// tasks before it left as is due to each of its machines. What an earlier
// process spent on this task is part of it.
func (w *rbmWork) share(k int, tasks []rbmTask) time.Duration {
	left := w.spec.Time - span(w.state.UsedS)
	return left / time.Duration(len(tasks)-k) * time.Duration(len(tasks[k].models))
}

// within ends a task's context with its share of the time; without --time it does not.
func (w *rbmWork) within(ctx context.Context, k int, tasks []rbmTask) (context.Context, context.CancelFunc) {
	if w.spec.Time == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, w.share(k, tasks)-span(w.state.Spent.WallS))
}

// outOfTime reports whether a task's error is that its share of the time is
// over, and not that the user stopped it.
func outOfTime(all, task context.Context, err error) bool {
	over := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, mcmc.ErrInterrupted)
	return over && all.Err() == nil && errors.Is(task.Err(), context.DeadlineExceeded)
}

// fitted says of a task's estimates that the time was over: of those that there
// are which runs they are of, and for the others that there are none.
func (w *rbmWork) fitted(t rbmTask, done []*rbmLogzResult, share time.Duration) []*rbmLogzResult {
	took := max(share, 0).Round(time.Millisecond)
	for _, r := range done {
		if math.IsNaN(float64(r.LogZ)) { // of no run
			done = nil
			break
		}
		if r.Method == string(rbm.Exact) { // what others are relative to
			continue
		}
		r.Fit = rbmCut
		r.Warnings = append(r.Warnings, fmt.Sprintf("cut to what fits into %v of --time %v: the estimate is of the runs finished by then (%d), and another time gives another number of them",
			took, w.spec.Time, r.Runs))
	}
	if len(done) > 0 {
		return done
	}
	nan := math.NaN()
	for _, m := range t.models {
		e := &rbm.Estimate{Method: rbm.Estimator(t.method), LogZ: nan, SE: nan, CI95: [2]float64{nan, nan}, EffectiveRuns: nan,
			Warnings: []string{fmt.Sprintf("left out: nothing was finished in %v of --time %v; give more time, or name fewer --methods", took, w.spec.Time)}}
		r := newRBMLogzResult(w.spec.Models[m].Name, e, w.spent())
		r.Fit = rbmLeftOut
		done = append(done, r)
	}
	return done
}

// left is the time that all tasks from that of result k on will take, of which
// the one at hand has the given time left. A method is expected to take what it
// took for other machines, or else the mean of all tasks. It is no more than
// --time leaves.
func (w *rbmWork) left(k int, tasks []rbmTask, task time.Duration) time.Duration {
	all := progress.Unknown
	if task >= 0 {
		here := w.spent().WallS + task.Seconds()
		all = task
		for _, t := range tasks[k+len(tasks[k].models):] {
			all += span(w.expected(t.method, k, tasks, here))
		}
	}
	if w.spec.Time == 0 {
		return all
	}
	budget := max(w.spec.Time-span(w.state.UsedS+w.spent().WallS), 0)
	if all < 0 {
		return budget
	}
	return min(all, budget)
}

// expected is how long a method will take for a machine, in seconds, where the
// task of result k takes as long as here.
func (w *rbmWork) expected(method string, k int, tasks []rbmTask, here float64) float64 {
	same, n := 0.0, 0
	for i, t := range tasks[:k] {
		if t.method == method {
			same, n = same+w.state.Results[i].WallS/float64(len(t.models)), n+1
		}
	}
	if tasks[k].method == method {
		same, n = same+here, n+len(tasks[k].models)
	}
	if n > 0 {
		return same / float64(n)
	}
	return (w.state.UsedS + here) / float64(k+len(tasks[k].models))
}

func span(seconds float64) time.Duration {
	return time.Duration(min(seconds, math.MaxInt64/2e9) * float64(time.Second))
}
