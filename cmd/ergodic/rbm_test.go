package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// machine writes a machine of 6×4 units whose log Z is known: without
// weights it is Σ log(1 + exp b) + Σ log(1 + exp a).
func machine(t *testing.T, name string) (file string, logZ float64) {
	t.Helper()
	m := rbm.New(6, 4)
	for k := range m.HiddenBias {
		m.HiddenBias[k] = float64(k) - 1
		logZ += math.Log1p(math.Exp(m.HiddenBias[k]))
	}
	for k := range m.VisibleBias {
		m.VisibleBias[k] = 0.5 * float64(k)
		logZ += math.Log1p(math.Exp(m.VisibleBias[k]))
	}
	file = filepath.Join(t.TempDir(), name)
	if err := rbm.WriteModel(file, m); err != nil {
		t.Fatal(err)
	}
	return file, logZ
}

func TestRBMLogz(t *testing.T) {
	file, want := machine(t, "m.mat")
	dir := filepath.Join(t.TempDir(), "run")
	out := must(t, "rbm", "logz", file, "--json", "--seed", "1", "--out", dir)
	var r map[string]any
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"model", "method", "log_z", "se", "ci95", "runs", "temperatures", "effective_runs", "converged", "wall_s", "cpu_s"} {
		if _, ok := r[key]; !ok {
			t.Errorf("no %s in %s", key, out.stdout)
		}
	}
	if got := r["log_z"].(float64); math.Abs(got-want) > 1e-12 || r["method"] != "exact" {
		t.Errorf("%s, want log Z %v", out.stdout, want)
	}
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil || !strings.Contains(string(b), `"job": "rbm logz"`) || !strings.Contains(string(b), `"result"`) {
		t.Errorf("%v: %s", err, b)
	}
}

func TestRBMLogzDoesNotDependOnThreads(t *testing.T) {
	file, _ := machine(t, "m.npz")
	var first any
	for _, threads := range []string{"1", "2"} {
		out := must(t, "rbm", "logz", file, "--json", "--seed", "1", "--method", "smc", "--temperatures", "20", "--particles", "10", "--threads", threads)
		var r map[string]any
		if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
			t.Fatal(err)
		}
		delete(r, "wall_s")
		delete(r, "cpu_s")
		if text := jsonText(r); first == nil {
			first = text
		} else if text != first {
			t.Errorf("threads change\n%s\nto\n%s", first, text)
		}
	}
}

func TestRBMLogzOfSeveral(t *testing.T) {
	a, _ := machine(t, "a.mat")
	b, _ := machine(t, "b.mat")
	out := must(t, "rbm", "logz", a, b, "--method", "tap", "--seed", "1")
	if lines := strings.Split(strings.TrimSpace(out.stdout), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[2], "b.mat  tap") || strings.Contains(lines[2], "NaN") {
		t.Errorf("%s", out.stdout)
	}
}

// The summary of a folder is what the job printed, as JSON only where that is asked for.
func TestRBMSummary(t *testing.T) {
	a, _ := machine(t, "a.mat")
	b, _ := machine(t, "b.mat")
	cases := npy(t, 4, 6, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1)
	for _, args := range [][]string{
		{"logz", a}, {"logz", a, b, "--method", "tap"}, {"compare", a, b, "--methods", "exact,ais,tap", "--temperatures", "10", "--test", cases},
		{"train", cases, "--hidden", "3", "--epochs", "3", "--batch", "2", "--validation", "1"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		ran := must(t, append(append([]string{"rbm"}, args...), "--seed", "1", "--out", dir)...)
		if got := must(t, "summary", dir).stdout; got != ran.stdout || strings.Contains(got, "{") {
			t.Errorf("%v: printed\n%sand in summary\n%s", args, ran.stdout, got)
		}
		if got := must(t, "summary", dir, "--json").stdout; !strings.Contains(got, `"result": {`) && !strings.Contains(got, `"result": [`) {
			t.Errorf("%v: %s", args, got)
		}
		file := filepath.Join(dir, "summary.json")
		for _, result := range []string{"[null]", `{"models": [{"estimates": [null]}]}`, `{"best": {}}`, `"text"`, "3"} {
			s, err := rundir.ReadSummary(dir)
			if err != nil {
				t.Fatal(err)
			}
			s.Result = json.RawMessage(result)
			if err := os.WriteFile(file, []byte(jsonText(s)), 0o666); err != nil {
				t.Fatal(err)
			}
			if r := execute(t, program(t, "summary", dir)); r.status > 1 || strings.Contains(r.stderr, "goroutine") {
				t.Errorf("%v: %s: status %d, %s", args, result, r.status, r.stderr)
			}
		}
	}
}

func TestRBMLoglik(t *testing.T) {
	file, logZ := machine(t, "m.mat")
	// An IDX file of two cases of 2×3 units: all off, and all on.
	data := append([]byte{0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 3}, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255)
	test := filepath.Join(t.TempDir(), "test-idx3-ubyte")
	if err := os.WriteFile(test, data, 0o666); err != nil {
		t.Fatal(err)
	}
	cases := filepath.Join(t.TempDir(), "cases.csv")
	out := must(t, "rbm", "loglik", file, "--test", test, "--threshold", "0.5", "--json", "--out", cases)
	var r map[string]any
	if err := json.Unmarshal([]byte(out.stdout), &r); err != nil {
		t.Fatal(err)
	}
	hidden := 0.0
	for k := range 4 {
		hidden += math.Log1p(math.Exp(float64(k) - 1))
	}
	if want := hidden + 7.5/2 - logZ; math.Abs(r["mean_log_likelihood"].(float64)-want) > 1e-12 || r["cases"] != 2.0 || r["se"] != 0.0 {
		t.Errorf("%s, want %v", out.stdout, want)
	}
	if b, err := os.ReadFile(cases); err != nil || strings.Count(string(b), "\n") != 3 {
		t.Errorf("%v: %s", err, b)
	}
	given := must(t, "rbm", "loglik", file, "--test", test, "--threshold", "0.5", "--log-z", "10", "--out", cases, "--force")
	if !strings.Contains(given.stdout, "log Z = 10.0000 as given") || given.stderr != "" {
		t.Errorf("%s%s", given.stdout, given.stderr)
	}
}

func TestRBMMistakesAreExplained(t *testing.T) {
	file, _ := machine(t, "m.mat")
	text := filepath.Join(t.TempDir(), "x.mat")
	if err := os.WriteFile(text, []byte("no such thing"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{1, text + ": it is neither a MATLAB file", []string{"logz", text}},
		{1, "no such file", []string{"logz", "missing.mat"}},
		{2, "--base rates and --train FILE go together", []string{"logz", file, "--base", "rates"}},
		{2, "--schedule 5-1: it is uniform,", []string{"logz", file, "--method", "ais", "--schedule", "5-1"}},
		{2, "piece 2 of the schedule has 10 steps from β = 0.5 to 0.4", []string{"logz", file, "--method", "ais", "--schedule", "10:0.5,10:0.4"}},
		{1, file + ": it has no array", []string{"loglik", file, "--test", file, "--array", "x"}},
		{2, "--threads -1", []string{"logz", file, "--threads=-1"}},
		{2, "--runs does nothing for the method exact; leave it out", []string{"logz", file, "--method", "exact", "--runs", "5"}},
		{2, "--particles does nothing for the method ais", []string{"logz", file, "--method", "ais", "--particles", "5"}},
		{2, "--rounds does nothing for the methods ais, tap", []string{"compare", file, "--methods", "ais,tap", "--rounds", "5"}},
		{2, "--straight does nothing for the method tap", []string{"logz", file, "--method", "tap", "--straight"}},
		{2, "--base does nothing for the method exact", []string{"logz", file, "--method", "exact", "--base", "uniform"}},
		{2, "--beta-from-prior does nothing for the method ts", []string{"logz", file, "--method", "ts", "--beta-from-prior"}},
		{2, "--order does nothing for the method auto", []string{"logz", file, "--order", "3"}},
		{2, "leave --temperatures out", []string{"logz", file, "--method", "ais", "--schedule", "5:1", "--temperatures", "9"}},
		{2, "--order 4: it must be", []string{"logz", file, "--method", "tap", "--order", "4"}},
		{2, "--damping 1: it must be", []string{"logz", file, "--method", "tap", "--damping", "1"}},
		{2, "--log-z NaN: it must be a number", []string{"loglik", file, "--test", file, "--log-z", "NaN"}},
		{2, "--log-z 1e+308: it must be a number", []string{"loglik", file, "--test", file, "--log-z", "1e308"}},
		{2, "--threshold NaN: it must be from 0 to 1", []string{"loglik", file, "--test", file, "--threshold", "NaN"}},
		{2, "--runs 99999999999: it must be from 1 to 16777216", []string{"logz", file, "--runs", "99999999999"}},
		{2, "--runs does nothing where --log-z is given", []string{"loglik", file, "--test", file, "--log-z", "1", "--runs", "3"}},
		{1, text + " exists; choose another file, or overwrite it with --force", []string{"loglik", file, "--test", file, "--out", text}},
		{1, "there is no folder " + filepath.Join(text+".d"), []string{"loglik", file, "--test", file, "--out", filepath.Join(text+".d", "x.csv")}},
		{1, "folder cannot be made", []string{"logz", file, "--out", filepath.Join(text, "run")}},
		{1, "missing.csv", []string{"compare", file, "--published", "missing.csv"}},
	} {
		out := execute(t, program(t, append([]string{"rbm"}, c.args...)...))
		if strings.Contains(out.stderr, "seed") {
			t.Errorf("%v: a seed is said before the mistake: %s", c.args, out.stderr)
		}
		if out.status != c.code || !strings.Contains(out.stderr, c.want) {
			t.Errorf("%v: status %d, %s; want %d, %s", c.args, out.status, out.stderr, c.code, c.want)
		}
	}
}
