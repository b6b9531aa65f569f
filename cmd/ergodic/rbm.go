package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/progress"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rbm"
	"github.com/ergodic-mcmc/ergodic/rng"
)

type rbmCmd struct {
	Logz    rbmLogzCmd    `cmd:"" name:"logz" help:"Find log Z of machines."`
	Loglik  rbmLoglikCmd  `cmd:"" name:"loglik" help:"Find the log likelihood of data."`
	Compare rbmCompareCmd `cmd:"" name:"compare" help:"Compare methods on machines: log Z, errors, costs and log likelihoods."`
	Train   rbmTrainCmd   `cmd:"" name:"train" help:"Train a machine."`
	Sample  rbmSampleCmd  `cmd:"" name:"sample" help:"Draw samples, reconstructions and filters of a machine."`
}

// rbmDataFlags say how cases are read from a file.
type rbmDataFlags struct {
	Array     string   `help:"The array of the data; default: testbatchdata, MNIST_for_log or the only one." placeholder:"NAME"`
	Threshold *float64 `help:"Turn grey levels, from 0 to 1, into units that are on above this." placeholder:"LEVEL"`
	Draw      bool     `help:"Turn grey levels into units that are on with this probability."`
}

func (f *rbmDataFlags) check() error {
	if f.Threshold != nil && f.Draw {
		return usage("rbm: give --threshold or --draw, not both")
	}
	return checkThreshold(f.Threshold)
}

func checkThreshold(t *float64) error {
	if t != nil && !(*t >= 0 && *t <= 1) {
		return usage("rbm: --threshold %v: it must be from 0 to 1, as grey levels are", *t)
	}
	return nil
}

// read reads data for a machine's visible layer of the given width.
func (f *rbmDataFlags) read(file string, seed uint64) (*rbm.Data, error) {
	how := rbm.Binary{Array: f.Array}
	if f.Threshold != nil {
		how.Threshold, how.Above = true, *f.Threshold
	}
	if f.Draw {
		how.Draw = rng.New(seed, "rbm data").Rand
	}
	return rbm.ReadData(file, how)
}

// rbmProgress shows how far a job is: a line that is rewritten on a terminal,
// a line every ten seconds elsewhere, or objects.
type rbmProgress struct {
	notices  *job.Notices
	mode     string
	terminal bool
	what     string
	began    time.Time
	last     time.Time
	shown    bool

	whole func(task time.Duration) time.Duration // time left of the job, from that of this task; nil: there is no more to it
	phase time.Time                              // when the count of what is done began
	from  int                                    // and where: at what is resumed, or anew
	done  int
}

func newRBMProgress(v *job.Notices, mode, what string) *rbmProgress {
	now := time.Now()
	return &rbmProgress{notices: v, mode: mode, what: what, began: now, last: now,
		terminal: mode == "auto" && term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"}
}

// show is called by one goroutine at a time.
func (p *rbmProgress) show(at path.Progress) {
	if p.phase.IsZero() || at.Done < p.done {
		p.phase, p.from = time.Now(), at.Done
	}
	p.done = at.Done
	wait := 10 * time.Second
	switch {
	case p.mode == "none":
		return
	case p.terminal:
		wait = 100 * time.Millisecond
	case p.mode == "json":
		wait = time.Second
	}
	if time.Since(p.last) < wait {
		return
	}
	p.last = time.Now()
	elapsed := time.Since(p.began)
	left := p.left(at)
	text := fmt.Sprintf("%s: %d of %d done, %.3g moves, %.1f s, %s left", p.what, at.Done, at.Total, float64(at.Moves), elapsed.Seconds(), progress.Clock(left))
	switch {
	case p.terminal:
		p.shown = true
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", progress.Clip(text, terminalWidth(os.Stderr)-1)) // a full line would wrap
	case p.mode == "json":
		p.notices.Tell("progress", "", map[string]any{"what": p.what, "done": at.Done, "total": at.Total, "moves": at.Moves, "elapsed_s": milli(elapsed.Seconds()), "left_s": progress.Seconds(left)})
	default:
		p.notices.Print("%s", text)
	}
}

// left is the time left of the job.
func (p *rbmProgress) left(at path.Progress) time.Duration {
	task := progress.Left(at.Total-at.Done, float64(at.Done-p.from)/time.Since(p.phase).Seconds())
	if p.whole == nil {
		return task
	}
	return p.whole(task)
}

// clear takes the line away.
func (p *rbmProgress) clear() {
	if p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
