//go:build unix

package rundir

import (
	"errors"
	"os"
	"syscall"
)

// acquire locks a file until the process ends, however it ends.
func acquire(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, errors.New("another process is sampling into this folder")
	}
	// A file system without locks is used without.
	return f, nil
}

func release(f *os.File) { f.Close() }
