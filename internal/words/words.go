// Package words reads texts of numbers that white space separates, where line breaks have no meaning.
package words

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Scanner goes through a text word by word.
type Scanner struct {
	name string
	text []byte
	at   int // where the next word is looked for
}

// New begins at the start of a text, after a byte order mark. The name is for errors.
func New(name string, text []byte) *Scanner {
	s := &Scanner{name: name, text: text}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		s.at = len("\ufeff")
	}
	return s
}

func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// Next is the next word and the byte where it begins; it is empty at the end.
func (s *Scanner) Next() (word []byte, at int) {
	for s.at < len(s.text) && space(s.text[s.at]) {
		s.at++
	}
	at = s.at
	for s.at < len(s.text) && !space(s.text[s.at]) {
		s.at++
	}
	return s.text[at:s.at], at
}

// Left is the most words that may follow.
func (s *Scanner) Left() int { return (len(s.text) - s.at + 1) / 2 }

// Int reads a whole number from least to most. What says what it is, and is only called for a message.
func (s *Scanner) Int(what func() string, least, most int64) (n int64, at int, err error) {
	word, at := s.Next()
	if len(word) == 0 {
		return 0, at, s.Fault(at, "the file ends where %s should be; it is cut short, or a number before is too large", what())
	}
	n, err = strconv.ParseInt(string(word), 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, at, s.Fault(at, "%s is %s, which is not a whole number", what(), wording.Quote(word))
	case err != nil || n < least || n > most:
		return 0, at, s.Fault(at, "%s is %s, and it must be from %d to %d", what(), wording.Brief(word), least, most)
	}
	return n, at, nil
}

// End is an error where something follows.
func (s *Scanner) End(hint string) error {
	if word, at := s.Next(); len(word) > 0 {
		return s.Fault(at, "%s follows where the file should end; %s", wording.Quote(word), hint)
	}
	return nil
}

// Fault is an error at a byte of the text: file:line:column: message, columns in characters.
func (s *Scanner) Fault(at int, format string, args ...any) error {
	before := s.text[:min(at, len(s.text))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return errors.New(wording.At(s.name, bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1, fmt.Sprintf(format, args...)))
}
