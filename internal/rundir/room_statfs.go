//go:build linux || darwin || freebsd

package rundir

import "syscall"

// freeBytes is what an ordinary user may still write to the disk of a folder.
func freeBytes(path string) (float64, bool) {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return 0, false
	}
	return float64(s.Bavail) * float64(s.Bsize), true
}
