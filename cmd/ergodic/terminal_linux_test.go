package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// terminal opens a pseudo-terminal of some columns and 30 lines.
func terminal(t *testing.T, columns uint16) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: columns})
	}
	if err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	if slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo-terminals here:", err)
	}
	return master, slave
}

// At a terminal the table is live, Ctrl-C is the signal, and the result still
// goes to standard output, without colours.
func TestAtATerminal(t *testing.T) {
	for _, env := range []string{"COLOUR=1", "NO_COLOR=1", "TERM=dumb"} {
		master, slave := terminal(t, 100)
		cmd := program(t, lamps("--draws", "300000", "--progress", "auto", "--out", filepath.Join(t.TempDir(), "run"))...)
		var out bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, &out, slave
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		cmd.Env = append(cmd.Env, "LANG=C.UTF-8", "LC_ALL=", "TERM=xterm", env)
		if env == "COLOUR=1" { // the test may itself run without colours
			cmd.Env = append(cmd.Env, "NO_COLOR=")
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		slave.Close()
		timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
		screen := typeCtrlC(master, env != "TERM=dumb")
		cmd.Wait()
		timer.Stop()
		if status := cmd.ProcessState.ExitCode(); status != job.Interrupted || out.Len() > 0 || !strings.Contains(screen, "--resume") {
			t.Fatalf("%s: status %d, %q on standard output, on the terminal\n%s", env, status, out.String(), screen)
		}
		table, colour := strings.Contains(screen, "chain  phase"), regexp.MustCompile("\x1b\\[[0-9;]*m").MatchString(screen)
		if table != (env != "TERM=dumb") || colour != (env == "COLOUR=1") {
			t.Errorf("%s: table %v, colours %v in %q", env, table, colour, screen)
		}
		if env == "TERM=dumb" && strings.Contains(screen, "\x1b") {
			t.Errorf("escape sequences on a dumb terminal: %q", screen)
		}
	}
}

// typeCtrlC waits for the table, or where there is none for the seed, presses
// Ctrl-C, and returns all that the terminal showed.
func typeCtrlC(master *os.File, table bool) string {
	want := "seed 7"
	if table {
		want = " left"
	}
	var screen strings.Builder
	b := make([]byte, 4096)
	typed := false
	for {
		n, err := master.Read(b)
		screen.Write(b[:n])
		if !typed && strings.Contains(screen.String(), want) {
			typed = true
			if !table { // the run listens when it has begun
				time.Sleep(500 * time.Millisecond)
			}
			io.WriteString(master, "\x03")
		}
		if err != nil {
			return screen.String()
		}
	}
}
