package corpus

import (
	"errors"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/linereader"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// lines reads a text file line by line.
type lines struct {
	linereader.Reader
	name  string
	close func() error
}

// lines begins to read the lines of the input.
func (in *input) lines() (*lines, error) {
	o, err := in.open()
	if err != nil {
		return nil, err
	}
	return &lines{linereader.New(o.Reader), in.name, o.close}, nil
}

// next goes to the next line, and reports whether there is one.
func (in *lines) next() (bool, error) {
	more, f := in.Next()
	if f != nil {
		return false, &Error{File: in.name, Line: f.Line, Col: f.Col, Msg: f.Msg, Err: f.Err}
	}
	return more, nil
}

// fault is an error at a byte of the line.
func (in *lines) fault(at int, format string, args ...any) error {
	return &Error{File: in.name, Line: in.Line, Col: column(in.Text, at), Msg: fmt.Sprintf(format, args...)}
}

// atEnd is an error after the last line.
func (in *lines) atEnd(format string, args ...any) error {
	return &Error{File: in.name, Line: max(in.Line, 1), Msg: fmt.Sprintf(format, args...)}
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
	return &Error{File: in.name, Line: in.Line, Msg: fmt.Sprintf("the collection does not fit: %v; raise the limit, or pack it", err), Err: err}
}
