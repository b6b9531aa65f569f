package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/job"
	"github.com/ergodic-mcmc/ergodic/internal/peak"
)

// With this variable the test binary is the program: the tests below run it
// as a process of its own, to interrupt and to kill.
const beProgram = "ERGODIC_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program prepares a process of ergodic with the given arguments.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), beProgram+"=1")
	return cmd
}

// ran is what a process left.
type ran struct {
	status         int
	stdout, stderr string
}

// execute runs a prepared process to its end.
func execute(t *testing.T, cmd *exec.Cmd) ran {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// must runs ergodic and fails the test unless it succeeds.
func must(t *testing.T, args ...string) ran {
	t.Helper()
	r := execute(t, program(t, args...))
	if r.status != 0 {
		t.Fatalf("ergodic %q: status %d\n%s", args, r.status, r.stderr)
	}
	return r
}

// filesBelow is the content of every file below dir by its path.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s is empty", dir)
	}
	return all
}

// sameDraws holds the draws of two runs to be the same bytes in the same files.
func sameDraws(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := filesBelow(t, filepath.Join(got, "draws.zarr")), filesBelow(t, filepath.Join(want, "draws.zarr"))
	for name := range w {
		if x, ok := g[name]; !ok {
			t.Errorf("%s: draws.zarr%s is missing", what, name)
		} else if x != w[name] {
			t.Errorf("%s: draws.zarr%s differs (%d and %d bytes)", what, name, len(x), len(w[name]))
		}
	}
	for name := range g {
		if _, ok := w[name]; !ok {
			t.Errorf("%s: draws.zarr%s should not be there", what, name)
		}
	}
}

// lamps is the command line of a run that takes part in all these tests.
func lamps(more ...string) []string {
	return append([]string{"sample", "testdata/lamps.bug", "--data", "testdata/lamps.json", "--seed", "7", "--chains", "3",
		"--warmup", "300", "--thin", "2", "--save-warmup", "--log-lik", "--progress", "none"}, more...)
}

const longRun = "4000"

// reference is the folder of an undisturbed run and how long it took.
func reference(t *testing.T) (dir string, took time.Duration) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "reference")
	began := time.Now()
	must(t, lamps("--draws", longRun, "--threads", "1", "--out", dir)...)
	return dir, time.Since(began)
}

// A run may be interrupted, killed, resumed elsewhere, extended, and run on
// any number of threads: its draws are the same bytes.
func TestDrawsDoNotDependOnWhatHappens(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	want, took := reference(t)
	t.Run("threads", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, lamps("--draws", longRun, "--threads", "2", "--out", dir)...)
		sameDraws(t, "two threads", dir, want)
	})
	t.Run("extend", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "run")
		must(t, lamps("--draws", "700", "--out", dir)...)
		must(t, "sample", "--resume", dir, "--draws", longRun, "--progress", "none")
		sameDraws(t, "extended", dir, want)
	})
	for _, s := range job.Signals() {
		t.Run(s.String(), func(t *testing.T) { interruptAndResume(t, s, want, took) })
	}
	t.Run("kill", func(t *testing.T) {
		killAndResume(t, func(more ...string) []string { return lamps(append([]string{"--draws", longRun}, more...)...) }, want, took)
	})
}

// interruptAndResume sends a signal once the run is under way, and goes on
// from another folder.
func interruptAndResume(t *testing.T, s os.Signal, want string, took time.Duration) {
	for attempt := 0; ; attempt++ {
		dir := filepath.Join(t.TempDir(), "run")
		cmd := program(t, lamps("--draws", longRun, "--out", dir)...)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took / time.Duration(3+attempt))
		cmd.Process.Signal(s)
		cmd.Wait()
		status := cmd.ProcessState.ExitCode()
		if status != job.Interrupted && attempt < 8 {
			continue // over already, or not listening yet
		}
		resume := "ergodic sample --resume " + dir
		if status != job.Interrupted || out.Len() > 0 || !strings.Contains(errs.String(), resume) {
			t.Fatalf("status %d, %q on standard output, %q on standard error; the command to resume should be %q", status, out.String(), errs.String(), resume)
		}
		if _, err := os.Stat(filepath.Join(dir, "summary.json")); err == nil {
			t.Error("an interrupted run has a summary")
		}
		again := program(t, "sample", "--resume", dir, "--progress", "none")
		again.Dir = t.TempDir()
		if r := execute(t, again); r.status != 0 || !strings.Contains(r.stdout, "slope") {
			t.Fatalf("resuming: status %d\n%s", r.status, r.stderr)
		}
		sameDraws(t, "interrupted", dir, want)
		return
	}
}

// resumedAfterKills starts a run in the folder, kills it, resumes and kills it again, as many times as said and each after the pause,
// and lets it end. It returns how often a process was still at work when it was killed.
func resumedAfterKills(t *testing.T, folder string, times int, pause time.Duration, start, resume []string) (killed int) {
	t.Helper()
	cmd := program(t, start...)
	for range times {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pause)
		cmd.Process.Kill()
		cmd.Wait()
		if !cmd.ProcessState.Exited() {
			killed++
		}
		if !exists(filepath.Join(folder, "run.json")) {
			t.Skip("the machine is too busy to begin a run")
		}
		cmd = program(t, resume...)
	}
	if end := execute(t, cmd); end.status != 0 {
		t.Fatal(end.stderr)
	}
	return killed
}

// refused tells whether a run that is resumed with each of the flags fails with the words beside them.
func refused(t *testing.T, resume []string, flags map[string]string) {
	t.Helper()
	for given, says := range flags {
		if end := execute(t, program(t, append(slices.Clone(resume), strings.Fields(given)...)...)); end.status != 1 || !strings.Contains(end.stderr, says) {
			t.Errorf("%s: status %d, %s", given, end.status, end.stderr)
		}
	}
}

// killAndResume kills the run again and again at random instants. The instants
// need not be the same in each test; whatever they are, so are the draws.
func killAndResume(t *testing.T, command func(more ...string) []string, want string, took time.Duration) {
	const kills = 6
	dir := filepath.Join(t.TempDir(), "run")
	args := command("--checkpoint", "5ms", "--out", dir)
	killed := 0
	for range kills {
		cmd := program(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(took / 3))))
		cmd.Process.Kill()
		cmd.Wait()
		if !cmd.ProcessState.Exited() {
			killed++
		}
		if _, err := os.Stat(filepath.Join(dir, "run.json")); err == nil {
			args = []string{"sample", "--resume", dir, "--progress", "none", "--checkpoint", "5ms"}
		} else {
			args = command("--checkpoint", "5ms", "--force", "--out", dir)
		}
	}
	must(t, args...)
	if killed == 0 {
		t.Error("the run was over before it was ever killed")
	}
	sameDraws(t, "killed", dir, want)
}

// The seed is drawn from the system and printed; it names the draws.
func TestTheSeedIsPrinted(t *testing.T) {
	run := func(more ...string) (string, uint64) {
		dir := filepath.Join(t.TempDir(), "run")
		r := must(t, append([]string{"sample", "testdata/lamps.bug", "--data", "testdata/lamps.json", "--warmup", "20", "--draws", "20", "--progress", "json", "--out", dir}, more...)...)
		for _, l := range strings.Split(strings.TrimSpace(r.stderr), "\n") {
			var e struct {
				Event string
				Seed  uint64
			}
			if err := json.Unmarshal([]byte(l), &e); err != nil {
				t.Fatalf("%q: %v", l, err)
			}
			if e.Event == "start" {
				return dir, e.Seed
			}
		}
		t.Fatalf("no event of the start in %s", r.stderr)
		return "", 0
	}
	a, seed := run()
	b, _ := run("--seed", jsonText(seed))
	sameDraws(t, "the same seed", b, a)
	if _, other := run(); other == seed {
		t.Errorf("two runs drew the seed %d", seed)
	}
}

func jsonText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// Draws stream to disk: a run that has written much holds little.
func TestMemoryDoesNotGrowWithDraws(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs the peak memory of a process in a known unit, and signals")
	}
	peakAfter := func(after int64) int64 {
		dir := filepath.Join(t.TempDir(), "run")
		cmd := program(t, lamps("--draws", "400000", "--thin", "1", "--out", dir)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		for began := time.Now(); written(dir) < after; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > time.Minute {
				t.Fatal("the run writes nothing")
			}
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		return peak.MB(cmd.ProcessState)
	}
	early, late := peakAfter(4e6), peakAfter(80e6)
	if late > early+40 {
		t.Errorf("%d MB after 4 MB of draws, %d MB after 80 MB", early, late)
	}
}

// written is the size of all files below a folder.
func written(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // not there yet, or replaced
		}
		if info, err := e.Info(); err == nil && e.Type().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}
