package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// Of arguments a message shows 80 characters, and nothing that a terminal acts on.
func TestMessagesAreShortAndPlain(t *testing.T) {
	long := strings.Repeat("x", 500)
	for _, args := range [][]string{
		{long}, {"sample", "m", "--" + long}, {"sample", "m", "--seed", long}, {"sample", "m", "--progress=" + long}, {"sample", long}, {"sample", "--resume", long},
		{"sample", "testdata/lamps.bug", "--data", long + ",b.R"}, {"check", "testdata/lamps.bug", "--data", "testdata/lamps.json", "--sampler", long + "=slice"},
		{"check", "testdata/lamps.bug", "--data", "testdata/lamps.json", "--sampler", "slope=" + long}, {"summary", long}, {"compare", long, long}, {"plot", long},
		{"plot", ".", "--kind", long}, {"export", long, "--format", "csv"}, {"chain", long}, {"chain", "../../examples/classes.csv", "--from", long},
		{"chain", "../../examples/classes.csv", "--hit", long}, {"rbm", "logz", long}, {"rbm", "logz", "m", "--schedule", long}, {"rbm", "train", long},
		{"rbm", "train", "m", "--rate", long}, {"rbm", "compare", "m", "--methods", long},
	} {
		r := execute(t, program(t, args...))
		if r.status == 0 || !strings.Contains(r.stderr, "xxx…xxx") || strings.Contains(r.stderr, long[:81]) {
			t.Errorf("%.20q: %s", args, r.stderr)
		}
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, long, "x\x1b[31m\r\ny")
		}
		r = execute(t, program(t, args...))
		if r.status == 0 || !strings.Contains(r.stderr, `x\x1b[31m\r\ny`) || strings.ContainsAny(r.stderr, "\x1b\r") {
			t.Errorf("%q: %q", args, r.stderr)
		}
	}
}

func TestAbridged(t *testing.T) {
	long := strings.Repeat("d/", 100)
	got := abridged("there is no "+long+"\n  ergodic sample --resume "+long+"\x1b", []string{"--out=" + long})
	if want := "there is no " + long[:40] + "…" + long[161:] + "\n  ergodic sample --resume " + long + `\x1b`; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// A shell reads the command to resume as the folder that it names.
func TestQuotedForShell(t *testing.T) {
	for _, dir := range []string{"run", "my run", "it's", "a$b", "-run", "tab\there", "line\nbreak", "esc\x1b'[31m", `back\slash`, "é", "\xff"} {
		out, err := exec.Command("bash", "-c", "printf %s "+job.Quoted(dir)).Output()
		if err != nil {
			t.Skip("there is no bash")
		}
		if got := strings.TrimPrefix(string(out), "./"); got != dir || strings.ContainsAny(job.Quoted(dir), "\x1b\n\t") {
			t.Errorf("%q is quoted as %q, which is %q", dir, job.Quoted(dir), got)
		}
	}
}
