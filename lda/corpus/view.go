package corpus

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// numbers is the little-endian numbers in b: b itself where the machine has them so, and a copy elsewhere.
func numbers[T int32 | int64](b []byte, parse func([]byte) T) ([]T, error) {
	var one T
	size := int(unsafe.Sizeof(one))
	if len(b) == 0 {
		return nil, nil
	}
	first := unsafe.Pointer(unsafe.SliceData(b))
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && uintptr(first)%uintptr(size) == 0 {
		return unsafe.Slice((*T)(first), len(b)/size), nil
	}
	if err := memory.Room(float64(len(b))); err != nil {
		return nil, fmt.Errorf("does not fit: %w", err)
	}
	out := make([]T, len(b)/size)
	for k := range out {
		out[k] = parse(b[k*size:])
	}
	return out, nil
}
