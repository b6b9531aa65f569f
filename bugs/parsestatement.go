package bugs

import "fmt"

func (p *parser) stmt() (Stmt, error) {
	t := p.cur()
	if t.kind != tokName {
		hint := relationForm
		if t.kind == tokNumber {
			hint = "A relation begins with a variable. A number that is observed gets a name: one <- 1 and one ~ dbern(p)."
		}
		return nil, p.expected("a relation, a for loop or \"}\"", hint)
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
		return p.noLink(t)
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

// noLink explains a function other than a link where a relation begins.
func (p *parser) noLink(t token) error {
	if hint := foreignHint(t.text); hint != "" {
		return p.failAt(t.pos, hint, "%s is no statement of BUGS", shorten(t.text))
	}
	switch t.text {
	case "ifelse":
		return p.failAt(t.pos, "It chooses a value, not a relation: y[i] ~ dpois(ifelse(x[i] > 0, a, b)).", "ifelse is no statement of BUGS")
	case "exp", "ilogit", "expit", "phi", "icloglog":
		return p.failAt(t.pos, "It is the inverse of a link, and stands on the right: log(mu) <- … is mu <- exp(…).", "%s is no link function", t.text)
	}
	return p.failAt(t.pos, "The functions that may stand on the left are log, logit, probit and cloglog.", "%s is no link function", shorten(t.text))
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
	if t.kind == tokName || t.kind == tokEOF || p.isOp(";") || p.isOp("}") || r.Stochastic && t.kind == tokNumber && t.pos.Line > p.last.pos.Line {
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
