package markov

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// lines reads a text file line by line, and splits lines into fields.
type lines struct {
	name   string
	r      *bufio.Reader
	number int // of the line at hand
	text   []byte
	fields []span
	sep    byte // 0 until the first line with fields
	long   []byte
	ahead  []held // lines that were read to detect the format
	ended  bool
	broken int // where a quote begins that is not closed, or text after one that is; −1 without
}

// span is a field of a line, without blanks and quotes around it.
type span struct{ from, to int }

type held struct {
	number int
	text   []byte
}

func newLines(r io.Reader, name string) *lines {
	return &lines{name: name, r: bufio.NewReaderSize(r, 1<<20)}
}

// next goes to the next line that has fields, and reports whether there is one. The line's memory is used again.
func (in *lines) next() (bool, error) {
	if len(in.ahead) > 0 {
		h := in.ahead[0]
		in.ahead = in.ahead[1:]
		in.number, in.text = h.number, h.text
		in.split()
		return true, nil
	}
	for {
		text, ok, err := in.raw()
		if err != nil || !ok {
			return false, err
		}
		if ok, err = in.prepare(text); ok || err != nil {
			return ok, err
		}
	}
}

// raw goes to the next line, whatever it holds.
func (in *lines) raw() (text []byte, ok bool, err error) {
	if in.ended {
		return nil, false, nil
	}
	text, err = in.line()
	if err != nil || in.ended && len(text) == 0 {
		return nil, false, err
	}
	in.number++
	if in.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	return text, true, nil
}

// prepare splits the line at hand, and reports whether it has fields.
func (in *lines) prepare(text []byte) (bool, error) {
	in.text = uncommented(text)
	if len(bytes.TrimSpace(in.text)) == 0 {
		return false, nil
	}
	if k := bytes.IndexByte(in.text, 0); k >= 0 {
		return false, in.fault(k, "the line holds a zero byte: this is no text file")
	}
	if in.sep == 0 {
		in.sep = separator(in.text)
	}
	in.split()
	if in.broken >= 0 {
		return false, in.unquotable()
	}
	return true, nil
}

// unquotable is the fault of a line whose quotes do not enclose fields.
func (in *lines) unquotable() error {
	if in.text[in.broken] == '"' && in.broken == in.fields[len(in.fields)-1].from {
		return in.fault(in.broken, "the quote that begins here is not closed in its line")
	}
	return in.fault(in.broken, "text follows the closing quote of a field; a separator belongs here")
}

// line reads up to the next line feed.
func (in *lines) line() ([]byte, error) {
	text, err := in.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		in.long = append(in.long[:0], text...)
		for errors.Is(err, bufio.ErrBufferFull) {
			text, err = in.r.ReadSlice('\n')
			in.long = append(in.long, text...)
		}
		text = in.long
	}
	if errors.Is(err, io.EOF) {
		in.ended, err = true, nil
	}
	if err != nil {
		return nil, &ReadError{File: in.name, Line: in.number + 1, Msg: fmt.Sprintf("the file cannot be read: %v", err), Err: err}
	}
	return text, nil
}

// uncommented cuts a line at a # that begins it or follows a blank.
func uncommented(text []byte) []byte {
	for from := 0; ; {
		k := bytes.IndexByte(text[from:], '#')
		if k < 0 {
			return text
		}
		k += from
		if k == 0 || text[k-1] == ' ' || text[k-1] == '\t' {
			return text[:k]
		}
		from = k + 1
	}
}

func separator(text []byte) byte {
	for _, sep := range []byte(",;\t") {
		if bytes.IndexByte(text, sep) >= 0 {
			return sep
		}
	}
	return ' '
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// split finds the fields of the line.
func (in *lines) split() {
	in.fields = in.fields[:0]
	in.broken = -1
	text := in.text
	end := len(text)
	for end > 0 && blank(text[end-1]) && text[end-1] != in.sep {
		end--
	}
	at := 0
	for {
		for at < end && blank(text[at]) && text[at] != in.sep || in.sep == ' ' && at < end && blank(text[at]) {
			at++
		}
		if in.sep == ' ' && at == end {
			return
		}
		at = in.field(at, end)
		if at >= end {
			return
		}
		at++ // over the separator
		if at == end && in.sep != ' ' {
			in.fields = append(in.fields, span{end, end})
			return
		}
	}
}

// field appends the field that begins at a place and returns where it ends.
func (in *lines) field(at, end int) int {
	if at < end && in.text[at] == '"' {
		return in.quotedField(at, end)
	}
	text := in.text
	from := at
	for at < end && !in.separates(text[at]) {
		at++
	}
	to := at
	for to > from && blank(text[to-1]) {
		to--
	}
	in.fields = append(in.fields, span{from, to})
	return at
}

// quotedField is field where a quote begins it. Nothing is read after a fault.
func (in *lines) quotedField(at, end int) int {
	text := in.text
	k := bytes.IndexByte(text[at+1:end], '"')
	if k < 0 {
		in.fields = append(in.fields, span{at, end})
		in.broken = at
		return end
	}
	in.fields = append(in.fields, span{at + 1, at + 1 + k})
	at += k + 2
	for at < end && !in.separates(text[at]) {
		if !blank(text[at]) {
			in.broken = at
			return end
		}
		at++
	}
	return at
}

func (in *lines) separates(c byte) bool { return c == in.sep || in.sep == ' ' && blank(c) }

func (in *lines) get(k int) []byte { return in.text[in.fields[k].from:in.fields[k].to] }

// fault is an error at a byte of the line.
func (in *lines) fault(at int, format string, args ...any) error {
	return &ReadError{File: in.name, Line: in.number, Col: utf8.RuneCount(in.text[:at]) + 1, Msg: fmt.Sprintf(format, args...)}
}

// probability parses field k.
func (in *lines) probability(k int, normalise bool) (float64, error) {
	b := in.get(k)
	v, err := parseFloat(b)
	at := in.fields[k].from
	switch {
	case len(b) == 0:
		return 0, in.fault(at, "a probability is missing here")
	case !parsed(err):
		return 0, in.fault(at, "%s is not a number; a probability belongs here", wording.Quote(b))
	case math.IsNaN(v):
		return 0, in.fault(at, "the probability is NaN; it must be a number in [0, 1]")
	case math.IsInf(v, 0):
		return 0, in.fault(at, "the probability %s is infinite or beyond the largest number; it must be in [0, 1]", wording.Quote(b))
	case v < 0:
		return 0, in.fault(at, "the probability %s is negative; it must be in [0, 1]", wording.Brief(b))
	case v > 1+Tolerance && !normalise:
		return 0, in.fault(at, "the probability %s is above 1; for counts or weights, let rows be divided by their sums (ReadSettings.Normalise)", wording.Brief(b))
	}
	return v, nil
}

func numeric(b []byte) bool {
	_, err := parseFloat(b)
	return parsed(err)
}

func (in *lines) numeric(k int) bool { return numeric(in.get(k)) }

// count is a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
