package mrf

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// scanner reads what white space separates, as all files of the UAI competitions are: line breaks have no meaning in them.
type scanner struct {
	source
	at int // where the next word is looked for
}

func newScanner(name string, text []byte) *scanner {
	s := &scanner{source: source{name, text}}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		s.at = len("\ufeff")
	}
	return s
}

func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// next is the next word and where it begins; it is empty at the end.
func (s *scanner) next() (word []byte, at int) {
	for s.at < len(s.text) && space(s.text[s.at]) {
		s.at++
	}
	at = s.at
	for s.at < len(s.text) && !space(s.text[s.at]) {
		s.at++
	}
	return s.text[at:s.at], at
}

// left is the most words that may follow.
func (s *scanner) left() int { return (len(s.text) - s.at + 1) / 2 }

func (s *scanner) ended(what string) error {
	return s.fault(len(s.text), "the file ends where %s should be; it is cut short, or a count before is too large", what)
}

// count reads a whole number from least to most.
func (s *scanner) count(what string, least, most int) (n, at int, err error) {
	word, at := s.next()
	if len(word) == 0 {
		return 0, at, s.ended(what)
	}
	n, err = strconv.Atoi(string(word))
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, at, s.fault(at, "%s is %s, which is not a whole number", what, wording.Quote(word))
	case err != nil || n < least || n > most:
		return 0, at, s.fault(at, "%s is %s, and it must be from %d to %d", what, wording.Brief(word), least, most)
	}
	return n, at, nil
}

// number reads a number that may be negative or infinite.
func (s *scanner) number(what string) (x float64, at int, err error) {
	word, at := s.next()
	if len(word) == 0 {
		return 0, at, s.ended(what)
	}
	if x, err = strconv.ParseFloat(string(word), 64); err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(x) {
		return 0, at, s.fault(at, "%s is %s, which is not a number", what, wording.Quote(word))
	}
	return x, at, nil
}

// entry reads an entry of a table of non-negative numbers.
func (s *scanner) entry(what string) (float64, error) {
	word, at := s.next()
	if len(word) == 0 {
		return 0, s.ended(what)
	}
	x, fault := factorEntry(word)
	if fault != "" {
		return 0, s.fault(at, "%s is %s", what, fault)
	}
	return x, nil
}

// factorEntry is a non-negative number, or what is wrong with it.
func factorEntry(word []byte) (x float64, fault string) {
	x, err := strconv.ParseFloat(string(word), 64)
	quoted := wording.Brief(word)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, wording.Quote(word) + ", which is not a number"
	case math.IsNaN(x):
		return 0, quoted + ", which is not a number"
	case err != nil:
		return 0, quoted + ", which is too large; divide all entries of the factor by the same number"
	case math.IsInf(x, 0):
		return 0, quoted + "; entries must be finite"
	case x < 0:
		return 0, quoted + ", which is negative; entries are probabilities or weights, not their logarithms"
	case x == 0 && bytes.ContainsAny(mantissa(word), "123456789"):
		return 0, quoted + ", which is too small to be told from 0; write 0 where it stands for never, or multiply all entries of the factor by the same number"
	}
	return math.Abs(x), ""
}

func mantissa(word []byte) []byte {
	if k := bytes.IndexAny(word, "eEpP"); k >= 0 {
		return word[:k]
	}
	return word
}

// end is an error where something follows.
func (s *scanner) end(hint string) error {
	if word, at := s.next(); len(word) > 0 {
		return s.fault(at, "%s follows where the file should end; %s", wording.Quote(word), hint)
	}
	return nil
}
