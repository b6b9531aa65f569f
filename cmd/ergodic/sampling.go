package main

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/report"
	"github.com/ergodic-mcmc/ergodic/tempering"
)

// sampling is a run of the sample job with everything it needs.
type sampling struct {
	*job.Run
	cmd    *sampleCmd
	each   [2]string // what has initial values of its own, one and several: chain, chains
	timing timing

	spec     runSpec
	extended bool // more draws are asked for than the run has been given
	loaded   *loaded
	job      *plan.Job
	criteria criteria
	notes    []string
	last     []*model.State // of each chain, when the run has ended
	compiled float64        // CPU seconds up to here

	stood       atomic.Pointer[report.Standing] // when the run was last judged by its goal
	judged      report.Summary                  // of so many draws
	judgedDraws int
}

// open finds what to run: from the flags, or from the folder to resume. The
// folder of a new run is made last, when all else is known to be sound.
func (s *sampling) open() (err error) {
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.cmd.Resume != "" {
		err = s.openResumed()
	} else {
		s.spec, err = s.cmd.newSpec()
	}
	if err != nil {
		return err
	}
	if s.loaded, err = load(s.spec.Model, s.spec.Dialect, s.spec.Data, s.spec.Sampler, s.spec.Seed); err != nil {
		return err
	}
	if err = s.makeJob(); err != nil {
		return err
	}
	if !s.Resumed {
		if err = s.Create(outFolder(s.cmd.Out, s.cmd.Model), s.cmd.Force, &s.spec); err != nil {
			return err
		}
	}
	s.compiled = cputime.Process()
	return nil
}

func (s *sampling) openResumed() error {
	var old runSpec
	err := s.Reopen(s.cmd.Resume, &old)
	if err != nil {
		return err
	}
	if s.spec, err = s.cmd.resumedSpec(&old); err != nil {
		return err
	}
	s.extended = s.spec.Draws > old.Draws
	return s.Same(&old, &s.spec, nil)
}

func (s *sampling) settings() mcmc.Settings {
	set := mcmc.Settings{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Draws, Thin: s.spec.Thin,
		Threads: s.cmd.Threads, SaveWarmup: s.spec.SaveWarmup, Checkpoint: s.cmd.Checkpoint, Fingerprint: s.spec.fingerprint(), More: s.more}
	if set.Warmup == 0 {
		set.Warmup = -1 // zero stands for the default
	}
	return set
}

// sample runs the job and summarises its draws.
func (s *sampling) sample() error {
	for _, n := range job.FewNotes(append(s.loaded.warnings, s.notes...)) {
		s.Say.Note(n)
	}
	s.Announce(&s.spec, map[string]any{"chains": s.spec.Chains, "warmup": s.spec.Warmup, "draws": s.spec.Draws, "thin": s.spec.Thin})
	set := s.settings()
	w, err := s.prepare()
	if err != nil {
		return s.Refused(err)
	}
	res, err := s.run(set, w)
	if err != nil {
		return s.ended(res, err)
	}
	return s.finish(set, res)
}

// prepare makes the files of the run, so that a disk that cannot take them is
// known before the first draw.
func (s *sampling) prepare() (*draws.Writer, error) {
	l := s.layout()
	if err := draws.Fits(l.Posterior); err != nil {
		return nil, fmt.Errorf("a summary of what is recorded: %w", err)
	}
	if err := s.needRoom(l); err != nil {
		return nil, err
	}
	w, err := s.Dir.Draws(l, s.Resumed)
	if err != nil {
		return nil, err
	}
	return w, s.Begin(&s.spec, s.extended, map[string]any{"chains": s.spec.Chains, "warmup": s.spec.Warmup, "draws": s.spec.Draws, "thin": s.spec.Thin,
		"model": s.spec.Model.Path, "compile_cpu_s": milli(s.compiled)})
}

// run samples; Ctrl-C ends it with the state saved.
func (s *sampling) run(set mcmc.Settings, w *draws.Writer) (*mcmc.Result, error) {
	s.limits()
	if s.loaded.tempered {
		tempered, err := s.job.Tempered(set)
		if err != nil {
			return nil, err
		}
		return timed(s, tempered, (*tempering.State[*model.State]).Cold, set, w)
	}
	return timed(s, s.job, func(state *model.State) *model.State { return state }, set, w)
}

// timed runs the plan's job, or one over it. The states of that tell those that are recorded.
func timed[S any](s *sampling, j mcmc.Weighed[S], recorded func(state S) *model.State, set mcmc.Settings, w *draws.Writer) (*mcmc.Result, error) {
	states := make([]S, set.Chains)
	state := func(chain int) *model.State { return recorded(states[chain]) }
	res, err := job.Sample[S](s.Run, timedJob[S]{j, &s.timing, states}, set, w, s.cmd.Progress, func(rec mcmc.Recorder) mcmc.Recorder {
		return &timedRecorder{rec, &s.timing, s.job, state}
	})
	if err == nil {
		for c := range states {
			s.last = append(s.last, state(c))
		}
	}
	return res, err
}

// ended accounts for a run that did not come to its end.
func (s *sampling) ended(res *mcmc.Result, err error) error {
	s.spend()
	if s.TimeUp && errors.Is(err, mcmc.ErrInterrupted) {
		return s.tooShort()
	}
	if errors.Is(err, mcmc.ErrInterrupted) {
		return s.Ended(s.timing.fields())
	}
	err = s.loaded.compiled.Explain(err)
	moved := s.Resumed
	if res != nil {
		for _, c := range res.Chains {
			moved = moved || c.Iterations > 0
		}
	}
	if err = s.Failed(err, moved); res != nil && moved { // without a result the run could not even go on
		err = fmt.Errorf("%w\n  %s", err, s.ResumeCommand())
	}
	return err
}

// spend notes the time that this process took. A run whose folder cannot be
// written any more has worse troubles.
func (s *sampling) spend() {
	s.spec.WallS = milli(s.spec.WallS + time.Since(s.timing.began).Seconds())
	_ = s.Dir.WriteJSON(rundir.SpecFile, &s.spec)
}
