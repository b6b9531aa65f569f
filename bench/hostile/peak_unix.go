//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB is the most memory a finished process had, 0 where not known.
func peakMB(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin": // in bytes there, in kB elsewhere
		return int64(u.Maxrss) >> 20
	}
	return int64(u.Maxrss) >> 10
}
