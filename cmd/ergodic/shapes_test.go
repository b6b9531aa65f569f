package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A ridge, a separable logit and a bound that cuts a node off are warnings, with what to do, the same after a resumption and in a summary made again.
func TestShapesAreWarnedOf(t *testing.T) {
	dir := t.TempDir()
	model, data := filepath.Join(dir, "m.bug"), filepath.Join(dir, "m.R")
	for file, text := range map[string]string{
		model: "model { for (k in 1:2) { a[k] ~ dnorm(0, 0.0001) }\n z ~ dnorm(a[1] + a[2], 100)\n" +
			" for (i in 1:6) { logit(p[i]) <- b * x[i]; y[i] ~ dbern(p[i]) }\n b ~ dnorm(0, 0.0001)\n u ~ dunif(0, 1)\n w ~ dnorm(u, 100) }",
		data: "x <- c(-3,-2,-1,1,2,3)\ny <- c(0,0,0,1,1,1)\nz <- 1\nw <- 1.5",
	} {
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	said := must(t, "sample", model, "--data", data, "--seed", "1", "--draws", "500", "--out", whole).stderr
	for _, want := range []string{
		"data tell a[1] + a[2] (sd 0.1) and not the nodes by themselves",
		"data do not bound b above",
		"draws of u pile up at the bound 1 of its prior",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("sample does not say %q but\n%s", want, said)
		}
	}
	must(t, "sample", model, "--data", data, "--seed", "1", "--draws", "200", "--out", parts)
	must(t, "sample", "--resume", parts, "--draws", "500")
	codes, text := warningsOf(t, whole)
	if _, again := warningsOf(t, parts); again != text || !strings.Contains(codes, "ridge unbounded cut_off ") {
		t.Errorf("%s: %s\nresumed: %s", codes, text, again)
	}
	if r := must(t, "summary", whole); !strings.Contains(r.stderr, "pile up at the bound 1") || !strings.Contains(r.stderr, "and not the nodes by themselves") {
		t.Errorf("summary says\n%s", r.stderr)
	}
}
