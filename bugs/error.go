package bugs

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Pos is a place in a source text: line and column count characters from 1.
type Pos struct{ Line, Col int }

// String gives line:col.
func (p Pos) String() string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }

// Error is a fault in a model or data file: where it is, what is wrong there,
// and what to do about it.
type Error struct {
	File   string
	Pos    Pos
	Msg    string
	Hint   string
	Source string // the whole source line; empty when there is none to show
	Node   string // the node's relation with values; empty where there is none

	cause error // what the message says, where it came from below
}

// Unwrap gives the error from below that the message reports, if any.
func (e *Error) Unwrap() error { return e.cause }

// Error renders "file:line:col: message", the hint, the line with a caret below
// the fault, and the node's relation.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(wording.At(e.File, e.Pos.Line, e.Pos.Col, e.Msg))
	if e.Hint != "" {
		b.WriteString("\n  ")
		b.WriteString(e.Hint)
	}
	if e.Source != "" && e.Pos.Col > 0 {
		line, caret := excerpt(e.Source, e.Pos.Col)
		fmt.Fprintf(&b, "\n    %s\n    %s^", line, caret)
	}
	if e.Node != "" {
		b.WriteString("\n  ")
		b.WriteString(e.Node)
	}
	return b.String()
}

// excerptWidth keeps an error readable when a data file is one endless line.
const excerptWidth = 100

// excerpt gives the part of line around column col, and the blanks that put a
// caret under that column. Tabs stay tabs, so that both lines align.
func excerpt(line string, col int) (text, indent string) {
	line = strings.TrimRight(line, "\r\n")
	start := 0
	for c := 1; c < col && start < len(line); c++ {
		_, n := utf8.DecodeRuneInString(line[start:])
		start += n
	}
	lo, hi := 0, len(line)
	if utf8.RuneCountInString(line) > excerptWidth {
		lo = stepBack(line, start, excerptWidth*2/3)
		hi = stepAhead(line, start, excerptWidth/3)
	}
	if lo > 0 {
		text = "…"
	}
	text += line[lo:hi]
	if hi < len(line) {
		text += "…"
	}
	var b strings.Builder
	if lo > 0 {
		b.WriteByte(' ')
	}
	for _, r := range line[lo:start] {
		if r == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return printable(text), b.String()
}

func stepBack(s string, at, runes int) int {
	for ; runes > 0 && at > 0; runes-- {
		_, n := utf8.DecodeLastRuneInString(s[:at])
		at -= n
	}
	return at
}

func stepAhead(s string, at, runes int) int {
	for ; runes > 0 && at < len(s); runes-- {
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return at
}

// printable replaces what a terminal would act on, one character for one.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if (r < ' ' && r != '\t') || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, s)
}

// sourceLine gives line n (from 1) of src without its end.
func sourceLine(src string, n int) string {
	for ; n > 1; n-- {
		i := strings.IndexByte(src, '\n')
		if i < 0 {
			return ""
		}
		src = src[i+1:]
	}
	if i := strings.IndexByte(src, '\n'); i >= 0 {
		src = src[:i]
	}
	return strings.TrimRight(src, "\r")
}

// ErrorAt makes an error at pos of the program's text, with the line there.
func (p *Program) ErrorAt(pos Pos, hint, format string, args ...any) *Error {
	return &Error{
		File: p.File, Pos: pos, Hint: hint, Msg: fmt.Sprintf(format, args...),
		Source: sourceLine(p.Source, pos.Line),
	}
}

// Line is a line of the program's text, counted from 1.
func (p *Program) Line(n int) string { return sourceLine(p.Source, n) }
