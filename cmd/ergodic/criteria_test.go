package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/report"
)

// criteriaOf runs a model of normal data in its folder.
func criteriaOf(t *testing.T, dir string, args ...string) map[string]report.Criterion {
	t.Helper()
	var s rundir.Summary
	if err := json.Unmarshal([]byte(must(t, append(args, "--json", "--out", filepath.Join(dir, "run"))...).stdout), &s); err != nil {
		t.Fatal(err)
	}
	all := map[string]report.Criterion{}
	for _, c := range s.Criteria {
		all[c.Name] = c
	}
	return all
}

// Where the variance is known, pD is the number of parameters in effect: Σ n/(n + τ) over groups of n data whose means have the prior
// precision τ (Spiegelhalter and others 2002, section 4.2), and the mean deviance is n log 2π + Σ (y − m)² + pD about the posterior means.
// popt of a datum of a group with a flat prior is 2 / (n − 1), see TestNodes of internal/jagsscript. In 6 standard errors: a false alarm
// in 5·10⁸, and less where the error is from 16 parts: 3·10⁻⁵ by Student's t, so popt has 10.
func TestCriteriaOfNormalData(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model := write("m.bug", "model { for (i in 1:10) { y[i] ~ dnorm(mu[g[i]], 1) }\nfor (k in 1:3) { mu[k] ~ dnorm(0, tau) } }")
	y, g := []float64{1, 2, -1, 0, 0.5, 3, 2, 1, 2, 2.5}, []int{1, 1, 1, 2, 2, 2, 3, 3, 3, 3}
	data := func(tau float64) string {
		b, err := json.Marshal(map[string]any{"y": y, "g": g, "tau": tau})
		if err != nil {
			t.Fatal(err)
		}
		return write("d.json", string(b))
	}
	near := func(what string, got, mcse report.Number, want, errors float64) {
		t.Helper()
		if !(math.Abs(float64(got)-want) < errors*float64(mcse)) || !(float64(mcse) < 0.1*want) {
			t.Errorf("%s is %v ± %v, not %v", what, got, mcse, want)
		}
	}
	for _, tau := range []float64{1, 1e-8} {
		all := criteriaOf(t, dir, "sample", model, "--data", data(tau), "--seed", "4", "--chains", "3", "--draws", "4000", "--monitor", "mu,dic,popt", "--force")
		pD, deviance, popt := 0.0, 10*math.Log(2*math.Pi), 0.0
		for k, n := range []float64{3, 3, 4} {
			sum := 0.0
			for i := range y {
				if g[i] == k+1 {
					sum += y[i]
				}
			}
			for i := range y {
				if g[i] == k+1 {
					deviance += math.Pow(y[i]-sum/(n+tau), 2)
				}
			}
			pD += n / (n + tau)
			popt += 2 * n / (n - 1 + tau)
		}
		near("pD", all["DIC"].Penalty, all["DIC"].PenaltyMCSE, pD, 6)
		near("DIC", all["DIC"].Value, all["DIC"].MCSE, deviance+2*pD, 6)
		near("popt", all["PED"].Penalty, all["PED"].PenaltyMCSE, popt, 10)
		near("PED", all["PED"].Value, all["PED"].MCSE, deviance+pD+popt, 10)
	}
}

// What a summary says later, and a run that was extended, is what the run said, and the run of the same length.
func TestCriteriaAreKept(t *testing.T) {
	dir := t.TempDir()
	run, long := filepath.Join(dir, "run"), filepath.Join(dir, "long")
	r := must(t, small(run, "--monitor", "change,waic,pD,popt")...)
	if !strings.Contains(r.stdout, "\nDIC ") || !strings.Contains(r.stdout, "\nWAIC ") || !strings.Contains(r.stdout, "\nLOO ") {
		t.Errorf("%s", r.stdout)
	}
	if again := must(t, "summary", run); again.stdout != r.stdout || again.stderr != strings.SplitN(r.stderr, "\n", 2)[1] {
		t.Errorf("%s\n%s\nafter\n%s\n%s", again.stdout, again.stderr, r.stdout, r.stderr)
	}
	must(t, append(small(long, "--monitor", "change,waic,pD,popt"), "--draws", "90")...)
	must(t, "sample", "--resume", run, "--draws", "90")
	a, b := must(t, "summary", run).stdout, must(t, "summary", long).stdout
	if a != b {
		t.Errorf("%s\nundisturbed\n%s", a, b)
	}
	if x, y := filesBelow(t, filepath.Join(run, "draws.zarr")), filesBelow(t, filepath.Join(long, "draws.zarr")); !reflect.DeepEqual(x, y) {
		t.Error("other bytes than undisturbed")
	}
	if r := execute(t, program(t, append(small(filepath.Join(dir, "one"), "--monitor", "dic"), "--chains", "1")...)); r.status != 2 || !strings.Contains(r.stderr, "two or more") {
		t.Errorf("one chain: status %d, %s", r.status, r.stderr)
	}
	alone := filepath.Join(dir, "alone.bug")
	if err := os.WriteFile(alone, []byte("model { x ~ dnorm(0, 1) }"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "sample", alone, "--monitor", "x,popt", "--out", filepath.Join(dir, "none"))); r.status != 2 || !strings.Contains(r.stderr, "nothing to penalise") {
		t.Errorf("nothing sampled: status %d, %s", r.status, r.stderr)
	}
}
