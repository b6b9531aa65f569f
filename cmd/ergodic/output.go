package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// mayWrite says why a file that a command makes cannot be put at path. It is
// asked before the work is done.
func mayWrite(path string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		dir := filepath.Dir(path)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("%s cannot be written: there is no folder %s", wording.Brief(path), wording.Brief(dir))
		}
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file that could be replaced; name another", path)
	case !force:
		return fmt.Errorf("%s exists; choose another file, or overwrite it with --force", path)
	}
	return nil
}

// writeTo writes a file that the user named: it may be a pipe.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// checkedWriter knows whether all that was written to it went through.
type checkedWriter struct {
	to  io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.to.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// exit ends the process after a help or a version, with status 0 only if that
// could be written.
func (w *checkedWriter) exit(code int) {
	if code == 0 {
		code = status(w.err)
	}
	os.Exit(code)
}
