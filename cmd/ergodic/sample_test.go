package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// small is a short run of the lamps.
func small(dir string, more ...string) []string {
	return append([]string{"sample", "testdata/lamps.bug", "--data", "testdata/lamps.json", "--seed", "3", "--chains", "2",
		"--warmup", "50", "--draws", "60", "--out", dir}, more...)
}

func TestSampleLeavesWhatTheInterfaceFixes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, small(dir, "--json")...)
	file, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	// The file's checksum is its last member.
	if at := strings.LastIndex(string(file), ",\n \"sha256\""); at < 0 || r.stdout != string(file[:at])+"\n}\n" {
		t.Errorf("--json prints %.200s, the file has %.200s", r.stdout, file)
	}
	var s map[string]any
	if err := json.Unmarshal(file, &s); err != nil {
		t.Fatal(err)
	}
	input, runs := s["input"].(map[string]any), s["run"].(map[string]any)
	if s["job"] != "sample" || s["ergodic"] != version || input["model"] != "lamps.bug" || len(input["sha256"].(string)) != 64 {
		t.Errorf("%v", input)
	}
	for k, want := range map[string]float64{"seed": 3, "chains": 2, "warmup": 50, "draws": 60, "thin": 1} {
		if runs[k] != want {
			t.Errorf("run.%s is %v, not %v", k, runs[k], want)
		}
	}
	cpu := runs["cpu_s"].(map[string]any)
	for _, k := range []string{"compile", "warmup", "sampling"} {
		if x, ok := cpu[k].(float64); !ok || x < 0 || x > 60 {
			t.Errorf("cpu_s.%s is %v", k, cpu[k])
		}
	}
	if x := runs["wall_s"].(float64); x <= 0 || runs["threads"].(float64) < 1 {
		t.Errorf("%v", runs)
	}
	if k := s["samplers"].([]any)[0].(map[string]any); k["kernel"] == "" || k["nodes"].(float64) < 1 || k["example"] == "" {
		t.Errorf("%v", k)
	}
	// after[6] is 1 in every draw: it has no R-hat, which is null.
	p := s["parameters"].(map[string]any)["after[6]"].(map[string]any)
	if x, ok := p["rhat"]; !ok || x != nil || p["mean"] != 1.0 || len(p) != 11 {
		t.Errorf("after[6] is %v", p)
	}
	if w := s["warnings"].([]any); len(w) == 0 || w[0].(map[string]any)["message"] == "" {
		t.Errorf("120 draws give no warning: %v", w)
	}
	log, err := os.ReadFile(filepath.Join(dir, "log.jsonl"))
	if err != nil || !strings.Contains(string(log), `"event":"done","first_draw_s":`) {
		t.Errorf("%v in %s", err, log)
	}
}

func TestExitStatus(t *testing.T) {
	tmp := t.TempDir()
	done := filepath.Join(tmp, "done")
	must(t, small(done)...)
	file := filepath.Join(tmp, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		said   string
	}{
		{"strict", small(filepath.Join(tmp, "strict"), "--strict"), 3, "--strict"},
		{"finished run", small(done), 1, "--force"},
		{"forced", small(done, "--force"), 0, ""},
		{"out within a file", small(filepath.Join(file, "run")), 1, "folder cannot be made"},
		{"out is a file", small(file), 1, "folder cannot be made"},
		{"unknown flag", []string{"sample", "x.bug", "--chain", "3"}, 2, "sample --help"},
		{"no command", nil, 2, "--help"},
		{"unknown command", []string{"simple"}, 2, "--help"},
		{"no model", []string{"sample"}, 2, "name a model"},
		{"chains", small(file, "--chains", "0"), 2, "--chains 0"},
		{"draws", small(file, "--draws=-1"), 2, "--draws -1"},
		{"thin", small(file, "--thin", "0"), 2, "--thin 0"},
		{"threads", small(file, "--threads=-1"), 2, "--threads -1"},
		{"checkpoint", small(file, "--checkpoint", "0s"), 2, "--checkpoint"},
		{"seed", small(file, "--seed", "-1"), 2, "seed"},
		{"progress", small(file, "--progress", "loud"), 2, "progress"},
		{"monitor nothing", small(file, "--monitor", ","), 2, "--monitor"},
		{"monitor unknown", small(filepath.Join(tmp, "m"), "--monitor", "rats"), 1, "Did you mean rate?"},
		{"monitor out of range", small(filepath.Join(tmp, "m"), "--monitor", "rate[9]"), 1, "1:5"},
		{"unknown sampler", small(filepath.Join(tmp, "m"), "--sampler", "slope=langevin"), 2, `there is no sampler "langevin"`},
		{"sampler of nothing", small(filepath.Join(tmp, "m"), "--sampler", "lit=slice"), 1, "names no unobserved node"},
		{"model missing", []string{"sample", filepath.Join(tmp, "none.bug")}, 1, "none.bug cannot be read: no such file"},
		{"data missing", []string{"sample", "testdata/lamps.bug", "--data", "none.R"}, 1, "none.R cannot be read: no such file"},
		{"resume nothing", []string{"sample", "--resume", filepath.Join(tmp, "none")}, 1, "there is no folder"},
		{"resume a folder of no run", []string{"sample", "--resume", tmp}, 1, "no checkpoint"},
		{"resume elsewhere", []string{"sample", "--resume", done, "--out", file}, 2, "--out"},
		{"too large for any disk", small(filepath.Join(tmp, "m"), "--draws", "2000000000"), 1, "free"},
	} {
		r := execute(t, program(t, c.args...))
		if r.status != c.status || !strings.Contains(r.stderr, c.said) || strings.Contains(r.stderr, "goroutine") {
			t.Errorf("%s: status %d, not %d, and on standard error (should have %q):\n%s", c.name, r.status, c.status, c.said, r.stderr)
		}
		if r.status == 1 && r.stdout != "" {
			t.Errorf("%s: %q on standard output", c.name, r.stdout)
		}
	}
	// what failed before the first draw leaves nothing behind
	if exists(filepath.Join(tmp, "m")) {
		t.Error("a run that could not start left a folder")
	}
}

// A run is gone on with as it was started, or not at all.
func TestResumeRefusesAnotherRun(t *testing.T) {
	tmp := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(tmp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const text = "model { mu ~ dnorm(0, 1); for (i in 1:3) { y[i] ~ dnorm(mu, 1) } }"
	model, data, inits := write("m.bug", text), write("d.R", "y <- c(1, 2, 3)"), write("i.R", "mu <- 0")
	other := write("o.R", "y <- c(1, 2, 4)")
	copied := write("copy.R", "y <- c(1, 2, 3)")
	dir := filepath.Join(tmp, "run")
	must(t, "sample", model, "--data", data, "--inits", inits, "--seed", "1", "--draws", "50", "--out", dir)
	before := filesBelow(t, dir)
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"--data", other}, "the data file " + other},
		{[]string{"--data", data + "," + copied}, "data file"},
		{[]string{"--inits", other}, "the file of initial values " + other},
		{[]string{"--seed", "2"}, "--seed is 2, and the run was started with 1"},
		{[]string{"--chains", "2"}, "--chains"},
		{[]string{"--warmup", "10"}, "--warmup"},
		{[]string{"--thin", "2"}, "--thin"},
		{[]string{"--save-warmup"}, "--save-warmup"},
		{[]string{"--log-lik"}, "--log-lik"},
		{[]string{"--monitor", "mu"}, "--monitor is mu, and the run was started with none"},
		{[]string{"--sampler", "mu=slice"}, "--sampler"},
		{[]string{"--draws", "40"}, "may only grow"},
	} {
		r := execute(t, program(t, append([]string{"sample", "--resume", dir}, c.args...)...))
		if r.status != 1 || !strings.Contains(r.stderr, c.said) {
			t.Errorf("%q: status %d, %s", c.args, r.status, r.stderr)
		}
	}
	write("m.bug", text+"\n")
	if r := execute(t, program(t, "sample", "--resume", dir)); r.status != 1 || !strings.Contains(r.stderr, "the model "+model) {
		t.Errorf("changed model: status %d, %s", r.status, r.stderr)
	}
	for name, was := range filesBelow(t, dir) {
		if before[name] != was {
			t.Errorf("refusing changed %s", name)
		}
	}
	write("m.bug", text)
	// the same content from another place is the same run
	if r := must(t, "sample", "--resume", dir, "--data", copied, "--seed", "1", "--draws", "80"); !strings.Contains(r.stdout, "mu") {
		t.Errorf("%s", r.stdout)
	}
}

// On a disk that fills up no draw is lost: the run says what happened, and
// goes on when there is room.
func TestFullDisk(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no shell with ulimit to play a full disk")
	}
	tmp := t.TempDir()
	want, dir := filepath.Join(tmp, "want"), filepath.Join(tmp, "run")
	must(t, lamps("--draws", longRun, "--out", want)...)
	full := program(t, lamps("--draws", longRun, "--out", dir)...)
	full.Path, full.Args = sh, append([]string{"sh", "-c", `ulimit -f 300; exec "$0" "$@"`}, full.Args...) // blocks of 512 bytes, in some shells 1024
	r := execute(t, full)
	if r.status != 1 || !strings.Contains(r.stderr, "file too large") || !strings.Contains(r.stderr, "--resume "+dir) || strings.Contains(r.stderr, "goroutine") {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
	must(t, "sample", "--resume", dir, "--progress", "none")
	sameDraws(t, "after a full disk", dir, want)
}

// What the compiler adds to a program has names that can be folders of the record.
func TestSampleStoresWhatTheCompilerAdds(t *testing.T) {
	tmp := t.TempDir()
	model, data := filepath.Join(tmp, "m.bug"), filepath.Join(tmp, "d.R")
	for path, text := range map[string]string{
		model: "model { for (i in 1:3) { target += -0.5 * (y[i] - mu)^2 }\nmu ~ dnorm(0, 1)\nx[1:3] ~ car.normal(adj[], w[], num[], 1) }",
		data:  "y <- c(1, 2, 3)\nadj <- c(2, 1, 3, 2)\nw <- c(1, 1, 1, 1)\nnum <- c(1, 2, 1)",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "sample", model, "--data", data, "--seed", "1", "--draws", "20", "--warmup", "20", "--log-lik", "--out", filepath.Join(tmp, "run"))
}

// Initial values that nothing starts from are said, once for all chains, and so
// is a file without any.
func TestUnusedInits(t *testing.T) {
	tmp := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(tmp, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	model := write("m.bug", "model { mu ~ dnorm(0, 1); y ~ dnorm(mu, 1); w ~ dnorm(0, 1); z[1] ~ dnorm(0, 1); z[2] ~ dnorm(0, 1); x ~ dnorm(z[2], 1) }")
	data := write("d.R", "y <- 1\nx <- 2")
	a, b := write("a.R", "mu <- 0\nw <- 5\nz <- c(1, 2)"), write("b.R", "mu <- 1\nw <- 6\nz <- c(NA, 2)")
	r := must(t, "sample", model, "--data", data, "--inits", a, b, "--seed", "1", "--chains", "2", "--draws", "20", "--out", filepath.Join(tmp, "run"))
	empty := write("empty.R", "")
	prior := must(t, "sample", model, "--data", empty, "--seed", "1", "--draws", "20", "--out", filepath.Join(tmp, "prior"))
	if !strings.Contains(prior.stderr, "note: "+empty+" holds no values") {
		t.Errorf("%s", prior.stderr)
	}
	for text, want := range map[string]int{"initial value of w is ignored: no data depend on it": 1, "initial value of part of z is ignored": 1, "initial value of mu": 0} {
		if n := strings.Count(r.stderr, text); n != want {
			t.Errorf("%q is said %d times, not %d, in\n%s", text, n, want, r.stderr)
		}
	}
}
