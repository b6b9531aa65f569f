package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command that reads a model reads it in the dialect that is asked for.
func TestDialectOfCommands(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"m.bug": "model { for (i in 1:N-1) { y[i] ~ dnorm(m, 1) }\nm ~ dflat() }", "d.R": "N <- 3; y <- c(1, 2)", "s.cmd": "model in m.bug; data in d.R; compile; initialize"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args, theirs, ours string
	}{
		{"fmt m.bug", "for (i in 1:N - 1) {", "for (i in 1:N - 1) {"},
		{"graph m.bug", "i in 1:(N - 1)", "i in (1:N) - 1"},
		{"check m.bug --data d.R", "2 observed", "write a:(b - c)"},
		{"jags s.cmd", "Observed stochastic nodes: 2", "subscript i = 0 of y[i] is outside 1:2"},
		{"optimize m.bug --data d.R --seed 1", "1.50", "write a:(b - c)"},
	} {
		for _, dialect := range []string{"openbugs", "jags"} {
			cmd := program(t, append(strings.Fields(c.args), "--dialect", dialect)...)
			cmd.Dir = dir
			want := c.theirs
			if dialect == "jags" {
				want = c.ours
			}
			if got := execute(t, cmd); !strings.Contains(got.stdout+got.stderr, want) {
				t.Errorf("%s as %s: %+v", c.args, dialect, got)
			}
		}
	}
}

// fmt prints models, or writes those that are not in the style; one that cannot be read is told, and the others are done.
func TestFmt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.bug": "model{a~dnorm(0,1)# a\n}", "b.bug": "model {\n  a ~ dnorm(0, 1)\n}\n", "bad.bug": "model { a <- }"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) ran {
		cmd := program(t, append([]string{"fmt"}, args...)...)
		cmd.Dir = dir
		return execute(t, cmd)
	}
	const styled = "model {\n  a ~ dnorm(0, 1) # a\n}\n"
	if got := run("a.bug"); got.status != 0 || got.stdout != styled {
		t.Errorf("%+v", got)
	}
	if got := run("-w", "bad.bug", "a.bug", "b.bug"); got.status != 1 || got.stdout != "" || !strings.HasPrefix(got.stderr, "a.bug\nbad.bug:1:14: ") {
		t.Errorf("%+v", got)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.bug")); string(b) != styled {
		t.Errorf("%s", b)
	}
}
