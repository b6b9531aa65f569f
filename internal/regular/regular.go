// Package regular opens files to read and refuses what is none: a named pipe
// may never end, a device is not what was meant.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
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

// ReadFile reads a regular file whole, if there is memory for it.
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
	if !info.Mode().IsRegular() {
		return readPipe(f, path)
	}
	if err := memory.Room(float64(info.Size())); err != nil { // the size may be a claim: a file can have holes
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	b := make([]byte, info.Size())
	n, err := io.ReadFull(f, b)
	if err == io.ErrUnexpectedEOF || err == io.EOF { // cut while it was read
		err = nil
	}
	return b[:n], err
}

// maxPiped bounds what is read from a pipe, whose length nothing tells.
const maxPiped = 1 << 30

func readPipe(f *os.File, path string) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(f, maxPiped+1))
	if len(b) > maxPiped {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("more than %d bytes come through this pipe; put them into a file", maxPiped)}
	}
	return b, err
}

// Check returns an error unless the file at path is regular, or a pipe that whoever started
// the program opened for it, as a shell does for <(command).
func Check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0 && inherited(path) {
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s, not a file", kind(info.Mode()))}
}

// inherited tells whether a path stands for an open descriptor of the process.
func inherited(path string) bool {
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
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
