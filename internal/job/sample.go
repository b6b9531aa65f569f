package job

import (
	"os"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Sample runs the chains of a job into the draws of the run, shows their progress, and is interrupted by Ctrl-C with the state
// saved. The settings' Dir and Resume are those of the run. A wrap that is not nil is put around the recorder.
func Sample[S any](r *Run, j mcmc.Job[S], set mcmc.Settings, w *draws.Writer, show string, wrap func(mcmc.Recorder) mcmc.Recorder) (*mcmc.Result, error) {
	at := progress.New(progress.Mode(show), os.Stderr, progress.Run{Variables: w.Layout().Posterior, Chains: set.Chains, Thin: set.Thin, Below: r.Below, Goal: r.Goal})
	r.Say.Print = at.Say
	ctx, stop := r.Interruptible("saving the state")
	defer stop()
	rec := at.Watch(mcmc.RecordTo(w))
	if wrap != nil {
		rec = wrap(rec)
	}
	set.Dir, set.Resume = r.Dir.Checkpoint(), r.Resumed
	obs := at.Observer()
	watch := &limited{next: obs, limit: r.Limit, threads: set.WithDefaults().Threads, enough: make(chan struct{})}
	if r.Limit > 0 {
		set.Enough, obs = watch.enough, watch
	}
	res, err := mcmc.Run(ctx, j, set, rec, obs)
	r.TimeUp = watch.told && ctx.Err() == nil
	if closed := w.Close(); err == nil {
		err = closed
	}
	return res, err
}
