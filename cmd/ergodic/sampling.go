package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// sampling is a run of the sample job with everything it needs.
type sampling struct {
	cmd     *sampleCmd
	notices *notices
	marks   marks
	resume  bool

	spec     runSpec
	extended bool // more draws are asked for than the run has been given
	dir      *rundir.Dir
	loaded   *loaded
	job      *plan.Job
	notes    []string
	last     []*model.State // of each chain, when the run has ended
	compiled float64        // CPU seconds up to here
}

// open finds what to run: from the flags, or from the folder to resume. The
// folder of a new run is made last, when all else is known to be sound.
func (s *sampling) open() (err error) {
	defer func() {
		if err != nil && s.dir != nil {
			s.dir.Close()
		}
	}()
	if s.resume {
		err = s.openResumed()
	} else {
		s.spec, err = s.cmd.newSpec()
	}
	if err != nil {
		return err
	}
	if s.loaded, err = load(s.spec.Model, s.spec.Data, s.spec.Sampler, s.spec.Seed); err != nil {
		return err
	}
	if err = s.makeJob(); err != nil {
		return err
	}
	if !s.resume {
		if s.dir, err = rundir.Create(outFolder(s.cmd.Out, s.cmd.Model), s.cmd.Force); err != nil {
			return err
		}
	}
	s.compiled = mcmc.ProcessCPU()
	return nil
}

func (s *sampling) openResumed() (err error) {
	if s.dir, err = rundir.Resume(s.cmd.Resume); err != nil {
		return err
	}
	var old runSpec
	if err = s.dir.ReadJSON(rundir.SpecFile, &old); err != nil {
		return fmt.Errorf("%s cannot be resumed: %w", s.cmd.Resume, err)
	}
	if s.spec, err = s.cmd.resumedSpec(old); err != nil {
		return err
	}
	s.extended = s.spec.Draws > old.Draws
	if old.Ergodic != version {
		s.notes = append(s.notes, fmt.Sprintf("the run was started by ergodic %s, and this is %s: the draws may differ from an undisturbed run's", old.Ergodic, version))
	}
	return nil
}

func (s *sampling) settings() mcmc.Settings {
	set := mcmc.Settings{Seed: s.spec.Seed, Chains: s.spec.Chains, Warmup: s.spec.Warmup, Draws: s.spec.Draws, Thin: s.spec.Thin,
		Threads: s.cmd.Threads, SaveWarmup: s.spec.SaveWarmup, Dir: s.dir.Checkpoint(), Checkpoint: s.cmd.Checkpoint,
		Resume: s.resume, Fingerprint: s.spec.fingerprint()}
	if set.Warmup == 0 {
		set.Warmup = -1 // zero stands for the default
	}
	return set
}

// sample runs the job and summarises its draws.
func (s *sampling) sample() error {
	for _, n := range fewNotes(append(s.loaded.warnings, s.notes...)) {
		s.notices.note(n)
	}
	s.notices.tell("start", fmt.Sprintf("seed %d, folder %s", s.spec.Seed, s.dir.Path()),
		map[string]any{"seed": s.spec.Seed, "folder": s.dir.Path(), "chains": s.spec.Chains, "warmup": s.spec.Warmup, "draws": s.spec.Draws, "thin": s.spec.Thin})
	set := s.settings()
	w, err := s.prepare()
	if err != nil {
		s.abandon()
		return err
	}
	res, err := s.run(set, w)
	if err != nil {
		return s.failed(res, err)
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
	if !s.resume { // first of all files: a folder without it holds no run
		if err := s.dir.WriteJSON(rundir.SpecFile, s.spec); err != nil {
			return nil, err
		}
	}
	w, err := s.dir.Draws(l, s.resume)
	if err != nil {
		return nil, err
	}
	event := "start"
	if s.resume {
		event = "resume"
	}
	if s.extended {
		event = "extend"
		if err := s.dir.Unfinish(); err != nil {
			return nil, err
		}
	}
	if s.resume {
		if err := s.dir.WriteJSON(rundir.SpecFile, s.spec); err != nil {
			return nil, err
		}
	}
	return w, s.dir.Log(event, map[string]any{"ergodic": version, "seed": s.spec.Seed, "chains": s.spec.Chains, "warmup": s.spec.Warmup,
		"draws": s.spec.Draws, "thin": s.spec.Thin, "model": s.spec.Model.Path, "compile_cpu_s": milli(s.compiled)})
}

// run samples; Ctrl-C ends it with the state saved.
func (s *sampling) run(set mcmc.Settings, w *draws.Writer) (*mcmc.Result, error) {
	show := progress.New(progress.Mode(s.cmd.Progress), os.Stderr, progress.Run{Variables: s.layout().Posterior, Chains: set.Chains, Thin: set.Thin})
	s.notices.say = show.Say
	ctx, stop := interruptible(func() {
		s.notices.tell("interrupting", "saving the state; once more kills at once", nil)
	})
	defer stop()
	s.last = make([]*model.State, set.Chains)
	job := markedJob{s.job, &s.marks, s.last}
	rec := markedRecorder{show.Watch(mcmc.RecordTo(w)), job}
	res, err := mcmc.Run[*model.State](ctx, job, set, rec, show.Observer())
	if closed := w.Close(); err == nil {
		err = closed
	}
	return res, err
}

// failed accounts for a run that did not come to its end.
func (s *sampling) failed(res *mcmc.Result, err error) error {
	s.spend()
	if errors.Is(err, mcmc.ErrInterrupted) {
		resume := resumeCommand(s.dir.Path())
		if e := s.dir.Log("interrupted", s.marks.fields()); e != nil {
			s.notices.note(e.Error())
		}
		s.notices.tell("interrupted", "interrupted; the state is saved. Go on with:\n  "+resume, map[string]any{"resume": resume})
		return exitError{code: exitInterrupted}
	}
	err = s.loaded.compiled.Explain(err)
	moved := s.resume
	if res != nil {
		for _, c := range res.Chains {
			moved = moved || c.Iterations > 0
		}
	}
	if !moved {
		s.abandon()
		return err
	}
	s.dir.Log("failed", map[string]any{"error": err.Error()}) // the error that matters is err
	return fmt.Errorf("%w\n  %s", err, resumeCommand(s.dir.Path()))
}

// spend notes the time that this process took. A run whose folder cannot be
// written any more has worse troubles.
func (s *sampling) spend() {
	s.spec.WallS = milli(s.spec.WallS + time.Since(s.marks.began).Seconds())
	_ = s.dir.WriteJSON(rundir.SpecFile, s.spec)
}

// abandon removes the folder of a run that never made a draw.
func (s *sampling) abandon() {
	if !s.resume {
		s.dir.Discard()
	}
}
