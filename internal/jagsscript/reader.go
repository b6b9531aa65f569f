package jagsscript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Command is one command of a script: monitor beta, thin(10).
type Command struct {
	Line    int
	Words   []string // those before the first comma; what is quoted is one
	Options []Option
}

// Option is one that follows a comma: thin(10).
type Option struct{ Name, Value string }

// String is the command as a script has it.
func (c Command) String() string {
	var b strings.Builder
	for i, w := range c.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoted(w))
	}
	for _, o := range c.Options {
		b.WriteString(", " + o.Name + "(" + quoted(o.Value) + ")")
	}
	return b.String()
}

// quoted puts a word in quotes where it would not be one without.
func quoted(w string) string {
	switch {
	case w != "" && wordLength(w) == len(w) && strings.LastIndexByte(w, '[') <= strings.LastIndexByte(w, ']') && !strings.ContainsAny(w, " \t") && !strings.HasPrefix(w, "/*") && w[0] != '#':
		return w
	case strings.Contains(w, `"`):
		return "'" + w + "'"
	}
	return `"` + w + `"`
}

// SyntaxError is a line that is no command.
type SyntaxError struct {
	Line int
	Msg  string
}

func (e *SyntaxError) Error() string { return "syntax error: " + e.Msg }

// Reader reads the commands of a script, which lines or semicolons end. # begins a comment, and /* */ enclose one. < and > stand for blanks: JAGS skips
// them, and runjags puts names in them.
type Reader struct {
	in      *bufio.Reader
	line    int
	comment int // line of the comment that is open; 0: none
	next    []Command
	err     error // after these
}

// NewReader reads a script.
func NewReader(r io.Reader) *Reader { return &Reader{in: bufio.NewReader(r)} }

// maxLine is what a line may hold.
const maxLine = 1 << 14

// Next is the next command. Its error is io.EOF at the end, a [*SyntaxError] for a line that is none, after which the one
// below may be read, or the fault of reading.
func (r *Reader) Next() (Command, error) {
	for {
		if len(r.next) > 0 {
			c := r.next[0]
			r.next = r.next[1:]
			return c, nil
		}
		if err := r.err; err != nil {
			r.err = nil
			return Command{}, err
		}
		text, err := r.readLine()
		if err != nil {
			return Command{}, err
		}
		r.cut(text)
	}
}

// Line is that of the line read last.
func (r *Reader) Line() int { return r.line }

func (r *Reader) fail(format string, args ...any) error {
	return &SyntaxError{r.line, fmt.Sprintf(format, args...)}
}

// readLine reads a line without its end.
func (r *Reader) readLine() (string, error) {
	var b strings.Builder
	for {
		part, err := r.in.ReadSlice('\n')
		if b.Len()+len(part) > maxLine {
			return "", fmt.Errorf("line %d is longer than %d characters: this is no script of JAGS", r.line+1, maxLine)
		}
		b.Write(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && b.Len() == 0 && r.comment > 0:
			line := r.comment
			r.comment = 0
			return "", &SyntaxError{line, "the comment that begins with /* has no end"}
		case errors.Is(err, io.EOF) && b.Len() > 0:
		case err != nil:
			return "", err
		}
		r.line++
		return strings.TrimRight(b.String(), "\r\n"), nil
	}
}

// cut makes commands of a line.
func (r *Reader) cut(text string) {
	var one Command
	end := func() {
		if one.Words != nil {
			r.next = append(r.next, one)
		}
		one = Command{}
	}
	for text != "" {
		if r.comment > 0 {
			_, after, ok := strings.Cut(text, "*/")
			if !ok {
				break
			}
			r.comment, text = 0, after
			continue
		}
		switch {
		case strings.IndexByte(blanks, text[0]) >= 0:
			text = text[1:]
		case text[0] == '#':
			text = ""
		case strings.HasPrefix(text, "/*"):
			r.comment, text = r.line, text[2:]
		case text[0] == ';':
			end()
			text = text[1:]
		case text[0] == ',':
			if text, r.err = r.option(text[1:], &one); r.err != nil {
				return
			}
		case one.Options != nil && namesOption(text): // JAGS has no comma between options
			if text, r.err = r.option(text, &one); r.err != nil {
				return
			}
		default:
			var w string
			if w, text, r.err = r.word(text); r.err != nil {
				return
			}
			if one.Options != nil {
				r.err = r.fail("%s after %s: a command ends there", wording.Quote(w), one.Options[len(one.Options)-1].Name+"()")
				return
			}
			one.Line = r.line
			one.Words = append(one.Words, w)
		}
	}
	end()
}

// blanks separate words.
const blanks = " \t\r\f<>"

// letters is how many letters a text begins with.
func letters(text string) (n int) {
	for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// namesOption tells whether a text begins with an option.
func namesOption(text string) bool {
	n := letters(text)
	return n > 0 && strings.HasPrefix(strings.TrimLeft(text[n:], blanks), "(")
}

// option reads name(value).
func (r *Reader) option(text string, to *Command) (rest string, err error) {
	text = strings.TrimLeft(text, blanks)
	n := letters(text)
	name := text[:n]
	rest, open := strings.CutPrefix(strings.TrimLeft(text[n:], blanks), "(")
	if n == 0 || !open || to.Words == nil {
		return "", r.fail("a comma is followed by an option and its value, such as thin(10)")
	}
	rest = strings.TrimLeft(rest, blanks)
	value := ""
	if rest != "" && rest[0] != ')' {
		if value, rest, err = r.word(rest); err != nil {
			return "", err
		}
	}
	rest, closed := strings.CutPrefix(strings.TrimLeft(rest, blanks), ")")
	if !closed {
		return "", r.fail("%s( is not closed", name)
	}
	to.Options = append(to.Options, Option{name, value})
	return rest, nil
}

// word reads a word, or what stands in quotes, at the beginning of a text.
func (r *Reader) word(text string) (w, rest string, err error) {
	if q := text[0]; q == '"' || q == '\'' {
		n := strings.IndexByte(text[1:], q)
		if n < 0 {
			return "", "", r.fail("a text in quotes has no end")
		}
		return text[1 : n+1], text[n+2:], nil
	}
	n := wordLength(text)
	if n == 0 {
		return "", "", r.fail("%s has no place here", wording.Quote(text[:1]))
	}
	return strings.NewReplacer(" ", "", "\t", "").Replace(text[:n]), text[n:], nil
}

// wordLength is that of the word at the beginning of a text: up to a blank or a mark that is not within brackets.
func wordLength(text string) int {
	depth, last := 0, strings.LastIndexByte(text, ']')
	for n := range len(text) {
		switch c := text[n]; {
		case c == '[' && n < last:
			depth++
		case c == ']':
			depth = max(depth-1, 0)
		case strings.IndexByte("\"'();#\r\f<>", c) >= 0, depth == 0 && strings.IndexByte(" \t,", c) >= 0:
			return n
		}
	}
	return len(text)
}
