package ndarray

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// ReadFile reads the arrays of a file, whose format is told by its first
// bytes.
func ReadFile(path string) ([]Array, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	arrays, err := read(f, st.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, nil
}

// file is what the formats need: zip archives are read from their end.
type file interface {
	io.Reader
	io.ReaderAt
}

func read(f file, bytes int64) ([]Array, error) {
	var head [matHeader]byte
	n, err := f.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch h := string(head[:n]); {
	case starts(h, "PK"):
		return ReadNPZ(f, bytes)
	case starts(h, npyMagic):
		return one(ReadNPY(f))
	case starts(h, "\x1f\x8b"):
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, truncated(err, "within the header of gzip")
		}
		return one(ReadIDX(z))
	case n > 2 && h[0] == 0 && h[1] == 0 && idxNumbers[h[2]].width > 0:
		return one(ReadIDX(f))
	case starts(h, "MATLAB") || n == matHeader && (h[126:] == "IM" || h[126:] == "MI"):
		return ReadMAT(f)
	case n == 0:
		return nil, fmt.Errorf("the file is empty")
	}
	return nil, fmt.Errorf("it is neither a MATLAB file of version 5 (.mat), nor numpy's (.npy, .npz), nor of MNIST (IDX, gzip or not)")
}

func starts(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }

func one(a Array, err error) ([]Array, error) {
	if err != nil {
		return nil, err
	}
	return []Array{a}, nil
}

// Read reads the arrays of a file in memory.
func Read(b []byte) ([]Array, error) { return read(bytes.NewReader(b), int64(len(b))) }
