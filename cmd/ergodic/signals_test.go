//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A run goes on when nobody reads what it says; its results end as those of
// other programs do.
func TestClosedPipe(t *testing.T) {
	want, _ := reference(t)
	for _, progress := range []string{"auto", "json"} {
		dir := filepath.Join(t.TempDir(), "run")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := program(t, lamps("--draws", longRun, "--out", dir, "--progress", progress)...)
		cmd.Stdout, cmd.Stderr = w, w
		err = cmd.Run()
		w.Close()
		if err == nil {
			t.Errorf("--progress %s: status 0, and the table was not written", progress)
		}
		sameDraws(t, "nobody reads", dir, want)
		if !exists(filepath.Join(dir, "summary.json")) {
			t.Errorf("--progress %s: the run has no summary", progress)
		}
		endsBySIGPIPE(t, "export", dir, "--format", "csv")
	}
	endsBySIGPIPE(t, "--help")
	endsBySIGPIPE(t, "sample", "--help")
}

// endsBySIGPIPE checks that results that nobody reads end the process by
// SIGPIPE, without a message.
func endsBySIGPIPE(t *testing.T, args ...string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	var errs strings.Builder
	cmd := program(t, args...)
	cmd.Stdout, cmd.Stderr = w, &errs
	cmd.Run()
	w.Close()
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGPIPE || errs.Len() > 0 {
		t.Errorf("%v: %v, %q", args, cmd.ProcessState, errs.String())
	}
}

// A hangup that the parent ignores, as nohup does, does not end a run.
func TestIgnoredHangup(t *testing.T) {
	want, _ := reference(t)
	dir := filepath.Join(t.TempDir(), "run")
	cmd := program(t, lamps("--draws", longRun, "--out", dir)...)
	sh := exec.Command("sh", append([]string{"-c", `trap '' HUP; "$@" & pid=$!; kill -HUP $pid; sleep 0.1; kill -HUP $pid; wait $pid`, "sh"}, cmd.Args...)...)
	sh.Env = cmd.Env
	if r := execute(t, sh); r.status != 0 {
		t.Fatalf("status %d: %s", r.status, r.stderr)
	}
	sameDraws(t, "hangup", dir, want)
}
