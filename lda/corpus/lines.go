package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// lines reads a text file line by line.
type lines struct {
	*opened
	name   string
	number int    // of the line at hand
	text   []byte // the line at hand, without its end; its memory is used again
	long   []byte
	ended  bool
}

// lines begins to read the lines of the input.
func (in *input) lines() (*lines, error) {
	o, err := in.open()
	if err != nil {
		return nil, err
	}
	return &lines{opened: o, name: in.name}, nil
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
	return true, nil
}

// line reads up to the next line feed. A line that is longer than the buffer takes memory as it comes, so that a
// gzip file of zeros ends at its first.
func (in *lines) line() ([]byte, error) {
	text, err := in.ReadSlice('\n')
	if bad := in.zero(text, 0); bad != nil {
		return nil, bad
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		in.long = in.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			if in.long, err = push(in.long, text...); err != nil {
				return nil, in.broken(err)
			}
			text, err = in.ReadSlice('\n')
			if bad := in.zero(text, len(in.long)); bad != nil {
				return nil, bad
			}
		}
		var full error
		if in.long, full = push(in.long, text...); full != nil {
			return nil, in.broken(full)
		}
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

const noText = ": this is no text, or text in UTF-16, which iconv -f utf-16 -t utf-8 turns into UTF-8"

// zero is the fault of a zero byte in the part of the next line that begins at byte from.
func (in *lines) zero(text []byte, from int) error {
	k := bytes.IndexByte(text, 0)
	if k < 0 {
		return nil
	}
	return &Error{File: in.name, Line: in.number + 1, Col: from + k + 1, Msg: "a zero byte stands here" + noText}
}

// broken is the fault of a line that cannot be read.
func (in *lines) broken(err error) error {
	return &Error{File: in.name, Line: in.number + 1, Msg: unreadable(err), Err: err}
}

// fault is an error at a byte of the line.
func (in *lines) fault(at int, format string, args ...any) error {
	return &Error{File: in.name, Line: in.number, Col: column(in.text, at), Msg: fmt.Sprintf(format, args...)}
}

// atEnd is an error after the last line.
func (in *lines) atEnd(format string, args ...any) error {
	return &Error{File: in.name, Line: max(in.number, 1), Msg: fmt.Sprintf(format, args...)}
}

// full places an error if it says that there is no memory; others have their place.
func (in *lines) full(err error) error {
	if err == nil {
		return nil
	}
	var none *memory.Error
	if !errors.As(err, &none) {
		return err
	}
	return &Error{File: in.name, Line: in.number, Msg: fmt.Sprintf("the collection does not fit: %v; raise the limit, or pack it", err), Err: err}
}
