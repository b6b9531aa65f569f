package ndarray

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteMAT writes arrays as a MATLAB file of version 5, each compressed. The
// same arrays give the same bytes: the header has no date.
func WriteMAT(w io.Writer, arrays []Array) error {
	head := make([]byte, matHeader)
	copy(head, "MATLAB 5.0 MAT-file, written by Ergodic"+strings.Repeat(" ", matHeader))
	copy(head[116:], make([]byte, 8)) // no data of subsystems
	binary.LittleEndian.PutUint16(head[124:], 0x0100)
	copy(head[126:], "IM")
	if _, err := w.Write(head); err != nil {
		return err
	}
	for k := range arrays {
		if err := writeMatrix(w, &arrays[k]); err != nil {
			return fmt.Errorf("%s: %w", arrays[k].Name, err)
		}
	}
	return nil
}

func writeMatrix(w io.Writer, a *Array) error {
	body := matrixBody(a)
	if int64(len(body)) > math.MaxUint32 {
		return fmt.Errorf("%d bytes are more than version 5 of MATLAB's files can hold: write .npz", len(body))
	}
	var z bytes.Buffer
	c := zlib.NewWriter(&z)
	// A bytes.Buffer takes whatever it is given.
	c.Write(tagBytes(matMatrix, len(body)))
	c.Write(body)
	c.Close()
	if _, err := w.Write(tagBytes(matCompressed, z.Len())); err != nil {
		return err
	}
	_, err := w.Write(z.Bytes())
	return err
}

// matrixBody is the content of a matrix element; columns lie one after the
// other.
func matrixBody(a *Array) []byte {
	class := uint32(matFirstNumeric)
	if a.Bytes != nil {
		class = matUint8
	}
	dims := a.Dims
	if len(dims) == 1 {
		dims = []int{1, dims[0]}
	}
	b := append(tagBytes(6, 8), binary.LittleEndian.AppendUint32(nil, class)...)
	b = append(b, 0, 0, 0, 0)
	var d []byte
	for _, n := range dims {
		d = binary.LittleEndian.AppendUint32(d, uint32(n))
	}
	b = appendElement(b, 5, d)
	b = appendElement(b, 1, []byte(a.Name))
	c := a.byColumns()
	if a.Bytes != nil {
		return appendElement(b, 2, c.Bytes)
	}
	x := make([]byte, 0, 8*len(c.Floats))
	for _, f := range c.Floats {
		x = binary.LittleEndian.AppendUint64(x, math.Float64bits(f))
	}
	return appendElement(b, 9, x)
}

func tagBytes(typ uint32, n int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, typ)
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

func appendElement(b []byte, typ uint32, data []byte) []byte {
	b = append(b, tagBytes(typ, len(data))...)
	b = append(b, data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// byColumns is the array with its first index fastest.
func (a *Array) byColumns() *Array {
	if a.ColumnMajor || len(a.Dims) < 2 {
		return a
	}
	c := &Array{Name: a.Name, Dims: a.Dims, ColumnMajor: true}
	strides, at := a.Strides(), make([]int, len(a.Dims))
	k := 0 // index of the element at in a
	for range a.Len() {
		if a.Bytes != nil {
			c.Bytes = append(c.Bytes, a.Bytes[k])
		} else {
			c.Floats = append(c.Floats, a.Floats[k])
		}
		for d := range at {
			at[d]++
			k += strides[d]
			if at[d] < a.Dims[d] {
				break
			}
			k -= strides[d] * a.Dims[d]
			at[d] = 0
		}
	}
	return c
}
