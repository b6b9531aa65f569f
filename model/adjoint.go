package model

// clearAdjoints readies s.A, all zero.
func (s *State) clearAdjoints() []float64 {
	if s.A == nil {
		s.A, s.areg = make([]float64, len(s.V)), make([]float64, len(s.reg))
		return s.A
	}
	clear(s.A)
	return s.A
}

// adjointRow adds to the derivatives by the cells that a logical row reads those by what it writes.
func (s *State) adjointRow(t *Template, i int) {
	p := t.Prog
	reg, a := s.reg[:p.NReg], s.areg[:p.NReg]
	clear(a)
	moved := false
	for k, c := range t.out(i) {
		a[p.Out[k]] += s.A[c]
		moved = moved || s.A[c] != 0
	}
	if !moved {
		return
	}
	for k, c := range t.in(i) {
		reg[k] = s.At(c)
	}
	p.run(reg, s.V, t.addr(i), &s.sc)
	for k := len(p.Code) - 1; k >= 0; k-- {
		in := &p.Code[k]
		if in.Op != OpGather {
			p.adjoint(&operations[in.Op], in, reg, a, &s.sc)
		} else if c := p.Gathers[in.A].cell(reg, t.addr(i)); c >= 0 {
			s.A[c] += a[in.Dst]
		}
	}
	for k, c := range t.in(i) {
		if int(c) < len(s.A) {
			s.A[c] += a[k]
		}
	}
}

// operandSlopes are the derivatives of a logical row's first output by its operands, those that tables give aside.
func (s *State) operandSlopes(t *Template, i int) []float64 {
	p := t.Prog
	if len(s.areg) < len(s.reg) {
		s.areg = make([]float64, len(s.reg))
	}
	reg, a := s.reg[:p.NReg], s.areg[:p.NReg]
	clear(a)
	a[p.Out[0]] = 1
	for k, c := range t.in(i) {
		reg[k] = s.At(c)
	}
	if !p.plain {
		p.run(reg, s.V, t.addr(i), &s.sc)
	}
	for k := len(p.Code) - 1; k >= 0; k-- {
		if in := &p.Code[k]; in.Op != OpGather {
			p.adjoint(&operations[in.Op], in, reg, a, &s.sc)
		}
	}
	return a[:t.NIn]
}

// adjoint adds to the derivatives by an operation's operands those by its results.
func (p *Program) adjoint(row *operation, in *Instr, reg, a []float64, sc *scratch) {
	out := p.results(in, a)
	switch {
	case row.constant || !row.block && out[0] == 0:
		return
	case row.unary != nil:
		a[in.A] += slopeOf(out[0], row.slope(reg[in.A], reg[in.Dst]))
		return
	}
	var three [3]int32
	args := p.reads(in, &three)
	x, g := sc.floats(len(args)), sc.gradient(len(args))
	for k, r := range args {
		x[k] = reg[r]
	}
	if row.block {
		clear(g)
		row.pull(g, out, x, p.results(in, reg), sc)
		for k, r := range args {
			a[r] += g[k]
		}
		return
	}
	row.slopes(g, x, reg[in.Dst], p.fn(in), sc)
	for k, r := range args {
		a[r] += slopeOf(out[0], g[k])
	}
}
