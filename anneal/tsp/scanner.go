package tsp

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// scanner reads a file of TSPLIB: lines of the specification, and words of the data.
type scanner struct {
	name string
	rest []byte
	at   int // number of the line where rest begins, from 1
}

func newScanner(name string, text []byte) *scanner {
	return &scanner{name: name, rest: bytes.TrimPrefix(text, []byte("\ufeff")), at: 1}
}

func (s *scanner) fail(line int, format string, args ...any) error {
	return errors.New(wording.At(s.name, line, 0, fmt.Sprintf(format, args...)))
}

const blanks = " \t\r\v\f"

// skip goes to the next word.
func (s *scanner) skip() {
	for len(s.rest) > 0 {
		switch c := s.rest[0]; {
		case c == '\n':
			s.at++
		case strings.IndexByte(blanks, c) < 0:
			return
		}
		s.rest = s.rest[1:]
	}
}

// word is the next one, nil at the end, and its line.
func (s *scanner) word() (word []byte, line int) {
	s.skip()
	end := bytes.IndexAny(s.rest, blanks+"\n")
	if end < 0 {
		end = len(s.rest)
	}
	word, s.rest = s.rest[:end], s.rest[end:]
	if end == 0 {
		word = nil
	}
	return word, s.at
}

// entry is the next line that is not empty: its key in capitals, and what follows the colon or, without one, the key.
func (s *scanner) entry() (key, value string, line int) {
	s.skip()
	line = s.at
	end := bytes.IndexByte(s.rest, '\n')
	if end < 0 {
		end = len(s.rest)
	}
	text := string(bytes.Trim(s.rest[:end], blanks))
	s.rest = s.rest[end:]
	key, value, found := strings.Cut(text, ":")
	if !found {
		key, value, _ = strings.Cut(text, " ")
	}
	return strings.ToUpper(strings.Trim(key, blanks)), strings.Trim(value, blanks), line
}

// numeral says whether the next word begins as numbers do.
func (s *scanner) numeral() bool {
	s.skip()
	return len(s.rest) > 0 && strings.IndexByte("+-.0123456789", s.rest[0]) >= 0
}

// enough is an error unless the rest of the file can hold so many words.
func (s *scanner) enough(words float64, what string) error {
	if words > float64(len(s.rest)+1)/2 {
		return s.fail(s.at, "the file is too short for %s: give them all, or correct DIMENSION", what)
	}
	return nil
}

// number is the next word as a finite number.
func (s *scanner) number(what string) (float64, error) {
	word, line := s.word()
	if word == nil {
		return 0, s.fail(line, "the file ends where %s is expected", what)
	}
	v, err := strconv.ParseFloat(string(word), 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(v):
		return 0, s.fail(line, "%s is expected, and %s is not a number", what, wording.Quote(word))
	case math.IsInf(v, 0):
		return 0, s.fail(line, "%s is %s, which is too large", what, wording.Quote(word))
	}
	return v, nil
}

// whole is the next word as an integer from low to high.
func (s *scanner) whole(what string, low, high float64) (int, error) {
	v, err := s.number(what)
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < low || v > high {
		return 0, s.fail(s.at, "%s is %v, and has to be an integer from %.0f to %.0f", what, v, low, high)
	}
	return int(v), nil
}
