package main

import (
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

// failed turns an error into an event where that is asked for.
func failed(v *job.Notices, err error) error {
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
