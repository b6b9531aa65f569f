package bugs

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxDataNesting = 64
	maxComputed    = 1 << 24 // elements that a file's ranges a:b may stand for
)

// dataScanner walks through the bytes of a data file. It keeps offsets only,
// and turns them into lines and columns when a name or an error needs them.
type dataScanner struct {
	file string
	src  []byte
	off  int

	seen int // offset up to which at has been counted
	at   Pos
}

func newDataScanner(file string, src []byte) dataScanner {
	return dataScanner{file: file, src: src, at: Pos{1, 1}}
}

// byte gives the current byte, 0 at the end.
func (s *dataScanner) byte() byte {
	if s.off < len(s.src) {
		return s.src[s.off]
	}
	return 0
}

// pos gives the place of an offset; offsets must not decrease between calls.
func (s *dataScanner) pos(off int) Pos {
	for s.seen < off {
		i := bytes.IndexByte(s.src[s.seen:off], '\n')
		if i < 0 {
			s.at.Col += utf8.RuneCount(s.src[s.seen:off])
			s.seen = off
			break
		}
		s.seen += i + 1
		s.at = Pos{s.at.Line + 1, 1}
	}
	return s.at
}

func (s *dataScanner) fail(off int, hint, format string, args ...any) error {
	off = min(off, len(s.src))
	start := bytes.LastIndexByte(s.src[:off], '\n') + 1
	line := s.src[start:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	return &Error{
		File: s.file, Hint: hint, Msg: fmt.Sprintf(format, args...),
		Pos:    Pos{1 + bytes.Count(s.src[:start], []byte("\n")), 1 + utf8.RuneCount(s.src[start:off])},
		Source: strings.TrimRight(string(line), "\r"),
	}
}

// expected reports what stands at the current offset as wrong.
func (s *dataScanner) expected(what, hint string) error {
	return s.fail(s.off, hint, "expected %s, found %s", what, s.found())
}

func (s *dataScanner) found() string {
	if s.off >= len(s.src) {
		return "the end of the file"
	}
	if w := s.word(); len(w) > 0 {
		return strconv.Quote(shorten(string(w)))
	}
	r, _ := utf8.DecodeRune(s.src[s.off:])
	return strconv.Quote(string(r))
}

func isWord(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '.' || c == '_' || c >= utf8.RuneSelf
}

// word gives the name-like text at the current offset without stepping over it.
func (s *dataScanner) word() []byte {
	end := s.off
	for end < len(s.src) && isWord(s.src[end]) {
		end++
	}
	return s.src[s.off:end]
}

// number reads an unsigned decimal number. ok is false where there is none.
func (s *dataScanner) number() (x float64, ok bool, err error) {
	n := numberLength(s.src[s.off:])
	if n == 0 {
		return 0, false, nil
	}
	// The conversion does not escape, so that short numbers allocate nothing.
	x, perr := strconv.ParseFloat(string(s.src[s.off:s.off+n]), 64)
	if perr != nil {
		return 0, false, s.fail(s.off, "Write Inf for infinity.", "%s is too large for a number", shorten(string(s.src[s.off:s.off+n])))
	}
	s.off += n
	return x, true, nil
}

// numbers collects elements and remembers which are missing.
type numbers struct {
	data []float64
	na   []bool
}

func (a *numbers) add(x float64) {
	a.data = append(a.data, x)
	if a.na != nil {
		a.na = append(a.na, false)
	}
}

func (a *numbers) addNA() {
	a.trackNA()
	a.data = append(a.data, math.NaN())
	a.na = append(a.na, true)
}

func (a *numbers) trackNA() {
	if a.na == nil {
		a.na = make([]bool, len(a.data), max(cap(a.data), 1))
	}
}

func (a *numbers) addAll(b *numbers) {
	if b.na != nil {
		a.trackNA()
	}
	a.data = append(a.data, b.data...)
	switch {
	case b.na != nil:
		a.na = append(a.na, b.na...)
	case a.na != nil:
		a.na = append(a.na, make([]bool, len(b.data))...)
	}
}

// product multiplies dimensions; ok is false when it exceeds limit.
func product(dims []int, limit int) (n int, ok bool) {
	n = 1
	for _, d := range dims {
		if d == 0 {
			return 0, true
		}
	}
	for _, d := range dims {
		if n > limit/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// byColumns reorders elements that stand by rows (last subscript fastest) into
// R's and BUGS' order (first subscript fastest).
func byColumns[T any](rows []T, dims []int) []T {
	if len(dims) < 2 || len(rows) == 0 {
		return rows
	}
	out := make([]T, len(rows))
	stride := make([]int, len(dims))
	step := 1
	for i, d := range dims {
		stride[i] = step
		step *= d
	}
	index := make([]int, len(dims))
	at := 0
	for _, x := range rows {
		out[at] = x
		for i := len(dims) - 1; i >= 0; i-- {
			index[i]++
			at += stride[i]
			if index[i] < dims[i] {
				break
			}
			at -= stride[i] * dims[i]
			index[i] = 0
		}
	}
	return out
}

func (a *numbers) byColumns(dims []int) {
	a.data = byColumns(a.data, dims)
	if a.na != nil {
		a.na = byColumns(a.na, dims)
	}
}

// leaveAside notes names and values that no BUGS model can use. It reports
// whether it did.
func (d *Data) leaveAside(name, where string, text bool) bool {
	switch {
	case strings.HasPrefix(name, ".RNG."):
		d.Notes = append(d.Notes, fmt.Sprintf("%s: %s, which steers the random numbers of JAGS, is ignored; use Settings.Seed", where, name))
	case text:
		d.Notes = append(d.Notes, fmt.Sprintf("%s: %s holds text and is ignored; a model needs numbers", where, name))
		if d.text == nil {
			d.text = map[string]string{}
		}
		d.text[name] = where
	default:
		return false
	}
	return true
}
