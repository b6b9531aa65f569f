// Package atomicfile replaces files whole or not at all.
package atomicfile

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

const suffix = ".tmp"

// IsTemporary reports whether a file's name is that of a file that was being
// written when the process died.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, suffix)
}

// Write replaces the file at path by b followed by zeros up to size: a
// reader, and a process that dies, sees the old file or the new one. The
// zeros are a hole where the file system has them. With durable it returns
// when the content would survive a loss of power; the order of the renames
// is left to the file system's journal. One process writes a path at a time.
func Write(path string, b []byte, size int64, durable bool) error {
	return replace(path, durable, func(f *os.File) error { return writeSized(f, b, size) })
}

// WriteNew is a Write that is not durable of a file that nobody looks for yet: it may be there in part.
func WriteNew(path string, b []byte, size int64) error {
	f, err := Open(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	err = writeSized(f, b, size)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func writeSized(f *os.File, b []byte, size int64) error {
	_, err := f.Write(b)
	if err == nil && int64(len(b)) < size {
		err = f.Truncate(size)
	}
	return err
}

// WriteFrom is a durable Write of what write writes, in the pieces that it gives.
func WriteFrom(path string, write func(io.Writer) error) error {
	return replace(path, true, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<16)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

func replace(path string, durable bool, write func(*os.File) error) (err error) {
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix)
	f, err := Open(tmp, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(tmp)
		}
	}()
	if err = write(f); err != nil {
		return err
	}
	if durable {
		if err = f.Sync(); err != nil {
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// Sync makes a written file durable. It opens for writing: some systems
// refuse to sync what is only read.
func Sync(path string) error {
	f, err := Open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// SyncFolder makes the renames in a folder durable. Windows has no such call
// and needs none.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
