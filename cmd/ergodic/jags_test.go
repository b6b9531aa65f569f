package main

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A script's end, its errors and its interruption as a caller of JAGS sees them.
func TestJAGS(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("coin.bug", "model { heads ~ dbin(p, 10); p ~ dunif(0, 1) }")
	write("coin.R", "heads <- 7")
	const start = "model in coin.bug\ndata in coin.R\ncompile\ninitialize\n"
	good := write("good.cmd", start+"update 10\nmonitor p\nupdate 10\ncoda *\nexit\nnonsense\n")
	bad := write("bad.cmd", "\nupdate 3\npwd\n")
	run := func(args ...string) ran {
		cmd := program(t, append([]string{"jags"}, args...)...)
		cmd.Dir = dir
		return execute(t, cmd)
	}
	got := run(good, "--seed", "3")
	if words := strings.Fields(got.stdout); got.status != 0 || words[0] != "Welcome" || words[3] != jagsVersion || !strings.HasSuffix(got.stdout, "Updating 10\nUpdating 10\nDeleting model\n") || got.stderr != "" {
		t.Errorf("%+v", got)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "CODAindex.txt")); err != nil || string(b) != "p 1 10\n" {
		t.Errorf("%s, %v", b, err)
	}
	if got := run(bad); got.status != 1 || !strings.HasSuffix(got.stderr, "bad.cmd:2: Can't update. No model!\n") || strings.Contains(got.stdout, dir) {
		t.Errorf("%+v", got)
	}
	if got := run(write("none.cmd", "model in nosuch.bug\n")); got.status != 1 || !strings.HasSuffix(got.stdout, "\nDeleting model\n") {
		t.Errorf("%+v", got)
	}
	if got := run("nosuch.cmd"); got.status != 1 || !strings.Contains(got.stderr, "the script nosuch.cmd cannot be opened") {
		t.Errorf("%+v", got)
	}
	if runtime.GOOS == "windows" {
		return
	}
	cmd := program(t, "jags", write("long.cmd", start+"update 2000000000\npwd\n"))
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "Updating 2000000000" {
	}
	time.Sleep(100 * time.Millisecond) // Ctrl-C is listened to when the chains run, and ends the process before
	cmd.Process.Signal(os.Interrupt)
	for lines.Scan() {
		if lines.Text() != "Deleting model" {
			t.Errorf("after Ctrl-C it prints %s", lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Error("after Ctrl-C it ends as if it were done")
	}
}

// A link to the program by JAGS's name is JAGS to who calls it.
func TestCalledAs(t *testing.T) {
	for name, want := range map[string]string{"/usr/local/bin/jags": "jags a.cmd", "C/jags-terminal.exe": "jags a.cmd", "ergodic": "a.cmd"} {
		if got := strings.Join(calledAs(name, []string{"a.cmd"}), " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
