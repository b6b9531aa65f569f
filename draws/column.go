package draws

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// column is one variable of one chain on its way to disk: the rows of the
// chunk that is not full yet.
type column struct {
	dir    string // of the array
	number int    // among the chain's columns, of both tracks
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
	chunk  int    // index of the chunk in buf
	fill   int    // rows in buf
	saved  int    // rows of buf that are on disk
	crc    uint32 // of those
	stale  bool   // rows after them on disk are of draws that have been taken back
	dirty  []dirty
	files  *sharedFiles
	sums   *sumsWriter
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

// writeFull writes a full chunk out.
func (c *column) writeFull() error {
	if c.fill < c.rows {
		return nil
	}
	return c.write()
}

// firstRows are those that there is memory for at first, which is all that most runs need.
const firstRows = 1024

// makeRoom has memory for another row, where the chunk is not full, and returns for how many.
func (c *column) makeRoom() int {
	size := c.rowBytes()
	if size == 0 {
		return c.rows - c.fill
	}
	have := len(c.buf) / size
	if have <= c.fill { // less where the memory has been given away, and all rows are on disk
		have = min(max(firstRows, 2*c.fill), c.rows)
		buf := make([]byte, have*size)
		copy(buf, c.buf)
		c.buf = buf
	}
	return have - c.fill
}

// advance goes on to the next chunk after a full one, which is written out.
func (c *column) advance() error {
	if c.fill < c.rows {
		return nil
	}
	c.sums.add(c.number, c.crc)
	c.chunk++
	c.fill, c.saved, c.crc, c.stale = 0, 0, 0, false
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
		putFloats(b, row, c.order)
	}
}

// putFloats writes a row in C order; order is that of its elements there.
func putFloats(b []byte, row []float64, order []int) {
	if order == nil {
		for _, x := range row {
			binary.LittleEndian.PutUint64(b, math.Float64bits(x))
			b = b[8:]
		}
		return
	}
	for _, from := range order {
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
func (c *column) write() error { return c.hand(false) }

// writeForSync is write where a sync follows, at once or when the memory of the rows serves others.
func (c *column) writeForSync() error { return c.hand(true) }

func (c *column) hand(soon bool) error {
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
	if c.dirty, err = c.files.write(c.path(c.chunk), b, c.offset(c.saved), c.fileSize(), soon, c.dirty); err != nil {
		return err
	}
	c.crc = crc32.Update(c.crc, crcTable(), c.buf[c.saved*c.rowBytes():c.fill*c.rowBytes()])
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

// goBack makes the column as it was after n draws, all of which are read from
// disk, and returns the checksums of the chunks that it had filled. Nothing on
// disk changes.
func (c *column) goBack(n int) (sums []uint32, err error) {
	full := filled(n, c.rows)
	buf := make([]byte, c.rows*c.rowBytes())
	sums = make([]uint32, full)
	for k := range full {
		if err := c.read(k, buf); err != nil {
			return nil, err
		}
		sums[k] = crc32.Checksum(buf, crcTable())
	}
	c.buf, c.chunk, c.fill = buf, full, n-full*c.rows
	rows := buf[:c.fill*c.rowBytes()]
	if err := c.read(full, rows); err != nil {
		return nil, err
	}
	c.saved, c.crc, c.stale = c.fill, crc32.Checksum(rows, crcTable()), c.fill > 0
	return sums, nil
}

// read fills b with the chain's first rows in a chunk.
func (c *column) read(chunk int, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	err := readAt(c.path(chunk), b, c.offset(0), c.fileSize())
	if err != nil {
		from := chunk * c.rows
		err = fmt.Errorf("%w: draws %d to %d of chain %d are lost", err, from+1, from+len(b)/c.rowBytes(), c.file*chunkChains+c.place+1)
	}
	return err
}

// erase clears what the chain has on disk beyond its draws. The rest of the
// chunk that is not full is cleared when it is next written.
func (c *column) erase() error {
	if c.size == 0 {
		return nil
	}
	if c.fill > 0 {
		return c.eraseFrom(c.chunk + 1)
	}
	return c.eraseFrom(c.chunk)
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

// readAt fills b from a file of the given size. One that was extended holds its
// rows, but no reader takes it: it is refused before the run goes on.
func readAt(path string, b []byte, offset, size int64) error {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &badChunk{path, "is missing"}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > size {
		return &badChunk{path, fmt.Sprintf("has %d bytes, not %d", info.Size(), size)}
	}
	_, err = f.ReadAt(b, offset)
	if errors.Is(err, io.EOF) {
		return &badChunk{path, "is cut short"}
	}
	return err
}
