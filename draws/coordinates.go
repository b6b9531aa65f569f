package draws

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// writeCoordinates writes the numbers of the chains, from 0, and the
// variables' own indices as BUGS counts them.
func (w *Writer) writeCoordinates(g group) error {
	path := filepath.Join(w.dir, g.name, "chain", "0")
	if err := writeIntegers(path, 0, w.layout.Chains, w.layout.Chains); err != nil {
		return err
	}
	return w.writeIndices(g)
}

func (w *Writer) writeIndices(g group) error {
	for _, v := range g.vars {
		first := v.first()
		for k, d := range v.Dims {
			if d == 0 {
				continue
			}
			path := filepath.Join(w.dir, g.name, v.dims[k], "0")
			if err := writeIntegers(path, first[k], d, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeDraws writes the coordinate that numbers the draws from 0, where it
// stands for another number of draws.
func writeDraws(dir string, before, draws int) error {
	chunk := min(before, draws) / drawsChunk
	for ; chunk*drawsChunk < draws; chunk++ {
		path := filepath.Join(dir, strconv.Itoa(chunk))
		from := chunk * drawsChunk
		if err := writeIntegers(path, from, min(drawsChunk, draws-from), drawsChunk); err != nil {
			return err
		}
	}
	for ; ; chunk++ {
		err := os.Remove(filepath.Join(dir, strconv.Itoa(chunk)))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// writeIntegers writes a chunk of size int64 that starts with n numbers
// counted from first.
func writeIntegers(path string, first, n, size int) error {
	b := make([]byte, 0, 8*n)
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(first+i))
	}
	return atomicfile.Write(path, b, int64(8*size), false)
}
