package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// optimized is the result of a model, and what was said.
type optimized struct {
	Result struct {
		LogDensity float64 `json:"log_density"`
		Converged  bool
		Starts     int
		Arrived    int
		Mode       map[string]struct{ Mode, SE *float64 }
		Others     []struct{ Arrived int } `json:"other_modes"`
	}
	Warnings []struct{ Code, Message string }
	status   int
	stderr   string
}

// optimizing1 writes a model and data and finds its mode.
func optimizing1(t *testing.T, model, data string, flags ...string) (o optimized) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"m.bug": model, "d.R": data} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"optimize", filepath.Join(dir, "m.bug"), "--data", filepath.Join(dir, "d.R"), "--seed", "1", "--json"}, flags...)
	cmd := program(t, args...)
	cmd.Dir = dir
	r := execute(t, cmd)
	o.status, o.stderr = r.status, r.stderr
	if r.stdout != "" {
		if err := json.Unmarshal([]byte(r.stdout), &o); err != nil {
			t.Fatalf("%v: %s", err, r.stdout)
		}
	}
	return o
}

func isNear(x *float64, want, tolerance float64) bool {
	return x != nil && math.Abs(*x-want) <= tolerance
}

// Modes, errors and densities that formulas give: of y ~ N(m, 1/4), m ~ N(0, 1), with three y of mean 2 the precision is 13 and the mode 24/13; of
// a gamma(14, 4) density 13/4 with the curvature 13/(13/4)², and of its logarithm log(14/4), with the curvature 14.
func TestOptimizeKnownModes(t *testing.T) {
	const model = "model { m ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dnorm(m, 4); n[i] ~ dpois(r) }\nr ~ dgamma(2, 1); square <- m * m; new ~ dnorm(m, 1); more <- new + 1 }"
	const data = "y <- c(1, 2, 3)\nn <- c(5, 4, 3)"
	o := optimizing1(t, model, data, "--strict")
	m := o.Result.Mode
	mode, se := 24.0/13, 1/math.Sqrt(13)
	logDensity := -0.5*(mode*mode+4*((1-mode)*(1-mode)+(2-mode)*(2-mode)+(3-mode)*(3-mode))) + 3*math.Log(2) - 2*math.Log(2*math.Pi) +
		13*math.Log(3.25) - 4*3.25 - math.Log(120*24*6)
	switch {
	case o.status != 0 || !o.Result.Converged || o.Result.Starts != 8 || o.Result.Arrived != 8:
		t.Errorf("%+v", o)
	case !isNear(m["m"].Mode, mode, 1e-8) || !isNear(m["m"].SE, se, 1e-6) || !isNear(m["r"].Mode, 3.25, 1e-7) || !isNear(m["r"].SE, math.Sqrt(13)/4, 1e-5):
		t.Errorf("%v", jsonText(m))
	case !isNear(m["square"].Mode, mode*mode, 1e-7) || !isNear(m["square"].SE, 2*mode*se, 1e-5):
		t.Errorf("the square is %v", jsonText(m["square"]))
	case len(m) != 3: // neither new nor what is computed from it
		t.Errorf("%v", jsonText(m))
	case math.Abs(o.Result.LogDensity-logDensity) > 1e-8:
		t.Errorf("log density %v, not %v", o.Result.LogDensity, logDensity)
	}
	m = optimizing1(t, model, data, "--jacobian").Result.Mode
	if !isNear(m["m"].Mode, mode, 1e-8) || !isNear(m["r"].Mode, 3.5, 1e-7) || !isNear(m["r"].SE, 3.5/math.Sqrt(14), 1e-5) {
		t.Errorf("with the Jacobian %v", jsonText(m))
	}
}

// What is wrong with a mode is said, with the names of nodes, and has no errors that mean nothing.
func TestOptimizeWarns(t *testing.T) {
	for name, c := range map[string]struct {
		model, data, code, said string
		se                      map[string]bool // whether there is one
	}{
		"effects whose scale goes to 0": {"model { s ~ dunif(0, 100); for (i in 1:8) { a[i] ~ dnorm(m, pow(s, -2)); y[i] ~ dnorm(a[i], 0.01) }\nm ~ dnorm(0, 0.001) }",
			"y <- c(28, 8, -3, 7, -1, 1, 18, 12)", "boundary", "there is no mode: the density goes on rising where s (", map[string]bool{"m": false}},
		"a probability at 0": {"model { p ~ dbeta(1, 2); y ~ dbin(p, 10); m ~ dnorm(0, 1); z ~ dnorm(m, 1) }",
			"y <- 0\nz <- 2", "boundary", "the mode lies where p (", map[string]bool{"m": true, "p": false}},
		"a ridge": {"model { a ~ dnorm(0, 1.0E-12); b ~ dnorm(0, 1.0E-12); y ~ dnorm(a + b, 1) }",
			"y <- 3", "flat", "does not fall along a, b together", map[string]bool{"a": false}},
		"two modes": {"model { x ~ dnorm(0.1, 1); y ~ dnorm(x * x, 10) }",
			"y <- 4", "several_modes", "came to another mode; the best of these is", map[string]bool{"x": true}},
		"data that are separated": {"model { b ~ dnorm(0, 1.0E-12); for (i in 1:4) { y[i] ~ dbern(ilogit(b * x[i])) } }",
			"x <- c(-2, -1, 1, 2)\ny <- c(0, 0, 1, 1)", "not_normal", "not normal around the mode along b", map[string]bool{"b": true}},
	} {
		o := optimizing1(t, c.model, c.data, "--strict")
		if o.status != 3 || len(o.Warnings) != 1 || o.Warnings[0].Code != c.code || !strings.Contains(strings.ReplaceAll(o.Warnings[0].Message, "b, a", "a, b"), c.said) {
			t.Errorf("%s: status %d, %+v", name, o.status, o.Warnings)
		}
		for node, some := range c.se {
			if x, ok := o.Result.Mode[node]; !ok || (x.SE != nil) != some {
				t.Errorf("%s: %s has %v", name, node, jsonText(x))
			}
		}
	}
	o := optimizing1(t, "model { m ~ dnorm(0, 1); for (i in 1:50) { y[i] ~ dnorm(m, 1) } }", "y <- c("+strings.Repeat("1.5, ", 49)+"1)", "--iterations", "1")
	if len(o.Warnings) != 0 && o.Warnings[0].Code != "not_converged" { // one step may well do, as the curvature ends it
		t.Errorf("%+v", o.Warnings)
	}
}

func TestOptimizeRefuses(t *testing.T) {
	const discrete = "model { for (i in 1:3) { z[i] ~ dcat(p[]); y[i] ~ dnorm(z[i], 1) }\np[1] <- 0.5; p[2] <- 0.5 }"
	if o := optimizing1(t, discrete, "y <- c(1, 2, 1)"); o.status != 1 || !strings.Contains(o.stderr, "all nodes are discrete") {
		t.Errorf("status %d, %s", o.status, o.stderr)
	}
	if o := optimizing1(t, "model { k ~ dpois(m); m ~ dgamma(2, 1); y ~ dnorm(k, 1) }", "y <- 3"); o.status != 1 || !strings.Contains(o.stderr, "no gradient by k (dpois)") {
		t.Errorf("status %d, %s", o.status, o.stderr)
	}
	// A coin of two kinds: (p + ¾) p² (1 − p) is highest where 4p² = ¾p + 3/2.
	if o := optimizing1(t, "model { z ~ dbern(0.5); p ~ dbeta(3, 2); y ~ dbern(z * p + (1 - z) * 0.75) }", "y <- 1"); o.status != 0 || !isNear(o.Result.Mode["p"].Mode, (0.75+math.Sqrt(0.75*0.75+24))/8, 1e-7) || len(o.Result.Mode) != 1 {
		t.Errorf("status %d, %v, %s", o.status, jsonText(o.Result.Mode), o.stderr)
	}
	for said, flags := range map[string][]string{
		"--starts 0":     {"--starts", "0"},
		"--iterations 0": {"--iterations", "0"},
		"not both":       {"--laplace", "9", "--pathfinder", "9"},
		"no mode":        {"--pathfinder", "9", "--write-inits", "i.json"},
		"-5 draws":       {"--laplace=-5"},
		"--force is for": {"--force"},
		"names nothing":  {"--monitor", ","},
		"--threads -1":   {"--threads=-1"},
		"unknown flag":   {"--resume", "x"},
	} {
		if o := optimizing1(t, "model { m ~ dnorm(0, 1); y ~ dnorm(m, 1) }", "y <- 1", flags...); o.status != 2 || !strings.Contains(o.stderr, said) {
			t.Errorf("%v: status %d, %s", flags, o.status, o.stderr)
		}
	}
}

// The mode starts chains, in arrays of any shape.
func TestOptimizeWritesInits(t *testing.T) {
	dir := t.TempDir()
	model, data, inits := filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.R"), filepath.Join(dir, "i.json")
	text := "model { for (i in 1:2) { for (j in 1:3) { b[i, j] ~ dnorm(10 * i + j, 1); y[i, j] ~ dnorm(b[i, j], 1) } }\ns ~ dgamma(2, 1); z ~ dpois(s) }"
	for name, s := range map[string]string{model: text, data: "y <- structure(c(11, 21, 12, 22, 13, NA), .Dim = c(2, 3))\nz <- 3"} {
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "optimize", model, "--data", data, "--seed", "1", "--write-inits", inits, "--monitor", "s")
	var got struct {
		B [][]*float64
		S float64
	}
	b, err := os.ReadFile(inits)
	if err != nil || json.Unmarshal(b, &got) != nil {
		t.Fatalf("%v: %s", err, b)
	}
	for i, row := range got.B {
		for j, x := range row {
			switch want := float64(10*(i+1) + j + 1); {
			case i == 1 && j == 2:
				if x != nil {
					t.Errorf("b[2,3], which no data reach, is %v", *x)
				}
			case !isNear(x, want, 1e-7):
				t.Errorf("b[%d,%d] is %v, not %v", i+1, j+1, x, want)
			}
		}
	}
	if math.Abs(got.S-2) > 1e-7 { // the top of s⁴ e^{−2s}
		t.Errorf("s is %v", got.S)
	}
	r := must(t, "sample", model, "--data", data, "--inits", inits, "--seed", "1", "--warmup", "20", "--draws", "20", "--out", filepath.Join(dir, "run"))
	if strings.Contains(r.stderr, "ignored") {
		t.Errorf("%s", r.stderr)
	}
	for said, files := range map[string]string{"one file of initial values serves all starts": inits, "3 files of initial values for 2 starts": inits + "," + inits + "," + inits} {
		if r := must(t, "optimize", model, "--data", data, "--inits", files, "--starts", "2", "--monitor", "s"); !strings.Contains(r.stderr, said) {
			t.Errorf("%s", r.stderr)
		}
	}
	if r := execute(t, program(t, "optimize", model, "--data", data, "--write-inits", inits)); r.status != 1 || !strings.Contains(r.stderr, "--force") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}

// Draws of approximations are kept like those of a run, the same on any number of threads, and are those of the posterior where it is nearly normal: m has
// the mean 24/13 and the sd 1/√13 of TestOptimizeKnownModes; 1000 draws have their mean within 5.5 standard errors of √2 times 1/√1000, resampled as they are.
func TestOptimizeDraws(t *testing.T) {
	dir := t.TempDir()
	model, data := filepath.Join(dir, "m.bug"), filepath.Join(dir, "d.R")
	text := "model { m ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dnorm(m, 4); n[i] ~ dpois(r) }\nr ~ dgamma(2, 1); new ~ dnorm(m, 1) }"
	for name, s := range map[string]string{model: text, data: "y <- c(1, 2, 3)\nn <- c(5, 4, 3)"} {
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, method := range []string{"laplace", "pathfinder"} {
		one, two := filepath.Join(dir, method+"1"), filepath.Join(dir, method+"2")
		args := []string{"optimize", model, "--data", data, "--seed", "5", "--" + method, "1000", "--strict"}
		r := must(t, append(args, "--out", one, "--threads", "1")...)
		if !strings.Contains(r.stdout, method+": 1000 of 4000 draws") {
			t.Errorf("%s", r.stdout)
		}
		must(t, append(args, "--out", two, "--threads", "3")...)
		sameDraws(t, method, two, one)
		for _, p := range summaryOf(t, one).Parameters {
			want, ok := map[string]float64{"m": 24.0 / 13, "new": 24.0 / 13, "r": 3.5}[p.Name]
			if se := 5.5 * math.Sqrt2 * float64(p.SD) / math.Sqrt(1000); !ok || math.Abs(float64(p.Mean)-want) > se {
				t.Errorf("%s: %s has the mean %v, not %v ± %v", method, p.Name, p.Mean, want, se)
			}
		}
		if again := must(t, "summary", one); !strings.Contains(again.stdout, method+": 1000 of 4000") {
			t.Errorf("%s", again.stdout)
		}
		if csv := must(t, "export", one, "--format", "csv", "--monitor", "m").stdout; strings.Count(csv, "\n") != 1001 {
			t.Errorf("%d lines", strings.Count(csv, "\n"))
		}
		if r := execute(t, program(t, append(args, "--out", one)...)); r.status != 1 || !strings.Contains(r.stderr, "--force") {
			t.Errorf("status %d, %s", r.status, r.stderr)
		}
		if r := execute(t, program(t, "sample", "--resume", one)); r.status != 1 || !strings.Contains(r.stderr, "a run of ergodic optimize") {
			t.Errorf("status %d, %s", r.status, r.stderr)
		}
	}
	funnel := "model { v ~ dnorm(0, 0.1); for (i in 1:9) { x[i] ~ dnorm(0, exp(-v)); y[i] ~ dnorm(x[i], 0.0001) } }"
	for _, method := range []string{"--pathfinder", "--laplace"} {
		o := optimizing1(t, funnel, "y <- c(0, 0, 0, 0, 0, 0, 0, 0, 0)", method, "4000", "--strict")
		if n := len(o.Warnings); o.status != 3 || n == 0 || !strings.Contains(o.Warnings[n-1].Message, "k-hat") {
			t.Errorf("%s of a funnel: status %d, %+v", method, o.status, o.Warnings)
		}
	}
	effects := "model { s ~ dunif(0, 100); for (i in 1:8) { a[i] ~ dnorm(0, pow(s, -2)); y[i] ~ dnorm(a[i], 0.01) } }"
	if o := optimizing1(t, effects, "y <- c(28, 8, -3, 7, -1, 1, 18, 12)", "--laplace", "100"); o.status != 1 || !strings.Contains(o.stderr, "no normal approximation") {
		t.Errorf("without a mode: status %d, %s", o.status, o.stderr)
	}
}
