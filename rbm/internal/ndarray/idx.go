package ndarray

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// idxNumbers are the types of LeCun's IDX format, by the third byte of a file.
var idxNumbers = map[byte]number{8: {'u', 1}, 9: {'i', 1}, 0xb: {'i', 2}, 0xc: {'i', 4}, 0xd: {'f', 4}, 0xe: {'f', 8}}

// ReadIDX reads a file of MNIST: two zero bytes, the type, the number of
// dimensions, the dimensions and the elements, all big-endian.
func ReadIDX(r io.Reader) (Array, error) {
	b := bufio.NewReaderSize(r, block)
	head, err := someBytes(b, 4, 4, "header")
	if err != nil {
		return Array{}, err
	}
	t, ok := idxNumbers[head[2]]
	if head[0] != 0 || head[1] != 0 || !ok {
		return Array{}, errors.New("it is not an IDX file")
	}
	if head[3] > maxDims {
		return Array{}, fmt.Errorf("it claims %d dimensions; at most %d are read", head[3], maxDims)
	}
	var a Array
	for range head[3] {
		d, err := someBytes(b, 4, 4, "dimensions")
		if err != nil {
			return Array{}, err
		}
		a.Dims = append(a.Dims, int(binary.BigEndian.Uint32(d)))
	}
	n, err := size(a.Dims)
	if err != nil {
		return Array{}, err
	}
	if err := a.elements(b, n, t, binary.BigEndian); err != nil {
		return Array{}, err
	}
	if _, err := b.ReadByte(); err == nil {
		return Array{}, fmt.Errorf("there are bytes after the %d elements of its shape %s", n, a.Shape())
	} else if err != io.EOF {
		return Array{}, err
	}
	return a, nil
}
