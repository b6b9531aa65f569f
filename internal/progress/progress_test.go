package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// halfway is a run of two chains, one of which is done.
func halfway() mcmc.Progress {
	return mcmc.Progress{Elapsed: 12 * time.Second, Chains: []mcmc.ChainProgress{
		{Phase: mcmc.Warming, Iterations: 500, Total: 3000, Rate: 250, Divergences: 0},
		{Phase: mcmc.Done, Iterations: 3000, Total: 3000, Rate: 10, Divergences: 2},
	}}
}

func reporter(v view) *Reporter {
	return &Reporter{view: v, next: v.wait(), run: Run{Chains: 2, Thin: 2, Variables: []draws.Variable{{Name: "mu"}, {Name: "theta", Dims: []int{2, 2}}}}}
}

type discard struct{ fail bool }

func (d discard) Append(int, bool, []float64, mcmc.Stat) error {
	if d.fail {
		return errors.New("full")
	}
	return nil
}
func (discard) Sync(int) ([]byte, error)             { return nil, nil }
func (discard) Truncate(int, int, int, []byte) error { return nil }
func (discard) Close() error                         { return nil }

func TestLinesComeInTheirTime(t *testing.T) {
	var b bytes.Buffer
	r := reporter(&lines{w: &b, format: textLine, period: 10 * time.Second})
	p := halfway()
	for s := range 35 {
		p.Elapsed = time.Duration(s) * time.Second
		r.Progress(p)
	}
	p.Chains[0] = p.Chains[1]
	r.Progress(p)
	// 500 of the 2500 iterations left take 10 s at 250 a second.
	want := "warm-up: 58 %, 3500 of 6000 iterations, 125 draws/s, 0:10 left; 2 divergences\n"
	if b.String() != strings.Repeat(want, 3) {
		t.Errorf("%s", b.String())
	}
}

func TestJSONLines(t *testing.T) {
	var b bytes.Buffer
	r := reporter(&lines{w: &b, format: jsonLine, period: time.Second, last: true})
	p := halfway()
	p.Chains[0].Rate = 0 // nothing is known of the time left
	r.Progress(p)
	p.Elapsed++
	r.Progress(p) // too soon
	p.Chains[0] = p.Chains[1]
	r.Progress(p)
	r.Progress(p) // the end is told once
	all := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(all) != 2 {
		t.Fatalf("%d lines: %q", len(all), all)
	}
	var o map[string]any
	if err := json.Unmarshal([]byte(all[0]), &o); err != nil {
		t.Fatal(err)
	}
	c := o["chains"].([]any)[0].(map[string]any)
	if o["event"] != "progress" || o["left_s"] != nil || o["rhat"] != nil || o["divergences"] != 2.0 || c["phase"] != "warmup" || c["left_s"] != nil {
		t.Errorf("%v", o)
	}
	if err := json.Unmarshal([]byte(all[1]), &o); err != nil || o["left_s"] != 0.0 || o["iterations"] != 6000.0 {
		t.Errorf("%v %v", err, o)
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*([A-Za-z])")

func TestTable(t *testing.T) {
	for _, c := range []struct {
		env           map[string]string
		width, height int
		chains        int
		colour        bool
		bar           string
	}{
		{map[string]string{"LANG": "en_GB.UTF-8"}, 100, 24, 2, true, "━"},
		{map[string]string{"LANG": "en_GB.UTF-8", "NO_COLOR": "1"}, 100, 24, 2, false, "━"},
		{map[string]string{"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, 100, 24, 2, true, "#"},
		{nil, 30, 24, 2, true, ""},
		{nil, 120, 10, 40, true, "#"},
	} {
		var b bytes.Buffer
		r := reporter(newTable(&b, func(k string) string { return c.env[k] }, func() (int, int) { return c.width, c.height }, nil))
		p := halfway()
		for len(p.Chains) < c.chains {
			p.Chains = append(p.Chains, p.Chains[0])
		}
		p.Elapsed = time.Millisecond
		r.Progress(p)
		if b.Len() > 0 {
			t.Errorf("%v: a short run shows %q", c.env, b.String())
		}
		p.Elapsed = time.Second
		r.Progress(p)
		first := b.String()
		lines := strings.Split(strings.TrimSuffix(escape.ReplaceAllString(first, ""), "\n"), "\n")
		if len(lines) > c.height-1 || len(lines) < min(c.chains+2, c.height-3) {
			t.Errorf("%v: %d lines on %d", c.env, len(lines), c.height)
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > c.width {
				t.Errorf("%q is wider than %d", l, c.width)
			}
		}
		colours := 0
		for _, m := range escape.FindAllStringSubmatch(first, -1) {
			if m[1] == "m" {
				colours++
			}
		}
		if (colours > 0) != c.colour || !strings.Contains(first, c.bar) {
			t.Errorf("%v: %d colours in %q", c.env, colours, first)
		}
		// the second picture covers the first
		b.Reset()
		p.Elapsed = 2 * time.Second
		r.Progress(p)
		if want := "\x1b[" + itoa(len(lines)) + "A"; !strings.HasPrefix(b.String(), want) {
			t.Errorf("%v: begins with %q, not %q", c.env, b.String()[:8], want)
		}
		b.Reset()
		r.Say("hello %d", 3)
		if !strings.HasSuffix(b.String(), "A\x1b[Jhello 3\n") {
			t.Errorf("said %q", b.String())
		}
	}
}

// What is drawn below the table fits under it, and is covered by the next picture.
func TestTableHasLinesBelow(t *testing.T) {
	var b bytes.Buffer
	asked := 0
	r := reporter(newTable(&b, func(string) string { return "" }, func() (int, int) { return 80, 10 }, func(width, height int) []string {
		if asked = height; width != 80 {
			t.Errorf("width %d", width)
		}
		return strings.Split(strings.Repeat("spins\n", 20), "\n")
	}))
	p := halfway()
	p.Elapsed = time.Second
	r.Progress(p)
	if n := strings.Count(b.String(), "spins"); n != asked || strings.Count(b.String(), "\n") != 9 {
		t.Errorf("%d lines below where %d have room:\n%s", n, asked, b.String())
	}
	b.Reset()
	p.Elapsed = 2 * time.Second
	r.Progress(p)
	if !strings.HasPrefix(b.String(), "\x1b[9A") {
		t.Errorf("begins with %q", b.String()[:6])
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// Two chains that disagree on theta[2,1] alone: it has the worst R-hat and,
// since it looks stuck, the least ESS.
func TestTheWorstIsNamed(t *testing.T) {
	var b bytes.Buffer
	r := reporter(&lines{w: &b, format: jsonLine, period: time.Second})
	rec := r.Watch(discard{})
	src := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 9) // more than is watched: the log likelihood follows
	for range 3000 {
		for c := range 2 {
			for i := range x {
				x[i] = src.NormFloat64()
			}
			x[2] += 3 * float64(c)
			for _, warmup := range []bool{true, false} {
				if err := rec.Append(c, warmup, x, mcmc.Stat{}); err != nil {
					t.Fatal(err)
				}
				for i := range x {
					x[i] += 1e6 // warm-up is not diagnosed; here it would be all the same
				}
			}
		}
	}
	r.Progress(halfway())
	var o struct {
		Rhat, ESS *struct {
			Value     float64
			Parameter string
		}
		AtLeast bool `json:"ess_at_least"`
	}
	if err := json.Unmarshal(b.Bytes(), &o); err != nil {
		t.Fatal(err)
	}
	if o.Rhat == nil || o.Rhat.Parameter != "theta[2,1]" || o.Rhat.Value < 1.3 || o.ESS.Parameter != "theta[2,1]" || o.ESS.Value > 50 || !o.AtLeast {
		t.Errorf("%s", b.String())
	}
}

func TestWatchingHidesNoError(t *testing.T) {
	r := reporter(&lines{w: &bytes.Buffer{}, format: jsonLine, period: time.Second})
	if err := r.Watch(discard{fail: true}).Append(0, false, make([]float64, 5), mcmc.Stat{}); err == nil || err.Error() != "full" {
		t.Errorf("%v", err)
	}
}

func TestNoneIsSilent(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := New(None, f, Run{Chains: 1, Thin: 1})
	if r.Observer() != nil || r.Watch(discard{}) != (discard{}) {
		t.Error("a silent reporter watches")
	}
	r.Progress(halfway())
	r.Say("told")
	b, _ := os.ReadFile(f.Name())
	if string(b) != "told\n" {
		t.Errorf("%q", b)
	}
	if New(Auto, f, Run{Chains: 1, Thin: 1}).Observer() == nil {
		t.Error("auto shows nothing")
	}
}

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", time.Millisecond: "0:01", 61 * time.Second: "1:01", 3*time.Hour + 5*time.Second: "3:00:05", Unknown: "-",
		Left(10, 0): "-", Left(0, 0): "0:00", Left(1000, 10): "1:40", Left(1, 1e-300): "-",
	} {
		if got := clock(d); got != want {
			t.Errorf("%v: %s, not %s", d, got, want)
		}
	}
}

func TestCounterTellsTimeLeft(t *testing.T) {
	c := NewCounter(None, os.Stderr, "")
	c.Show(Count{Done: 4, Total: 10}) // resumed with 4
	c.phase = c.phase.Add(-10 * time.Second)
	// 2 in 10 s, 4 to go.
	if got := c.left(Count{Done: 6, Total: 10}); (got - 20*time.Second).Abs() > 2*time.Second {
		t.Errorf("%v, want 20 s", got)
	}
	c.Show(Count{Done: 1, Total: 10}) // another phase
	if got := c.left(Count{Done: 1, Total: 10}); got != Unknown {
		t.Errorf("%v, want unknown", got)
	}
}

// Elsewhere than on a terminal a line comes every ten seconds, an object every second.
func TestCounterWrites(t *testing.T) {
	for mode, want := range map[Mode]string{
		Auto: "sweeps: 5 of 20 done, 7e+03 moves, ",
		JSON: `{"done":5,"elapsed_s":`,
		None: "",
	} {
		f, err := os.Create(filepath.Join(t.TempDir(), "said"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c := NewCounter(mode, f, "sweeps")
		c.Show(Count{Done: 4, Total: 20}) // too early
		c.last = c.last.Add(-time.Minute)
		c.Show(Count{Done: 5, Total: 20, Moves: 7000})
		c.Clear()
		b, err := os.ReadFile(f.Name())
		if err != nil || strings.Count(string(b), "\n") != min(len(want), 1) || !strings.HasPrefix(string(b), want) {
			t.Errorf("%s: %q, %v", mode, b, err)
		}
	}
}

// The lines below are drawn under the text, to the width, and the cursor goes back up by as many.
func TestCounterBelow(t *testing.T) {
	c := &Counter{Below: []string{"one", "twotwotwo"}}
	if got, want := c.live("head", 6), "\r\x1b[Jhead\none\n"+clip("twotwotwo", 6)+"\r\x1b[2A"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.Below = nil
	if got, want := c.live("head", 6), "\r\x1b[Jhead"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
