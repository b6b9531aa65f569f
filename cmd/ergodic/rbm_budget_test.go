package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/progress"
)

// budgeted is a comparison of ais for two machines and samc for both at once,
// of which the first two estimates took 10 and 20 seconds.
func budgeted(limit time.Duration) (*rbmWork, []rbmTask) {
	w := &rbmWork{taskBegan: time.Now(), spec: rbmSpec{Time: limit}}
	w.state.Results = []*rbmLogzResult{{WallS: 10}, {WallS: 20}}
	w.state.UsedS = 30
	return w, []rbmTask{{"ais", []int{0}}, {"ais", []int{1}}, {"samc", []int{0, 1}}, {"samc", []int{0, 1}}, {"ti", []int{0}}, {"ti", []int{1}}}
}

func TestRBMShares(t *testing.T) {
	w, tasks := budgeted(90 * time.Second)
	for k, want := range map[int]time.Duration{2: 30 * time.Second, 4: 30 * time.Second, 5: 60 * time.Second} { // of 60 s
		if got := w.share(k, tasks); got != want {
			t.Errorf("task %d: %v of what is left, want %v", k, got, want)
		}
	}
	if w.spec.Time = 20 * time.Second; w.share(5, tasks) > 0 {
		t.Error("a share of what is used up")
	}
}

// The time left is that of the task at hand and what later ones are expected to
// take, and not more than the budget leaves.
func TestRBMTimeLeft(t *testing.T) {
	for _, c := range []struct {
		limit, task, want time.Duration
	}{
		{0, progress.Unknown, progress.Unknown},
		{0, 30 * time.Second, 60 * time.Second}, // both of ti: the mean of what four machines took, (10 + 20 + 30)/4 s each
		{90 * time.Second, progress.Unknown, 60 * time.Second},
		{70 * time.Second, 30 * time.Second, 40 * time.Second},
		{10 * time.Second, 30 * time.Second, 0},
	} {
		w, tasks := budgeted(c.limit)
		if got := w.left(2, tasks, c.task); got != c.want && (got-c.want).Abs() > 2*time.Second {
			t.Errorf("--time %v, %v left of the task: %v, want %v", c.limit, c.task, got, c.want)
		}
	}
	w, tasks := budgeted(0)
	// The second machine by the same method as the first.
	if got := w.expected("ais", 1, tasks, 30); got != 20 {
		t.Errorf("%v s, want the mean of 10 and 30", got)
	}
}

// An estimate that does not fit is of the runs that do.
func TestRBMCompareCuts(t *testing.T) {
	file, want := machine(t, "m.mat")
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"rbm", "compare", file, "--methods", "exact,ais", "--base", "uniform", "--temperatures", "500", "--runs", "1000000", "--time", "4s", "--seed", "1", "--out", dir}
	began := time.Now()
	out := must(t, args...)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("--time 4s took %v", took)
	}
	if !strings.Contains(out.stdout, "in time") || !strings.Contains(out.stdout, "  cut  ") || !strings.Contains(out.stderr, "cut to what fits into") {
		t.Errorf("%s%s", out.stdout, out.stderr)
	}
	e := comparedIn(t, must(t, "rbm", "compare", "--resume", dir, "--json").stdout)
	if exact := e[0]; exact.Fit != "" || math.Abs(float64(exact.LogZ)-want) > 1e-12 {
		t.Errorf("%+v, want %v", exact, want)
	}
	// 5 standard errors: a false alarm in 10⁶, for the number of runs is not the seed's.
	if ais := e[1]; ais.Fit != rbmCut || ais.Runs < 1 || ais.Runs >= 1_000_000 || !(math.Abs(float64(ais.LogZ)-want) < 5*float64(ais.SE)) {
		t.Errorf("%+v, want %v", ais, want)
	}
	if r := execute(t, program(t, "rbm", "compare", "--resume", dir, "--time", "1m")); r.status != 1 || !strings.Contains(r.stderr, "--time is 1m0s, and the run was started with 4s") {
		t.Errorf("another --time passes: %d %s", r.status, r.stderr)
	}
}

// What has nothing to show when its time is over is left out, and said to be
// wherever the others are.
func TestRBMCompareLeavesOut(t *testing.T) {
	a, _ := machine(t, "a.mat")
	b, _ := machine(t, "b.mat")
	dir := filepath.Join(t.TempDir(), "run")
	methods := append(usualComparison(), rbmMethodPrior)
	args := []string{"rbm", "compare", a, b, "--methods", strings.Join(methods, ","), "--together", "--time", "1ns", "--seed", "1", "--out", dir, "--format", "svg"}
	out := must(t, args...)
	if n := strings.Count(out.stdout, "left out"); n != 2*len(methods) || strings.Contains(out.stdout, "NaN") {
		t.Errorf("%d of %d are left out:\n%s", n, 2*len(methods), out.stdout)
	}
	if got := must(t, "summary", dir).stdout; got != out.stdout {
		t.Errorf("printed\n%sand in summary\n%s", out.stdout, got)
	}
	for name, text := range map[string]string{"report.md": "- tap: left out: nothing was finished", "a.svg": ">tap (left out)<", "summary.json": `"fit": "left out"`} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(got), text) || strings.Contains(string(got), "NaN") {
			t.Errorf("%s does not say %q, or NaN: %v", name, text, err)
		}
	}
	if r := execute(t, program(t, "rbm", "compare", a, "--time=-1s")); r.status != 2 || !strings.Contains(r.stderr, "--time -1s: it must be 0") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}

// comparedIn are the estimates of the only machine of a comparison in JSON.
func comparedIn(t *testing.T, text string) []*rbmCompared {
	t.Helper()
	var c rbmComparison
	if err := json.Unmarshal([]byte(text), &c); err != nil || len(c.Models) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return c.Models[0].Estimates
}
