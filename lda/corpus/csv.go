package corpus

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/linereader"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// table reads texts from a column of a CSV file, and names from another.
type table struct {
	from       *input
	text, name string // names of columns
	comma      rune

	r              *csv.Reader
	textAt, nameAt int // columns; −1 without
	last           int // the line in which the record before begins
	record         metered
}

// metered counts the bytes of a record, and asks for the memory that they take: a quote that is not closed makes one
// record of a whole file.
type metered struct {
	io.Reader
	bytes, granted float64
}

func (m *metered) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	if m.bytes += float64(n); m.bytes > m.granted {
		m.granted = max(2*m.bytes, 1<<20)
		if err := memory.Room(3 * m.granted); err != nil { // its line, its fields, and what they grow out of
			return 0, err
		}
	}
	return n, err
}

func (c *table) read(t *texts) error {
	o, err := c.from.open()
	if err != nil {
		return err
	}
	defer o.close()
	if mark, _ := o.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = o.Discard(3)
	}
	c.record, c.last = metered{Reader: o}, 0
	c.r = csv.NewReader(bufio.NewReaderSize(&c.record, buffer))
	c.r.ReuseRecord = true
	c.r.Comma = c.comma
	if err := c.header(t); err != nil {
		return err
	}
	for {
		fields, err := c.r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return c.broken(err)
		}
		c.record.bytes = 0
		if err := c.document(t, fields); err != nil {
			return err
		}
	}
}

// document turns a record into one.
func (c *table) document(t *texts, fields []string) error {
	name := ""
	if c.nameAt >= 0 {
		name = strings.Clone(fields[c.nameAt])
		if k := invalid([]byte(name)); k >= 0 {
			line, col := c.r.FieldPos(c.nameAt)
			return &Error{File: c.from.name, Line: line, Col: col, Msg: "the name " + wording.Quote(name) + convert}
		}
	}
	text := []byte(fields[c.textAt])
	c.last, _ = c.r.FieldPos(0)
	line, col := c.r.FieldPos(c.textAt)
	if bytes.IndexByte(text, 0) >= 0 {
		return &Error{File: c.from.name, Line: line, Col: col, Msg: "this field holds a zero byte" + linereader.NoText}
	}
	in := &lines{Reader: linereader.Reader{Line: line, Text: text}, name: c.from.name}
	if err := t.add(in, text, -1); err != nil {
		return err
	}
	return t.end(in, name)
}

// header finds the columns.
func (c *table) header(t *texts) error {
	names, err := c.r.Read()
	if errors.Is(err, io.EOF) {
		return &Error{File: c.from.name, Line: 1, Msg: "the file has no line of headings"}
	}
	if err != nil {
		return c.broken(err)
	}
	c.record.bytes, c.last = 0, 1
	c.textAt, c.nameAt = 0, -1
	if c.text != "" || len(names) > 1 {
		want := c.text
		if want == "" {
			want = "text"
		}
		if c.textAt, err = c.column(names, want); err != nil {
			return err
		}
	}
	if c.text == "" && names[c.textAt] != "text" {
		t.assumed = fmt.Sprintf("%s:1: %s is taken for the heading of the one column, and for no document; name another format where it is one", c.from.name, wording.Quote(names[c.textAt]))
	}
	if c.name != "" {
		c.nameAt, err = c.column(names, c.name)
	}
	return err
}

func (c *table) column(names []string, want string) (int, error) {
	switch k := slices.Index(names, want); {
	case k < 0:
		return 0, &Error{File: c.from.name, Line: 1, Msg: missing(names, want)}
	case slices.Contains(names[k+1:], want):
		return 0, &Error{File: c.from.name, Line: 1, Msg: fmt.Sprintf("two columns are called %s; rename one", wording.Quote(want))}
	default:
		return k, nil
	}
}

func missing(names []string, want string) string {
	msg := fmt.Sprintf("no column is called %s", wording.Quote(want))
	if near := wording.Nearest(want, names); near != "" {
		return msg + "; did you mean " + wording.Quote(near) + "?"
	}
	return msg + "; there are " + wording.Few(names, 10)
}

// broken is the fault of a record that cannot be read.
func (c *table) broken(err error) error {
	var at *csv.ParseError
	if !errors.As(err, &at) {
		return &Error{File: c.from.name, Line: c.last + 1, Msg: linereader.Unreadable(err), Err: err}
	}
	e := &Error{File: c.from.name, Line: at.Line, Col: at.Column, Err: err}
	switch at.Err {
	case csv.ErrFieldCount:
		e.Col, e.Msg = 0, "this record has another number of fields than the headings; a comma or a line end within a field needs quotes around the field"
	case csv.ErrQuote:
		e.Line, e.Msg = at.StartLine, fmt.Sprintf("the quotes of the record that begins here do not close where a field ends (line %d, byte %d); a quote within a field is written twice", at.Line, at.Column)
		e.Col = 0
	case csv.ErrBareQuote:
		e.Msg = "a quote stands within a field that has none around it; put quotes around the field and write this one twice"
	default:
		e.Msg = at.Err.Error()
	}
	return e
}
