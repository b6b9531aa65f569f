package ngram

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

const buffer = 1 << 18 // bytes that are read at a time

// lines reads a text, gzip or not, line by line.
type lines struct {
	from   *bufio.Reader
	name   string
	number int    // of the line at hand
	text   []byte // the line at hand, without its end; its memory is used again
	long   []byte
	ended  bool
}

// newLines begins to read.
func newLines(r io.Reader, name string) (*lines, error) {
	b := bufio.NewReaderSize(r, buffer)
	in := &lines{from: b, name: name}
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, in.broken(err)
		}
		in.from = bufio.NewReaderSize(z, buffer)
	}
	return in, nil
}

// openLines begins to read a file, which close closes.
func openLines(path string) (in *lines, close func() error, err error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if in, err = newLines(f, path); err != nil {
		f.Close()
		return nil, nil, err
	}
	return in, f.Close, nil
}

// next goes to the next line, and reports whether there is one.
func (in *lines) next() (bool, error) {
	if in.ended {
		return false, nil
	}
	text, err := in.line()
	if err != nil {
		return false, err
	}
	if in.ended && len(text) == 0 {
		return false, nil
	}
	in.number++
	if in.number == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	in.text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	if bytes.IndexByte(in.text, 0) >= 0 {
		return false, in.fault("a zero byte stands in this line: this is no text, or text in UTF-16, which iconv -f utf-16 -t utf-8 turns into UTF-8")
	}
	if !utf8.Valid(in.text) {
		return false, in.utf8()
	}
	return true, nil
}

// line reads up to the next line feed. What is longer than the buffer takes memory as it comes.
func (in *lines) line() ([]byte, error) {
	text, err := in.from.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		in.long = in.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if room := memory.Room(2 * float64(len(in.long)+len(text))); room != nil {
				return nil, in.broken(room)
			}
			in.long = append(in.long, text...)
			text, err = in.from.ReadSlice('\n')
		}
		in.long = append(in.long, text...)
		text = in.long
	}
	if errors.Is(err, io.EOF) {
		in.ended, err = true, nil
	}
	if err != nil {
		return nil, in.broken(err)
	}
	return text, nil
}

// utf8 is the fault of a line that is not in UTF-8.
func (in *lines) utf8() error {
	at := 0
	for {
		r, n := utf8.DecodeRune(in.text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	err := in.fault("%s is not UTF-8; convert the file, with iconv -f latin1 -t utf-8 if that is what it is in", wording.Quote(in.text[at:at+1]))
	err.Col = utf8.RuneCount(in.text[:at]) + 1
	return err
}

// fault is an error in the line at hand.
func (in *lines) fault(format string, args ...any) *Error {
	return &Error{File: in.name, Line: max(in.number, 1), Msg: fmt.Sprintf(format, args...)}
}

// caused is a fault that another package has found.
func (in *lines) caused(what string, err error) error {
	return &Error{File: in.name, Line: max(in.number, 1), Msg: what + ": " + err.Error(), Err: err}
}

// broken is the fault of a line that cannot be read.
func (in *lines) broken(err error) error {
	msg := fmt.Sprintf("the file cannot be read: %v", err)
	var damaged flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		msg = "the gzip file ends before its end: it is cut short; copy it again"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &damaged):
		msg = fmt.Sprintf("the gzip file is damaged here (%v); copy it again", err)
	}
	return &Error{File: in.name, Line: in.number + 1, Msg: msg, Err: err}
}
