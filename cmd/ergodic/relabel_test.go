package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/rundir"
	"github.com/ergodic-mcmc/ergodic/report"
)

// Two components nine standard deviations apart: four chains that hold to different orders agree once they are relabelled, and means ascend.
func TestSummaryRelabels(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := file("two.bug", `model {
	for (i in 1:12) { y[i] ~ dnorm(mu[z[i]], 1)
		z[i] ~ dcat(p[]) }
	for (k in 1:2) { mu[k] ~ dnorm(0, 0.01) }
	p ~ ddirch(one[])
}`)
	data := file("two.R", "y <- c(-4.6,4.1,-3.9,4.9,5.2,-5.1,4.4,3.8,-4.4,4.5,5.5,4.3)\none <- c(1,1)")
	var inits []string
	for chain, mu := range []string{"-4,4", "4,-4", "-4,4", "4,-4"} {
		inits = append(inits, "--inits", file(fmt.Sprintf("%d.R", chain), "mu <- c("+mu+")"))
	}
	run := filepath.Join(dir, "run")
	if text, status := output(t, append([]string{"sample", program, "--data", data, "--out", run, "--seed", "1", "--warmup", "100", "--draws", "100", "--progress", "none"}, inits...)...); status != 0 {
		t.Fatalf("status %d: %s", status, text)
	}
	summary := func(args ...string) (s rundir.Summary) {
		text, status := output(t, append([]string{"summary", run, "--json", "--monitor", "mu,z[1]"}, args...)...)
		if err := json.Unmarshal([]byte(text), &s); err != nil || status != 0 || len(s.Parameters) != 3 {
			t.Fatalf("status %d, %v in %s", status, err, text)
		}
		return s
	}
	told := func(s rundir.Summary) bool {
		return slices.ContainsFunc(s.Warnings, func(w report.Warning) bool { return w.Code == report.CodeSwitching })
	}
	if s := summary(); !(s.Parameters[0].Rhat > 1.5) || !told(s) {
		t.Errorf("as they are the chains have R-hat %v; told of labels: %v", s.Parameters[0].Rhat, told(s))
	}
	s := summary("--relabel", "mu,p,z")
	if told(s) {
		t.Error("labels are warned of where they are in one order")
	}
	if mu := s.Parameters; !(mu[0].Rhat < 1.1 && mu[1].Rhat < 1.1 && mu[0].Mean < -4 && mu[1].Mean > 4) || mu[2].Mean != 1 {
		t.Errorf("%+v", s.Parameters)
	}
	for _, names := range []string{"mu,q", "mu,mu"} {
		if text, status := output(t, "summary", run, "--relabel", names); status != 1 || strings.Contains(text, "mean") {
			t.Errorf("--relabel %s: status %d: %s", names, status, text)
		}
	}
}
