package main

import (
	"runtime"
	"time"
)

// resumable are the flags of a job that may be resumed.
type resumable struct {
	Threads    int           `help:"Threads; 0 for all cores. The result does not depend on it."`
	Force      bool          `help:"Overwrite a finished run."`
	Resume     string        `help:"Go on with an interrupted run as it was started." placeholder:"DIR"`
	Checkpoint time.Duration `help:"How often state goes to disk." default:"30s"`
	Progress   string        `help:"auto: live on a terminal, a line every 10 s elsewhere; json: an object a line; none." enum:"auto,json,none" default:"auto"`
	JSON       bool          `help:"Print the result as JSON."`
}

// check validates flags; the job begins with the input that what names, in the folder out, or goes on with a run.
func (f *resumable) check(name, what string, there bool, out string) error {
	switch {
	case f.Resume != "" && (out != "" || f.Force):
		return usage("%s: --resume goes on in its own folder and keeps what is there; leave --out and --force out", name)
	case f.Resume == "" && !there:
		return usage("%s: name %s, or a run to --resume", name, what)
	case f.Checkpoint <= 0:
		return usage("%s: --checkpoint %v: it must be more than 0", name, f.Checkpoint)
	}
	return checkThreads(name, f.Threads)
}

// cores is the threads that a flag asks for, where 0 is as many as there are cores.
func cores(threads int) int {
	if threads == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}
