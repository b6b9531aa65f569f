package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// square is a short run from one start of a program with modes at 3 and −3.
func square(t *testing.T, dir string, more ...string) []string {
	t.Helper()
	tmp := t.TempDir()
	for name, text := range map[string]string{"m.bug": "model { theta ~ dnorm(0, 0.01); y ~ dnorm(theta * theta, 4) }", "d.R": "y <- 9", "i.R": "theta <- 3"} {
		path := filepath.Join(tmp, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return append([]string{"sample", filepath.Join(tmp, "m.bug"), "--data", filepath.Join(tmp, "d.R"), "--inits", filepath.Join(tmp, "i.R"), "--seed", "3", "--progress", "none", "--out", dir}, more...)
}

// warningsOf are the warnings in a folder's summary, as text.
func warningsOf(t *testing.T, dir string) (codes, text string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Warnings []struct{ Code, Message string }
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	for _, w := range s.Warnings {
		codes += w.Code + " "
		text += w.Message + "\n"
	}
	return codes, text
}

// A mode that no chain has met is a warning, the same after a resumption, in a summary made again, and on any number of threads; --strict
// heeds it.
func TestMissedModeIsWarnedOf(t *testing.T) {
	tmp := t.TempDir()
	whole, parted := filepath.Join(tmp, "whole"), filepath.Join(tmp, "parted")
	r := execute(t, program(t, square(t, whole, "--draws", "400", "--threads", "1", "--strict")...))
	if r.status != 3 || !strings.Contains(r.stderr, "no chain has been where theta is -") || !strings.Contains(r.stderr, "--sampler tempered") {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
	must(t, square(t, parted, "--draws", "100", "--threads", "2")...)
	must(t, "sample", "--resume", parted, "--draws", "400", "--progress", "none")
	sameDraws(t, "resumed", parted, whole)
	codes, text := warningsOf(t, whole)
	if _, again := warningsOf(t, parted); codes != "missed_mode " || again != text {
		t.Errorf("%s: %s, and resumed\n%s", codes, text, again)
	}
	if r := must(t, "summary", whole); !strings.Contains(r.stderr, "no chain has been where theta") {
		t.Errorf("summary says\n%s", r.stderr)
	}
}

// Tempered runs visit both modes from one start, and are the same bytes after a resumption and on any number of threads.
func TestTemperedRun(t *testing.T) {
	tmp := t.TempDir()
	whole, parted := filepath.Join(tmp, "whole"), filepath.Join(tmp, "parted")
	r := must(t, square(t, whole, "--draws", "400", "--threads", "1", "--sampler", "tempered")...)
	if strings.Contains(r.stderr, "no chain has been") {
		t.Errorf("%s", r.stderr)
	}
	must(t, square(t, parted, "--draws", "100", "--threads", "2", "--sampler", "tempered")...)
	must(t, "sample", "--resume", parted, "--draws", "400", "--progress", "none")
	sameDraws(t, "resumed", parted, whole)
	b, err := os.ReadFile(filepath.Join(whole, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Samplers   []struct{ Kernel string }
		Parameters map[string]struct{ Q5, Q95 float64 }
	}
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	if s.Samplers[0].Kernel != "tempered" || !(s.Parameters["theta"].Q5 < -2.5) || !(s.Parameters["theta"].Q95 > 2.5) {
		t.Errorf("%+v", s)
	}
}

func TestTemperedIsForAllNodes(t *testing.T) {
	for _, ask := range []string{"theta=tempered", "tempered;theta=tempered"} {
		r := execute(t, program(t, square(t, filepath.Join(t.TempDir(), "run"), "--sampler", ask)...))
		if r.status != 2 || !strings.Contains(r.stderr, "all nodes are tempered together") {
			t.Errorf("%s: status %d, %s", ask, r.status, r.stderr)
		}
	}
	// other kernels are asked for beside it, for the replica that is recorded
	must(t, square(t, filepath.Join(t.TempDir(), "run"), "--sampler", "tempered", "--sampler", "theta=slice", "--warmup", "50", "--draws", "50")...)
}
