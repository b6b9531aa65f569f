package bugs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// Value is a number or an array of numbers from a data or initial values file.
type Value struct {
	Dims []int     // nil for a scalar; [n] for a vector
	Data []float64 // column-major; NaN where missing
	NA   []bool    // nil when nothing is missing
	Pos  Pos       // of the name
	File string
}

// Missing reports whether element i is NA. A NaN that the file spells NaN is
// not missing.
func (v *Value) Missing(i int) bool { return v.NA != nil && v.NA[i] }

// Data is what a data or initial values file holds.
type Data struct {
	Names  []string // in the order of the file
	Values map[string]*Value
	Notes  []string // what was read and left aside, such as .RNG.seed

	text  map[string]string // place of each name that holds text
	bytes int               // of the files; 0 where the data come from elsewhere
}

// numbers is how many numbers the data can hold by their size: a range such as
// 1:1e6 is short.
func (d *Data) numbers() int {
	n := 0
	for _, v := range d.Values {
		n += len(v.Data)
	}
	if d.bytes > 0 {
		n = min(n, d.bytes/2)
	}
	return n
}

// ReadData reads R's dump format, OpenBUGS' tables or JSON, whichever the content is. Names keep
// the order of the file; arrays end up column-major from both.
func ReadData(file string, src []byte) (*Data, error) {
	if format := binaryFormat(src); format != "" {
		return nil, &Error{File: file, Msg: "this is " + format + ", not text", Hint: "Data files are R's dump format, name <- value, or JSON."}
	}
	body := bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	read := readDump
	if start := bytes.TrimLeft(body, " \t\r\n"); len(start) > 0 && start[0] == '{' {
		read = readJSON
	}
	d, err := read(file, body)
	if d != nil {
		d.bytes = len(src)
	}
	return d, err
}

// Merge adds the variables of o to d. A variable that both hold is an error,
// unless its values are the same.
func (d *Data) Merge(o *Data) error {
	for _, name := range o.Names {
		if err := d.add(name, o.Values[name]); err != nil {
			return err
		}
	}
	d.Notes = append(d.Notes, o.Notes...)
	d.bytes += o.bytes
	for name, where := range o.text {
		if d.text == nil {
			d.text = map[string]string{}
		}
		d.text[name] = where
	}
	return nil
}

func (d *Data) add(name string, v *Value) error {
	if d.Values == nil {
		d.Values = map[string]*Value{}
	}
	old, ok := d.Values[name]
	if !ok {
		d.Names = append(d.Names, name)
		d.Values[name] = v
		return nil
	}
	if sameValue(old, v) {
		return nil
	}
	return &Error{
		File: v.File, Pos: v.Pos,
		Msg:  fmt.Sprintf("%s is given twice with different values, first at %s:%v", name, old.File, old.Pos),
		Hint: "Remove one of the two.",
	}
}

func sameValue(a, b *Value) bool {
	if !slices.Equal(a.Dims, b.Dims) || len(a.Data) != len(b.Data) {
		return false
	}
	for i, x := range a.Data {
		if a.Missing(i) != b.Missing(i) || math.Float64bits(x) != math.Float64bits(b.Data[i]) {
			return false
		}
	}
	return true
}
