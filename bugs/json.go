package bugs

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// readJSON reads one object whose members are numbers, booleans, null for NA,
// and arrays nested by rows: the data files of CmdStan among them, with their
// "NaN", "Inf" and "-Inf".
func readJSON(file string, src []byte) (*Data, error) {
	r := &jsonReader{dataScanner: newDataScanner(file, src), out: &Data{Values: map[string]*Value{}}}
	if !r.accept('{') {
		return nil, r.expected(`"{"`, jsonForm)
	}
	if !r.accept('}') {
		if err := r.members(); err != nil {
			return nil, err
		}
	}
	r.blanks()
	if r.off < len(r.src) {
		return nil, r.expected("the end of the file", "A data file holds one JSON object.")
	}
	return r.out, nil
}

type jsonReader struct {
	dataScanner
	out *Data
	arr jsonArray
}

// jsonArray is the variable that is being read.
type jsonArray struct {
	numbers
	name  string
	dims  []int // by level; -1 until the first array of that level ends
	index []int // where in the array the reader is, from 0
	leaf  int   // level of the numbers; -1 until the first one
	text  bool
}

func (r *jsonReader) blanks() {
	for r.off < len(r.src) {
		switch r.src[r.off] {
		case ' ', '\t', '\r', '\n':
			r.off++
		default:
			return
		}
	}
}

func (r *jsonReader) accept(c byte) bool {
	r.blanks()
	if r.byte() != c {
		return false
	}
	r.off++
	return true
}

func (r *jsonReader) members() error {
	for {
		r.blanks()
		start := r.off
		if r.byte() != '"' {
			return r.expected("a name in double quotes", r.nameHint())
		}
		name, err := r.text()
		if err != nil {
			return err
		}
		if name == "" {
			return r.fail(start, jsonForm, "a name is empty")
		}
		if !r.accept(':') {
			return r.expected(`":" after the name`, jsonForm)
		}
		if err := r.member(name, start); err != nil {
			return err
		}
		if r.accept('}') {
			return nil
		}
		if !r.accept(',') {
			return r.expected(`"," or "}" after the value of `+shorten(name), "Commas stand between variables, and } at the end.")
		}
	}
}

func (r *jsonReader) member(name string, start int) error {
	pos := r.pos(start)
	r.arr = jsonArray{name: name, leaf: -1}
	r.blanks()
	if r.byte() == '[' {
		r.arr.data = make([]float64, 0, r.countElements())
	}
	if err := r.value(0); err != nil {
		return err
	}
	a := &r.arr
	if r.out.leaveAside(name, fmt.Sprintf("%s:%v", r.file, pos), a.text) {
		return nil
	}
	a.byColumns(a.dims)
	v := &Value{Dims: a.dims, Data: a.data, NA: a.na, Pos: pos, File: r.file}
	r.arr = jsonArray{}
	return r.out.add(name, v)
}

// countElements counts the commas of the array that begins here.
func (r *jsonReader) countElements() int {
	n, open := 1, 0
	for _, c := range r.src[r.off:] {
		switch c {
		case ',':
			n++
		case '[':
			open++
		case ']':
			if open--; open == 0 {
				return n
			}
		}
	}
	return n
}

// value reads a value at the given level of nesting.
func (r *jsonReader) value(level int) error {
	r.blanks()
	c := r.byte()
	if c == '[' {
		return r.rows(level)
	}
	if c == '{' {
		return r.fail(r.off, "Give its members as variables of their own.", "%s holds an object; a variable holds numbers or arrays of them", shorten(r.arr.name))
	}
	if err := r.leafLevel(level); err != nil {
		return err
	}
	if c == '"' {
		return r.quoted()
	}
	return r.scalar()
}

// leafLevel checks that numbers stand at one depth only.
func (r *jsonReader) leafLevel(level int) error {
	a := &r.arr
	if a.leaf < 0 && level == len(a.dims) {
		a.leaf = level
		return nil
	}
	if a.leaf == level {
		return nil
	}
	return r.fail(r.off, "All rows must be nested alike.", "ragged array: %s is a number where an array is expected", a.element(level))
}

func (r *jsonReader) scalar() error {
	negative := r.byte() == '-'
	if negative {
		r.off++
	}
	x, ok, err := r.number()
	if err != nil {
		return err
	}
	if !ok || isWord(r.byte()) {
		return r.word(negative)
	}
	if negative {
		x = -x
	}
	r.arr.add(x)
	return nil
}

func (r *jsonReader) word(negative bool) error {
	w := string(r.dataScanner.word())
	sign := 1.0
	if negative {
		sign = -1
	}
	switch {
	case w == "null" && !negative:
		r.arr.addNA()
	case w == "true" && !negative:
		r.arr.add(1)
	case w == "false" && !negative:
		r.arr.add(0)
	case w == "NaN":
		r.arr.add(math.NaN())
	case w == "Infinity" || w == "Inf":
		r.arr.add(sign * math.Inf(1))
	case w == "NA":
		return r.expected("a value of "+shorten(r.arr.name), "JSON writes a missing value as null.")
	default:
		return r.expected("a value of "+shorten(r.arr.name), r.valueHint())
	}
	r.off += len(w)
	return nil
}

// quoted reads the texts that CmdStan takes for numbers; other text makes the
// variable one that is left aside.
func (r *jsonReader) quoted() error {
	s, err := r.text()
	if err != nil {
		return err
	}
	switch strings.ToLower(strings.TrimPrefix(s, "+")) {
	case "nan":
		r.arr.add(math.NaN())
	case "inf", "infinity":
		r.arr.add(math.Inf(1))
	case "-inf", "-infinity":
		r.arr.add(math.Inf(-1))
	default:
		r.arr.text = true
		r.arr.add(math.NaN())
	}
	return nil
}

// text reads a JSON string.
func (r *jsonReader) text() (string, error) {
	start := r.off
	for i := start + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '\\':
			i++
		case '\n':
			return "", r.fail(start, "Close it with \" in the same line.", "this quotation mark is not closed")
		case '"':
			r.off = i + 1
			var s string
			if err := json.Unmarshal(r.src[start:r.off], &s); err != nil {
				return "", r.fail(start, "A backslash stands before \", \\, /, b, f, n, r, t or u only: write \\\\ for one of its own.", "not a JSON string: %v", err)
			}
			return s, nil
		}
	}
	return "", r.fail(start, "Close it with \" in the same line.", "this quotation mark is not closed")
}

// rows reads an array whose elements stand at level+1.
func (r *jsonReader) rows(level int) error {
	a, start := &r.arr, r.off
	if level >= maxDataNesting {
		return r.fail(r.off, "An array has a level for each of its dimensions.", "nested deeper than %d levels", maxDataNesting)
	}
	if a.leaf >= 0 && level >= a.leaf {
		return r.fail(r.off, "All rows must be nested alike.", "ragged array: %s is an array where a number is expected", a.element(level))
	}
	if level == len(a.dims) {
		if a.closedEmpty(level) {
			return r.ragged(start, level, "is not empty as those before it are")
		}
		a.dims = append(a.dims, -1)
		a.index = append(a.index, 0)
	}
	r.off++
	n := 0
	if !r.accept(']') {
		for {
			a.index[level] = n
			if err := r.value(level + 1); err != nil {
				return err
			}
			n++
			if r.accept(']') {
				break
			}
			if !r.accept(',') {
				return r.expected(`"," or "]" in `+shorten(a.name), "Commas stand between values, points in numbers, and ] at the end.")
			}
		}
	}
	a.index[level] = 0
	switch want := a.dims[level]; {
	case want < 0:
		a.dims[level] = n
	case want != n:
		return r.ragged(start, level, fmt.Sprintf("has %d elements, those before it have %d", n, want))
	}
	return nil
}

// closedEmpty reports whether arrays of an upper level have ended without ever
// holding an array of this level: [[], [[1]]].
func (a *jsonArray) closedEmpty(level int) bool {
	return slices.Contains(a.dims[:level], 0)
}

func (r *jsonReader) ragged(start, level int, what string) error {
	a := &r.arr
	name := a.element(level)
	if level > 0 {
		name = fmt.Sprintf("row %d, %s,", a.index[0]+1, name)
	}
	return r.fail(start, "Rows must be of one length: fill up with null, and give the lengths as a variable.", "ragged array %s: %s %s", shorten(a.name), name, what)
}

// element names the part of the variable that the reader is at.
func (a *jsonArray) element(level int) string {
	if level == 0 {
		return shorten(a.name)
	}
	var b strings.Builder
	b.WriteString(shorten(a.name))
	for i, k := range a.index[:level] {
		b.WriteByte("[,"[min(i, 1)])
		fmt.Fprintf(&b, "%d", k+1)
	}
	if level < len(a.dims) {
		b.WriteString(strings.Repeat(",", len(a.dims)-level))
	}
	b.WriteByte(']')
	return b.String()
}
