package main

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// timing is when things first happened, in nanoseconds since the command
// began; 0 for not yet. They go to log.jsonl.
type timing struct {
	began       time.Time
	state, draw atomic.Int64
	probe       float64 // CPU seconds that looking for parts without a chain took
}

func (m *timing) at(first *atomic.Int64) {
	if first.Load() == 0 {
		first.CompareAndSwap(0, int64(time.Since(m.began)))
	}
}

func (m *timing) fields() map[string]any {
	f := map[string]any{"wall_s": milli(time.Since(m.began).Seconds())}
	if n := m.state.Load(); n > 0 {
		f["first_state_s"] = milli(time.Duration(n).Seconds())
	}
	if n := m.draw.Load(); n > 0 {
		f["first_draw_s"] = milli(time.Duration(n).Seconds())
	}
	return f
}

// timedJob notes when the first chain had a state to move from, and keeps the
// chains' states, which hold what is counted of their draws.
type timedJob[S any] struct {
	mcmc.Weighed[S]
	timing *timing
	states []S // by chain
}

func (j timedJob[S]) StartApart(ctx context.Context, at mcmc.Place, r *rand.Rand) (s S, err error) {
	if job, ok := j.Weighed.(mcmc.Spread[S]); ok {
		s, err = job.StartApart(ctx, at, r)
	} else {
		s, err = j.Start(ctx, at.Chain, r)
	}
	j.timing.at(&j.timing.state)
	j.states[at.Chain] = s
	return s, err
}

func (j timedJob[S]) UnmarshalState(chain int, b []byte) (S, error) {
	s, err := j.Weighed.UnmarshalState(chain, b)
	j.states[chain] = s
	return s, err
}

// timedRecorder notes when the first draw after warm-up was kept, and counts those that are far out.
type timedRecorder struct {
	mcmc.Recorder
	timing *timing
	job    *plan.Job
	state  func(chain int) *model.State // that is recorded
}

func (r *timedRecorder) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	if !warmup {
		r.timing.at(&r.timing.draw)
		r.job.NoteFar(r.state(chain))
	}
	return r.Recorder.Append(chain, warmup, draw, stat)
}

// Statistics are those that the recorder keeps.
func (r *timedRecorder) Statistics() []string { return mcmc.StatisticsOf(r.Recorder) }
