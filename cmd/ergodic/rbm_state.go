package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// rbmSpec is what determines the estimates; it is kept in the run's folder for
// --resume.
type rbmSpec struct {
	job.Head
	Models  []job.Input     `json:"models" what:"machine/machines"`
	Methods []rbm.Estimator `json:"methods" name:"method(s)"`
	Flags   rbmMethodFlags  `json:"flags"`
	Data    rbmDataFlags    `json:"data"`
	Train   []job.Input     `json:"train" what:"file of training data/files of training data"` // none or one
	Test    []job.Input     `json:"test" what:"file of test data/files of test data"`          // none or one
	Time    time.Duration   `json:"time,omitempty"`                                            // for all tasks; 0: as long as they take
}

// rbmSpent is what of a task's time went by before this process.
type rbmSpent struct {
	WallS float64 `json:"wall_s"`
	CPUS  float64 `json:"cpu_s"`
}

// rbmState is how far the work is: the results of finished tasks, the time that
// they took, and that which went into the task after them.
type rbmState struct {
	Origin  string                `json:"origin"`
	Results []*rbmreport.Estimate `json:"results"`
	UsedS   float64               `json:"used_s"`
	Spent   rbmSpent              `json:"spent"`
}

const rbmStateFile = "state.json" // in the folder of checkpoints

// spent is the time that went into the task at hand, by all processes.
func (w *rbmWork) spent() rbmSpent {
	return rbmSpent{w.state.Spent.WallS + time.Since(w.taskBegan).Seconds(), w.state.Spent.CPUS + cputime.Process() - w.cpu}
}

// hashes are those of all inputs.
func (s *rbmSpec) hashes() (all []string) {
	for _, in := range slices.Concat(s.Models, s.Train, s.Test) {
		all = append(all, in.SHA256)
	}
	return all
}

// keep writes down now and then what was spent, so that a process that is
// killed has not worked for free.
func (w *rbmWork) keep() {
	if w.Dir == nil || time.Since(w.saved) < w.flags.Checkpoint {
		return
	}
	w.saved = time.Now()
	// A disk that is full is noticed when the task ends.
	_ = w.save(w.spent())
}

func (w *rbmWork) save(spent rbmSpent) error {
	if w.Dir == nil {
		w.state.Spent = rbmSpent{}
		return nil
	}
	s := rbmState{w.spec.Origin, w.state.Results, w.state.UsedS, spent}
	err := w.Dir.WriteJSON(filepath.Join(rundir.CheckpointName, rbmStateFile), s)
	if spent == (rbmSpent{}) {
		w.state.Spent = spent
	}
	return err
}

// holdCheckpoints makes a folder for checkpoints where no run's folder was asked
// for, and returns what removes it.
func (w *rbmWork) holdCheckpoints() (remove func()) {
	if w.Dir != nil || w.unsaved != "" {
		return func() {}
	}
	var err error
	if w.temp, err = os.MkdirTemp("", "ergodic-"); err != nil {
		w.Say.Note("the work cannot be resumed: " + err.Error())
	}
	return func() { os.RemoveAll(w.temp) }
}

// keepInterrupted makes the folder of a run that is interrupted and has none,
// so that it can be resumed.
func (w *rbmWork) keepInterrupted() {
	if w.Dir != nil || w.temp == "" {
		return
	}
	task := len(w.state.Results)
	b, err := os.ReadFile(w.file(task))
	none := errors.Is(err, fs.ErrNotExist) // of a method without checkpoints, or too early
	if err == nil || none {
		err = w.Create(outFolder("", w.spec.Models[0].Name), false, &w.spec)
	}
	if err == nil && !none {
		err = atomicfile.Write(w.file(task), b, 0, true)
	}
	if err != nil {
		w.unsaved = err.Error()
	}
}

// readState takes over the state of an earlier process, if it left one.
func (w *rbmWork) readState() error {
	err := w.Dir.ReadJSON(filepath.Join(rundir.CheckpointName, rbmStateFile), &w.state)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && w.state.Origin != w.spec.Origin {
		err = fmt.Errorf("%s is of another run than %s; restore both from one copy",
			filepath.Join(w.Dir.Checkpoint(), rbmStateFile), w.Dir.File(rundir.SpecFile))
	}
	return err
}

// origin stands for all that the estimates depend on.
func (s *rbmSpec) origin() string {
	return rundir.Origin(s.Job, s.Methods, s.Flags, s.Data, s.hashes(), s.Seed, s.Time)
}
