package main

import (
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
	"github.com/ergodic-mcmc/ergodic/report"
)

// untilFlags say when a run ends that is not ended by a number of draws.
type untilFlags struct {
	Until    *string        `help:"Go on after the first --draws until the summary is so good: 'ess=400,rhat=1.01'." placeholder:"GOAL" sep:"none"`
	MaxDraws *int           `help:"Draws of each chain at which --until gives up (100 times --draws, or what --time allows)." placeholder:"N"`
	Time     *time.Duration `help:"End the run after this time, with as many draws of each chain as there are then." placeholder:"DURATION"`
}

// untilSpec is what a run keeps of when it is to end. Draws of the run are those that it is on the way to, or has.
type untilSpec struct {
	Until    string            `json:"until,omitempty" resume:"any"`
	MaxDraws int               `json:"max_draws,omitempty" resume:"any"` // 0 with neither Until nor Time
	Time     time.Duration     `json:"time_ns,omitempty" resume:"any"`
	Judged   []report.Standing `json:"judged,omitempty" resume:"any"`
}

// How a run ended, in summary.json.
const (
	endedByGoal  = "goal"
	endedByDraws = "max-draws"
	endedByTime  = "time"
)

// manyFirst is how many times the first draws --until goes on to where no limit is given.
const manyFirst = 100

// override takes over the flags that were given; first are the draws of each chain, of a new run or of one that goes on.
func (f *untilFlags) override(s *untilSpec, first *int) error {
	if f.Until != nil {
		goal, err := report.ParseGoal(*f.Until)
		if err != nil {
			return usage("sample: --until: %w", err)
		}
		s.Until = goal.String()
	}
	if f.Time != nil {
		if s.Time = *f.Time; s.Time <= 0 {
			return usage("sample: --time %v: it must be more than 0", s.Time)
		}
		if s.Until == "" && s.MaxDraws != 0 {
			*first = max(*first, s.MaxDraws)
		}
	}
	if f.MaxDraws != nil {
		s.MaxDraws = *f.MaxDraws
	}
	switch {
	case s.Until == "" && f.MaxDraws != nil:
		return usage("sample: --max-draws is for --until; without it --draws says how many")
	case s.Until == "":
		s.MaxDraws = 0
		if s.Time != 0 {
			s.MaxDraws = *first
		}
		return nil
	case s.MaxDraws == 0 && s.Time == 0:
		s.MaxDraws = min(*first, math.MaxInt32/manyFirst) * manyFirst
	case s.MaxDraws == 0:
		s.MaxDraws = math.MaxInt32
	}
	if s.MaxDraws < *first || s.MaxDraws > math.MaxInt32 {
		return usage("sample: --max-draws %d: it must be from the %d of --draws to %d", s.MaxDraws, *first, math.MaxInt32)
	}
	return nil
}

// goal is what is to be reached; ok is false where there is none.
func (s *untilSpec) goal() (g report.Goal, ok bool) {
	if s.Until == "" {
		return g, false
	}
	g, err := report.ParseGoal(s.Until)
	return g, err == nil // it was written by override
}

// limits readies the run to end by --until and --time.
func (s *sampling) limits() {
	if s.spec.Time != 0 {
		s.Limit = max(s.timeLeft(), 1)
	}
	if _, ok := s.spec.goal(); ok {
		s.Goal = s.stands
	}
}

func (s *sampling) timeLeft() time.Duration {
	return s.spec.Time - time.Duration(s.spec.WallS*float64(time.Second)) - time.Since(s.timing.began)
}

// stands tells the goal and how far the run was when last judged.
func (s *sampling) stands() string {
	if at := s.stood.Load(); at != nil {
		return fmt.Sprintf("%s: %s at %s", s.spec.Until, at, wording.Count(at.Draws, "draw", "draws"))
	}
	return s.spec.Until
}

// more judges the draws, which all chains have as many of, and says how many to go on to.
func (s *sampling) more(n int) (int, error) {
	goal, ok := s.spec.goal()
	if !ok {
		return n, nil
	}
	r, err := draws.Open(s.Dir.File(rundir.DrawsFolder))
	if err != nil {
		return 0, err
	}
	at, err := s.judge(goal, r, n)
	if err != nil {
		return 0, err
	}
	s.stood.Store(&at)
	if err := s.Dir.Log("judge", map[string]any{"draws": n, "ess": at.ESS, "rhat": at.Rhat, "met": at.Met}); err != nil {
		return 0, err
	}
	if s.Say.JSON {
		s.Say.Tell("judge", "", map[string]any{"goal": s.spec.Until, "standing": at})
	}
	if at.Met || n >= s.spec.MaxDraws || s.spec.Time != 0 && s.timeLeft() <= 0 {
		return n, nil
	}
	next := goal.Next(at, s.spec.MaxDraws)
	l := s.layout()
	if err := s.Dir.NeedRoom(l.Forecast(r, s.spec.Warmup/s.spec.Thin, next)); err != nil {
		return 0, err
	}
	if err := s.Dir.Unfinish(); err != nil {
		return 0, err
	}
	s.spec.Draws = next // before the first of them, so that a run that is killed knows where it was going
	return next, s.Dir.WriteJSON(rundir.SpecFile, &s.spec)
}

// judge summarises the draws and notes how far they are from the goal.
func (s *sampling) judge(goal report.Goal, r *draws.Reader, n int) (report.Standing, error) {
	j, err := report.Summarize(r, s.cmd.Threads)
	if err != nil {
		return report.Standing{}, err
	}
	s.judged, s.judgedDraws = j, n
	at := goal.Judge(j.Parameters, n)
	all := s.spec.Judged
	for len(all) > 0 && all[len(all)-1].Draws >= n { // of a run that goes on
		all = all[:len(all)-1]
	}
	s.spec.Judged = append(all, at)
	return at, nil
}

// came notes with how many draws the run ended, and why: "" where it was by their number alone.
func (s *sampling) came(n int) (why string) {
	early := n < s.spec.Draws
	s.spec.Draws = n
	switch goal, ok := s.spec.goal(); {
	case !ok && !early:
		return ""
	case ok && goal.Judge(s.judged.Parameters, n).Met:
		return endedByGoal
	case early, ok && n < s.spec.MaxDraws:
		return endedByTime
	}
	return endedByDraws
}

// until says of the summary's run how it ended, and warns where that was not by its goal.
func (s *sampling) until(why string) (*rundir.Until, []report.Warning) {
	goal, ok := s.spec.goal()
	if why == "" {
		return nil, nil
	}
	n := s.spec.Draws
	u := &rundir.Until{Goal: s.spec.Until, Ended: why, Judged: s.spec.Judged}
	longer, ended := fmt.Sprintf("--max-draws %d", 2*n), "--max-draws was reached"
	if why == endedByTime {
		longer, ended = fmt.Sprintf("--time %v", 2*s.spec.Time), "--time was up"
	}
	longer = fmt.Sprintf(" (go on with ergodic sample --resume %s %s)", job.Quoted(s.Dir.Path()), longer)
	switch {
	case why == endedByGoal:
		at := u.Judged[len(u.Judged)-1]
		s.Say.Tell("reached", fmt.Sprintf("reached %s after %s a chain: %s", s.spec.Until, wording.Count(n, "draw", "draws"), at),
			map[string]any{"goal": s.spec.Until, "standing": at})
		return u, nil
	case ok:
		w := report.Missed(goal, u.Judged[len(u.Judged)-1], ended)
		w.Message += longer
		return u, []report.Warning{w}
	}
	return u, []report.Warning{{Code: report.CodeUntil, Value: report.Number(n),
		Message: fmt.Sprintf("--time was up after %d of %s a chain%s", n, wording.Count(s.spec.MaxDraws, "draw", "draws"), longer)}}
}

// tooShort is the end of a run whose time was up before there was a draw.
func (s *sampling) tooShort() error {
	_ = s.Dir.Log("interrupted", s.timing.fields()) // the run has worse troubles
	return job.Exit{Code: job.Interrupted, Err: fmt.Errorf("--time %v was up before the first draw; the state is saved. Go on with more, such as\n  %s --time %v",
		s.spec.Time, s.ResumeCommand(), 2*s.spec.Time)}
}
