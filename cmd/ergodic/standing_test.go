package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Ten data of one value and a standard deviation that may be 0: the posterior is improper, and the chains agree on the
// least number whose square has an inverse. That is a warning of sample, with --resume and in summary too.
func TestConstantDataAreWarnedOf(t *testing.T) {
	dir := t.TempDir()
	model, data, out := filepath.Join(dir, "m.bug"), filepath.Join(dir, "m.json"), filepath.Join(dir, "run")
	for file, text := range map[string]string{
		model: "model { for (i in 1:10) { y[i] ~ dnorm(m, pow(s,-2)) }\n m ~ dnorm(0,1e-6)\n s ~ dunif(0,10) }",
		data:  `{"y": [3,3,3,3,3,3,3,3,3,3]}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"sample", model, "--data", data, "--seed", "1", "--out", out},
		{"sample", "--resume", out, "--draws", "1100"},
		{"summary", out},
	} {
		r := must(t, args...)
		for _, want := range []string{"m kept the value 3 in every draw", "draws looked at in chains 1, 2, 3, 4 are at the limit of the numbers there are, the first at y[1] ~ dnorm(m = 3, pow(s,-2) = "} {
			if !strings.Contains(r.stderr, want) {
				t.Errorf("%s does not say %q but\n%s", args[0], want, r.stderr)
			}
		}
	}
}

// One draw in 19 or so has a parent of the data far out: k has the odds 0.05·φ(0) to 0.95·t₃(0), 0.0543 to 1. That is told
// though the last draws are ordinary, and of a run that is extended as of one made at once.
func TestRareOverflowIsWarnedOf(t *testing.T) {
	dir := t.TempDir()
	model, data := filepath.Join(dir, "m.bug"), filepath.Join(dir, "m.json")
	for file, text := range map[string]string{model: "model { y ~ dt(0, 1, 3 + 1e160*k)\n k ~ dbern(0.05) }", data: `{"y": 0}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	want := warningLine(must(t, "sample", model, "--data", data, "--seed", "1", "--out", whole).stderr)
	if !strings.Contains(want, "of 500 draws looked at in chains 1, 2, 3, 4 are at the limit") {
		t.Fatalf("%q", want)
	}
	// Of 500 independent draws 25.7 ± 4.9: below 1 or above 65 with probability 1e-11.
	var n int
	if _, err := fmt.Sscanf(want, "warning: %d of", &n); err != nil || n > 65 {
		t.Errorf("%d draws (%v) in %q", n, err, want)
	}
	must(t, "sample", model, "--data", data, "--seed", "1", "--draws", "301", "--out", parts)
	if got := warningLine(must(t, "sample", "--resume", parts, "--draws", "1000").stderr); got != want {
		t.Errorf("extended %q\nat once %q", got, want)
	}
}

func warningLine(text string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "warning: ") {
			return line
		}
	}
	return ""
}

// A share that is below 2⁻¹⁰²² with probability (1 - 0.001/0.003)·exp(-0.708) has draws of a slice kernel that lean away from
// there: p[1] has the mean 1/3 and they say 0.43. Draws of the full conditional do not.
func TestEdgesAreWarnedOf(t *testing.T) {
	dir := t.TempDir()
	for name, tc := range map[string]struct{ text, data, want string }{
		"slice":     {"model { p[1:2] ~ ddirch(a[])\n y ~ dnorm(p[1], 1.0E-6) }", `{"y": 0, "a": [0.001, 0.002]}`, "one draw in 20 of p[1] is below"},
		"adaptive":  {"model { p ~ dbeta(0.05, 0.05)\n y ~ dnorm(p, 1.0E-6) }", `{"y": 0}`, "one draw in 20 of p is within"},
		"conjugate": {"model { p ~ dbeta(0.001, 0.001)\n y ~ dbin(p, 3) }", `{"y": 0}`, ""},
		"ordinary":  {"model { p[1:2] ~ ddirch(a[])\n y ~ dnorm(p[1], 1.0E-6) }", `{"y": 0, "a": [0.5, 0.5]}`, ""},
	} {
		model, data := filepath.Join(dir, name+".bug"), filepath.Join(dir, name+".json")
		for file, text := range map[string]string{model: tc.text, data: tc.data} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := must(t, "sample", model, "--data", data, "--seed", "1", "--out", filepath.Join(dir, name))
		if tc.want == "" && strings.Contains(r.stderr, "one draw in 20") || !strings.Contains(r.stderr, tc.want) {
			t.Errorf("%s: %s", name, r.stderr)
		}
	}
}
