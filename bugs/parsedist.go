package bugs

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
