package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/rbm"
)

// largerMachine is one that is not summed at once.
func largerMachine(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	m := rbm.New(40, 30)
	for k := range m.W {
		m.W[k] = 0.3 * r.NormFloat64()
	}
	file := filepath.Join(t.TempDir(), "larger.npz")
	if err := rbm.WriteModel(file, m); err != nil {
		t.Fatal(err)
	}
	return file
}

// withoutTimes is the result in a summary, less the seconds.
func withoutTimes(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Result []map[string]any }
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Result {
		delete(r, "wall_s")
		delete(r, "cpu_s")
	}
	return jsonText(s.Result)
}

// Estimates that are interrupted, killed and resumed on other threads are
// those of an undisturbed run.
func TestRBMLogzIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	for name, method := range map[string][]string{
		"ais": {"--method", "ais", "--temperatures", "4000", "--runs", "150", "--checkpoint", "2ms"},
		"rts": {"--method", "rts", "--temperatures", "30", "--rounds", "1500", "--checkpoint", "100ms"},
	} {
		t.Run(name, func(t *testing.T) { logzIsResumed(t, method) })
	}
}

func logzIsResumed(t *testing.T, method []string) {
	small, _ := machine(t, "small.npz")
	args := append([]string{"rbm", "logz", small, largerMachine(t), "--seed", "3", "--progress", "none"}, method...)
	whole := filepath.Join(t.TempDir(), "whole")
	began := time.Now()
	must(t, append(args, "--out", whole, "--threads", "1")...)
	took, want := time.Since(began), withoutTimes(t, whole)
	t.Run("kill", func(t *testing.T) {
		cut := filepath.Join(t.TempDir(), "cut")
		killed := resumedAfterKills(t, cut, 4, took/4, append(args, "--out", cut, "--threads", "1"),
			[]string{"rbm", "logz", "--resume", cut, "--threads", "2", "--checkpoint", args[slices.Index(args, "--checkpoint")+1], "--progress", "none"})
		if got := withoutTimes(t, cut); got != want || killed == 0 {
			t.Errorf("killed %d times:\n%s\nundisturbed:\n%s", killed, got, want)
		}
	})
	for _, s := range job.Signals() {
		t.Run(s.String(), func(t *testing.T) { interruptRBM(t, s, args, want, took) })
	}
	t.Run("without a folder", func(t *testing.T) { interruptRBMWithoutFolder(t, args, want, took) })
}

// A run that was given no folder leaves one when it is interrupted, and only then.
func interruptRBMWithoutFolder(t *testing.T, args []string, want string, took time.Duration) {
	for attempt := 0; ; attempt++ {
		dir := t.TempDir()
		cmd := program(t, append(args, "--threads", "1")...)
		cmd.Dir = dir
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took / time.Duration(2+attempt))
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		left, err := os.ReadDir(dir)
		if status := cmd.ProcessState.ExitCode(); status != job.Interrupted {
			if err != nil || len(left) > 0 {
				t.Fatalf("a run that was not interrupted left %v, %v", left, err)
			}
			if attempt < 6 {
				continue // over already, or not listening yet
			}
			t.Fatalf("status %d: %s", status, errs.String())
		}
		if err != nil || len(left) != 1 || !strings.Contains(errs.String(), "ergodic rbm logz --resume "+left[0].Name()) {
			t.Fatalf("%v, %v: %s", left, err, errs.String())
		}
		cut := filepath.Join(dir, left[0].Name())
		must(t, "rbm", "logz", "--resume", cut, "--progress", "none")
		if got := withoutTimes(t, cut); got != want {
			t.Errorf("interrupted:\n%s\nundisturbed:\n%s", got, want)
		}
		return
	}
}

func interruptRBM(t *testing.T, s os.Signal, args []string, want string, took time.Duration) {
	for attempt := 0; ; attempt++ {
		cut := filepath.Join(t.TempDir(), "cut")
		cmd := program(t, append(args, "--out", cut, "--threads", "1")...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took / time.Duration(2+attempt))
		cmd.Process.Signal(s)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != job.Interrupted {
			if attempt < 6 {
				continue // over already, or not listening yet
			}
			t.Fatalf("status %d: %s", status, errs.String())
		}
		resume := "ergodic rbm logz --resume " + cut
		if !strings.Contains(errs.String(), resume) || exists(filepath.Join(cut, "summary.json")) {
			t.Fatalf("%q does not say %q, or there is a summary", errs.String(), resume)
		}
		if table := out.String(); table != "" && !strings.Contains(table, "\npartial: ") {
			t.Errorf("an interrupted run prints what looks finished:\n%s", table)
		}
		again := must(t, "rbm", "logz", "--resume", cut, "--progress", "none")
		if got := withoutTimes(t, cut); got != want || !strings.Contains(again.stdout, "larger.npz  "+args[slices.Index(args, "--method")+1]) {
			t.Errorf("interrupted:\n%s\nundisturbed:\n%s", got, want)
		}
		return
	}
}

func TestRBMResumeRefuses(t *testing.T) {
	file, _ := machine(t, "m.npz")
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "rbm", "logz", file, "--out", dir)
	for want, args := range map[string][]string{
		"--runs is 5, and the run was started with the default": {"logz", "--resume", dir, "--runs", "5"},
		"--seed is 5, and the run was started with":             {"logz", "--resume", dir, "--seed", "5"},
		"started with 1 machine, not 2":                         {"logz", "--resume", dir, file, file},
		"keeps what is there":                                   {"logz", "--resume", dir, "--out", "x"},
		"there is no folder":                                    {"logz", "--resume", filepath.Join(dir, "x")},
		"it is a run of ergodic rbm logz":                       {"compare", "--resume", dir},
		"name a machine, or a run to":                           {"logz"},
		"holds a finished run; choose another --out":            {"logz", file, "--out", dir},
	} {
		r := execute(t, program(t, append([]string{"rbm"}, args...)...))
		if r.status == 0 || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %d %s", args, r.status, r.stderr)
		}
	}
	if r := must(t, "rbm", "logz", file, "--resume", dir, "--method", "auto"); !strings.Contains(r.stdout, "m.npz  exact") {
		t.Errorf("a finished run does not say again what it found: %s", r.stdout)
	}
	if err := rbm.WriteModel(file, rbm.New(3, 2)); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "rbm", "logz", "--resume", dir)); r.status != 1 || !strings.Contains(r.stderr, "is not what the run was started with") {
		t.Errorf("another machine passes: %d %s", r.status, r.stderr)
	}
}
