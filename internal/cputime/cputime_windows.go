package cputime

import "syscall"

// Process is the processor time in seconds that this process has used, user and system.
func Process() float64 {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, ended, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	return seconds(kernel) + seconds(user)
}

// seconds converts a span in units of 100 ns; Filetime.Nanoseconds is for dates.
func seconds(t syscall.Filetime) float64 {
	return 1e-7 * float64(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime))
}
