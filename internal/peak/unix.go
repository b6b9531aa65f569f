//go:build unix

package peak

import (
	"os"
	"runtime"
	"syscall"
)

func bytes(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin": // in bytes there, in kB elsewhere
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
