package ndarray

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/npyheader"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// A .npy file is a magic string, a version, a header that is a Python
// dictionary, and the elements (numpy.lib.format).
const (
	npyMagic     = npyheader.Magic
	npyMaxHeader = 1 << 16
)

// ReadNPY reads a numpy file of one array.
func ReadNPY(r io.Reader) (Array, error) {
	b := bufio.NewReaderSize(r, block)
	head, err := someBytes(b, 8, 8, "magic string")
	if err != nil {
		return Array{}, err
	}
	if string(head[:6]) != npyMagic {
		return Array{}, errors.New("it is not a numpy file")
	}
	width := int64(4)
	if head[6] == 1 {
		width = 2
	}
	n, err := someBytes(b, width, width, "header")
	if err != nil {
		return Array{}, err
	}
	n = append(n, 0, 0)
	text, err := someBytes(b, int64(binary.LittleEndian.Uint32(n)), npyMaxHeader, "header")
	if err != nil {
		return Array{}, err
	}
	return npyElements(b, string(text))
}

var (
	npyDescr = regexp.MustCompile(`'descr'\s*:\s*'([<>|=]?)([a-zA-Z])(\d+)'`)
	npyOrder = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	npyShape = regexp.MustCompile(`'shape'\s*:\s*\(([\d,\sL]*)\)`)
)

func npyElements(r io.Reader, header string) (Array, error) {
	descr, fortran, shape := npyDescr.FindStringSubmatch(header), npyOrder.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if descr == nil || fortran == nil || shape == nil {
		return Array{}, fmt.Errorf("its header %s does not describe an array of numbers", wording.Quote(header))
	}
	a := Array{ColumnMajor: fortran[1] == "True"}
	for _, f := range strings.Split(shape[1], ",") {
		if f = strings.Trim(f, " \tL"); f == "" {
			continue
		}
		d, err := strconv.Atoi(f)
		if err != nil {
			return Array{}, fmt.Errorf("its shape (%s) is not one of whole numbers", wording.Brief(shape[1]))
		}
		a.Dims = append(a.Dims, d)
	}
	n, err := size(a.Dims)
	if err != nil {
		return Array{}, err
	}
	t, ok := npyNumber(descr[2], descr[3])
	if !ok {
		return Array{}, fmt.Errorf("its elements are of type %s%s; whole and floating-point numbers of 8 to 64 bits and booleans are read", descr[2], descr[3])
	}
	var order binary.ByteOrder = binary.LittleEndian
	if descr[1] == ">" {
		order = binary.BigEndian
	}
	return a, a.elements(r, n, t, order)
}

func npyNumber(kind, width string) (number, bool) {
	w, _ := strconv.Atoi(width)
	switch {
	case kind == "b" && w == 1:
		return number{'u', 1}, true
	case (kind == "u" || kind == "i") && (w == 1 || w == 2 || w == 4 || w == 8), kind == "f" && (w == 4 || w == 8):
		return number{kind[0], w}, true
	}
	return number{}, false
}

// WriteNPY writes an array as a numpy file of version 1.
func WriteNPY(w io.Writer, a *Array) error {
	descr := "<f8"
	if a.Bytes != nil {
		descr = "|u1"
	}
	b := npyheader.Of(descr, a.ColumnMajor, a.Dims...)
	if a.Bytes != nil {
		b = append(b, a.Bytes...)
	}
	for _, f := range a.Floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	_, err := w.Write(b)
	return err
}
