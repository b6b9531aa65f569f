// Package job is the life of a run of the command: its inputs with their hashes, what it was started with, its folder, new, resumed or
// extended, its log, what it says, an interruption, a failure, its end. A subcommand hands it a specification, and does
// the rest between Begin and Finish.
package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/runner"
)

// Exit statuses besides 0, done, and 1, bad input or failure.
const (
	Usage       = 2
	Warned      = 3 // warnings, where they are asked to count
	Interrupted = 130
)

// Exit carries an exit status out of a command; Err is nil when all has
// been said.
type Exit struct {
	Code int
	Err  error
}

func (e Exit) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

// Run is one run of a command.
type Run struct {
	Name    string // of the command: "rbm train"
	Version string // of the program
	Say     *Notices
	Below   func(width, height int) []string // lines under the live table of [Sample]; nil: none
	Goal    func() string                    // what the chains of [Sample] are to reach, and how far they were when last judged; nil: none
	Limit   time.Duration                    // of the time of [Sample], when its chains have as many draws each as the furthest; 0: none
	TimeUp  bool                             // the limit has ended it

	Dir     *rundir.Dir // nil where nothing is kept
	Resumed bool
}

// Reopen opens the folder of an earlier run and reads what it was started with.
func (r *Run) Reopen(path string, was Spec) error {
	var err error
	if r.Dir, err = rundir.Resume(path); err != nil {
		return err
	}
	r.Resumed = true
	var of struct{ Head } // whatever else the job keeps
	err = r.Dir.ReadJSON(rundir.SpecFile, &of)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s cannot be resumed: there is no %s; if the run was killed as it began, start it again as you did, with the same --out", path, filepath.Join(path, rundir.SpecFile))
	case err == nil && of.Job != "" && of.Job != r.Name:
		return fmt.Errorf("%s cannot be resumed: it is a run of ergodic %s", path, of.Job)
	case err == nil:
		err = r.Dir.ReadJSON(rundir.SpecFile, was)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be resumed: %w", path, err)
	}
	h := was.head()
	h.Job = r.Name
	if h.Ergodic != r.Version {
		r.Say.Note(fmt.Sprintf("the run was started by ergodic %s, and this is %s: the results may differ from an undisturbed run's", h.Ergodic, r.Version))
	}
	return nil
}

// Same refuses to go on with a run that was started otherwise: see [Differs].
func (r *Run) Same(was, now, usual Spec) error {
	if d := Differs(was, now, usual); d != "" {
		return fmt.Errorf("--resume %s: %s; go on as it was started, or start a new run", r.Dir.Path(), d)
	}
	return nil
}

// Create makes the folder of a new run.
func (r *Run) Create(path string, force bool, spec Spec) (err error) {
	if r.Dir, err = rundir.Create(path, force); err != nil {
		return err
	}
	if err := os.MkdirAll(r.Dir.Checkpoint(), 0o777); err != nil {
		return err
	}
	return r.Dir.WriteJSON(rundir.SpecFile, spec)
}

// Announce says the seed and the folder.
func (r *Run) Announce(spec Spec, fields map[string]any) {
	all := map[string]any{"seed": spec.head().Seed, "folder": r.Dir.Path()}
	maps.Copy(all, fields)
	r.Say.Tell("start", fmt.Sprintf("seed %d, folder %s", spec.head().Seed, r.Dir.Path()), all)
}

// Begin notes in the folder that the run starts or goes on; one that is extended is not finished any more.
func (r *Run) Begin(spec Spec, extended bool, fields map[string]any) error {
	event := "start"
	if r.Resumed {
		event = "resume"
		if extended {
			event = "extend"
			if err := r.Dir.Unfinish(); err != nil {
				return err
			}
		}
		if err := r.Dir.WriteJSON(rundir.SpecFile, spec); err != nil {
			return err
		}
	}
	all := map[string]any{"ergodic": r.Version, "seed": spec.head().Seed}
	maps.Copy(all, fields)
	return r.Dir.Log(event, all)
}

// Interruptible gives a context that the first Ctrl-C, SIGTERM or SIGHUP ends; doing says what is done then.
func (r *Run) Interruptible(doing string) (ctx context.Context, stop func()) {
	return Interruptible(func() { r.Say.Tell("interrupting", doing+"; once more kills at once", nil) })
}

// ResumeCommand is what goes on with the run.
func (r *Run) ResumeCommand() string {
	return "ergodic " + r.Name + " --resume " + Quoted(r.Dir.Path())
}

// WasInterrupted tells an interruption from other errors.
func WasInterrupted(err error) bool {
	return errors.Is(err, runner.ErrInterrupted) || errors.Is(err, context.Canceled)
}

// Ended accounts for a run that was interrupted, and is the error that ends the command.
func (r *Run) Ended(fields map[string]any) error {
	if e := r.Dir.Log("interrupted", fields); e != nil {
		r.Say.Note(e.Error())
	}
	resume := r.ResumeCommand()
	r.Say.Tell("interrupted", "interrupted; the state is saved. Go on with:\n  "+resume, map[string]any{"resume": resume})
	return Exit{Code: Interrupted}
}

// Refused ends a run that cannot begin: a new folder goes, one that is resumed stays as it was.
func (r *Run) Refused(err error) error {
	if r.Dir == nil || r.Resumed {
		return err
	}
	return errors.Join(err, r.Dir.Discard())
}

// Failed accounts for a run that failed. Where nothing of it is worth keeping, its folder goes.
func (r *Run) Failed(err error, worth bool) error {
	if r.Dir == nil || !worth && !r.Resumed {
		return r.Refused(err)
	}
	r.Dir.Log("failed", map[string]any{"error": err.Error()}) // the error that matters is err
	return err
}

// Finish writes the summary and the end of the log.
func (r *Run) Finish(s *rundir.Summary, fields map[string]any) error {
	if err := r.Dir.WriteSummary(s); err != nil {
		return err
	}
	return r.Dir.Log("done", fields)
}

// Close lets go of the folder.
func (r *Run) Close() {
	if r.Dir != nil {
		r.Dir.Close()
	}
}
