package progress

import (
	"fmt"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// picture is a run at one moment, with everything a view shows.
type picture struct {
	elapsed     time.Duration
	chains      []chainPicture
	done, total int     // iterations of all chains
	rate        float64 // draws per second of all chains
	left        time.Duration
	phase       mcmc.Phase // of the chain that is least far
	divergences int
	rhat, ess   extreme
	atLeast     bool // ess is a lower bound
	goal        string
}

type chainPicture struct {
	mcmc.ChainProgress
	rate float64 // draws per second
	left time.Duration
}

// extreme is the worst value of a diagnostic and the parameter it belongs to,
// "" where there is none yet.
type extreme struct {
	value     float64
	parameter string
}

// Unknown is the time left where the rate is not known.
const Unknown = time.Duration(-1)

func (r *Reporter) picture(p mcmc.Progress) picture {
	out := picture{elapsed: p.Elapsed, phase: mcmc.Done}
	iterations := 0.0
	for _, c := range p.Chains {
		if c.Phase == mcmc.Done {
			c.Rate = 0
		}
		one := chainPicture{c, c.Rate / float64(r.run.Thin), Left(c.Total-c.Iterations, c.Rate)}
		out.chains = append(out.chains, one)
		out.done += c.Iterations
		out.total += c.Total
		out.rate += one.rate
		out.divergences += c.Divergences
		out.phase = min(out.phase, c.Phase)
		iterations += c.Rate
	}
	// Chains on fewer threads than chains take turns: together they tell the
	// time better than the slowest of them.
	out.left = Left(out.total-out.done, iterations)
	if r.live != nil && r.worst.RhatElement >= 0 {
		out.rhat = extreme{r.worst.Rhat, elementName(r.run.Variables, r.worst.RhatElement)}
	}
	if r.live != nil && r.worst.ESSElement >= 0 {
		out.ess = extreme{r.worst.ESS, elementName(r.run.Variables, r.worst.ESSElement)}
		out.atLeast = r.worst.Thinned
	}
	if r.run.Goal != nil {
		out.goal = r.run.Goal()
	}
	return out
}

// Left is the time that iterations take at a rate per second.
func Left(iterations int, rate float64) time.Duration {
	if iterations <= 0 {
		return 0
	}
	s := float64(iterations) / rate
	if !(rate > 0) || s > 1e9 {
		return Unknown
	}
	return time.Duration(s * float64(time.Second))
}

// elementName is the name of element k of the variables laid end to end.
func elementName(vars []draws.Variable, k int) string {
	for _, v := range vars {
		if n := v.Size(); k < n {
			return v.ElementName(k)
		} else {
			k -= n
		}
	}
	return ""
}

// clock writes a span as 1:02:03 or 2:03.
func clock(d time.Duration) string {
	if d < 0 {
		return "-"
	}
	s := int(math.Ceil(d.Seconds()))
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// count writes a rate in three digits or more.
func count(x float64) string {
	if x == 0 {
		return "-"
	}
	if x < 10 {
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func percent(done, total int) int {
	if total == 0 {
		return 100
	}
	return int(100 * int64(done) / int64(total))
}

// worst tells the live diagnosis, and the goal, "" where there is none yet.
func (p picture) worst() string {
	text := ""
	add := func(s string) {
		if text != "" {
			text += ", "
		}
		text += s
	}
	if p.rhat.parameter != "" {
		add(fmt.Sprintf("worst R-hat %.3f (%s)", p.rhat.value, p.rhat.parameter))
	}
	if p.ess.parameter != "" {
		bound := ""
		if p.atLeast {
			bound = "≥ "
		}
		add(fmt.Sprintf("least ESS %s%.0f (%s)", bound, p.ess.value, p.ess.parameter))
	}
	if p.divergences > 0 {
		add(fmt.Sprintf("%d divergences", p.divergences))
	}
	if p.goal != "" {
		add("goal " + p.goal)
	}
	return text
}
