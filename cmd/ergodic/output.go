package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// mayWrite says why a file that a command makes cannot be put at path. It is
// asked before the work is done.
func mayWrite(path string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		dir := filepath.Dir(path)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s cannot be written: there is no folder %s", path, dir)
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file that could be replaced; name another", path)
	case !force:
		return fmt.Errorf("%s exists; choose another --out, or overwrite it with --force", path)
	}
	return nil
}
