package memory

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestRoom(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	for bytes, fits := range map[float64]bool{-1: true, 0: true, 1 << 20: true, 1 << 29: true, 1 << 30: false, 1 << 60: false, math.Inf(1): false} {
		err := Room(bytes)
		var no *Error
		if fits != (err == nil) || !fits && (!errors.As(err, &no) || no.Need != bytes || no.Left > 1<<30) {
			t.Errorf("%v bytes: %v", bytes, err)
		}
	}
}

// What is held takes room, and what was let go gives it back.
func TestRoomBesideWhatIsHeld(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	b := make([]byte, 700<<20)
	if Room(700<<20) == nil {
		t.Error("twice 700 MiB would fit into 1 GiB")
	}
	b[0] = 1
	b = nil
	if err := Room(700 << 20); err != nil {
		t.Errorf("garbage is in the way: %v %v", err, b)
	}
}

func TestNothingIsLimitedWithoutALimit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	if err := Room(1 << 40); err != nil {
		t.Error(err)
	}
	if Room(1<<62) == nil {
		t.Error("more than a slice can hold")
	}
}

func TestProduct(t *testing.T) {
	if p := Product(1<<40, 1<<40, 3); p != 3*math.Pow(2, 80) {
		t.Error(p)
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]float64{"64": 64, "500M": 5e8, "4G": 4e9, "4GB": 4e9, "1.5GiB": 1.5 * (1 << 30), "2 k": 2e3, "1e9": 1e9, "1tib": 1 << 40, "7b": 7} {
		var s Size
		if err := s.UnmarshalText([]byte(text)); err != nil || float64(s) != want {
			t.Errorf("%s: %v %v, not %v", text, float64(s), err, want)
		}
	}
	for _, text := range []string{"", "G", "0", "-1G", "NaN", "inf", "4X", "4Gi", "1 2", "4G4"} {
		var s Size
		if s.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is %v", text, float64(s))
		}
	}
}

// A process that takes what nobody reckoned is ended by its watch.
func TestTheWatchEndsAProcess(t *testing.T) {
	const child = "ERGODIC_TEST_HOG"
	if os.Getenv(child) != "" {
		Limit(64<<20, func() { os.Stderr.WriteString("passed"); os.Exit(7) })
		var all [][]byte
		for range 1 << 10 {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = 1
			}
			all = append(all, b)
			time.Sleep(time.Millisecond)
		}
		os.Exit(len(all) & 1)
	}
	cmd := exec.Command(os.Args[0], "-test.run=TestTheWatchEndsAProcess")
	cmd.Env = append(os.Environ(), child+"=1")
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 7 || !strings.HasSuffix(string(out), "passed") {
		t.Errorf("status %d: %s", cmd.ProcessState.ExitCode(), out)
	}
}

// Garbage may be 7 MB, what is scanned and a twentieth of all: of 80 MB in use 11 MB where they are numbers, more than is in use where all holds pointers.
func TestPercentOfGarbage(t *testing.T) {
	for _, c := range []struct {
		live, scanned float64
		want          int
	}{{80 << 20, 0, 13}, {80 << 20, 20 << 20, 38}, {80 << 20, 80 << 20, 113}, {1 << 40, 0, 5}, {1 << 20, 0, 705}, {1 << 10, 0, 1000}} {
		if got := percent(c.live, c.scanned); got != c.want {
			t.Errorf("%v bytes, of which %v are scanned: %d %%, not %d", c.live, c.scanned, got, c.want)
		}
	}
}
