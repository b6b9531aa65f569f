//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB is the most memory that a process held.
func peakMB(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(u.Maxrss) >> 20
	}
	return int64(u.Maxrss) >> 10
}

func makePipe(path string) error { return syscall.Mkfifo(path, 0o666) }
