package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/report"
)

type rbmTrainCmd struct {
	Data string `arg:"" optional:"" help:"Cases: .mat, .npy, .npz, or MNIST's IDX, gzip or not. Grey levels are drawn anew in every epoch unless --threshold is given."`
	rbmTrainFlags
	Out string `help:"The run's folder; default DATA-run, with a number when that exists." placeholder:"DIR"`
	resumable
}

const rbmTrainJob = "rbm train"

// Run trains a machine.
func (c *rbmTrainCmd) Run() error { return noticed(c.Progress, c.run) }

// rbmTraining is a training with everything it needs.
type rbmTraining struct {
	*job.Run
	cmd   *rbmTrainCmd
	began time.Time
	spec  rbmTrainSpec
	run   *rbm.TrainingRun
	cases int
	told  int // scores
	from  int // updates that earlier processes made
}

func (c *rbmTrainCmd) run(v *job.Notices) (err error) {
	began := time.Now()
	if err := c.check(rbmTrainJob, "the data", c.Data != "", c.Out); err != nil {
		return err
	}
	t := &rbmTraining{Run: &job.Run{Name: rbmTrainJob, Version: version, Say: v}, cmd: c, began: began}
	defer t.Close()
	if c.Resume != "" {
		err = t.reopen()
	} else {
		t.spec, err = c.spec()
	}
	if err == nil {
		err = t.prepare()
	}
	if err == nil && !t.Resumed {
		err = t.Create(outFolder(c.Out, c.Data), c.Force, &t.spec)
	}
	if err != nil {
		return err
	}
	return t.train()
}

// prepare reads the data and makes the training run.
func (t *rbmTraining) prepare() error {
	l, err := t.spec.greyLevels()
	if err != nil {
		return err
	}
	t.cases = l.Cases
	t.run, err = t.spec.trainingRun(l, cores(t.cmd.Threads))
	if err != nil {
		return fmt.Errorf("%s: %w", t.spec.Data.Name, err)
	}
	return nil
}

// train runs the training in the folder.
func (t *rbmTraining) train() error {
	t.Announce(&t.spec, nil)
	if err := t.Begin(&t.spec, false, map[string]any{"data": t.spec.Data.Path}); err != nil {
		return err
	}
	show := progress.NewCounter(progress.Mode(t.cmd.Progress), os.Stderr, "training")
	defer show.Clear()
	t.run.File, t.run.Interval = filepath.Join(t.Dir.Checkpoint(), "training"), t.cmd.Checkpoint
	if t.Resumed {
		if err := t.run.Resume(); err != nil {
			return err
		}
	}
	t.from, _ = t.run.Trainer.Updates()
	t.told = len(t.run.Scores())
	t.run.Progress = func() { t.progress(show) }
	ctx, stop := t.Interruptible("saving the state")
	defer stop()
	m, err := t.run.Run(ctx)
	show.Clear()
	if job.WasInterrupted(err) {
		return t.Ended(nil)
	}
	if err != nil {
		return t.Failed(err, true)
	}
	return t.finish(m)
}

// progress tells how far the training is, and logs new scores.
func (t *rbmTraining) progress(show *progress.Counter) {
	done, all := t.run.Trainer.Updates()
	scores := t.run.Scores()
	for ; t.told < len(scores); t.told++ {
		s := scores[t.told]
		// A log that cannot be written is noticed when the run ends.
		_ = t.Dir.Log("score", map[string]any{"epoch": s.Epoch, "value": report.Number(s.Value), "se": report.Number(s.SE),
			"wall_s": milli(time.Since(t.began).Seconds()), "cpu_s": milli(cputime.Process())})
	}
	show.What = fmt.Sprintf("epoch %d, rate %.3g", done/t.run.Trainer.Epoch(), t.run.Trainer.Rate())
	if n := len(scores); n > 0 {
		show.What += fmt.Sprintf(", %s %.2f", t.spec.plan().Evaluation.Measures(), scores[n-1].Value)
	}
	show.Show(progress.Count{Done: done, Total: all, Moves: int64(done)})
}

// The files of the machine.
const (
	rbmModelFile   = "model.npz"
	rbmModelMATLAB = "model.mat"
)

// finish writes the machine and the summary.
func (t *rbmTraining) finish(m *rbm.Model) error {
	files := []string{rbmModelFile}
	if given(t.spec.Flags.Mat, false) {
		files = append(files, rbmModelMATLAB)
	}
	for _, f := range files {
		path, err := t.Dir.Output(f)
		if err != nil {
			return err
		}
		if err := rbm.WriteModel(path, m); err != nil {
			return err
		}
	}
	r := t.result(m)
	s := &rundir.Summary{Ergodic: version, Job: rbmTrainJob, Origin: t.spec.Origin, Result: r, Warnings: []report.Warning{},
		Input: rundir.Input{Data: []rundir.File{t.spec.Data.File()}},
		Run:   rundir.Run{Seed: t.spec.Seed, Threads: cores(t.cmd.Threads), WallS: r.WallS, CPUS: rundir.CPU{Sampling: r.CPUS}}}
	if err := t.Finish(s, map[string]any{"wall_s": r.WallS, "cpu_s": r.CPUS, "updates": r.Updates}); err != nil {
		return err
	}
	if t.cmd.JSON {
		return printJSON(r)
	}
	return r.Write(os.Stdout)
}

func (t *rbmTraining) result(m *rbm.Model) *rbmreport.Training {
	done, all := t.run.Trainer.Updates()
	r := &rbmreport.Training{Visible: m.Visible, Hidden: m.Hidden, Method: string(t.spec.plan().Method), Cases: t.cases, Updates: done, StoppedEarly: done < all,
		Measure: t.spec.plan().Evaluation.Measures(), Model: t.Dir.File(rbmModelFile), WallS: milli(time.Since(t.began).Seconds()), CPUS: milli(cputime.Process())}
	r.UpdatesPerCPUS = report.Number(float64(done-t.from) / cputime.Process())
	if t.run.Validation != nil {
		r.Validation = t.run.Validation.Cases
	}
	r.Scores(t.run.Scores())
	return r
}
