//go:build unix

// Package cputime reads the processor's time of this process.
package cputime

import "syscall"

// Process is the processor time in seconds that this process has used, user and system.
func Process() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(1e-6*float64(u.Utime.Usec+u.Stime.Usec))
}
