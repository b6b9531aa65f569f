//go:build unix

package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped is the file's bytes, and how they are given back.
func mapped(f *os.File, size int) ([]byte, func() error, error) {
	if size == 0 {
		return nil, nil, nil
	}
	b, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return read(f, size) // a file system may have no maps
	}
	return b, func() error { return unix.Munmap(b) }, nil
}
