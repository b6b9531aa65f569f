package draws

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
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
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// maxChunk bounds the bytes of one chunk, so that damaged metadata is an
// error and not an allocation.
const maxChunk = 1 << 31

// check returns an error unless the array is one that this package reads.
func (a zarray) check() error {
	if a.Format != 2 {
		return fmt.Errorf("format %d of Zarr: only 2 is read", a.Format)
	}
	if a.Order != "C" {
		return fmt.Errorf("order %s: only C is read", wording.Quote(a.Order))
	}
	if len(a.Filters) > 0 && string(a.Filters) != "null" && string(a.Filters) != "[]" {
		return errors.New("filters are not read")
	}
	if a.Compressor != nil && a.Compressor.ID != "zlib" && a.Compressor.ID != "gzip" {
		return fmt.Errorf("compressor %s: only zlib, gzip and none are read", wording.Quote(a.Compressor.ID))
	}
	if itemSize(a.Dtype) == 0 {
		return fmt.Errorf("type %s is not read", wording.Quote(a.Dtype))
	}
	if len(a.Chunks) != len(a.Shape) {
		return fmt.Errorf("chunks %s do not go with shape %s", brief(a.Chunks), brief(a.Shape))
	}
	bytes := itemSize(a.Dtype)
	elements := 1
	for k, c := range a.Chunks {
		if c < 1 || a.Shape[k] < 0 {
			return fmt.Errorf("shape %s in chunks %s", brief(a.Shape), brief(a.Chunks))
		}
		if c > maxChunk/bytes {
			return fmt.Errorf("chunks %s are too large", brief(a.Chunks))
		}
		bytes *= c
		if a.Shape[k] > 0 && elements > math.MaxInt/8/a.Shape[k] {
			return fmt.Errorf("shape %s is too large", brief(a.Shape))
		}
		elements *= max(a.Shape[k], 1)
	}
	return nil
}

// brief is a list from a file, in a message.
func brief[T int | string](list []T) string { return wording.Brief(fmt.Sprint(list)) }

// itemSize is the bytes of a value, 0 for a type that is not read.
func itemSize(dtype string) int {
	switch dtype {
	case "<f8", "<i8":
		return 8
	case "<f4", "<i4":
		return 4
	case "|b1", "|i1", "|u1":
		return 1
	}
	return 0
}

func int64At(b []byte, i int) int64 { return int64(binary.LittleEndian.Uint64(b[8*i:])) }

// decoder returns the function that reads value i of a chunk.
func decoder(dtype string) func(b []byte, i int) float64 {
	switch dtype {
	case "<f8":
		return func(b []byte, i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])) }
	case "<i8":
		return func(b []byte, i int) float64 { return float64(int64At(b, i)) }
	case "<f4":
		return func(b []byte, i int) float64 {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
	case "<i4":
		return func(b []byte, i int) float64 { return float64(int32(binary.LittleEndian.Uint32(b[4*i:]))) }
	case "|i1":
		return func(b []byte, i int) float64 { return float64(int8(b[i])) }
	default:
		return func(b []byte, i int) float64 { return float64(b[i]) }
	}
}

// fill is the value of what no chunk holds.
func (a zarray) fill() float64 {
	var x any
	if json.Unmarshal(a.Fill, &x) != nil {
		return math.NaN()
	}
	switch x := x.(type) {
	case float64:
		return x
	case bool:
		if x {
			return 1
		}
		return 0
	case string:
		if f, err := strconv.ParseFloat(x, 64); err == nil {
			return f
		}
		return math.NaN()
	}
	if a.Dtype[1] == 'f' {
		return math.NaN()
	}
	return 0
}

func (a zarray) chunkBytes() int {
	n := itemSize(a.Dtype)
	for _, c := range a.Chunks {
		n *= c
	}
	return n
}

func (r *Reader) chunkPath(group string, a readArray, index []int) string {
	separator := "."
	if a.meta.Separator == "/" {
		separator = "/"
	}
	parts := make([]string, len(index))
	for k, i := range index {
		parts[k] = strconv.Itoa(i)
	}
	name := strings.Join(parts, separator)
	if len(index) == 0 {
		name = "0"
	}
	return filepath.Join(r.dir, group, a.array, filepath.FromSlash(name))
}

// part is what is read of a chunk: of each of the first chains, the first
// values.
type part struct {
	chains, values int
	known          []known // by chain; nil: nothing is
}

// known is a checksum of the first values of a chain in a chunk.
type known struct {
	chain  int // from 1; 0: observed data, which are of no chain
	values int
	crc    uint32
}

// verify holds what was read of a chain against its checksum.
func (k known) verify(path string, b []byte) error {
	if crc32.Checksum(b, crcTable()) == k.crc {
		return nil
	}
	return k.mismatch(path)
}

func (k known) mismatch(path string) error {
	what := "does not match its checksum"
	if k.chain > 0 {
		what += fmt.Sprintf(" in the part of chain %d", k.chain)
	}
	return &badChunk{path, what}
}

// openChunk opens a chunk, which has its full size. It is nil where there is
// none, which in another program's folder stands for values that are all fill;
// a [Writer] leaves none out.
func (r *Reader) openChunk(group string, a readArray, index []int) (*os.File, error) {
	path := r.chunkPath(group, a, index)
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) && !r.ours {
		return nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &badChunk{path, "is missing"}
	}
	if err != nil {
		return nil, &badChunk{path, "cannot be read: " + unwrapped(err)}
	}
	if a.meta.Compressor != nil {
		return f, nil
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.Size() != int64(a.meta.chunkBytes()):
		err = &badChunk{path, fmt.Sprintf("has %d bytes, not %d", info.Size(), a.meta.chunkBytes())}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// unwrapped is a file's error without its name.
func unwrapped(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// chunk reads part of a chunk, into mem where that is large enough, and says
// how many values lie between the starts of two chains. It is nil where there
// is no chunk. What has a checksum is held against it.
func (r *Reader) chunk(group string, a readArray, index []int, want part, mem *[]byte) (b []byte, stride int, err error) {
	f, err := r.openChunk(group, a, index)
	if f == nil || err != nil {
		return nil, 0, err
	}
	defer f.Close()
	size := a.meta.chunkBytes()
	item := itemSize(a.meta.Dtype)
	whole := size / item
	if len(a.meta.Chunks) > 0 {
		whole /= a.meta.Chunks[0]
	}
	if a.meta.Compressor != nil {
		if b, err = inflate(f, a.meta.Compressor.ID, size); err != nil {
			err = &badChunk{f.Name(), "cannot be unpacked: " + err.Error()}
		}
		return b, whole, err
	}
	for _, k := range want.known {
		want.values = max(want.values, k.values)
	}
	n := want.values * item
	*mem = resize(*mem, want.chains*n)
	for c := range want.chains {
		b := (*mem)[c*n : (c+1)*n]
		if want.known != nil {
			b = b[:want.known[c].values*item]
		}
		if _, err := f.ReadAt(b, int64(c*whole*item)); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", f.Name(), err)
		}
		if want.known == nil {
			continue
		}
		if err := want.known[c].verify(f.Name(), b); err != nil {
			return nil, 0, err
		}
	}
	return *mem, want.values, nil
}

// inflate reads want bytes from a compressed stream, in memory that grows
// with what the stream really holds.
func inflate(f io.Reader, id string, want int) ([]byte, error) {
	var z io.ReadCloser
	var err error
	if id == "zlib" {
		z, err = zlib.NewReader(f)
	} else {
		z, err = gzip.NewReader(f)
	}
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(z, int64(want)+1))
	if err != nil {
		return nil, err
	}
	if n != int64(want) {
		return nil, fmt.Errorf("holds %d bytes or more, not %d", n, want)
	}
	return b.Bytes(), nil
}
