package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// --memory goes with every command, and is said when it is in the way.
func TestMemoryFlag(t *testing.T) {
	dir := t.TempDir()
	model := filepath.Join(dir, "m.bug")
	data := filepath.Join(dir, "d.R")
	var values strings.Builder
	for k := range 300000 {
		fmt.Fprintf(&values, ",%d", k%10)
	}
	for name, text := range map[string]string{model: "model { for (i in 1:length(y[])) { y[i] ~ dnorm(m[i], 1)  m[i] ~ dnorm(0, 1)  z[i] <- m[i] + 1  w[i] ~ dnorm(z[i], 1) } }", data: "y <- c(0" + values.String() + ")"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   []string
		status int
		said   string
	}{
		{[]string{"check", model, "--data", data, "--memory", "66M"}, 1, "--memory SIZE sets another"},
		{[]string{"check", model, "--data", data, "--memory", "1M"}, 2, "every command needs 64 MB"},
		{[]string{"check", model, "--data", data, "--memory", "plenty"}, 2, "a size is a number of bytes such as 500M"},
		{[]string{"rbm", "logz", model, "--memory", "0"}, 2, "a size is"},
		{[]string{"summary", dir, "--memory", "70M"}, 1, "ergodic:"},
	} {
		r := execute(t, program(t, c.args...))
		if r.status != c.status || !strings.Contains(r.stderr, c.said) || strings.Contains(r.stderr, "goroutine") {
			t.Errorf("%q: status %d: %.500s", c.args[len(c.args)-2:], r.status, r.stderr)
		}
	}
	if peak := execute(t, program(t, "check", model, "--data", data, "--memory", "2GB")); peak.status != 0 {
		t.Errorf("in 2 GB: %.500s", peak.stderr)
	}
}

func TestFewNotes(t *testing.T) {
	all := strings.Split(strings.Repeat("n,", 999)+"n", ",")
	if got := job.FewNotes(all); len(got) != job.ManyNotes+1 || got[job.ManyNotes] != "980 more notes" {
		t.Errorf("%q", got[len(got)-1])
	}
	if got := job.FewNotes(all[:job.ManyNotes]); len(got) != job.ManyNotes {
		t.Errorf("%d notes of %d", len(got), job.ManyNotes)
	}
}
