// Package regular opens files to read and refuses what is none: a named pipe
// would never end, a device is not what was meant.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file to read.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path) // to open a pipe waits for who writes to it
	if err == nil {
		err = Check(path, info)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// ReadFile reads a regular file whole.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, info.Size())
	n, err := io.ReadFull(f, b)
	if err == io.ErrUnexpectedEOF || err == io.EOF { // cut while it was read
		err = nil
	}
	return b[:n], err
}

// Check returns an error unless the file at path is regular.
func Check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s, not a file", kind(info.Mode()))}
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
