package bugs

import (
	"fmt"
	"strings"
)

// Format prints a program in one style, with its comments: a relation a line, two blanks for each block that it stands in, <- for =, ^ for **. Where a
// relation is broken into lines it stays so, and of several empty lines one stays. The program means what it meant, and what is in the style is
// not changed.
func Format(file, src string) (string, error) { return FormatDialect(file, src, "") }

// FormatDialect is [Format] of a program whose dialect is known, in which it means what it meant.
func FormatDialect(file, src string, d Dialect) (string, error) {
	was, err := ParseDialect(file, src, d)
	if err != nil {
		return "", err
	}
	f := &formatter{starts: map[Pos]int{}, chained: map[Pos]bool{}}
	program, rest := strings.TrimPrefix(src, "\ufeff"), ""
	if was.document > 0 { // lists, tables and headings in plain words stay as they are
		src = program
		program, rest = src[:was.document], src[was.document:]
	}
	title := program[:was.title]
	f.read(file, blanked(title)+program[was.title:])
	for _, b := range []*Block{was.Data, was.Model} {
		if b != nil {
			f.note(b.Stmts, 1)
		}
	}
	f.noteFunctions()
	for k := range f.items {
		f.put(k)
	}
	out := strings.TrimRight(f.out.String(), " \n") + "\n"
	if title != "" {
		out = strings.TrimRight(title, " \t\r\n") + "\n\n" + out
	}
	if rest != "" {
		out += "\n" + strings.TrimRight(rest, " \t\r\n") + "\n"
	}
	now, err := ParseDialect(file, out, d)
	if err == nil && now.String() != was.String() {
		err = fmt.Errorf("it reads otherwise")
	}
	if err != nil {
		return "", fmt.Errorf("%s: this is a bug in Ergodic, please report it with the model: after formatting, %w", file, err)
	}
	return out, nil
}

// formatter prints what a program is made of, in its order.
type formatter struct {
	starts  map[Pos]int  // of statements: the blocks that they stand in
	chained map[Pos]bool // of them, those if that follow else
	items   []formatItem

	out        strings.Builder
	began      bool  // something is printed on this line
	lineEnds   bool  // a comment ends it
	opened     bool  // by a brace
	indent     int   // of the statement under way
	blocks     []int // of the statements whose braces are open
	brackets   int
	last       formatItem // printed
	beforeLast formatItem
}

// formatItem is a token or a comment.
type formatItem struct {
	token
	comment bool
	lines   int // line ends before it, after the item before
}

// note finds where statements begin.
func (f *formatter) note(stmts []Stmt, depth int) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *Relation:
			f.starts[st.Pos] = depth
		case *For:
			f.starts[st.Pos] = depth
			f.note(st.Body, depth+1)
		case *If:
			f.starts[st.Pos] = depth
			f.note(st.Then, depth+1)
			if len(st.Else) == 1 {
				if next, ok := st.Else[0].(*If); ok && f.chained[next.Pos] {
					f.note(st.Else, depth)
					continue
				}
			}
			f.note(st.Else, depth+1)
		}
	}
}

// noteFunctions finds where macros begin, of which the parsed program holds nothing.
func (f *formatter) noteFunctions() {
	var before formatItem // no comment
	open := 0
	for _, it := range f.items {
		switch {
		case it.comment:
			continue
		case it.text == "{":
			open++
		case it.text == "}":
			open--
		case it.kind == tokName && before.kind == tokName && before.text == "function":
			f.starts[before.pos] = open
		}
		before = it
	}
}

// read cuts a program into tokens and the comments between them.
func (f *formatter) read(file, src string) {
	l := newLexer(file, src)
	for {
		from := l.off
		t := l.next()
		lines := f.comments(l.src[from : l.off-len(t.text)])
		if t.kind == tokEOF || t.kind == tokBad {
			return
		}
		if n := len(f.items); n > 0 && t.text == "if" && f.items[n-1].text == "else" {
			f.chained[t.pos] = true
		}
		f.items = append(f.items, formatItem{token: t, lines: lines})
	}
}

// comments adds those between two tokens, and counts the line ends after the last.
func (f *formatter) comments(gap string) (lines int) {
	for gap != "" {
		n := 1
		switch {
		case gap[0] == '\n':
			lines++
		case gap[0] == '#':
			if n = strings.IndexByte(gap, '\n'); n < 0 {
				n = len(gap)
			}
		case strings.HasPrefix(gap, "/*"):
			n = strings.Index(gap[2:], "*/") + 4
		}
		if gap[0] == '#' || gap[0] == '/' {
			f.items = append(f.items, formatItem{token: token{text: strings.TrimRight(strings.ReplaceAll(gap[:n], "\r\n", "\n"), " \t\r\f\v")}, comment: true, lines: lines})
			lines = 0
		}
		gap = gap[n:]
	}
	return lines
}

// put prints an item.
func (f *formatter) put(k int) {
	it := f.items[k]
	switch {
	case it.comment:
		f.putComment(it, k)
	case it.kind == tokOp && it.text == ";" && f.brackets == 0 && len(f.blocks) > 0:
		return
	default:
		f.putToken(it, k)
	}
	f.beforeLast, f.last = f.last, it
}

// putComment prints one behind what stands before it in its line, or in a line of its own.
func (f *formatter) putComment(it formatItem, k int) {
	if it.lines > 0 || f.lineEnds || f.last.text == "" {
		f.newline(f.indentOf(k), it.lines)
	} else if f.began {
		f.out.WriteByte(' ')
	}
	f.out.WriteString(it.text)
	f.began = true
	f.lineEnds = it.text[0] == '#'
}

// indentOf is that of a comment in a line of its own: of the token that comes next.
func (f *formatter) indentOf(k int) int {
	for k++; k < len(f.items); k++ {
		it := f.items[k]
		if it.comment {
			continue
		}
		if depth, ok := f.starts[it.pos]; ok {
			return depth
		}
		switch {
		case it.text == ";":
			continue
		case it.text == "}" || len(f.blocks) == 0 && f.brackets == 0:
			return len(f.blocks)
		}
		return f.indent + 2
	}
	return 0
}

func (f *formatter) putToken(it formatItem, k int) {
	depth, starts := f.starts[it.pos]
	section := len(f.blocks) == 0 && f.brackets == 0 && it.kind == tokName && (it.text == "model" || it.text == "data" || it.text == "var")
	switch {
	case starts && !f.chained[it.pos]:
		f.newline(depth, it.lines)
		f.indent = depth
	case section:
		f.newline(0, it.lines)
		f.indent = 0
	case it.text == "}" && f.brackets == 0 && len(f.blocks) > 0:
		f.indent = f.blocks[len(f.blocks)-1]
		f.blocks = f.blocks[:len(f.blocks)-1]
		f.newline(f.indent, 0)
	case it.text == "else" && (f.last.text != "}" || f.lineEnds):
		if f.last.text != "}" {
			f.indent = max(f.indent-1, 0)
		}
		f.newline(f.indent, 0)
	case f.lineEnds, it.lines > 0 && it.text != "{" && it.text != "else" && f.last.text != "else":
		f.newline(f.indent+2, 0)
	case f.began && f.spaced(it):
		f.out.WriteByte(' ')
	}
	f.write(it, k)
}

// write prints the token itself.
func (f *formatter) write(it formatItem, k int) {
	text := it.text
	switch text {
	case "(", "[":
		f.brackets++
	case ")", "]":
		f.brackets = max(f.brackets-1, 0)
	case "{":
		f.blocks = append(f.blocks, f.indent)
	case "**":
		text = "^"
	case "=":
		if f.brackets == 0 && f.last.text != "+" {
			text = "<-"
		}
	}
	f.out.WriteString(text)
	f.began, f.opened = true, text == "{"
}

// newline begins a line, after an empty one where there was one.
func (f *formatter) newline(indent, lines int) {
	f.lineEnds = false
	if f.began {
		f.out.WriteByte('\n')
		if lines > 1 && !f.opened {
			f.out.WriteByte('\n')
		}
	}
	f.began, f.opened = true, false
	writeIndent(&f.out, indent)
}

// spaced tells whether a blank stands before a token.
func (f *formatter) spaced(it formatItem) bool {
	last := f.last
	switch {
	case last.comment:
		return true
	case it.text == "," || it.text == ")" || it.text == "]" || it.text == ";" || it.text == "[" || last.text == "(" || last.text == "[":
		return false
	case it.text == "(":
		return last.kind == tokOp && !tight(last.text) && !f.lastUnary() || last.text == "for" || last.text == "if" || last.text == "in"
	case tight(it.text) || tight(last.text) || f.lastUnary():
		return false
	case it.text == "=" && last.text == "+" && f.brackets == 0:
		return false
	}
	return true
}

// tight operators have no blanks around them.
func tight(op string) bool { return op == "^" || op == "**" || op == ":" }

// lastUnary tells whether the last token is a sign or a not.
func (f *formatter) lastUnary() bool {
	if f.last.kind != tokOp || f.last.text != "-" && f.last.text != "!" {
		return false
	}
	before := f.beforeLast
	return f.last.text == "!" || !(before.kind == tokName || before.kind == tokNumber || before.text == ")" || before.text == "]")
}
