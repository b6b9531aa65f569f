package bugs

import (
	"fmt"
	"strconv"
)

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
		hint := "Write it behind its distribution: x ~ dnorm(0, 1) T(0,)"
		if t.text == "I" {
			hint += ". The elements of an identity matrix are equals(i, j)."
		}
		return nil, p.failAt(t.pos, hint, "%s(,) stands directly after a distribution", t.text)
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
