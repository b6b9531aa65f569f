package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/rbmreport"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

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
	if ais := e[1]; ais.Fit != rbmreport.Cut || ais.Runs < 1 || ais.Runs >= 1_000_000 || !(math.Abs(float64(ais.LogZ)-want) < 5*float64(ais.SE)) {
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
	var methods []string
	for _, m := range append(rbm.Usual(), rbm.RTSPrior) {
		methods = append(methods, string(m))
	}
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
func comparedIn(t *testing.T, text string) []*rbmreport.Compared {
	t.Helper()
	var c rbmreport.Comparison
	if err := json.Unmarshal([]byte(text), &c); err != nil || len(c.Models) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return c.Models[0].Estimates
}
