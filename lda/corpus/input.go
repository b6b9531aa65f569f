package corpus

import (
	"bufio"
	"errors"
	"io"

	"github.com/ergodic-mcmc/ergodic/internal/linereader"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
)

// input is what a collection is read from: a file, which can be read again, or a stream, which cannot.
type input struct {
	name   string
	path   string // "" for a stream
	stream io.Reader
	read   bool // the stream is at its end, or on the way

	head *opened // opened to detect the format, not yet read
}

// opened is an input on the way, out of gzip where it is in it.
type opened struct {
	*bufio.Reader
	close func() error
}

const (
	buffer = 1 << 18 // bytes that are read or written at a time
	peeked = 1 << 16 // bytes that tell the format
)

// open begins to read from the start.
func (in *input) open() (*opened, error) {
	if o := in.head; o != nil {
		in.head = nil
		return o, nil
	}
	raw, closer, err := in.bytes()
	if err != nil {
		return nil, err
	}
	b, err := linereader.Gunzip(raw)
	if err != nil {
		closer()
		return nil, &Error{File: in.name, Msg: linereader.Unreadable(err), Err: err}
	}
	return &opened{b, closer}, nil
}

func (in *input) bytes() (io.Reader, func() error, error) {
	if in.path != "" {
		f, err := regular.Open(in.path)
		if err != nil {
			return nil, nil, err
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return f, f.Close, nil
		}
		in.path, in.stream = "", f // a pipe, which is read once
	}
	if in.read {
		return nil, nil, &Error{File: in.name, Msg: "this would have to be read twice, and it comes through a pipe; put it into a file"}
	}
	in.read = true
	return in.stream, func() error { return nil }, nil
}

// peek gives the first bytes without reading them.
func (in *input) peek() ([]byte, error) {
	o, err := in.open()
	if err != nil {
		return nil, err
	}
	in.head = o
	head, err := o.Peek(peeked)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		in.forget()
		return nil, &Error{File: in.name, Line: 1, Msg: linereader.Unreadable(err), Err: err}
	}
	return head, nil
}

// forget closes what was opened to detect the format.
func (in *input) forget() {
	if in.head != nil {
		in.head.close()
		in.head = nil
	}
}
