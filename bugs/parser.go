package bugs

import "strings"

// Limits that keep a hostile file from exhausting the stack.
const (
	maxNesting   = 500
	maxOperators = 50_000 // in one statement
)

// Parse reads a model file in the BUGS language as JAGS 4.3 writes it:
//
//	[var declarations] [data { … }] model { … }
//
// with these extensions: !x; from NIMBLE, if (condition) { … } else { … }, named
// parameters of distributions and T(distribution, lower, upper); from OpenBUGS,
// C(lower, upper), a name after the word model, and lists and tables of data and initial values behind it; target += expression;
// function name(arguments) <- expression. file only names the source in errors, which are all of type *Error.
func Parse(file, src string) (*Program, error) { return ParseDialect(file, src, "") }

type parser struct {
	prog       *Program
	lex        lexer
	tok, ahead token
	depth      int
	operators  int
	last       token // the one before the current token
	before     token // the one before the current relation
	closing    closing

	loose     bool // ranges bind loosest, as in OpenBUGS
	bracketed map[Expr]bool
	doubtful  []Pos  // of operators beside ranges without parentheses
	theirs    string // what only OpenBUGS has
	ours      bool   // something that only JAGS or NIMBLE has
	macros    map[string]*macro
	expanded  int
}

func (p *parser) cur() token { return p.tok }

// peek is the token after the current one.
func (p *parser) peek() token { return p.ahead }

func (p *parser) step() token {
	t := p.tok
	p.last = t
	if t.kind != tokEOF && t.kind != tokBad {
		p.tok, p.ahead = p.ahead, p.lex.next()
	}
	return t
}

func (p *parser) isOp(text string) bool {
	t := p.cur()
	return t.kind == tokOp && t.text == text
}

func (p *parser) nextIsOp(text string) bool {
	t := p.peek()
	return t.kind == tokOp && t.text == text
}

func (p *parser) isName(text string) bool {
	t := p.cur()
	return t.kind == tokName && t.text == text
}

func (p *parser) accept(op string) bool {
	if !p.isOp(op) {
		return false
	}
	p.step()
	return true
}

func (p *parser) failAt(pos Pos, hint, format string, args ...any) error {
	return p.prog.ErrorAt(pos, hint, format, args...)
}

// expected reports the current token as not what should stand here.
func (p *parser) expected(what, hint string) error {
	t := p.cur()
	if t.kind == tokBad {
		return t.err
	}
	return p.failAt(t.pos, hint, "expected %s, found %s", what, t.describe())
}

func (p *parser) need(op, where, hint string) error {
	if p.accept(op) {
		return nil
	}
	if hint == "" {
		hint = "Is " + op + " missing before it?"
	}
	return p.expected(strings.TrimSpace(`"`+op+`" `+where), hint)
}

func (p *parser) enter() error {
	p.depth++
	if p.depth > maxNesting {
		return p.failAt(p.cur().pos, "Give a part of it a name of its own.", "nested deeper than %d levels", maxNesting)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) program() error {
	for {
		t := p.cur()
		if t.kind == tokEOF {
			return nil
		}
		if err := p.section(t); err != nil {
			return err
		}
	}
}

func (p *parser) section(t token) error {
	if t.kind == tokName && p.prog.Model == nil {
		switch t.text {
		case "var":
			if p.prog.Data == nil {
				return p.varDecls()
			}
		case "data":
			if p.prog.Data == nil {
				p.ours = true
				return p.block(&p.prog.Data)
			}
		case "model":
			return p.block(&p.prog.Model)
		case "function":
			return p.function()
		}
	}
	if p.prog.Model != nil && t.kind != tokEOF {
		if ok, err := p.document(t.pos); ok || err != nil {
			p.tok, p.theirs = token{kind: tokEOF, pos: t.pos}, "lists behind the model"
			return err
		}
	}
	return p.misplaced(t)
}
