package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/job"
)

// newNotices is what a command says on standard error.
func newNotices(progress string) *job.Notices {
	return &job.Notices{
		JSON: progress == "json", Print: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) },
		Flags: inFlags, Abridged: func(text string) string { return abridged(text, os.Args[1:]) },
	}
}

// noticed runs a job that says things; its error is an event where that is asked for.
func noticed(progress string, run func(*job.Notices) error) error {
	v := newNotices(progress)
	err := run(v)
	if err == nil || !v.JSON {
		return err
	}
	code, said := judged(err)
	if said == nil {
		return err
	}
	v.Tell("error", said.Error(), nil)
	return job.Exit{Code: code}
}

// warned is the error of --strict where there are warnings.
func warned(strict bool, warnings int) error {
	if strict && warnings > 0 {
		return job.Exit{Code: job.Warned, Err: errors.New("there are warnings, and --strict was given")}
	}
	return nil
}
