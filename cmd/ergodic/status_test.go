package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the command line says wrongly, whatever the files hold, is status 2; what
// the files hold, or that they are missing, is status 1.
func TestStatuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"m.bug": "model { mu ~ dnorm(0, 1)\n y ~ dnorm(mu, 1) }", "y.R": "y <- 1", "bad.bug": "model {", "bad.R": "y <- ",
		"p.csv": "a,b\n0.5,0.5\n0.2,0.8\n", "bad.csv": "a,b\n0.5,0.4\n0.2,0.8\n", "x.npz": "no such thing",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, _ := machine(t, "m.npz")
	cases := npy(t, 2, 6, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1)
	run := at("run")
	must(t, "sample", at("m.bug"), "--data", at("y.R"), "--warmup", "50", "--draws", "50", "--seed", "1", "--log-lik", "--progress", "none", "--out", run)
	const long = "9223372036854775807"
	for _, c := range []struct {
		status int
		said   string
		args   []string
	}{
		{0, "", []string{"--version"}},
		{0, "", []string{"sample", "--help"}},
		{2, "expected one of", nil},
		{2, "unexpected argument", []string{"nothing"}},

		{1, "cannot be read", []string{"check", at("none.bug")}},
		{1, "bad.bug:1:", []string{"check", at("bad.bug")}},
		{1, "bad.R:1:", []string{"check", at("m.bug"), "--data", at("bad.R")}},
		{1, "names no unobserved node", []string{"check", at("m.bug"), "--sampler", "nu=slice"}},
		{2, "must be NODES=KERNEL", []string{"check", at("m.bug"), "--sampler", "=slice"}},
		{2, "must be NODES=KERNEL", []string{"sample", at("m.bug"), "--sampler", `mu\=slice`}},
		{2, "there is no sampler", []string{"sample", at("m.bug"), "--sampler", "mu=langevin"}},
		{2, `there is no sampler "joint-with-block" to ask for; there are block-normal, `, []string{"check", at("m.bug"), "--sampler", "mu=joint-with-block"}},
		{2, "expected NODES=KERNEL", []string{"check", at("m.bug"), "--sampler", "slice"}},
		{2, "mu is asked for slice and for prior", []string{"check", at("m.bug"), "--sampler", "mu=slice", "--sampler", "mu=prior"}},
		{0, "", []string{"check", at("m.bug"), "--data", at("y.R"), "--sampler", "mu=slice", "--sampler", "mu=slice;m*=slice"}},
		{1, "--sampler mu=prior: m*=slice names mu too", []string{"check", at("m.bug"), "--data", at("y.R"), "--sampler", "m*=slice;mu=prior"}},
		{2, "what follows --data is empty", []string{"check", at("m.bug"), "--data", ""}},
		{2, "the value of --strict is empty", []string{"sample", at("m.bug"), "--strict="}},
		{2, "an argument is empty", []string{"check", ""}},

		{2, "--threads " + long, []string{"sample", at("m.bug"), "--threads", long}},
		{2, "--chains " + long, []string{"sample", at("m.bug"), "--chains", long}},
		{2, "2 files of initial values for 4 chains", []string{"sample", at("m.bug"), "--data", at("y.R"), "--inits", at("bad.R") + "," + at("y.R")}},
		{2, "--warmup -1", []string{"sample", at("m.bug"), "--warmup=-1"}},
		{2, "--checkpoint", []string{"sample", at("m.bug"), "--checkpoint", "NaN"}},
		{2, "brackets do not match", []string{"sample", at("m.bug"), "--data", at("y.R"), "--monitor", "mu[1"}},
		{2, "neither a number", []string{"sample", at("m.bug"), "--data", at("y.R"), "--monitor", "mu[a]", "--progress", "json"}},
		{1, "the model has no nu", []string{"sample", at("m.bug"), "--data", at("y.R"), "--monitor", "nu"}},
		{1, "finished run", []string{"sample", at("m.bug"), "--data", at("y.R"), "--out", run}},
		{1, "no checkpoint", []string{"sample", "--resume", dir}},
		{3, "--strict", []string{"summary", run, "--strict"}},

		{1, "there is no folder", []string{"summary", at("none")}},
		{1, "is a file", []string{"summary", at("y.R")}},
		{1, "there is no variable", []string{"summary", run, "--monitor", "nu"}},
		{2, "brackets do not match", []string{"summary", run, "--monitor", "mu[1"}},
		{2, "names no variable", []string{"compare", run, run, "--monitor", "[1]"}},
		{2, "neither a number", []string{"plot", run, "--params", "mu[1:x]"}},
		{2, "a pattern is empty", []string{"export", run, "--format", "csv", "--monitor", "mu,,mu"}},
		{2, "--threads", []string{"summary", run, "--threads", long}},
		{2, "two runs or more", []string{"compare", run}},
		{2, "--threads", []string{"compare", run, run, "--threads=-1"}},
		{1, "there is no folder", []string{"compare", run, at("none")}},
		{2, "no picture", []string{"plot", run, "--kind", "pie"}},
		{2, "--format", []string{"plot", run, "--format", "gif"}},
		{1, "there is no variable", []string{"plot", run, "--params", "nu"}},
		{2, "--format", []string{"export", run}},
		{1, "is a folder", []string{"export", run, "--format", "csv", "--out", dir}},

		{1, "cannot be read", []string{"chain", at("none.csv")}},
		{1, "bad.csv:2", []string{"chain", at("bad.csv")}},
		{1, "no state has that name", []string{"chain", at("p.csv"), "--from", "c"}},
		{1, "no state has that name", []string{"chain", at("p.csv"), "--hit", "c"}},
		{1, "has 3 probabilities", []string{"chain", at("p.csv"), "--from", "0,0,1"}},
		{2, "must be a probability", []string{"chain", at("p.csv"), "--from", "x,0.5"}},
		{2, "sums to 0.9", []string{"chain", at("p.csv"), "--from", "0.4,0.5"}},
		{2, "needs a start", []string{"chain", at("p.csv"), "--generations", "5"}},
		{2, "--generations 1000000000000: it must be", []string{"chain", at("p.csv"), "--from", "1,0", "--generations", "1000000000000"}},
		{2, "--simulate " + long, []string{"chain", at("p.csv"), "--simulate", long}},
		{2, "--epsilon NaN", []string{"chain", at("p.csv"), "--epsilon", "NaN"}},

		{1, "neither a MATLAB file", []string{"rbm", "logz", at("x.npz")}},
		{2, "what follows --test is empty", []string{"rbm", "loglik", m, "--test", "", "--method", "exact"}},
		{2, "the value of --test is empty", []string{"rbm", "loglik", m, "--test=", "--method", "exact"}},
		{2, "--threads " + long, []string{"rbm", "loglik", m, "--test", cases, "--threads", long}},
		{2, "--temperatures 0: it must be from 1", []string{"rbm", "logz", m, "--method", "ais", "--temperatures", "0"}},
		{2, "--schedule 0:1", []string{"rbm", "logz", m, "--method", "ais", "--schedule", "0:1"}},
		{2, "--method must be one of", []string{"rbm", "logz", m, "--method", "guess"}},
		{2, `no method "guess"`, []string{"rbm", "compare", m, "--methods", "exact,guess"}},
		{2, "--cases 5: it must", []string{"rbm", "sample", m, "--data", cases, "--reconstructions", at("r.png"), "--cases", "5"}},
		{1, "there is no folder", []string{"rbm", "sample", m, "--filters", at("no/f.png")}},
		{2, `no method "guess"`, []string{"rbm", "train", cases, "--method", "guess"}},
		{2, "the learning rate is 11", []string{"rbm", "train", cases, "--rate", "11"}},
		{2, "they must rise", []string{"rbm", "train", cases, "--method", "pt", "--ladder", "1,0.5"}},
		{2, "--ladder does nothing for the method pcd", []string{"rbm", "train", cases, "--ladder", "0.5,1"}},
		{2, "--fast-rate does nothing for the method cd", []string{"rbm", "train", cases, "--method", "cd", "--fast-rate", "0.5"}},
		{1, "the number of cases in a batch is 3; it must be from 1 to 2", []string{"rbm", "train", cases, "--batch", "3", "--out", at("trained")}},
		{1, "there is no folder", []string{"rbm", "train", "--resume", at("none")}},
	} {
		cmd := program(t, c.args...)
		cmd.Dir = dir
		r := execute(t, cmd)
		if r.status != c.status || !strings.Contains(r.stderr, c.said) || strings.Contains(r.stderr, "goroutine") {
			t.Errorf("%q: status %d, not %d, and on standard error (should have %q):\n%s", c.args, r.status, c.status, c.said, r.stderr)
		}
		if (r.status == 1 || r.status == 2) && r.stdout != "" {
			t.Errorf("%q: %q on standard output", c.args, r.stdout)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*-run")); len(left) > 0 || exists(at("trained")) {
		t.Errorf("commands that failed left %v", left)
	}
}
