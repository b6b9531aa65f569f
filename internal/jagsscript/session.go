package jagsscript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/model/plan"
)

// Session carries out commands, one after the other.
type Session struct {
	Out  io.Writer // what JAGS prints on its standard output
	Note func(text string)
	Seed uint64
	// SeedNote is said where the seed is used for chains; "": nothing.
	SeedNote string
	Threads  int
	Dialect  bugs.Dialect // of the models; "": JAGS's, unless the text leaves no doubt
	Bars     bool         // progress of every update, as JAGS shows it to who types commands; otherwise of those with by()
	// Interruptible gives a context for an update, which Ctrl-C ends.
	Interruptible func() (ctx context.Context, stop func())

	dir     string // "": the process's
	nested  int    // scripts that run one another
	modules []string

	deleted  bool // the model read last has been let go, and that told
	program  *bugs.Program
	data     *bugs.Data
	compiled *bugs.Compiled
	plan     *plan.Plan

	given   []chainInits // by chain
	states  []*model.State
	kernels []mcmc.Kernel[*model.State]
	seed    uint64 // of the chains
	phases  uint64 // runs of the chains so far

	iteration int
	tuned     int // iterations of the longest phase in which the kernels were tuned
	adapting  bool
	recorded  bool // something has been monitored
	monitors  []*monitor
	nodes     *nodes // of the phase under way; nil: no monitor is of observed nodes
}

// chainInits are the initial values of a chain, and what its files say of random numbers.
type chainInits struct {
	values model.Inits
	rng    string
}

// ErrExit is the error of the command exit.
var ErrExit = errors.New("exit")

// words are an error in the words of JAGS, which programs that call it look for.
type words string

func (w words) Error() string { return string(w) }

// maxNested is how deep scripts run one another.
const maxNested = 20

// Script runs all commands of a script. An error names the file and the line of its command.
func (s *Session) Script(name string, r io.Reader) error {
	in := NewReader(r)
	for {
		c, err := in.Next()
		line := c.Line
		var bad *SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			line = bad.Line
		case err == nil:
			err = s.Do(c)
		default:
			line = in.Line()
		}
		if err != nil {
			return s.placed(name, line, err)
		}
	}
}

// placed puts the place of a command before its error. Errors of model and data files have their own.
func (s *Session) placed(name string, line int, err error) error {
	if errors.Is(err, ErrExit) {
		return err
	}
	return fmt.Errorf("%s:%d: %w", name, line, err)
}

func (s *Session) printf(format string, args ...any) { fmt.Fprintf(s.Out, format, args...) }

// path is where a file of a command lies.
func (s *Session) path(name string) string {
	if filepath.IsAbs(name) || s.dir == "" {
		return name
	}
	return filepath.Join(s.dir, name)
}

// folder is the folder that commands work in.
func (s *Session) folder() (string, error) {
	if s.dir != "" {
		return s.dir, nil
	}
	return os.Getwd()
}

// need fails without a model that is compiled, or without chains that have started.
func (s *Session) need(what string, started bool) error {
	switch {
	case s.plan == nil:
		return words(what + ". No model!")
	case started && s.states == nil:
		return words(what + ". The model is not initialized: say initialize first")
	}
	return nil
}

func (s *Session) clearModel() {
	if s.program != nil {
		s.tellDeleted()
	}
	s.program = nil
	s.clearCompiled()
}

func (s *Session) tellDeleted() {
	s.deleted = true
	s.printf("Deleting model\n")
}

// modelClear tells of it even where there is no model, as JAGS does.
func (s *Session) modelClear(string, map[string]string) error {
	if s.program == nil {
		s.tellDeleted()
	}
	s.clearModel()
	return nil
}

func (s *Session) clearCompiled() {
	s.compiled, s.plan, s.given, s.states, s.kernels, s.monitors = nil, nil, nil, nil, nil, nil
	s.iteration, s.tuned, s.adapting, s.recorded = 0, 0, false, false
}

// End lets go of the model, as JAGS says at its end.
func (s *Session) End() { s.clearModel() }

// Fail is End after an error. runjags waits until it reads of the model's end, whether or not there was one.
func (s *Session) Fail() {
	s.clearModel()
	if !s.deleted {
		s.tellDeleted()
	}
}

// runtimeError puts words before an error that programs which call JAGS look for.
func (s *Session) runtimeError(err error) error {
	s.Note("RUNTIME ERROR:")
	return err
}

// positive reads the number of an option; fallback where it is not given.
func positive(what, text string, fallback int) (int, error) {
	if text == "" {
		return fallback, nil
	}
	x, err := strconv.ParseFloat(text, 64) // R writes by(16.67) where it divides
	if err != nil || !(x >= 0.5) || x > math.MaxInt32 {
		return 0, fmt.Errorf("%s is %s: it must be a number from 1 to %d", what, wording.Quote(text), math.MaxInt32)
	}
	return int(math.Round(x)), nil
}

// listed says which of some names was meant.
func listed(name string, known []string) string {
	if near := wording.Nearest(name, known); near != "" {
		return "did you mean " + near + "?"
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	return "there are " + strings.Join(slices.Compact(sorted), ", ")
}

// Interactive carries out commands as they are typed, after a prompt each. A command that fails is told of, and the next one read; only
// an interruption and a fault of reading end the session before exit and the end of the input do.
func (s *Session) Interactive(r io.Reader) error {
	in := NewReader(r)
	for {
		if len(in.next) == 0 {
			s.printf(". ")
		}
		c, err := in.Next()
		var bad *SyntaxError
		switch {
		case errors.Is(err, io.EOF):
			s.printf("\n")
			return nil
		case err == nil:
			err = s.Do(c)
		case !errors.As(err, &bad):
			return err
		}
		switch {
		case errors.Is(err, ErrExit), errors.Is(err, mcmc.ErrInterrupted):
			return err
		case err != nil:
			s.Note(err.Error())
		}
	}
}
