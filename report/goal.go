package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Goal is how good a summary should be before a run ends. A bound of 0 is none.
type Goal struct {
	ESS  float64 `json:"ess,omitempty"`  // the least effective sample size, bulk and tail, of all chains together
	Rhat float64 `json:"rhat,omitempty"` // the largest R-hat
}

// goalForm is what a goal looks like.
const goalForm = "ess=400,rhat=1.01"

// ParseGoal reads a goal as in ess=400,rhat=1.01, of which one may be missing.
func ParseGoal(text string) (g Goal, err error) {
	at := 0
	for part := range strings.SplitSeq(text, ",") {
		if err := g.bound(part); err != nil {
			return Goal{}, fmt.Errorf("%s, at character %d: %w; write it as in %s", wording.Quote(text), at+1+len(part)-len(strings.TrimLeft(part, " ")), err, goalForm)
		}
		at += len(part) + 1
	}
	return g, nil
}

// bound reads one part of a goal.
func (g *Goal) bound(part string) error {
	name, number, ok := strings.Cut(part, "=")
	name, number = strings.TrimSpace(name), strings.TrimSpace(number)
	to := &g.ESS
	switch {
	case name == "rhat":
		to = &g.Rhat
	case name != "ess":
		return fmt.Errorf("there is no goal %s; there are ess and rhat", wording.Quote(name))
	}
	if !ok {
		return fmt.Errorf("%s has no number", name)
	}
	x, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return fmt.Errorf("%s is not a number", wording.Quote(number))
	case *to != 0:
		return fmt.Errorf("%s comes twice", name)
	case name == "ess" && !(x >= 1 && x <= 1e12):
		return fmt.Errorf("an effective sample size of %v; it must be from 1 to 1e12", x)
	case name == "rhat" && !(x > 1 && x <= 10):
		return fmt.Errorf("an R-hat of %v; it must be above 1, and 10 at most", x)
	}
	*to = x
	return nil
}

// String is what [ParseGoal] reads.
func (g Goal) String() string {
	var parts []string
	if g.ESS != 0 {
		parts = append(parts, "ess="+strconv.FormatFloat(g.ESS, 'g', -1, 64))
	}
	if g.Rhat != 0 {
		parts = append(parts, "rhat="+strconv.FormatFloat(g.Rhat, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

// Standing is how far a run is from its goal.
type Standing struct {
	Draws         int    `json:"draws"` // of a chain
	ESS           Number `json:"ess"`   // the least; NaN where no parameter has one
	ESSParameter  string `json:"ess_parameter,omitempty"`
	Rhat          Number `json:"rhat"` // the largest; NaN where no parameter has one
	RhatParameter string `json:"rhat_parameter,omitempty"`
	Met           bool   `json:"met"`
}

// Judge holds the summary of so many draws of each chain against the goal. Parameters without a number, which are constant or have draws that are
// not numbers, are left out: more draws would not change them.
func (g Goal) Judge(rows Parameters, draws int) Standing {
	s := Standing{Draws: draws, ESS: Number(math.NaN()), Rhat: Number(math.NaN())}
	for _, r := range rows {
		for _, e := range [...]Number{r.ESSBulk, r.ESSTail} {
			if e < s.ESS || math.IsNaN(float64(s.ESS)) && !math.IsNaN(float64(e)) {
				s.ESS, s.ESSParameter = e, r.Name
			}
		}
		if r.Rhat > s.Rhat || math.IsNaN(float64(s.Rhat)) && !math.IsNaN(float64(r.Rhat)) {
			s.Rhat, s.RhatParameter = r.Rhat, r.Name
		}
	}
	short := g.ESS != 0 && float64(s.ESS) < g.ESS
	apart := g.Rhat != 0 && float64(s.Rhat) > g.Rhat
	s.Met = draws >= minDraws && !short && !apart
	return s
}

// Next is how many draws a chain should have when the goal is looked at again: a quarter more than now at least, up to twice as many where
// effective draws lack, and half as many more where R-hat alone is too large; at most so many.
func (g Goal) Next(s Standing, most int) int {
	quarters := 2
	if g.ESS != 0 && !(float64(s.ESS) >= g.ESS) {
		quarters = 4
		if lack := 1.1*g.ESS/float64(s.ESS) - 1; lack < 1 {
			quarters = max(int(math.Ceil(4*lack)), 1)
		}
	}
	step := (max(s.Draws, 1)-1)/4 + 1
	if s.Draws >= most || step > (most-s.Draws)/quarters {
		return most
	}
	return s.Draws + quarters*step
}

// String tells the numbers.
func (s Standing) String() string {
	var parts []string
	if s.ESSParameter != "" {
		parts = append(parts, fmt.Sprintf("least ESS %.0f (%s)", float64(s.ESS), s.ESSParameter))
	}
	if s.RhatParameter != "" {
		parts = append(parts, fmt.Sprintf("largest R-hat %s (%s)", rhatText(float64(s.Rhat)), s.RhatParameter))
	}
	if len(parts) == 0 {
		return "no parameter has an R-hat or an ESS yet"
	}
	return strings.Join(parts, ", ")
}

// CodeUntil is that of a run that ended before it reached its goal.
const CodeUntil = "until"

// Missed warns of a goal that was not reached before what ended the run.
func Missed(g Goal, s Standing, ended string) Warning {
	value := s.ESS
	if !(g.ESS != 0 && float64(s.ESS) < g.ESS) {
		value = s.Rhat
	}
	return Warning{Code: CodeUntil, Value: value, Message: fmt.Sprintf("the goal %s was not reached: %s after %s a chain, when %s",
		g, s, wording.Count(s.Draws, "draw", "draws"), ended)}
}
