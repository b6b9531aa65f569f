//go:build unix

package lda

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// scratch is a file of zeros that no folder has any more, mapped; nil where the file system has no maps.
func scratch(folder string, size int64) (b []byte, done func(), err error) {
	f, err := os.CreateTemp(folder, "topics-*")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return nil, nil, err
	}
	if err := fill(f, size); err != nil {
		return nil, nil, err
	}
	b, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, nil
	}
	return b, func() { _ = unix.Munmap(b) }, nil
}

// asTopics is the same memory: a page is aligned, and the file is of this process alone.
func asTopics(b []byte) []uint16 {
	return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/2)
}
