package corpus

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Tokenise gives the words of a text, as the readers of texts find them. A word is a run of letters, marks and decimal
// digits, which begins with a letter or a digit; single apostrophes and hyphens within it (don't, o’clock, well-known)
// are part of it, written ' and -. Words are in lower case and in Unicode's normal form C. Languages that put
// nothing between words have to be cut into words before.
func Tokenise(text string) []string {
	var words []string
	s := scanner{text: []byte(text)}
	for s.next() {
		words = append(words, string(s.word))
	}
	return words
}

// scanner goes through the words of a text.
type scanner struct {
	text []byte
	at   int    // where the word at hand ends
	word []byte // the word at hand
	near bool   // only white space stands before it, or nothing

	plain, normal []byte
}

// next goes to the next word, and reports whether there is one.
func (s *scanner) next() bool {
	if !s.seek() {
		return false
	}
	s.plain = s.plain[:0]
	ascii := true
	for s.at < len(s.text) {
		c := s.text[s.at]
		switch {
		case c-'a' <= 'z'-'a' || c-'0' <= 9:
			s.plain = append(s.plain, c)
		case c-'A' <= 'Z'-'A':
			s.plain = append(s.plain, c+'a'-'A')
		default:
			r, n := utf8.DecodeRune(s.text[s.at:])
			if r, n = s.inner(r, n); n == 0 {
				return s.finish(ascii)
			}
			ascii = ascii && r < utf8.RuneSelf
			s.plain = utf8.AppendRune(s.plain, unicode.ToLower(r))
			s.at += n
			continue
		}
		s.at++
	}
	return s.finish(ascii)
}

// seek goes to where the next word begins.
func (s *scanner) seek() bool {
	s.near = true
	for s.at < len(s.text) {
		r, n := utf8.DecodeRune(s.text[s.at:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
		s.near = s.near && unicode.IsSpace(r)
		s.at += n
	}
	return false
}

// inner gives what a character of n bytes within a word counts as; n is 0 if the word ends before it.
func (s *scanner) inner(r rune, n int) (rune, int) {
	switch r {
	case '\'', '’':
		r = '\''
	case '-', '‐', '‑':
		r = '-'
	default:
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r, n
		}
		return r, 0
	}
	if after, _ := utf8.DecodeRune(s.text[s.at+n:]); unicode.IsLetter(after) || unicode.IsDigit(after) {
		return r, n
	}
	return r, 0
}

func (s *scanner) finish(ascii bool) bool {
	s.word = s.plain
	if !ascii && !norm.NFC.IsNormal(s.plain) {
		s.normal = norm.NFC.Append(s.normal[:0], s.plain...)
		s.word = s.normal
	}
	return true
}
