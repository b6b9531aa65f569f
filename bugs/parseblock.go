package bugs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// misplaced explains what cannot stand outside the blocks.
func (p *parser) misplaced(t token) error {
	if t.kind == tokName {
		switch t.text {
		case "const":
			return p.failAt(t.pos, "Give the value in the data, or define it with <- in a data block.",
				"const declarations of old BUGS are not supported")
		case "inits":
			return p.failAt(t.pos, "Give initial values in a file of their own with Job.Inits.",
				"the inits header of old BUGS is not supported")
		case "list":
			return p.failAt(t.pos, "Put it in a file of its own and give it with bugs.Data or Job.Inits.",
				"data and initial values cannot stand in the model file")
		case "model", "data":
			if p.prog.Model != nil {
				hint := "The order is: var …; data { … } model { … }, each at most once."
				if t.text == "model" {
					hint = "A file holds one model: join the two, or put one of them in a file of its own."
				}
				return p.failAt(t.pos, hint, "a %s block cannot follow the model block", t.text)
			}
			return p.failAt(t.pos, "Join the two blocks.", "a second %s block", t.text)
		case "var":
			return p.failAt(t.pos, "The order is: var …; data { … } model { … }.", "var stands before the blocks")
		}
	}
	if p.prog.Model != nil {
		return p.expected("the end of the file after the model block", "Is there a } too many above?")
	}
	hint := "Relations stand inside model { … }."
	if quoted := strings.Contains(p.prog.Source, "nimbleCode(") || strings.ContainsAny(p.prog.Source, `"'`); quoted && t.kind == tokName && t.text != "for" && (p.nextIsOp("<-") || p.nextIsOp("=") || p.nextIsOp("(")) {
		hint = "Of a script of R only the model belongs in the file, model { … }, without the quotation marks, or the nimbleCode( ), around it."
	}
	if t.kind == tokName && slices.Contains([]string{"parameters", "transformed", "generated", "functions"}, t.text) {
		hint = "Blocks as Stan has them are not needed: all relations stand inside one model { … }."
	} else if t.kind == tokName && p.nextIsOp("{") && wording.Nearest(t.text, []string{"model"}) != "" {
		hint = "Did you mean model?"
	}
	return p.expected("var, data { … } or model { … }", hint)
}

func (p *parser) varDecls() error {
	p.step()
	for {
		t := p.cur()
		if err := p.name("a variable's name"); err != nil {
			return err
		}
		decl := VarDecl{Name: t.text, Pos: t.pos}
		if p.accept("[") {
			dims, err := p.list(t, "]", "the dimensions of "+shorten(t.text))
			if err != nil {
				return err
			}
			decl.Dims = dims
		}
		p.prog.Vars = append(p.prog.Vars, decl)
		if !p.accept(",") {
			break
		}
	}
	for p.accept(";") {
	}
	return nil
}

func (p *parser) block(dst **Block) error {
	begin, word := p.lineStart(), p.step()
	if word.text == "model" && p.cur().kind == tokName && p.nextIsOp("{") {
		p.step()
	}
	if !p.isOp("{") {
		hint := "Write " + word.text + " { … } around the relations."
		switch t := p.cur(); {
		case p.isOp("<-") || p.isOp("="):
			hint = "Write model { … }: of a function of R, only what stands between its braces belongs in the file, in the braces of model { … }."
		case word.text == "model" && t.kind == tokName:
			hint = "The header \"model NAME;\" of old BUGS is not supported: write model { … } around the relations."
		case word.text == "data" && t.kind == tokName:
			hint = "The header \"data in FILE;\" of old BUGS is not supported: give data in a file of their own with bugs.Data."
		}
		return p.expected(fmt.Sprintf(`"{" after %s`, word.text), hint)
	}
	p.closing = closing{} // of this block's loops
	b := &Block{Pos: word.pos}
	stmts, err := p.braces("the "+word.text+" block", begin)
	if err != nil {
		return err
	}
	b.Stmts = stmts
	*dst = b
	return nil
}

// braces reads the { statements } of what begins at a place.
func (p *parser) braces(what string, begin Pos) ([]Stmt, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	open := p.step()
	var stmts []Stmt
	for {
		for p.accept(";") {
		}
		if p.isOp("}") {
			p.noteClosing(what, begin)
			p.step()
			return stmts, nil
		}
		if p.cur().kind == tokEOF {
			return nil, p.expected(`"}" to close `+what, p.unclosed(open.pos))
		}
		p.operators = 0
		if p.isName("function") && p.peek().kind == tokName {
			if err := p.function(); err != nil {
				return nil, err
			}
			continue
		}
		s, err := p.stmt()
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, s)
	}
}

// closing is a } that may have been meant for another block than it closes.
type closing struct {
	what       string
	begin, end Pos
	left       bool // the } stands left of what it closes
}

// noteClosing remembers the first } that stands left of what it closes, or else the last one: where one is missing inside, it
// shows there, and not where the file ends.
func (p *parser) noteClosing(what string, begin Pos) {
	if p.closing.left {
		return
	}
	end := p.cur().pos
	p.closing = closing{what, begin, end, end.Line > p.last.pos.Line && end.Col < begin.Col}
}

// unclosed is what there is to say of a block that opens at a place, where the file ends in it.
func (p *parser) unclosed(open Pos) string {
	hint := fmt.Sprintf("It opens at line %d, column %d.", open.Line, open.Col)
	switch c := p.closing; {
	case c.left:
		hint += fmt.Sprintf(" The } in line %d closes %s, which begins in line %d: is one missing before it?", c.end.Line, c.what, c.begin.Line)
	case c.what != "":
		hint += fmt.Sprintf(" The last }, in line %d, closes %s, which begins in line %d.", c.end.Line, c.what, c.begin.Line)
	}
	return hint
}

// lineStart is where the current token stands, at column 1 where it is not the first of its line.
func (p *parser) lineStart() Pos {
	pos := p.cur().pos
	if p.last.pos.Line == pos.Line {
		pos.Col = 1
	}
	return pos
}
