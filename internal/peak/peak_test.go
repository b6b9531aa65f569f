//go:build unix

package peak_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/peak"
)

// A process that fills 200 MB had at least as much, and one that does nothing
// far less.
func TestMB(t *testing.T) {
	const child = "ERGODIC_TEST_FILL"
	if os.Getenv(child) != "" {
		b := make([]byte, 200<<20)
		for i := range b {
			b[i] = 1
		}
		os.Exit(int(b[len(b)-1]) - 1)
	}
	of := func(env ...string) int64 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMB$")
		if env == nil {
			cmd = exec.Command(os.Args[0], "-test.run=^$")
		}
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return peak.MB(cmd.ProcessState)
	}
	if idle, filled := of(), of(child+"=1"); filled < 200 || filled > 400 || idle < 1 || idle > 100 {
		t.Errorf("%d MB with 200 MB, %d MB without", filled, idle)
	}
}
