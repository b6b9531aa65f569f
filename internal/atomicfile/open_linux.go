package atomicfile

import (
	"os"
	"syscall"
)

// Open is os.OpenFile for a regular file. It does not offer the file to Go's poller, which takes none of its kind and asks the system for five calls to find that out.
func Open(path string, flag int) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, flag|syscall.O_CLOEXEC, 0o666)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), path), nil
		case syscall.EINTR:
		default:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}
