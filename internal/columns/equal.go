package columns

import (
	"bytes"
	"unsafe"
)

// Equal tells whether two columns of one length have the same bits.
func Equal(a, b []float64) bool { return bytes.Equal(bits(a), bits(b)) }

func bits(a []float64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), 8*len(a))
}
