// Package mapped opens files as bytes: mapped into memory where the system can, and read elsewhere.
package mapped

import (
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Open gives the bytes of a regular file, which must not be changed, and the function that gives them back, nil where there is nothing to give. Another
// process must not write to the file meanwhile. what names in messages what the file should hold.
func Open(path, what string) (b []byte, unmap func() error, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > math.MaxInt {
		return nil, nil, fmt.Errorf("%s cannot be mapped into memory; %s is a file", wording.Brief(path), what)
	}
	if b, unmap, err = mapped(f, int(info.Size())); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", wording.Brief(path), err)
	}
	return b, unmap, nil
}

// read is mapped where files cannot be mapped.
func read(f *os.File, size int) ([]byte, func() error, error) {
	if err := memory.Room(float64(size)); err != nil {
		return nil, nil, err
	}
	b := make([]byte, size)
	_, err := io.ReadFull(f, b)
	return b, nil, err
}
