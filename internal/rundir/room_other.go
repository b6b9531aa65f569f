//go:build !(linux || darwin || freebsd)

package rundir

// freeBytes is not known here.
func freeBytes(string) (float64, bool) { return 0, false }
