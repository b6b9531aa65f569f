package ndarray

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// The format is described in MATLAB's "MAT-File Format", level 5: a header of
// 128 bytes, then elements, each a tag and its bytes. A compressed element
// holds one element as a zlib stream.
const (
	matHeader     = 128
	matMatrix     = 14
	matCompressed = 15
	matMaxName    = 1 << 10
)

// matNumbers are the types of data elements.
var matNumbers = map[uint32]number{
	1: {'i', 1}, 2: {'u', 1}, 3: {'i', 2}, 4: {'u', 2}, 5: {'i', 4}, 6: {'u', 4},
	7: {'f', 4}, 9: {'f', 8}, 12: {'i', 8}, 13: {'u', 8},
}

// matKinds are the classes of arrays that are not plain numbers.
var matKinds = map[byte]string{1: "a cell array", 2: "a struct", 3: "an object", 4: "text", 5: "a sparse matrix"}

const (
	matFirstNumeric = 6 // double, single, then integers
	matLastNumeric  = 15
	matUint8        = 9
)

// ReadMAT reads the arrays of a MATLAB file of version 5.
func ReadMAT(r io.Reader) ([]Array, error) {
	head := make([]byte, matHeader)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, truncated(err, "within the header of 128 bytes of a MATLAB file")
	}
	var order binary.ByteOrder
	switch string(head[126:]) {
	case "IM":
		order = binary.LittleEndian
	case "MI":
		order = binary.BigEndian
	default:
		return nil, errors.New("it is not a MATLAB file of version 5")
	}
	if v := order.Uint16(head[124:]); v != 0x0100 {
		return nil, fmt.Errorf("it is a MATLAB file of version %#x, and only version 5 is read: save it with -v7 or -v6", v)
	}
	m := &matReader{r: bufio.NewReaderSize(r, block), order: order}
	for {
		err := m.element()
		if err == io.EOF {
			return m.arrays, nil
		}
		if err != nil {
			return nil, fmt.Errorf("array %d: %w", len(m.arrays)+1, err)
		}
	}
}

// matReader reads one element after the other.
type matReader struct {
	r      io.Reader
	order  binary.ByteOrder
	arrays []Array
}

// tag is the head of an element; small elements carry their bytes in it.
type tag struct {
	typ   uint32
	bytes int64
	small []byte
}

func (m *matReader) tag(r io.Reader) (tag, error) {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return tag{}, err
	}
	first, second := m.order.Uint32(b[:]), m.order.Uint32(b[4:])
	if n := first >> 16; n > 0 {
		if n > 4 {
			return tag{}, fmt.Errorf("a small element claims %d bytes; it has room for 4", n)
		}
		return tag{typ: first & 0xffff, bytes: int64(n), small: b[4 : 4+n]}, nil
	}
	return tag{typ: first, bytes: int64(second)}, nil
}

// element reads an element at the top of the file; io.EOF is its end.
func (m *matReader) element() error {
	t, err := m.tag(m.r)
	if err == io.EOF {
		return err
	}
	if err != nil {
		return truncated(err, "within the tag of an array")
	}
	body := &io.LimitedReader{R: m.r, N: t.bytes}
	switch {
	case t.small != nil:
		return nil
	case t.typ == matMatrix:
		err = m.matrix(body)
	case t.typ == matCompressed:
		err = m.compressed(body)
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, body); err != nil {
		return err
	}
	if body.N > 0 {
		return truncated(io.ErrUnexpectedEOF, fmt.Sprintf("%d bytes short of the end of an array", body.N))
	}
	return nil
}

func (m *matReader) compressed(r io.Reader) error {
	z, err := zlib.NewReader(r)
	if err != nil {
		return truncated(err, "at the head of a compressed array")
	}
	t, err := m.tag(z)
	if err != nil {
		return truncated(err, "within the tag of a compressed array")
	}
	if t.small != nil || t.typ != matMatrix {
		return nil
	}
	if err := m.matrix(&io.LimitedReader{R: z, N: t.bytes}); err != nil {
		return err
	}
	// What is left holds the checksum.
	if _, err := io.Copy(io.Discard, z); err != nil {
		return truncated(err, "within the compressed array "+m.arrays[len(m.arrays)-1].Name)
	}
	return nil
}

// matrix reads an array: flags, dimensions, name, real and imaginary part.
func (m *matReader) matrix(r io.Reader) error {
	flags, err := m.ints(r, 4, 2, "flags")
	if err != nil {
		return err
	}
	if len(flags) < 1 {
		return errors.New("its flags are missing")
	}
	class := byte(flags[0])
	dims, err := m.ints(r, 4, maxDims, "dimensions")
	if err != nil {
		return err
	}
	a := Array{ColumnMajor: true, Kind: matKinds[class]}
	for _, d := range dims {
		a.Dims = append(a.Dims, int(d))
	}
	name, err := m.bytes(r, matMaxName, "name")
	if err != nil {
		return err
	}
	a.Name = string(name)
	switch complex := flags[0]&(1<<11) != 0; {
	case a.Kind != "":
	case class < matFirstNumeric || class > matLastNumeric:
		a.Kind = fmt.Sprintf("of the unknown class %d", class)
	case complex:
		a.Kind = "complex"
	default:
		if err := m.numbers(r, &a, class); err != nil {
			return fmt.Errorf("%s: %w", wording.Brief(a.Name), err)
		}
	}
	m.arrays = append(m.arrays, a)
	return nil
}

// numbers reads the real part.
func (m *matReader) numbers(r io.Reader, a *Array, class byte) error {
	n, err := size(a.Dims)
	if err != nil {
		return err
	}
	t, err := m.tag(r)
	if err != nil {
		return truncated(err, "before its elements")
	}
	as, ok := matNumbers[t.typ]
	if !ok {
		return fmt.Errorf("its elements are of the unknown type %d", t.typ)
	}
	if t.bytes != n*int64(as.width) {
		return fmt.Errorf("it claims to be %s, which is %d bytes, but has %d", a.Shape(), n*int64(as.width), t.bytes)
	}
	if t.small != nil {
		a.decode(t.small, as, m.order)
		return nil
	}
	return a.elements(r, n, as, m.order)
}

// bytes reads an element that must be short, with its padding.
func (m *matReader) bytes(r io.Reader, most int64, what string) ([]byte, error) {
	t, err := m.tag(r)
	if err != nil {
		return nil, truncated(err, "before its "+what)
	}
	if t.small != nil {
		return t.small, nil
	}
	b, err := someBytes(r, t.bytes, most, what)
	if err != nil {
		return nil, err
	}
	if pad := -t.bytes & 7; pad > 0 {
		if _, err := io.CopyN(io.Discard, r, pad); err != nil {
			return nil, truncated(err, "after its "+what)
		}
	}
	return b, nil
}

// ints reads an element of 32-bit integers.
func (m *matReader) ints(r io.Reader, width int, most int64, what string) ([]int32, error) {
	b, err := m.bytes(r, most*int64(width), what)
	if err != nil {
		return nil, err
	}
	if len(b)%width != 0 {
		return nil, fmt.Errorf("its %s take %d bytes, which is no multiple of %d", what, len(b), width)
	}
	var x []int32
	for ; len(b) > 0; b = b[width:] {
		x = append(x, int32(m.order.Uint32(b)))
	}
	return x, nil
}
