package bugs

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type tokenKind byte

const (
	tokEOF tokenKind = iota
	tokName
	tokNumber
	tokOp // punctuation and operators; the text tells which
	tokBad
)

type token struct {
	kind tokenKind
	text string
	pos  Pos
	err  *Error // of tokBad
}

// describe names the token for "expected …, found …".
func (t token) describe() string {
	switch t.kind {
	case tokEOF:
		return "the end of the file"
	case tokName:
		return "the name " + shorten(t.text)
	case tokNumber:
		return "the number " + shorten(t.text)
	}
	return `"` + t.text + `"`
}

func shorten(s string) string {
	if len(s) <= 40 {
		return s
	}
	return s[:40] + "…"
}

// lexer cuts a model file into tokens on demand. It stays at the first text
// that is none, so that an earlier syntax error is reported first.
type lexer struct {
	file, src string
	off       int
	line, col int
}

func newLexer(file, src string) lexer {
	return lexer{file: file, src: strings.TrimPrefix(src, "\ufeff"), line: 1, col: 1}
}

// advance moves over n bytes of the current line, all of them ASCII.
func (l *lexer) advance(n int) {
	l.off += n
	l.col += n
}

func (l *lexer) newline() {
	l.off++
	l.line++
	l.col = 1
}

func (l *lexer) rest() string { return l.src[l.off:] }

func (l *lexer) pos() Pos { return Pos{l.line, l.col} }

func (l *lexer) bad(hint, format string, args ...any) token {
	pos := l.pos()
	return token{kind: tokBad, pos: pos, err: &Error{
		File: l.file, Pos: pos, Hint: hint, Msg: fmt.Sprintf(format, args...),
		Source: sourceLine(l.src, pos.Line),
	}}
}

func (l *lexer) next() token {
	if t, ok := l.skipBlanks(); !ok {
		return t
	}
	if l.off == len(l.src) {
		return token{kind: tokEOF, pos: l.pos()}
	}
	c := l.src[l.off]
	switch {
	case isLetter(c):
		return l.take(tokName, nameLength(l.rest()))
	case isDigit(c) || c == '.' && l.off+1 < len(l.src) && isDigit(l.src[l.off+1]):
		return l.number()
	case c == '%':
		return l.percent()
	}
	for _, op := range longOperators {
		if strings.HasPrefix(l.rest(), op) {
			return l.take(tokOp, len(op))
		}
	}
	if strings.IndexByte("(){}[],;~=<>+-*/^:!", c) >= 0 {
		return l.take(tokOp, 1)
	}
	return l.stray(c)
}

var longOperators = [...]string{"<-", "<=", ">=", "==", "!=", "&&", "||", "**"}

func (l *lexer) take(kind tokenKind, n int) token {
	t := token{kind: kind, text: l.src[l.off : l.off+n], pos: l.pos()}
	l.advance(n)
	return t
}

func (l *lexer) number() token {
	n := numberLength(l.rest())
	if glued := nameLength(l.rest()[n:]); glued > 0 && isLetter(l.rest()[n]) {
		if after := l.rest()[n+glued:]; strings.HasPrefix(after, "−") || strings.HasPrefix(after, "–") {
			return l.bad("Replace the sign after it with the - of the keyboard.", "%s is neither a number nor a name", shorten(l.rest()[:n+glued]))
		}
		number, name := shorten(l.rest()[:n]), shorten(l.rest()[n:n+glued])
		return l.bad("A name begins with a letter; a product is written "+number+" * "+name+".", "%s is neither a number nor a name", shorten(l.rest()[:n+glued]))
	}
	return l.take(tokNumber, n)
}

func (l *lexer) percent() token {
	line, _, _ := strings.Cut(l.rest()[1:], "\n")
	n := strings.IndexByte(line, '%')
	if n < 0 || strings.ContainsAny(line[:n], " \t\r") || !isASCII(line[:n]) {
		return l.bad("Such operators look like %*%, without blanks inside; a comment begins with #, and a remainder is a - b * trunc(a / b).", `"%%" opens an operator that is not closed`)
	}
	return l.take(tokOp, n+2)
}

func (l *lexer) skipBlanks() (token, bool) {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.advance(1)
		case c == '#':
			l.skipTo('\n')
		case strings.HasPrefix(l.rest(), "/*"):
			start := l.bad("Close it with */.", "this comment has no end")
			if !l.skipComment() {
				return start, false
			}
		case strings.HasPrefix(l.rest(), "//"):
			return l.bad("A comment begins with # or stands between /* and */.", `"//" is no comment in BUGS`), false
		default:
			return token{}, true
		}
	}
	return token{}, true
}

func (l *lexer) skipTo(c byte) {
	n := strings.IndexByte(l.rest(), c)
	if n < 0 {
		n = len(l.rest())
	}
	l.col += utf8.RuneCountInString(l.rest()[:n])
	l.off += n
}

func (l *lexer) skipComment() bool {
	n := strings.Index(l.rest()[2:], "*/")
	if n < 0 {
		return false
	}
	end := l.off + n + 4
	for {
		nl := strings.IndexByte(l.src[l.off:end], '\n')
		if nl < 0 {
			break
		}
		l.off += nl
		l.newline()
	}
	l.col += utf8.RuneCountInString(l.src[l.off:end])
	l.off = end
	return true
}

// stray explains a character that begins no token.
func (l *lexer) stray(c byte) token {
	switch c {
	case '"', '\'':
		return l.bad("Numbers stand for categories; file names are given on the command line.", "text in quotes has no place in a model")
	case '&', '|':
		return l.bad("Write && for and, || for or; or ifelse(a, b, c).", `"%c" alone is no operator`, c)
	case '.', '_':
		return l.bad("A name begins with a letter and goes on with letters, digits, dots and underscores.", `a name cannot begin with "%c"`, c)
	}
	r, _ := utf8.DecodeRuneInString(l.rest())
	switch r {
	case '\u00a0':
		return l.bad("Replace it with a plain blank.", "this blank is a no-break space")
	case '−', '–', '—':
		return l.bad("Replace it with the - of the keyboard.", "%q is not the minus sign of BUGS", r)
	case '≤', '≥', '≠':
		return l.bad("Write <=, >= or !=.", "%q is no operator of BUGS", r)
	}
	return l.bad("Remove it: names have letters, digits, dots and underscores; an element of a list is a variable of its own.", "unexpected character %q", r)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func nameLength(s string) int {
	n := 0
	for n < len(s) && (isLetter(s[n]) || isDigit(s[n]) || s[n] == '.' || s[n] == '_') {
		n++
	}
	return n
}

// numberLength measures 12, 1., .5, 1E5 or 1.0e-3 at the start of s; 0 when s
// begins with no number.
func numberLength[T string | []byte](s T) int {
	n := digits(s, 0)
	whole := n
	if n < len(s) && s[n] == '.' {
		n = digits(s, n+1)
		if n == whole+1 && whole == 0 {
			return 0
		}
	}
	if n == 0 || n == len(s) || s[n]|0x20 != 'e' {
		return n
	}
	e := n + 1
	if e < len(s) && (s[e] == '+' || s[e] == '-') {
		e++
	}
	if end := digits(s, e); end > e {
		return end
	}
	return n
}

func digits[T string | []byte](s T, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}
