package progress

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// lines writes a line each period.
type lines struct {
	w      io.Writer
	format func(picture) string
	period time.Duration
	last   bool // show the end of the run too
}

func (l *lines) wait() time.Duration  { return l.period }
func (l *lines) every() time.Duration { return l.period }
func (l *lines) final(bool) bool      { return l.last }
func (l *lines) show(p picture)       { fmt.Fprintln(l.w, l.format(p)) }
func (l *lines) say(text string)      { fmt.Fprintln(l.w, text) }

func textLine(p picture) string {
	phase := "sampling"
	if p.phase == mcmc.Warming {
		phase = "warm-up"
	}
	s := fmt.Sprintf("%s: %d %%, %d of %d iterations, %s draws/s, %s left", phase, percent(p.done, p.total), p.done, p.total, count(p.rate), clock(p.left))
	if w := p.worst(); w != "" {
		s += "; " + w
	}
	return s
}

type jsonProgress struct {
	Event       string      `json:"event"`
	ElapsedS    float64     `json:"elapsed_s"`
	LeftS       *float64    `json:"left_s"`
	Done        int         `json:"iterations"`
	Total       int         `json:"total"`
	DrawsPerS   float64     `json:"draws_per_s"`
	Divergences int         `json:"divergences"`
	Rhat        *jsonWorst  `json:"rhat"`
	ESS         *jsonWorst  `json:"ess"`
	ESSAtLeast  bool        `json:"ess_at_least"` // of a thinned sample: the true one is larger
	Goal        string      `json:"goal,omitempty"`
	Chains      []jsonChain `json:"chains"`
}

type jsonWorst struct {
	Value     *float64 `json:"value"`
	Parameter string   `json:"parameter"`
}

type jsonChain struct {
	Chain       int      `json:"chain"`
	Phase       string   `json:"phase"`
	Done        int      `json:"iterations"`
	Total       int      `json:"total"`
	DrawsPerS   float64  `json:"draws_per_s"`
	LeftS       *float64 `json:"left_s"`
	Divergences int      `json:"divergences"`
}

func jsonLine(p picture) string {
	o := jsonProgress{Event: "progress", ElapsedS: round(p.elapsed.Seconds()), LeftS: seconds(p.left), Done: p.done, Total: p.total,
		DrawsPerS: round(p.rate), Divergences: p.divergences, Rhat: p.rhat.json(), ESS: p.ess.json(), ESSAtLeast: p.atLeast, Goal: p.goal}
	for i, c := range p.chains {
		o.Chains = append(o.Chains, jsonChain{Chain: i + 1, Phase: c.Phase.String(), Done: c.Iterations, Total: c.Total,
			DrawsPerS: round(c.rate), LeftS: seconds(c.left), Divergences: c.Divergences})
	}
	b, err := json.Marshal(o)
	if err != nil {
		return fmt.Sprintf(`{"event":"progress","error":%q}`, err)
	}
	return string(b)
}

func (e extreme) json() *jsonWorst {
	if e.parameter == "" {
		return nil
	}
	w := &jsonWorst{Parameter: e.parameter}
	if !math.IsNaN(e.value) && !math.IsInf(e.value, 0) {
		w.Value = &e.value
	}
	return w
}

// seconds are those of a span, to milliseconds; nil where it is unknown.
func seconds(d time.Duration) *float64 {
	if d < 0 {
		return nil
	}
	s := round(d.Seconds())
	return &s
}

// round keeps a line short: milliseconds are enough.
func round(x float64) float64 { return math.Round(x*1e3) / 1e3 }
