package main

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/report"
)

// finishedRun makes the folder of a run whose second parameter is shift away
// from 0 and has not mixed when mixed is false.
func finishedRun(t *testing.T, seed uint64, shift float64, mixed bool) string {
	t.Helper()
	d, err := rundir.Create(filepath.Join(t.TempDir(), "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w, err := d.Draws(draws.Layout{
		Chains: 2, Posterior: []draws.Variable{{Name: "theta", Dims: []int{2}}, {Name: "mu"}},
		LogLikelihood: []draws.Variable{{Name: "y", Dims: []int{3}}},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		r := rand.New(rand.NewPCG(seed, uint64(c)))
		for range 400 {
			x := []float64{r.NormFloat64(), shift + r.NormFloat64(), r.NormFloat64(), -1, -2, -1.5}
			for k := 3; k < 6; k++ {
				x[k] += 0.1*r.NormFloat64() - shift
			}
			if !mixed {
				x[1] += float64(c)
			}
			if err := w.Append(c, false, x, draws.Stat{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := &rundir.Summary{Ergodic: version, Job: "sample", Input: rundir.Input{Model: "dir/rats.bug"}}
	s.Run = rundir.Run{Seed: seed, Chains: 2, Warmup: 100, Draws: 400, Thin: 3}
	s.Warnings = []report.Warning{{Code: "unused_data", Parameter: "z", Message: "z is not used"}}
	if err := d.WriteSummary(s); err != nil {
		t.Fatal(err)
	}
	return d.Path()
}

// output runs the command line and returns what it printed on standard
// output, and its status.
func output(t *testing.T, args ...string) (string, int) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = old }()
	text := make(chan string)
	go func() {
		b, _ := io.ReadAll(r)
		text <- string(b)
	}()
	status := run(args)
	w.Close()
	return <-text, status
}

func TestSummaryCommand(t *testing.T) {
	good, bad := finishedRun(t, 1, 0, true), finishedRun(t, 2, 0, false)
	text, status := output(t, "summary", good, "--json")
	var s rundir.Summary
	if err := json.Unmarshal([]byte(text), &s); err != nil || status != 0 {
		t.Fatalf("status %d, %v in %s", status, err, text)
	}
	if len(s.Parameters) != 3 || s.Parameters[1].Name != "theta[2]" || s.Run.Seed != 1 || len(s.Warnings) != 1 || s.Warnings[0].Code != "unused_data" {
		t.Errorf("%+v", s)
	}
	text, status = output(t, "summary", good, bad, "--monitor", "theta[2]", "--strict")
	if status != 3 || strings.Count(text, "theta[2]") != 2 || strings.Contains(text, "mu") || !strings.Contains(text, bad) {
		t.Errorf("status %d and %s", status, text)
	}
	if text, status = output(t, "summary", good, bad, "--json"); status != 0 || !strings.HasPrefix(text, "[") {
		t.Errorf("status %d and %.80s", status, text)
	}
	// draws.zarr itself, and the folder of a run that is not finished
	if text, status = output(t, "summary", filepath.Join(good, "draws.zarr")); status != 0 || !strings.Contains(text, "theta[1]") {
		t.Errorf("status %d and %s", status, text)
	}
	if err := os.Remove(filepath.Join(good, "summary.json")); err != nil {
		t.Fatal(err)
	}
	if text, status = output(t, "summary", good); status != 0 || !strings.Contains(text, "theta[1]") {
		t.Errorf("status %d and %s", status, text)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"summary", t.TempDir()}, {"summary", bad, "--monitor", "nu"}, {"summary", file}, {"plot", file}, {"plot", file + "-none"}} {
		if _, status := output(t, args...); status != 1 {
			t.Errorf("%q: status %d", args, status)
		}
	}
	if _, status := output(t, "summary"); status != 2 {
		t.Errorf("no folder: status %d", status)
	}
}

func TestCompareCommand(t *testing.T) {
	a, b := finishedRun(t, 1, 0, true), finishedRun(t, 2, 1, true)
	text, status := output(t, "compare", a, b, "--json")
	var c struct {
		Parameters map[string]struct {
			ZMean []*float64 `json:"z_mean"`
		}
		Beyond4 int `json:"beyond_4_mcse"`
		LOO     []struct {
			Run  string
			Diff float64 `json:"elpd_diff"`
		}
	}
	if err := json.Unmarshal([]byte(text), &c); err != nil || status != 0 {
		t.Fatalf("status %d, %v in %s", status, err, text)
	}
	// 800 draws a run: the shift of 1 is 20 standard errors; elpd differs by 3.
	if z := *c.Parameters["theta[2]"].ZMean[1]; z < 14 || z > 26 || c.Beyond4 != 1 {
		t.Errorf("z = %v, %d beyond 4", z, c.Beyond4)
	}
	if c.LOO[0].Run != a || c.LOO[1].Diff > -2.8 || c.LOO[1].Diff < -3.2 {
		t.Errorf("%+v", c.LOO)
	}
	if text, status = output(t, "compare", a, b); status != 0 || !strings.Contains(text, "PSIS-LOO") {
		t.Errorf("status %d and %s", status, text)
	}
	if _, status = output(t, "compare", a); status != 2 {
		t.Errorf("one run: status %d", status)
	}
}

func TestExportCommand(t *testing.T) {
	dir := finishedRun(t, 1, 0, true)
	text, status := output(t, "export", dir, "--format", "csv", "--monitor", "mu,theta[1]")
	if lines := strings.Split(text, "\n"); status != 0 || lines[0] != "chain,draw,mu,theta[1]" || len(lines) != 802 {
		t.Errorf("status %d and %.80s", status, text)
	}
	if text, status = output(t, "export", dir, "--format", "json"); status != 0 || !json.Valid([]byte(text)) {
		t.Errorf("status %d and %.80s", status, text)
	}
	if _, status = output(t, "export", dir, "--format", "cmdstan"); status != 0 {
		t.Errorf("cmdstan: status %d", status)
	}
	g, err := draws.ReadCmdStanFiles(filepath.Join(dir, "cmdstan", "rats_1.csv"), filepath.Join(dir, "cmdstan", "rats_2.csv"))
	if err != nil || g.Posterior.Draws() != 400 || g.Posterior.Names()[1] != "theta[2]" {
		t.Errorf("%v, %v", g.Posterior, err)
	}
	if _, status = output(t, "export", dir, "--format", "coda", "--out", filepath.Join(dir, "c")); status != 0 {
		t.Errorf("coda: status %d", status)
	}
	b, err := os.ReadFile(filepath.Join(dir, "c", "CODAchain2.txt"))
	if lines := strings.Split(string(b), "\n"); err != nil || !strings.HasPrefix(lines[0], "103 ") || !strings.HasPrefix(lines[1], "106 ") {
		t.Errorf("first iterations %q, %v", lines[:2], err)
	}
	file := filepath.Join(t.TempDir(), "x.csv")
	for _, bad := range []string{dir, os.DevNull, filepath.Join(dir, "no", "x.csv")} {
		if _, status = output(t, "export", dir, "--format", "csv", "--out", bad, "--force"); status != 1 {
			t.Errorf("--out %s: status %d", bad, status)
		}
	}
	for i, want := range []int{0, 1} {
		if _, status = output(t, "export", dir, "--format", "csv", "--out", file); status != want {
			t.Errorf("time %d: status %d", i+1, status)
		}
	}
	if _, status = output(t, "export", dir, "--format", "csv", "--out", file, "--force"); status != 0 {
		t.Errorf("--force: status %d", status)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", "*.part")); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	if _, status = output(t, "export", dir, "--format", "excel"); status != 2 {
		t.Errorf("unknown format: status %d", status)
	}
}

// A run whose files are damaged is not summarised from what is left, nor does the
// model get the blame.
func TestLostDraws(t *testing.T) {
	dir := finishedRun(t, 1, 0, true)
	lost := filepath.Join(dir, "draws.zarr", "posterior", "theta", "0.0.0")
	for _, damage := range []struct {
		do   func() error
		says string
	}{
		{func() error { return os.Truncate(lost, 100) }, lost + " has 100 bytes, not "},
		{func() error { return os.Remove(lost) }, lost + " is missing: 800 of 800 draws of theta are lost (1 to 400 of chains 1 to 2); restore"},
	} {
		if err := damage.do(); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"summary", dir}, {"export", dir, "--format", "csv"}, {"compare", dir, dir}, {"plot", dir}} {
			if r := execute(t, program(t, args...)); r.status != 1 || r.stdout != "" || !strings.Contains(r.stderr, damage.says) || strings.Contains(r.stderr, "warning") {
				t.Errorf("%q: status %d\n%s%s", args, r.status, r.stdout, r.stderr)
			}
		}
	}
	// nor are the draws of a checkpoint thrown away, or the summary of what is lost
	whole := filepath.Join(t.TempDir(), "whole")
	must(t, small(whole)...)
	if err := os.Remove(filepath.Join(whole, "draws.zarr", ".zmetadata")); err != nil {
		t.Fatal(err)
	}
	before := filesBelow(t, whole)
	r := execute(t, program(t, "sample", "--resume", whole, "--draws", "90"))
	if r.status != 1 || !strings.Contains(r.stderr, ".zmetadata is missing") {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
	for name, was := range filesBelow(t, whole) {
		if before[name] != was {
			t.Errorf("refusing changed %s", name)
		}
	}
	// what is whole can be looked at
	if r := must(t, "summary", dir, "--monitor", "mu"); !strings.Contains(r.stdout, "mu") {
		t.Errorf("%s", r.stdout)
	}
}

// A run that was killed before it kept a draw is no table of nothing.
func TestSummaryWithoutDraws(t *testing.T) {
	dir := t.TempDir()
	w, err := draws.Create(filepath.Join(dir, "draws.zarr"), draws.Layout{Chains: 2, Posterior: []draws.Variable{{Name: "x"}}})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "summary", dir)); r.status != 1 || r.stdout != "" || !strings.Contains(r.stderr, "has no draws yet") {
		t.Errorf("%d %s%s", r.status, r.stdout, r.stderr)
	}
}
