package ndarray

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// number is how a file keeps an element.
type number struct {
	kind  byte // 'u', 'i' or 'f'
	width int  // bytes
}

// isByte tells unsigned bytes, which arrays keep as they are.
func (t number) isByte() bool { return t.kind == 'u' && t.width == 1 }

// block is how many bytes are asked for at a time.
const block = 1 << 16

// elements reads n numbers into the array.
func (a *Array) elements(r io.Reader, n int64, t number, order binary.ByteOrder) error {
	size := 8.
	if t.isByte() {
		size = 1
	}
	if err := memory.Room(size * float64(n)); err != nil {
		return fmt.Errorf("it claims to be %s: %w", a.Shape(), err)
	}
	var buf [block]byte
	for left := n; left > 0; {
		b := buf[:min(left*int64(t.width), block)]
		if err := a.grow(n, t); err != nil {
			return err
		}
		got, err := io.ReadFull(r, b)
		whole := got / t.width
		a.decode(b[:whole*t.width], t, order)
		left -= int64(whole)
		if err != nil {
			return truncated(err, fmt.Sprintf("after %d of the %d elements it claims", n-left, n))
		}
	}
	return nil
}

// first is how many numbers have room before any has been read.
const first = 1 << 16

// grow makes room for a block of the n numbers that the file claims: for four
// times as many as before, for it may hold less.
func (a *Array) grow(n int64, t number) error {
	have := int64(max(cap(a.Bytes), cap(a.Floats)))
	if int64(a.Len())+block <= have || have >= n {
		return nil
	}
	most := max(have, min(n, max(first, 4*have)))
	if t.isByte() {
		if err := memory.Room(float64(most)); err != nil {
			return err
		}
		a.Bytes = append(make([]uint8, 0, most), a.Bytes...)
		return nil
	}
	if err := memory.Room(8 * float64(most)); err != nil {
		return err
	}
	a.Floats = append(make([]float64, 0, most), a.Floats...)
	return nil
}

// decode appends numbers.
func (a *Array) decode(b []byte, t number, order binary.ByteOrder) {
	if t.isByte() {
		a.Bytes = append(a.Bytes, b...)
		return
	}
	for ; len(b) > 0; b = b[t.width:] {
		a.Floats = append(a.Floats, t.value(b, order))
	}
}

func (t number) value(b []byte, order binary.ByteOrder) float64 {
	var u uint64
	switch t.width {
	case 1:
		u = uint64(b[0])
	case 2:
		u = uint64(order.Uint16(b))
	case 4:
		u = uint64(order.Uint32(b))
	default:
		u = order.Uint64(b)
	}
	switch {
	case t.kind == 'u':
		return float64(u)
	case t.kind == 'i':
		unused := 64 - 8*t.width
		return float64(int64(u<<unused) >> unused)
	case t.width == 4:
		return float64(math.Float32frombits(uint32(u)))
	}
	return math.Float64frombits(u)
}

// someBytes reads n bytes of a header that must be short.
func someBytes(r io.Reader, n, most int64, what string) ([]byte, error) {
	if n > most {
		return nil, fmt.Errorf("its %s claims %d bytes; at most %d are read", what, n, most)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, truncated(err, "within its "+what)
	}
	return b, nil
}

// truncated says where a file ends too soon.
func truncated(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file ends too soon, %s", where)
	}
	return fmt.Errorf("%s: %w", where, err)
}
