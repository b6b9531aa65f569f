//go:build !linux

package atomicfile

import "os"

// Open is os.OpenFile for a regular file.
func Open(path string, flag int) (*os.File, error) { return os.OpenFile(path, flag, 0o666) }
