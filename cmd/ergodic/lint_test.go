package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// check --strict shows where a model suffers, and what to write; --explain a node's neighbours.
func TestCheckStrictAndExplain(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.bug":  "model {\n  for (i in 1:3) { y[i] ~ dnorm(b[i], 1); b[i] ~ dnorm(0, tau) }\n  tau ~ dgamma(0.001, 0.001)\n}\n",
		"ok.bug": "model {\n  for (i in 1:3) { y[i] ~ dnorm(b, 1) }\n  b ~ dnorm(0, 1)\n  half <- b / 2\n}\n",
		"d.R":    "y <- c(1, 2, 4)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) ran {
		cmd := program(t, append([]string{"check"}, args...)...)
		cmd.Dir = dir
		return execute(t, cmd)
	}
	if got := run("m.bug", "--data", "d.R", "--strict"); got.status != 3 || !strings.Contains(got.stderr, "m.bug:3:3: warning: this prior of tau") || !strings.Contains(got.stderr, "tau <- pow(sd, -2)") {
		t.Errorf("%+v", got)
	}
	if got := run("m.bug", "--data", "d.R", "--strict", "--json"); got.status != 3 || !strings.Contains(got.stdout, `"code": "prior"`) {
		t.Errorf("%+v", got)
	}
	if got := run("ok.bug", "--data", "d.R", "--strict"); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	const want = "b[2]: sampled\nline 2: for (i in 1:3) { y[i] ~ dnorm(b[i], 1); b[i] ~ dnorm(0, tau) }\ndepends on tau\nthe densities of y[2]\n\n"
	if got := run("m.bug", "--data", "d.R", "--explain", "b[2]"); got.status != 0 || !strings.HasPrefix(got.stdout, want) || !strings.Contains(got.stdout, "exactly") {
		t.Errorf("%+v", got)
	}
	if got := run("m.bug", "--data", "d.R", "--explain", "tau", "--json"); got.status != 0 || !strings.Contains(got.stdout, `"conjugate-gamma"`) {
		t.Errorf("%+v", got)
	}
	if got := run("m.bug", "--data", "d.R", "--explain", "taw"); got.status != 1 || !strings.Contains(got.stderr, "the model has no taw\n  Did you mean tau?") {
		t.Errorf("%+v", got)
	}
}
