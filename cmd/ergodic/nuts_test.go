package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// TestNUTSLeavesItsStatistics asks for nuts beside nodes of other kernels: the folder has what trajectories tell, threads and an extension
// change nothing.
func TestNUTSLeavesItsStatistics(t *testing.T) {
	tmp := t.TempDir()
	whole, parted := filepath.Join(tmp, "whole"), filepath.Join(tmp, "parted")
	ask := []string{"--sampler", "rate=nuts", "--sampler", "shape=nuts", "--sampler", "level=nuts", "--sampler", "slope=nuts"}
	must(t, small(whole, append(ask, "--progress", "json", "--threads", "1")...)...)
	must(t, small(parted, append(ask, "--progress", "none", "--draws", "25")...)...)
	must(t, "sample", "--resume", parted, "--draws", "60")
	r, err := draws.Open(filepath.Join(whole, "draws.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"diverging", "tree_depth", "energy", "step_size", "n_steps"} {
		x, err := r.ReadVariable(draws.SampleStats, name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := len(x[0][0]); n != 60 {
			t.Errorf("%s: %d of 60 draws", name, n)
		}
		if last := x[0][0][59]; name != "diverging" && !(last > 0) && name != "energy" {
			t.Errorf("%s is %v", name, last)
		}
	}
	csv := must(t, "export", whole, "--format", "csv").stdout
	if other := must(t, "export", parted, "--format", "csv").stdout; csv != other || !bytes.Contains([]byte(csv), []byte("slope")) {
		t.Error("an extended run has other draws than an undisturbed one")
	}
	if _, err := os.Stat(filepath.Join(parted, "summary.json")); err != nil {
		t.Error(err)
	}
}

// All that NUTS learns and where its chains are is in checkpoints: threads and kills in warm-up or after it change no byte of the draws.
func TestNUTSDrawsDoNotDependOnWhatHappens(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	command := func(more ...string) []string {
		args := lamps("--draws", "400")
		for _, node := range []string{"rate", "shape", "rate0", "factor", "level", "slope", "precision"} {
			args = append(args, "--sampler", node+"=nuts")
		}
		return append(args, more...)
	}
	want := filepath.Join(t.TempDir(), "want")
	began := time.Now()
	must(t, command("--threads", "1", "--out", want)...)
	took := time.Since(began)
	t.Run("threads", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, command("--threads", "2", "--out", dir)...)
		sameDraws(t, "two threads", dir, want)
	})
	t.Run("kill", func(t *testing.T) { killAndResume(t, command, want, took) })
}
