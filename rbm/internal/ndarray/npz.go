package ndarray

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadNPZ reads a numpy archive: a zip file of .npy files named after their
// arrays.
func ReadNPZ(r io.ReaderAt, bytes int64) ([]Array, error) {
	z, err := zip.NewReader(r, bytes)
	if err != nil {
		return nil, fmt.Errorf("it is not a numpy archive: %w", err)
	}
	var arrays []Array
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		a, err := readMember(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", wording.Brief(name), err)
		}
		a.Name = name
		arrays = append(arrays, a)
	}
	return arrays, nil
}

func readMember(f *zip.File) (Array, error) {
	r, err := f.Open()
	if err != nil {
		return Array{}, err
	}
	defer r.Close()
	a, err := ReadNPY(r)
	if err != nil {
		return Array{}, err
	}
	// The checksum is compared at the end.
	n, err := io.Copy(io.Discard, io.LimitReader(r, 1))
	if err == nil && n > 0 {
		err = fmt.Errorf("there are bytes after the %d elements of its shape %s", a.Len(), a.Shape())
	}
	return a, err
}

// WriteNPZ writes arrays as a compressed numpy archive; the same arrays give
// the same bytes.
func WriteNPZ(w io.Writer, arrays []Array) error {
	z := zip.NewWriter(w)
	for k := range arrays {
		m, err := z.CreateHeader(&zip.FileHeader{Name: arrays[k].Name + ".npy", Method: zip.Deflate})
		if err != nil {
			return err
		}
		if err := WriteNPY(m, &arrays[k]); err != nil {
			return err
		}
	}
	return z.Close()
}
