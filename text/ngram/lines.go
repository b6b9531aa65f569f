package ngram

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/linereader"
	"github.com/ergodic-mcmc/ergodic/internal/regular"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// lines reads a text in UTF-8, gzip or not, line by line.
type lines struct {
	linereader.Reader
	name string
}

// newLines begins to read.
func newLines(r io.Reader, name string) (*lines, error) {
	b, err := linereader.Gunzip(r)
	if err != nil {
		return nil, &Error{File: name, Line: 1, Msg: linereader.Unreadable(err), Err: err}
	}
	return &lines{linereader.New(b), name}, nil
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
	more, f := in.Next()
	if f != nil {
		return false, &Error{File: in.name, Line: f.Line, Col: f.Col, Msg: f.Msg, Err: f.Err}
	}
	if more && !utf8.Valid(in.Text) {
		return false, in.utf8()
	}
	return more, nil
}

// utf8 is the fault of a line that is not in UTF-8.
func (in *lines) utf8() error {
	at := 0
	for {
		r, n := utf8.DecodeRune(in.Text[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	err := in.fault("%s is not UTF-8; convert the file, with iconv -f latin1 -t utf-8 if that is what it is in", wording.Quote(in.Text[at:at+1]))
	err.Col = utf8.RuneCount(in.Text[:at]) + 1
	return err
}

// fault is an error in the line at hand.
func (in *lines) fault(format string, args ...any) *Error {
	return &Error{File: in.name, Line: max(in.Line, 1), Msg: fmt.Sprintf(format, args...)}
}

// caused is a fault that another package has found.
func (in *lines) caused(what string, err error) error {
	return &Error{File: in.name, Line: max(in.Line, 1), Msg: what + ": " + err.Error(), Err: err}
}
