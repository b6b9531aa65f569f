package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// Mode is how a run tells of itself.
type Mode string

// The modes.
const (
	Auto Mode = "auto" // Table on a terminal, Lines elsewhere
	JSON Mode = "json"
	None Mode = "none"
)

// Run is what a reporter has to know of a run.
type Run struct {
	Variables []draws.Variable // diagnosed live; they come first in a draw
	Chains    int
	Thin      int
	// Below draws lines under the live table, where it has room for so many of this width; nil: none.
	Below func(width, height int) []string
	// Goal is what the run is to reach and how far it was when it was last judged; nil: it has none.
	Goal func() string
}

// Reporter watches one run. It implements [mcmc.Observer].
type Reporter struct {
	run   Run
	view  view
	live  *diag.Live
	worst diag.Worst
	again time.Time // when to diagnose again

	mu    sync.Mutex
	shown bool
	ended bool
	next  time.Duration // elapsed time of the next picture
}

// view is one way of showing a run.
type view interface {
	// wait is how long after the start the first picture comes, every the
	// time between two.
	wait() time.Duration
	every() time.Duration
	// final says whether the end of the run is shown, when a picture was
	// shown before or not.
	final(shown bool) bool
	show(p picture)
	// say writes a message so that it does not tangle with a picture.
	say(text string)
}

// New makes a reporter that writes to f, or with [None] one that writes
// nothing but what it is told to [Reporter.Say].
func New(mode Mode, f *os.File, run Run) *Reporter {
	r := &Reporter{run: run}
	switch {
	case mode == JSON:
		r.view = &lines{w: f, format: jsonLine, period: time.Second, last: true}
	case mode == None:
		r.view = silent{f}
		return r
	case liveTerminal(f):
		r.view = newTable(f, os.Getenv, func() (int, int) {
			w, h, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 80, 24
			}
			return w, h
		}, run.Below)
	default:
		r.view = &lines{w: f, format: textLine, period: 10 * time.Second}
	}
	r.next = r.view.wait()
	return r
}

// Live tells whether progress is shown as a live table.
func Live(mode Mode, f *os.File) bool { return mode == Auto && liveTerminal(f) }

func liveTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" && enableEscapes(f)
}

// Observer is what to give [mcmc.Run]: nil when nothing is shown.
func (r *Reporter) Observer() mcmc.Observer {
	if _, ok := r.view.(silent); ok {
		return nil
	}
	return r
}

// watchedChains bounds the memory of the live diagnosis: a megabyte a chain.
const watchedChains = 32

// Watch passes draws on to rec and diagnoses a bounded sample of them.
func (r *Reporter) Watch(rec mcmc.Recorder) mcmc.Recorder {
	if r.Observer() == nil {
		return rec
	}
	n := 0
	for _, v := range r.run.Variables {
		n += v.Size()
	}
	r.live = diag.NewLive(min(r.run.Chains, watchedChains), n)
	return tee{rec, r.live}
}

type tee struct {
	mcmc.Recorder
	live *diag.Live
}

func (t tee) Append(chain int, warmup bool, draw []float64, stat mcmc.Stat) error {
	if !warmup {
		t.live.Add(chain, draw)
	}
	return t.Recorder.Append(chain, warmup, draw, stat)
}

// Statistics are those that the recorder keeps.
func (t tee) Statistics() []string { return mcmc.StatisticsOf(t.Recorder) }

// Progress shows where the run is, if it is time to.
func (r *Reporter) Progress(p mcmc.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := true
	for _, c := range p.Chains {
		ended = ended && c.Phase == mcmc.Done
	}
	if r.ended || ended && !r.view.final(r.shown) || !ended && p.Elapsed < r.next {
		return
	}
	r.ended = ended
	r.next = p.Elapsed + r.view.every()
	r.shown = true
	if !ended { // the summary follows
		r.look()
	}
	r.view.show(r.picture(p))
}

// diagnosing is the share of one core that live diagnosis may cost.
const diagnosing = 0.02

// look diagnoses the draws so far, seldom enough that it costs next to nothing.
func (r *Reporter) look() {
	now := time.Now()
	if r.live == nil || now.Before(r.again) {
		return
	}
	r.worst = r.live.Worst()
	spent := time.Since(now)
	r.again = now.Add(max(time.Second, time.Duration(float64(spent)/diagnosing)))
}

// Say writes a message between pictures.
func (r *Reporter) Say(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.view.say(fmt.Sprintf(format, args...))
}

// silent shows nothing.
type silent struct{ w io.Writer }

func (silent) wait() time.Duration  { return math.MaxInt64 }
func (silent) every() time.Duration { return math.MaxInt64 }
func (silent) final(bool) bool      { return false }
func (silent) show(picture)         {}
func (s silent) say(text string)    { fmt.Fprintln(s.w, text) }
