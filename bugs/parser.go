package bugs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

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

func (p *parser) stmt() (Stmt, error) {
	t := p.cur()
	if t.kind != tokName {
		return nil, p.expected("a relation, a for loop or \"}\"", relationForm)
	}
	if p.nextIsOp("(") {
		switch t.text {
		case "for":
			return p.loop()
		case "if":
			return p.choice()
		}
	}
	return p.relation()
}

func (p *parser) loop() (Stmt, error) {
	begin := p.lineStart()
	f := &For{Pos: p.step().pos}
	p.step() // (
	f.Var = p.cur().text
	if err := p.name("the loop's counter"); err != nil {
		return nil, err
	}
	if !p.isName("in") {
		return nil, p.expected("in", "A loop reads: for (i in 1:N) { … }")
	}
	p.step()
	var err error
	if f.Range, err = p.expr(0); err != nil {
		return nil, err
	}
	if err := p.need(")", "after the range of the loop", ""); err != nil {
		return nil, err
	}
	if !p.isOp("{") {
		return nil, p.expected(`"{" around the body of the loop`,
			fmt.Sprintf("Write braces, also around a single relation: for (%s in …) { … }", shorten(f.Var)))
	}
	if f.Body, err = p.braces("the loop over "+shorten(f.Var), begin); err != nil {
		return nil, err
	}
	return f, nil
}

// choice reads if (condition) statements [else statements].
func (p *parser) choice() (Stmt, error) {
	if err := p.enter(); err != nil { // else if (…) … else if
		return nil, err
	}
	defer p.leave()
	begin := p.lineStart()
	f := &If{Pos: p.step().pos}
	p.step() // (
	var err error
	if f.Cond, err = p.expr(0); err != nil {
		return nil, err
	}
	if err := p.need(")", "after the condition of if", ""); err != nil {
		return nil, err
	}
	if f.Then, err = p.branch("the branch of if", begin); err != nil {
		return nil, err
	}
	if !p.isName("else") || p.nextIsOp("<-") || p.nextIsOp("=") || p.nextIsOp("~") || p.nextIsOp("[") {
		return f, nil
	}
	begin = p.lineStart()
	p.step()
	f.Else, err = p.branch("the branch of else", begin)
	if f.Else == nil {
		f.Else = []Stmt{}
	}
	return f, err
}

// branch reads { statements } or one statement.
func (p *parser) branch(what string, begin Pos) ([]Stmt, error) {
	if p.isOp("{") {
		return p.braces(what, begin)
	}
	s, err := p.stmt()
	return []Stmt{s}, err
}

// name steps over a name that is no keyword.
func (p *parser) name(what string) error {
	t := p.cur()
	if t.kind != tokName {
		return p.expected(what, "A name begins with a letter and goes on with letters, digits, dots and underscores.")
	}
	switch t.text {
	case "data", "model", "var":
		return p.failAt(t.pos, "Give the variable another name.", "%s is a keyword and cannot name a variable", t.text)
	}
	p.step()
	return nil
}

func (p *parser) relation() (Stmt, error) {
	r := &Relation{Pos: p.cur().pos}
	p.before = p.last
	if p.isName("target") && p.nextIsOp("+") {
		return p.target(r)
	}
	if p.nextIsOp("(") {
		if err := p.link(r); err != nil {
			return nil, err
		}
	} else {
		if err := p.statementWord(); err != nil {
			return nil, err
		}
		lhs, err := p.varRef()
		if err != nil {
			return nil, err
		}
		r.LHS = lhs
	}
	return r, p.rightSide(r)
}

// target reads target += expression.
func (p *parser) target(r *Relation) (Stmt, error) {
	r.Target, r.LHS = true, &VarRef{Name: "target", Pos: p.step().pos}
	p.step() // +
	if err := p.need("=", "after target +", "What is added to the log density is written target += expression."); err != nil {
		return nil, err
	}
	var err error
	if r.Expr, err = p.expr(0); err != nil {
		return nil, err
	}
	return r, p.relationEnd(r)
}

// statementWord explains words of other languages where a relation begins.
func (p *parser) statementWord() error {
	t, next := p.cur(), p.peek()
	if t.text == "for" && next.kind == tokName {
		return p.failAt(t.pos, "A loop reads: for (i in 1:N) { … }", `expected "(" after for`)
	}
	if next.kind == tokOp && next.text == "{" {
		return p.failAt(t.pos, "Only data, model and the body of a for loop are braced.", "%s { … } is no statement of BUGS", shorten(t.text))
	}
	return nil
}

func (p *parser) link(r *Relation) error {
	t := p.step()
	switch t.text {
	case "log", "logit", "probit", "cloglog":
	case "while", "repeat", "function":
		return p.failAt(t.pos, "A choice between values is ifelse(condition, a, b); a choice between relations is an index into a vector.",
			"%s is no statement of BUGS", t.text)
	case "T", "I", "C":
		return p.failAt(t.pos, "Write it behind its distribution: x ~ dnorm(0, 1) T(0,)", "%s(,) stands directly after a distribution", t.text)
	case "D": // OpenBUGS
		return p.failAt(t.pos, unsolved["ode"], "a differential equation, D(…) <- …, is not supported")
	case "F":
		return p.failAt(t.pos, unsolved["integral"], "a function that integral() or solution() takes, F(…) <- …, is not supported")
	default:
		return p.failAt(t.pos, "The functions that may stand on the left are log, logit, probit and cloglog.",
			"%s is no link function", shorten(t.text))
	}
	r.Link = t.text
	p.step() // (
	lhs, err := p.varRef()
	if err != nil {
		return err
	}
	r.LHS = lhs
	return p.need(")", "after the variable of the link "+t.text, "A link takes one variable, with its subscripts.")
}

func (p *parser) rightSide(r *Relation) error {
	t := p.cur()
	var err error
	switch {
	case p.isOp("~"):
		if r.Link != "" {
			return p.failAt(t.pos, "Transform the data, or use the distribution of the untransformed variable (dlnorm for log).",
				"a link stands only on the left of <-")
		}
		p.step()
		r.Stochastic = true
		r.Dist, err = p.dist()
	case p.isOp("<-"), p.isOp("="):
		p.step()
		r.Expr, err = p.expr(0)
	default:
		if before := p.before; t.kind != tokBad && before.pos.Line == r.LHS.Pos.Line && endsOperand(before) && before.text != "else" {
			return p.failAt(r.LHS.Pos, "Is a * missing? A product is written a * b.",
				`expected an operator before %s, or "~" or "<-" after it`, shorten(r.LHS.String()))
		}
		return p.expected(fmt.Sprintf(`"~" or "<-" after %s`, shorten(r.LHS.String())),
			p.declarationHint(r.LHS.Name))
	}
	if err != nil {
		return err
	}
	return p.relationEnd(r)
}

// relationEnd catches what people write after a relation, before it looks like
// the fault of the next one.
func (p *parser) relationEnd(r *Relation) error {
	t := p.cur()
	if t.kind == tokName || t.kind == tokEOF || p.isOp(";") || p.isOp("}") {
		return nil
	}
	if r.Stochastic {
		return p.expected("the end of the relation", "A distribution stands alone after ~: use <- for what is computed from it.")
	}
	hint := p.productHint()
	if hint == "" {
		hint = "Relations stand in lines of their own, or with ; between them."
	}
	return p.expected("an operator or the end of the relation", hint)
}

// endsOperand tells whether an expression may end with a token.
func endsOperand(t token) bool {
	return t.kind == tokName || t.kind == tokNumber || t.kind == tokOp && (t.text == ")" || t.text == "]")
}

// productHint is for two operands side by side.
func (p *parser) productHint() string {
	if t := p.cur(); endsOperand(p.last) && t.pos.Line == p.last.pos.Line && (t.kind == tokName || t.kind == tokNumber || p.isOp("(")) {
		return "Is a * missing? A product is written a * b."
	}
	return ""
}

func (p *parser) dist() (*DistCall, error) {
	if p.isName("T") && p.nextIsOp("(") {
		return p.truncated()
	}
	return p.distCall()
}

// truncated reads T(distribution, lower, upper), either bound being possibly empty.
func (p *parser) truncated() (*DistCall, error) {
	word := p.step()
	p.step() // (
	d, err := p.distCall()
	if err != nil {
		return nil, err
	}
	if d.Trunc != nil {
		return nil, p.failAt(d.Trunc.Pos, "Write the bounds once: T(dnorm(0, 1), 0, ), or dnorm(0, 1) T(0,)", "%s is truncated twice", d.Name)
	}
	d.Trunc = &Trunc{Kind: 'T', Pos: word.pos}
	for _, bound := range []*Expr{&d.Trunc.Lo, &d.Trunc.Hi} {
		if p.isOp(")") { // T(dnorm(0, 1), 0): NIMBLE lets what stays open at the end go
			break
		}
		if err := p.need(",", "between a distribution and its bounds in T(,,)", "An open side stays empty: T(dnorm(0, 1), 0, )"); err != nil {
			return nil, err
		}
		if p.isOp(",") || p.isOp(")") {
			continue
		}
		if *bound, err = p.expr(0); err != nil {
			return nil, err
		}
	}
	return d, p.need(")", "after the bounds of T(,,)", "")
}

func (p *parser) distCall() (*DistCall, error) {
	t := p.cur()
	if err := p.name("a distribution"); err != nil {
		return nil, err
	}
	p.meets(t.text)
	d := &DistCall{Name: t.text, Pos: t.pos}
	if err := p.need("(", "after the distribution "+shorten(t.text), "A distribution with its parameters stands after ~, such as dnorm(0, 1); what is computed is written with <-."); err != nil {
		return nil, err
	}
	if err := p.parameters(t, d); err != nil {
		return nil, err
	}
	if !p.nextIsOp("(") {
		return d, nil
	}
	var err error
	if p.isName("T") || p.isName("I") || p.isName("C") {
		d.Trunc, err = p.trunc()
	}
	return d, err
}

// parameters reads those of a distribution, each with its name before = or without.
func (p *parser) parameters(of token, d *DistCall) error {
	if p.accept(")") {
		return nil
	}
	named := false
	for {
		name := ""
		if t := p.cur(); t.kind == tokName && p.nextIsOp("=") {
			name, named = t.text, true
			p.step()
			p.step()
		}
		e, err := p.expr(0)
		if err != nil {
			return err
		}
		d.Args, d.Names = append(d.Args, e), append(d.Names, name)
		if p.accept(")") {
			break
		}
		if !p.accept(",") {
			return p.unlisted(of, ")", "the parameters of "+shorten(of.text))
		}
	}
	if !named {
		d.Names = nil
	}
	return nil
}

func (p *parser) trunc() (*Trunc, error) {
	word := p.step()
	tr := &Trunc{Kind: word.text[0], Pos: word.pos}
	p.step() // (
	var err error
	if !p.isOp(",") {
		if tr.Lo, err = p.expr(0); err != nil {
			return nil, err
		}
	}
	if err := p.need(",", "between the bounds of "+word.text+"(,)", "An open side stays empty: T(0,)"); err != nil {
		return nil, err
	}
	if !p.isOp(")") {
		if tr.Hi, err = p.expr(0); err != nil {
			return nil, err
		}
	}
	return tr, p.need(")", "after the bounds of "+word.text+"(,)", "")
}

// args reads expressions up to ")", which it steps over.
func (p *parser) args(of token, what string) ([]Expr, error) {
	if p.accept(")") {
		return nil, nil
	}
	return p.list(of, ")", what)
}

// list reads one or more expressions up to the closing bracket.
func (p *parser) list(of token, closing, what string) ([]Expr, error) {
	var list []Expr
	for {
		e, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if p.accept(closing) {
			return list, nil
		}
		if !p.accept(",") {
			return nil, p.unlisted(of, closing, what)
		}
	}
}

// unlisted reports what stands in a list where a comma or its end should.
func (p *parser) unlisted(of token, closing, what string) error {
	hint := "Is " + closing + " missing before it?"
	if p.productHint() != "" {
		hint = "Is a comma missing, or a *? A product is written a * b."
	}
	if p.cur().pos.Line > of.pos.Line {
		hint = fmt.Sprintf("The list begins after %s at line %d, column %d.", shorten(of.text), of.pos.Line, of.pos.Col)
	}
	if p.isOp("=") {
		hint = "Arguments of functions have no names in BUGS: their order tells them apart. Equality is ==."
	} else if p.isOp("<-") {
		hint = "Where \"less than minus\" is meant, put a blank between < and -."
	}
	return p.expected(fmt.Sprintf(`"," or %q in %s`, closing, what), hint)
}

// varRef reads name or name[subscripts], a subscript being possibly empty.
func (p *parser) varRef() (*VarRef, error) {
	t := p.cur()
	if err := p.name("a variable"); err != nil {
		return nil, err
	}
	v := &VarRef{Name: t.text, Pos: t.pos}
	if !p.accept("[") {
		return v, nil
	}
	v.HasIndex = true
	for {
		var e Expr
		if !p.isOp(",") && !p.isOp("]") {
			var err error
			if e, err = p.expr(0); err != nil {
				return nil, err
			}
		}
		v.Index = append(v.Index, e)
		if p.accept("]") {
			return v, nil
		}
		if !p.accept(",") {
			hint := p.productHint()
			if hint == "" {
				hint = "Is ] missing before it?"
			}
			return nil, p.expected(`"," or "]" in the subscripts of `+shorten(t.text), hint)
		}
	}
}

// expr reads operators that bind at least as tightly as prec.
func (p *parser) expr(prec int) (Expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	left, err := p.prefix()
	if err != nil {
		return nil, err
	}
	for {
		op, opPrec := p.operator()
		if opPrec == 0 || opPrec < prec {
			return left, nil
		}
		pos := p.step().pos
		if p.operators++; p.operators > maxOperators {
			return nil, p.failAt(pos, "Use a vector and sum(), prod() or inprod().", "more than %d operators in one statement", maxOperators)
		}
		rightPrec := opPrec + 1
		if opPrec == precPow {
			rightPrec = precNeg // 2^-1 and a^b^c = a^(b^c)
		}
		right, err := p.expr(rightPrec)
		if err != nil {
			return nil, err
		}
		p.doubt(op, left, right, pos)
		left = &Binary{Op: op, L: left, R: right, Pos: pos}
		if err := p.chained(opPrec); err != nil {
			return nil, err
		}
	}
}

// chained refuses a < b < c and 1:2:3, which have no meaning.
func (p *parser) chained(prec int) error {
	if prec != precCompare && prec != precRange {
		return nil
	}
	op, next := p.operator()
	if next != prec {
		return nil
	}
	hint := "Join two comparisons with &&: a < b && b < c."
	if prec == precRange || op == ":" {
		hint = "Put parentheses around one of the two ranges."
	}
	return p.failAt(p.cur().pos, hint, "%q cannot follow another such operator without parentheses", op)
}

// operator gives the infix operator that stands here and its binding strength,
// 0 when there is none.
func (p *parser) operator() (string, int) {
	t := p.cur()
	if t.kind != tokOp {
		return "", 0
	}
	switch t.text {
	case "**":
		return "^", precPow
	case ":":
		if p.loose {
			return t.text, precCompare
		}
		return t.text, precRange
	case "+", "-", "*", "/", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return t.text, binaryPrec(t.text)
	}
	if t.text[0] == '%' {
		return t.text, precPercent
	}
	return "", 0
}

func (p *parser) prefix() (Expr, error) {
	t := p.cur()
	prec := 0
	switch {
	case p.isOp("-"):
		prec = precNeg
	case p.isOp("!"):
		prec = precNot
	default:
		return p.primary()
	}
	p.step()
	x, err := p.expr(prec)
	if err != nil {
		return nil, err
	}
	return &Unary{Op: t.text, X: x, Pos: t.pos}, nil
}

func (p *parser) primary() (Expr, error) {
	t := p.cur()
	switch {
	case t.kind == tokNumber:
		v, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, p.failAt(t.pos, "Numbers reach to 1.8e308: write a smaller one.", "%s is too large for a number", shorten(t.text))
		}
		p.step()
		return &Number{Value: v, Text: t.text, Pos: t.pos}, nil
	case t.kind == tokName && p.nextIsOp("("):
		return p.call()
	case t.kind == tokName:
		return p.varRef()
	case p.accept("("):
		e, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		if hint := p.productHint(); hint != "" && !p.isOp(")") {
			return nil, p.expected(`")"`, hint)
		}
		if b, ok := e.(*Binary); ok && b.Op == ":" {
			p.bracketed[e] = true
		}
		return e, p.need(")", "", fmt.Sprintf("The parenthesis opens at line %d, column %d.", t.pos.Line, t.pos.Col))
	}
	return nil, p.expected("an expression", p.expressionHint())
}

func (p *parser) call() (Expr, error) {
	t := p.cur()
	switch t.text {
	case "T", "I":
		return nil, p.failAt(t.pos, "Write it behind its distribution: x ~ dnorm(0, 1) T(0,)", "%s(,) stands directly after a distribution", t.text)
	case "for", "if":
		return nil, p.failAt(t.pos, "A choice between values is ifelse(condition, a, b).", "%s cannot stand in an expression", map[bool]string{true: "a for loop", false: "if"}[t.text == "for"])
	}
	if err := p.name("a function"); err != nil {
		return nil, err
	}
	p.step() // (
	args, err := p.args(t, "the arguments of "+shorten(t.text))
	if err != nil {
		return nil, err
	}
	if t.text == "length" || t.text == "dim" {
		if err := p.arrayQuery(t, args); err != nil {
			return nil, err
		}
	}
	if m := p.macros[t.text]; m != nil {
		return p.expand(t, m, args)
	}
	p.meets(t.text)
	return &Call{Func: t.text, Args: args, Pos: t.pos}, nil
}

func (p *parser) arrayQuery(t token, args []Expr) error {
	if len(args) == 1 {
		if _, ok := args[0].(*VarRef); ok {
			return nil
		}
	}
	return p.failAt(t.pos, "Name the expression with <- first, then ask for its size.", "%s() takes one variable", t.text)
}
