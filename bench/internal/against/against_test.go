package against

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/draws"
)

// decode reads JSON as the programs write it.
func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCompare(t *testing.T) {
	s := decode[run.Summary](t, `{"parameters": {
		"a":    {"mean": 1.5, "sd": 2, "mcse_mean": 0.03, "mcse_sd": 0.02, "ess_bulk": 4000, "rhat": 1.002},
		"b[1]": {"mean": 7, "sd": 0, "mcse_mean": 0, "mcse_sd": 0, "ess_bulk": null, "rhat": null},
		"c":    {"mean": 3, "sd": 0, "mcse_mean": 0, "mcse_sd": 0, "ess_bulk": null, "rhat": null},
		"d":    {"mean": null, "sd": null}}}`)
	r := decode[Reference](t, `{"_meta": {"inits": "x.R"}, "params": {
		"a": {"mean": 1.25, "sd": 2, "mcse": 0.04, "ess": 2500},
		"b": {"mean": 7, "sd": 0, "mcse": 0, "ess": 0},
		"c": {"mean": 4, "sd": 0, "mcse": 0, "ess": 0},
		"d": {"mean": 1, "sd": 1, "mcse": 1, "ess": 1},
		"e": {"mean": 1, "sd": 1, "mcse": 1, "ess": 1}}}`)
	c := Compare(s, &r)
	if len(c.Differences) != 6 || len(c.Missing) != 2 {
		t.Fatalf("%d differences and missing %v, want 6 and d, e", len(c.Differences), c.Missing)
	}
	z := map[string]float64{}
	for _, d := range c.Differences {
		z[d.Name()] = d.Z
	}
	// 0.25 over the hypotenuse of 0.03 and 0.04, a constant that is the same,
	// and a constant that is another.
	for name, want := range map[string]float64{"mean of a": 5, "sd of a": 0, "mean of b": 0, "sd of b": 0, "mean of c": math.Inf(1)} {
		if math.Abs(z[name]-want) > 1e-12 {
			t.Errorf("%s: z = %v, want %v", name, z[name], want)
		}
	}
	if n := c.Over(4); n != 2 {
		t.Errorf("%d differences beyond 4, want 2", n)
	}
	if c.MinESS != 4000 || c.MinESSName != "a" || c.MaxRhat != 1.002 {
		t.Errorf("least ESS %v of %s, R-hat %v", c.MinESS, c.MinESSName, c.MaxRhat)
	}
}

// For normal draws the standard error of an sd is sd/√(2 ESS); where our own
// is twice the formula's, so is the reference's.
func TestReferenceMCSESD(t *testing.T) {
	const mean = 0.02 // of 10 000 draws with sd 2
	for _, c := range []struct{ ours, want float64 }{
		{2 / math.Sqrt(20000), 2 / math.Sqrt(5000)},
		{2 * 2 / math.Sqrt(20000), 2 * 2 / math.Sqrt(5000)},
		{0, 2 / math.Sqrt(5000)}, // never below the formula
	} {
		sd, mcse := 2.0, mean
		p := run.Parameter{SD: &sd, MCSEMean: &mcse, MCSESD: &c.ours}
		if got := referenceMCSESD(p, 2, 2500); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("ours %v: got %v, want %v", c.ours, got, c.want)
		}
	}
}

func TestOneOrMany(t *testing.T) {
	for text, want := range map[string]int{`null`: 0, `"a"`: 1, `["a", "b"]`: 2, `[]`: 0} {
		if got := decode[OneOrMany](t, text); len(got) != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestExtended(t *testing.T) {
	e := Effort{ESS: 1000, CPU: 10 * time.Second, MaxDraws: 100_000}
	for name, c := range map[string]struct {
		ess       float64
		cpu       time.Duration
		draws     int
		low, high int
	}{
		"enough":         {1000, time.Second, 1000, 1000, 1000},
		"half":           {500, time.Second, 1000, 2001, 2600},
		"poor":           {10, time.Second / 10, 1000, 8000, 8000},
		"spent":          {10, 10 * time.Second, 1000, 1000, 1000},
		"nearly spent":   {100, 5 * time.Second, 1000, 2000, 2000},
		"longest":        {100, time.Second, 100_000, 100_000, 100_000},
		"nothing varies": {math.Inf(1), time.Second, 1000, 1000, 1000},
	} {
		o := Outcome{Comparison: Comparison{MinESS: c.ess}, CPU: c.cpu}
		if got := extended(c.draws, o, e); got < c.low || got > c.high {
			t.Errorf("%s: %d draws, want %d to %d", name, got, c.low, c.high)
		}
	}
}

// A run of JAGS is made anew: what it may take, warm-up included, is the effort's time, and what it needs is found as for a run of ours.
func TestPeerExtended(t *testing.T) {
	e := Effort{ESS: 1000, CPU: 10 * time.Second, MaxDraws: 100_000}
	j := run.Job{Warmup: 1000, Draws: 1000}
	for name, c := range map[string]struct {
		ess       float64
		cpu       time.Duration
		low, high int
	}{
		"enough":       {1000, time.Second, 1000, 1000},
		"half":         {500, time.Second, 2001, 2600},
		"poor":         {10, time.Second / 10, 8000, 8000},
		"nearly spent": {100, 5 * time.Second, 3000, 3000}, // 2.5 ms an iteration
		"spent":        {10, 10 * time.Second, 1000, 1000},
	} {
		p := Peer{Least: Least{ESS: c.ess}, Draws: j.Draws, CPU: c.cpu}
		if got := p.extended(j, e); got < c.low || got > c.high {
			t.Errorf("%s: %d draws, want %d to %d", name, got, c.low, c.high)
		}
	}
}

func TestLeastESS(t *testing.T) {
	index := "a 1 8\nb[1] 9 16\nc 17 24\n"
	chain := func(a ...float64) string {
		text := ""
		for k, x := range a {
			text += fmt.Sprintf("%d %v\n", k+1, x)
		}
		return text
	}
	// a wanders, b alternates, c stands still.
	set, err := draws.ReadCODA(strings.NewReader(index),
		strings.NewReader(chain(1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 1, 0, 1, 0, 1, 0, 3, 3, 3, 3, 3, 3, 3, 3)),
		strings.NewReader(chain(2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 0, 1, 0, 1, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3)))
	if err != nil {
		t.Fatal(err)
	}
	r := decode[Reference](t, `{"_meta": {"inits": null}, "params": {"a": {}, "b": {}, "c": {}}}`)
	l, err := LeastESS(set, &r)
	if err != nil || l.Name != "a" || !(l.Rhat > 1.1) {
		t.Errorf("%+v, %v: want a, whose halves differ", l, err)
	}
	r = decode[Reference](t, `{"_meta": {"inits": null}, "params": {"d": {}}}`)
	if _, err := LeastESS(set, &r); err == nil {
		t.Error("no error for a parameter that is not there")
	}
}
