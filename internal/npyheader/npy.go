// Package npyheader writes the headers of numpy's files of arrays (numpy.lib.format, version 1).
package npyheader

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Magic is what the files begin with.
const Magic = "\x93NUMPY"

// Of is what stands before the elements of an array with these dimensions: descr is their type, such as <f8 for little-endian
// float64.
func Of(descr string, columnMajor bool, dims ...int) []byte {
	fortran := "False"
	if columnMajor {
		fortran = "True"
	}
	var list strings.Builder
	for _, d := range dims {
		fmt.Fprintf(&list, "%d, ", d)
	}
	shape := strings.TrimSuffix(list.String(), " ")
	if len(dims) > 1 {
		shape = strings.TrimSuffix(shape, ",")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", descr, fortran, shape)
	const fixed = 11 // magic string, version, length and the final newline
	header += strings.Repeat(" ", -(fixed+len(header))&63) + "\n"
	b := binary.LittleEndian.AppendUint16(append([]byte(Magic), 1, 0), uint16(len(header)))
	return append(b, header...)
}
