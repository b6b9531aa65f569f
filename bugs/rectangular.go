package bugs

import (
	"fmt"
	"math"
)

// tableColumn is a column of OpenBUGS' rectangular data: name[] or name[,k].
type tableColumn struct {
	name  string
	start int // offset of the name
	pos   Pos
	col   int // k, from 1; 0 for a vector
	numbers
}

// atTable reports whether the head of a table stands here: name[] or name[,.
func (r *dumpReader) atTable() bool {
	save := r.off
	defer func() { r.off = save }()
	w := r.word()
	if len(w) == 0 || isDigit(w[0]) {
		return false
	}
	r.off += len(w)
	return r.accept('[') && (r.accept(']') || r.accept(','))
}

// table reads name[] name[,1] …, then rows of numbers up to the word END.
func (r *dumpReader) table() error {
	cols, err := r.tableHead()
	if err != nil {
		return err
	}
	for k := 0; ; k = (k + 1) % len(cols) {
		r.blanks()
		if w := string(r.word()); w == "END" || r.off >= len(r.src) {
			r.off += len(w)
			if k != 0 {
				return r.fail(r.off, "Fill the row up with NA.", "the last row of the table has %d numbers, and there are %s", k, plural(len(cols), "column"))
			}
			return r.tableArrays(cols)
		}
		if err := r.tableNumber(&cols[k].numbers); err != nil {
			return err
		}
	}
}

func (r *dumpReader) tableHead() ([]tableColumn, error) {
	var cols []tableColumn
	for r.atTable() {
		c := tableColumn{start: r.off, pos: r.pos(r.off)}
		w := r.word()
		c.name = string(w)
		r.off += len(w)
		r.accept('[')
		if r.accept(',') {
			r.blanks()
			at := r.off
			x, ok, err := r.number()
			if err != nil {
				return nil, err
			}
			if !ok || x != math.Trunc(x) || x < 1 || x > 1<<20 || r.byte() != ']' {
				return nil, r.fail(at, "A table has vectors, x[], and columns of matrices, z[,1] z[,2]; larger arrays are lists with structure(.Data = …, .Dim = …).",
					"the column %s[,…] of the table has no number", shorten(c.name))
			}
			c.col = int(x)
		}
		r.accept(']')
		cols = append(cols, c)
		r.blanks()
	}
	return cols, nil
}

// tableNumber reads a number or NA.
func (r *dumpReader) tableNumber(to *numbers) error {
	const hint = "A table is name[] name[] … and rows of numbers, NA for what is missing, closed by END."
	if string(r.word()) == "NA" {
		r.off += 2
		to.addNA()
		return nil
	}
	negative := r.byte() == '-'
	if negative || r.byte() == '+' {
		r.off++
	}
	x, ok, err := r.number()
	if err != nil {
		return err
	}
	if c := r.byte(); !ok || r.off < len(r.src) && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '#' {
		return r.expected("a number of the table, or END", hint)
	}
	if negative {
		x = -x
	}
	to.add(x)
	return nil
}

// tableArrays makes variables of columns; those of a matrix are all there, in order.
func (r *dumpReader) tableArrays(cols []tableColumn) error {
	for i := 0; i < len(cols); {
		c := &cols[i]
		n := 1
		for i+n < len(cols) && cols[i+n].name == c.name && c.col > 0 {
			n++
		}
		v := &Value{Dims: []int{len(c.data)}, Pos: c.pos, File: r.file}
		all := c.numbers
		for k := range n {
			if c.col > 0 && cols[i+k].col != k+1 {
				return r.fail(cols[i+k].start, "The columns of a matrix stand side by side, in order: z[,1] z[,2].", "column %d of %s stands where column %d should", cols[i+k].col, shorten(c.name), k+1)
			}
			if k > 0 {
				all.addAll(&cols[i+k].numbers)
			}
		}
		if c.col > 0 {
			v.Dims = []int{len(c.data), n}
		}
		v.Data, v.NA = all.data, all.na
		if !r.out.leaveAside(c.name, fmt.Sprintf("%s:%v", r.file, c.pos), false) {
			if err := r.out.add(c.name, v); err != nil {
				return err
			}
		}
		i += n
	}
	return nil
}
