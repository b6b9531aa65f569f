package draws

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/atomicfile"
)

// column is one variable of one chain on its way to disk: the rows of the
// chunk that is not full yet.
type column struct {
	dir   string // of the array
	chain int
	tail  string // ".0.0": the chunk indices of the variable's own dimensions
	dtype string
	size  int   // values in a row
	rows  int   // rows in a chunk
	order []int // C position → column-major position; nil: the same
	buf   []byte
	chunk int // index of the chunk in buf
	fill  int // rows in buf
	saved int // rows of buf that are on disk, -1: what is on disk has other rows
	dirty []string
}

func newColumn(dir string, chain int, v disk) column {
	return column{
		dir: filepath.Join(dir, v.array), chain: chain, tail: strings.Repeat(".0", len(v.Dims)),
		dtype: v.dtype, size: v.Size(), rows: v.rows, order: v.rowMajor(),
	}
}

func (c *column) rowBytes() int { return c.size * itemSize(c.dtype) }

func (c *column) path(chunk int) string {
	return filepath.Join(c.dir, strconv.Itoa(c.chain)+"."+strconv.Itoa(chunk)+c.tail)
}

// makeRoom writes a full chunk out, so that put has a row to write to.
func (c *column) makeRoom() error {
	if c.buf == nil {
		c.buf = make([]byte, c.rows*c.rowBytes())
	}
	if c.fill < c.rows {
		return nil
	}
	if c.saved != c.fill {
		if err := c.write(false); err != nil {
			return err
		}
	}
	c.chunk++
	c.fill, c.saved = 0, 0
	return nil
}

// put adds a row. There is room.
func (c *column) put(row []float64) {
	b := c.buf[c.fill*c.rowBytes():]
	c.fill++
	switch c.dtype {
	case boolType:
		for i, x := range row {
			b[i] = 0
			if x != 0 {
				b[i] = 1
			}
		}
	case int64Type:
		for i, x := range row {
			binary.LittleEndian.PutUint64(b[8*i:], uint64(int64(x)))
		}
	default:
		c.putFloats(b, row)
	}
}

func (c *column) putFloats(b []byte, row []float64) {
	if c.order == nil {
		for _, x := range row {
			binary.LittleEndian.PutUint64(b, math.Float64bits(x))
			b = b[8:]
		}
		return
	}
	for _, from := range c.order {
		binary.LittleEndian.PutUint64(b, math.Float64bits(row[from]))
		b = b[8:]
	}
}

// write puts the rows of buf on disk.
func (c *column) write(durable bool) error {
	if c.size == 0 {
		c.saved = c.fill
		return nil
	}
	path := c.path(c.chunk)
	if err := atomicfile.Write(path, c.buf[:c.fill*c.rowBytes()], int64(c.rows*c.rowBytes()), durable); err != nil {
		return err
	}
	if !durable {
		c.dirty = append(c.dirty, path)
	}
	c.saved = c.fill
	return nil
}

// sync makes every row durable.
func (c *column) sync() error {
	for len(c.dirty) > 0 {
		last := len(c.dirty) - 1
		if err := atomicfile.Sync(c.dirty[last]); err != nil {
			return err
		}
		c.dirty = c.dirty[:last]
	}
	if c.fill == 0 || c.saved == c.fill {
		return nil
	}
	return c.write(true)
}

// truncate keeps the first kept rows. It leaves the chunk that holds the
// last of them as it is on disk until the next write: a process that dies in
// between has lost nothing.
func (c *column) truncate(kept int) error {
	chunk, fill := kept/c.rows, kept%c.rows
	inMemory := c.buf != nil && c.chunk == chunk && c.fill >= fill
	if !inMemory {
		if err := c.load(chunk, fill); err != nil {
			return err
		}
	}
	if c.size > 0 {
		first := chunk
		if fill > 0 {
			first++
		}
		if err := c.removeFrom(first); err != nil {
			return err
		}
	}
	c.chunk, c.fill, c.saved = chunk, fill, -1
	c.dirty = nil
	return nil
}

// load reads the first fill rows of a chunk into buf.
func (c *column) load(chunk, fill int) error {
	buf := make([]byte, c.rows*c.rowBytes())
	if fill > 0 && c.size > 0 {
		if err := readPrefix(c.path(chunk), buf[:fill*c.rowBytes()]); err != nil {
			return fmt.Errorf("%d draws of chain %d are not on disk: %w", chunk*c.rows+fill, c.chain+1, err)
		}
	}
	if chunk > 0 && c.size > 0 {
		if _, err := os.Stat(c.path(chunk - 1)); err != nil {
			return fmt.Errorf("%d draws of chain %d are not on disk: %w", chunk*c.rows+fill, c.chain+1, err)
		}
	}
	c.buf = buf
	return nil
}

func (c *column) removeFrom(chunk int) error {
	for ; ; chunk++ {
		err := os.Remove(c.path(chunk))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func readPrefix(path string, b []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, b)
	return err
}
