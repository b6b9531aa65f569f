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
	if err := atomicfile.Write(path, integers(0, w.layout.Chains), 0, false); err != nil {
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
			if err := atomicfile.Write(path, integers(first[k], d), 0, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeDraws writes the coordinate that numbers the draws from 0, where it
// stands for another number of draws.
func (w *Writer) writeDraws(dir string, before, draws int) error {
	chunk := min(before, draws) / drawsChunk
	for ; chunk*drawsChunk < draws; chunk++ {
		path := filepath.Join(dir, strconv.Itoa(chunk))
		from := chunk * drawsChunk
		if err := w.writeFile(path, integers(from, min(drawsChunk, draws-from)), 8*drawsChunk); err != nil {
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

// integers are n of them as bytes, counted from first.
func integers(first, n int) []byte {
	b := make([]byte, 0, 8*n)
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, uint64(first+i))
	}
	return b
}
