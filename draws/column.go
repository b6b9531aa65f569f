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
)

// column is one variable of one chain on its way to disk: the rows of the
// chunk that is not full yet.
type column struct {
	dir    string // of the array
	file   int    // index of the chunks' files along the chains
	place  int    // of the chain in them
	places int
	tail   string // ".0.0": the chunk indices of the variable's own dimensions
	dtype  string
	size   int   // values in a row
	rows   int   // rows of a chain in a chunk
	order  []int // C position → column-major position; nil: the same
	plain  bool  // a row is one float64
	buf    []byte
	chunk  int  // index of the chunk in buf
	fill   int  // rows in buf
	saved  int  // rows of buf that are on disk
	stale  bool // rows after them on disk are of draws that have been taken back
	dirty  []dirty
	files  *sharedFiles
}

func newColumn(dir string, chain, chains int, v disk, files *sharedFiles) column {
	return column{
		dir: filepath.Join(dir, v.array), file: chain / chunkChains, place: chain % chunkChains, places: min(chains, chunkChains),
		tail: strings.Repeat(".0", len(v.Dims)), dtype: v.dtype, size: v.Size(), rows: v.rows, order: v.rowMajor(),
		plain: v.dtype == float64Type && v.Size() == 1, files: files,
	}
}

func (c *column) rowBytes() int { return c.size * itemSize(c.dtype) }

func (c *column) path(chunk int) string {
	return filepath.Join(c.dir, strconv.Itoa(c.file)+"."+strconv.Itoa(chunk)+c.tail)
}

// offset is where a row of the chain stands in the file of its chunk.
func (c *column) offset(row int) int64 { return int64(c.place*c.rows+row) * int64(c.rowBytes()) }

// fileSize is the size of every chunk's file.
func (c *column) fileSize() int64 { return int64(c.places*c.rows) * int64(c.rowBytes()) }

// makeRoom writes a full chunk out, so that put has a row to write to.
func (c *column) makeRoom() error {
	if c.buf == nil {
		c.buf = make([]byte, c.rows*c.rowBytes())
	}
	if c.fill < c.rows {
		return nil
	}
	if err := c.write(); err != nil {
		return err
	}
	c.chunk++
	c.fill, c.saved, c.stale = 0, 0, false
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

// putNumber is put for a row of one float64 or int64.
func (c *column) putNumber(bits uint64) {
	binary.LittleEndian.PutUint64(c.buf[8*c.fill:], bits)
	c.fill++
}

// write hands the rows of buf to the operating system.
func (c *column) write() error {
	to := c.fill
	if c.stale {
		clear(c.buf[c.fill*c.rowBytes():])
		to = c.rows
	}
	if c.size == 0 || c.saved == to {
		c.saved, c.stale = c.fill, false
		return nil
	}
	var err error
	b := c.buf[c.saved*c.rowBytes() : to*c.rowBytes()]
	if c.dirty, err = c.files.write(c.path(c.chunk), b, c.offset(c.saved), c.fileSize(), c.dirty); err != nil {
		return err
	}
	c.saved, c.stale = c.fill, false
	return nil
}

// sync makes durable what has been written.
func (c *column) sync() error {
	for len(c.dirty) > 0 {
		last := len(c.dirty) - 1
		if err := c.files.sync(c.dirty[last]); err != nil {
			return err
		}
		c.dirty = c.dirty[:last]
	}
	return nil
}

// truncate keeps the first kept rows.
func (c *column) truncate(kept int) error {
	chunk, fill := kept/c.rows, kept%c.rows
	if c.buf == nil || c.chunk != chunk || c.fill < fill {
		if err := c.load(chunk, fill); err != nil {
			return err
		}
		c.saved = fill
	}
	c.saved = min(c.saved, fill)
	c.chunk, c.fill, c.stale = chunk, fill, fill > 0
	if c.size > 0 {
		if fill > 0 {
			chunk++
		}
		if err := c.eraseFrom(chunk); err != nil {
			return err
		}
	}
	return nil
}

// load reads the first fill rows of a chunk into buf.
func (c *column) load(chunk, fill int) error {
	buf := make([]byte, c.rows*c.rowBytes())
	if fill > 0 && c.size > 0 {
		if err := readAt(c.path(chunk), buf[:fill*c.rowBytes()], c.offset(0)); err != nil {
			return fmt.Errorf("the first %d draws of chain %d are not all on disk: %w", chunk*c.rows+fill, c.file*chunkChains+c.place+1, err)
		}
	}
	if chunk > 0 && c.size > 0 {
		if _, err := os.Stat(c.path(chunk - 1)); err != nil {
			return fmt.Errorf("the first %d draws of chain %d are not all on disk: %w", chunk*c.rows+fill, c.file*chunkChains+c.place+1, err)
		}
	}
	c.buf = buf
	return nil
}

// eraseFrom clears the chain's part of chunks that have no row of it any more.
func (c *column) eraseFrom(chunk int) error {
	for ; ; chunk++ {
		f, err := os.OpenFile(c.path(chunk), os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = f.WriteAt(make([]byte, c.rows*c.rowBytes()), c.offset(0))
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
	}
}

// removeFrom removes chunks that no chain has rows in.
func (c *column) removeFrom(chunk int) error {
	for ; c.size > 0; chunk++ {
		err := os.Remove(c.path(chunk))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readAt(path string, b []byte, offset int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(io.NewSectionReader(f, offset, int64(len(b))), b)
	return err
}
