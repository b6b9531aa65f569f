package bugs

import (
	"bytes"
	"fmt"
	"math"
)

// readDump reads assignments name <- value as R's dump writes them, and
// list(name = value, …) as OpenBUGS and R's dput do, and OpenBUGS' tables name[] … END.
func readDump(file string, src []byte) (*Data, error) {
	r := &dumpReader{dataScanner: newDataScanner(file, src), out: &Data{Values: map[string]*Value{}}}
	for {
		r.blanks()
		for r.byte() == ';' {
			r.off++
			r.blanks()
		}
		if r.off >= len(r.src) {
			return r.out, nil
		}
		if err := r.entry(); err != nil {
			return nil, err
		}
	}
}

type dumpReader struct {
	dataScanner
	out      *Data
	computed int // elements that ranges have made so far
	depth    int
}

// rValue is a value of R: numbers with dimensions, text, or NULL.
type rValue struct {
	numbers
	dims   []int // as given by .Dim; nil without
	text   bool
	byRows bool // OpenBUGS' structure(.Data = …), which fills rows first
}

func (r *dumpReader) blanks() {
	for r.off < len(r.src) {
		switch r.src[r.off] {
		case ' ', '\t', '\r', '\n', '\f', '\v':
			r.off++
		case '#':
			if i := bytes.IndexByte(r.src[r.off:], '\n'); i >= 0 {
				r.off += i + 1
			} else {
				r.off = len(r.src)
			}
		default:
			return
		}
	}
}

func (r *dumpReader) accept(c byte) bool {
	r.blanks()
	if r.byte() != c {
		return false
	}
	r.off++
	return true
}

const formats = "Data files are R's dump format, name <- value, or JSON."

// entry reads one assignment, or one list of them.
func (r *dumpReader) entry() error {
	start := r.off
	switch {
	case r.atList():
		return r.list()
	case r.atTable():
		return r.table()
	}
	name, ok, err := r.name()
	if err != nil {
		return err
	}
	if !ok {
		return r.expected("name <- value", r.entryHint())
	}
	if !r.arrow() {
		return r.expected(fmt.Sprintf(`"<-" after %s`, shorten(name)), r.arrowHint())
	}
	r.blanks()
	if r.atList() {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s:%v: the elements of the list %s are read as variables", r.file, r.pos(start), name))
		return r.list()
	}
	return r.assign(name, start, false)
}

// tableOfColumns is for CSV, of which many kinds are about.
const tableOfColumns = "A table of columns is no data file. In R: d <- read.csv(\"d.csv\"); dump(names(d), \"d.R\", envir = list2env(d))"

// entryHint is for what begins no entry.
func (r *dumpReader) entryHint() string {
	switch r.byte() {
	case '[':
		return "JSON is one object of columns: {\"y\": [1, 2], \"x\": [3, 4]}. In R: jsonlite::write_json(as.list(d), \"d.json\", digits = NA)"
	case ',', ';', '\t':
		return tableOfColumns
	}
	return formats
}

func (r *dumpReader) arrowHint() string {
	switch r.byte() {
	case '[':
		return "Only whole variables can be given: name <- c(…), or structure(c(…), .Dim = c(…)), with NA for what is missing."
	case '(', '{':
		return "This looks like R code; the file holds values only. R's dump() writes them."
	case ',', ';', '\t':
		return tableOfColumns
	}
	if isWord(r.byte()) { // only the arrow is missing
		return "Write <- or = between a name and its value."
	}
	return formats
}

// name reads a bare, "quoted" or `backquoted` name.
func (r *dumpReader) name() (string, bool, error) {
	c := r.byte()
	if c == '"' || c == '\'' || c == '`' {
		start := r.off
		end, err := r.skipString()
		if err != nil {
			return "", false, err
		}
		if end == start+2 {
			return "", false, r.fail(start, "Write the variable's name: y <- ….", "a name is empty")
		}
		return string(r.src[start+1 : end-1]), true, nil
	}
	w := r.word()
	if len(w) == 0 || isDigit(c) || c == '_' {
		return "", false, nil
	}
	r.off += len(w)
	return string(w), true, nil
}

// skipString steps over a quoted text and gives the offset after it.
func (r *dumpReader) skipString() (int, error) {
	quote, start := r.byte(), r.off
	for i := start + 1; i < len(r.src); i++ {
		switch r.src[i] {
		case '\\':
			i++
		case quote:
			r.off = i + 1
			return r.off, nil
		}
	}
	return 0, r.fail(start, "Close it with a mark of the same kind.", "this quotation mark is not closed")
}

// arrow steps over <-, <<- or =.
func (r *dumpReader) arrow() bool {
	r.blanks()
	for _, a := range [...]string{"<-", "<<-", "="} {
		if bytes.HasPrefix(r.src[r.off:], []byte(a)) {
			r.off += len(a)
			return true
		}
	}
	return false
}

// atList reports whether list( or structure(list( stands here.
func (r *dumpReader) atList() bool {
	save := r.off
	defer func() { r.off = save }()
	return r.callOf("list") || r.callOf("structure") && r.callOf("list")
}

// callOf steps over "f(" and reports whether it stood here.
func (r *dumpReader) callOf(f string) bool {
	r.blanks()
	if string(r.word()) != f {
		return false
	}
	r.off += len(f)
	return r.accept('(')
}

// list reads list(name = value, …), also inside structure(…).
func (r *dumpReader) list() error {
	structure := r.callOf("structure")
	if !r.callOf("list") {
		return r.expected("list(…)", formats)
	}
	if !r.accept(')') {
		if err := r.listEntries(); err != nil {
			return err
		}
	}
	if !structure {
		return nil
	}
	return r.skipArguments()
}

func (r *dumpReader) listEntries() error {
	for {
		r.blanks()
		start := r.off
		name, ok, err := r.name()
		if err != nil {
			return err
		}
		if !ok || !r.accept('=') {
			r.off = start
			return r.expected("name = value in the list", "Every element of list(…) needs a name.")
		}
		if err := r.assign(name, start, true); err != nil {
			return err
		}
		if r.accept(')') {
			return nil
		}
		if !r.accept(',') {
			return r.expected(`"," or ")" in the list`, r.codeHint())
		}
	}
}

// assign reads the value of name and stores it.
func (r *dumpReader) assign(name string, start int, inList bool) error {
	pos := r.pos(start)
	r.blanks()
	v, err := r.value(inList)
	if err != nil {
		return err
	}
	if err := r.valueEnd(name, inList); err != nil {
		return err
	}
	where := fmt.Sprintf("%s:%v", r.file, pos)
	if r.out.leaveAside(name, where, v.text) {
		return nil
	}
	val := &Value{Dims: v.dims, Pos: pos, File: r.file}
	if v.dims == nil && len(v.data) != 1 {
		val.Dims = []int{len(v.data)}
	}
	if n, ok := product(val.Dims, math.MaxInt); !ok || n != len(v.data) {
		return r.fail(start, "The product of the dimensions must be the number of values.",
			"%s has %s, but its dimensions are %s", shorten(name), plural(len(v.data), "value"), timesText(v.dims))
	}
	if v.byRows && len(v.dims) > 1 {
		v.byColumns(v.dims)
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: %s is read by rows, as OpenBUGS writes structure(.Data = …) in a list", where, name))
	}
	val.Data, val.NA = v.data, v.na
	return r.out.add(name, val)
}

// valueEnd refuses what would silently be dropped after a value, as in
// x <- 1/2.
func (r *dumpReader) valueEnd(name string, inList bool) error {
	r.blanks()
	c := r.byte()
	switch {
	case inList, r.off >= len(r.src), c == ';':
		return nil
	case isLetter(c) || c == '.' || c == '"' || c == '\'' || c == '`' || c >= 0x80:
		return nil // the next name
	}
	return r.expected("the end of the value of "+shorten(name), r.codeHint())
}

func (r *dumpReader) codeHint() string {
	switch r.byte() {
	case '+', '-', '*', '/', '^', '%', '[', '(':
		return "The file holds values, not expressions: R's dump() writes values."
	}
	return "Commas stand between values, points in numbers, and ) at the end."
}
