package draws

import (
	"os"
	"path/filepath"
)

// tempSuffix marks a file that is being written; Resume removes what a
// killed run left.
const tempSuffix = ".tmp"

// writeAtomic replaces the file at path by b followed by zeros up to size:
// a reader, and a process that dies, sees the old file or the new one. The
// zeros are a hole where the file system has them. With durable it returns
// when the content would survive a loss of power; the order of the renames
// is left to the file system's journal.
func writeAtomic(path string, b []byte, size int64, durable bool) (err error) {
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+tempSuffix)
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(tmp)
		}
	}()
	if _, err = f.Write(b); err != nil {
		return err
	}
	if int64(len(b)) < size {
		if err = f.Truncate(size); err != nil {
			return err
		}
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

// syncFile makes a written file durable. It opens for writing: some systems
// refuse to sync what is only read.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
