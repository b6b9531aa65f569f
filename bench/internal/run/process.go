package run

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/peak"
)

// Process is what became of a program.
type Process struct {
	Usage
	Status         int // -1: it was killed
	Stdout, Stderr string
	PeakMB         int64 // the most memory it had
	Late           bool  // it was still running at the deadline, and was killed
}

// Execute runs a program in dir, until the deadline of ctx. Its error says that
// the program did not run.
func Execute(ctx context.Context, dir, program string, args ...string) (Process, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	err := cmd.Run()
	p := Process{Usage: Usage{Wall: time.Since(start)}, Stdout: out.String(), Stderr: errs.String(), Late: ctx.Err() != nil}
	st := cmd.ProcessState
	if st == nil {
		return p, err
	}
	p.CPU, p.Status, p.PeakMB = st.UserTime()+st.SystemTime(), st.ExitCode(), peak.MB(st)
	var exit *exec.ExitError
	if p.Late || errors.As(err, &exit) {
		err = nil
	}
	return p, err
}
