package modeltest

// Shrink makes a program smaller while it still fails in some way, and gives the smallest
// that it found. fails is called at most tries times.
func Shrink(p *Program, tries int, fails func(p *Program) bool) *Program {
	for again := true; again; {
		again = false
		for _, q := range smaller(p) {
			if tries--; tries < 0 {
				return p
			}
			if fails(q) {
				p, again = q, true
				break
			}
		}
	}
	return p
}

// smaller lists programs that are a step smaller, the largest steps first.
func smaller(p *Program) []*Program {
	var out []*Program
	change := func(f func(q *Program) bool) {
		q := p.clone()
		q.Print = nil
		if f(q) && q.sound() {
			out = append(out, q)
		}
	}
	for k := len(p.Rels) - 1; k >= 0; k-- {
		change(func(q *Program) bool { return q.drop(k) })
	}
	for k := range p.Rels {
		change(func(q *Program) bool { return q.Rels[k].unroll() })
		change(func(q *Program) bool {
			r := q.Rels[k]
			cut := r.lo != nil || r.hi != nil
			r.lo, r.hi = nil, nil
			return cut
		})
		change(func(q *Program) bool {
			r := q.Rels[k]
			was := r.missing != nil || r.transformed
			r.missing, r.transformed = nil, false
			return was
		})
	}
	for k := range p.Rels {
		for at := range p.Rels[k].expressions() {
			change(func(q *Program) bool { return q.Rels[k].simplify(at, -1) })
			for a := range 3 {
				change(func(q *Program) bool { return q.Rels[k].simplify(at, a) })
			}
		}
	}
	return out
}

// drop removes a relation; whatever reads its variable gets a number in its place.
func (p *Program) drop(k int) bool {
	r := p.Rels[k]
	p.Rels = append(p.Rels[:k:k], p.Rels[k+1:]...)
	for _, q := range p.Rels {
		if q.v == r.v {
			continue
		}
		q.each(func(e *Expr) {
			if e.v != r.v {
				return
			}
			if e.kind == element {
				*e = *num(1)
				return
			}
			*e = *ones(e)
		})
	}
	return len(p.Rels) > 0
}

// ones is a vector of ones of the shape of an expression.
func ones(e *Expr) *Expr {
	n := 1
	for _, d := range shape(e) {
		n *= d
	}
	c := apply("c")
	for range n {
		c.args = append(c.args, num(1))
	}
	return c
}

// sound tells whether every element that is read is defined.
func (p *Program) sound() bool {
	defined := map[*Var]map[int]bool{}
	for _, r := range p.Rels {
		if defined[r.v] == nil {
			defined[r.v] = map[int]bool{}
		}
		for i, to := r.turns(); i <= to; i++ {
			for _, c := range r.cells(i) {
				defined[r.v][c] = true
			}
		}
	}
	ok := true
	for _, r := range p.Rels {
		r.each(func(e *Expr) {
			if e.v != nil && e.v.data == nil && len(defined[e.v]) != e.v.Size() {
				ok = false
			}
			if e.kind == loop && r.to == 0 {
				ok = false
			}
		})
	}
	return ok
}

// unroll takes the last turn off a loop whose array nothing else reads.
func (r *Rel) unroll() bool {
	if r.to <= r.from {
		return false
	}
	r.to--
	if r.missing != nil {
		r.missing = r.missing[:len(r.missing)-1]
	}
	return true
}

// expressions are the subexpressions of the right side, as places that can be changed.
func (r *Rel) expressions() []*Expr {
	var out []*Expr
	see := func(e *Expr) { out = append(out, e) }
	for _, e := range r.args {
		walk(e, see)
	}
	walk(r.lo, see)
	walk(r.hi, see)
	return out
}

// simplify puts an argument of a subexpression in its place, or the number 1 for a = −1.
func (r *Rel) simplify(at, a int) bool {
	e := r.expressions()[at]
	switch {
	case a >= len(e.args) || e.kind == constant || len(shape(e)) > 0:
		return false
	case a < 0:
		*e = *num(1)
	case len(shape(e.args[a])) > 0:
		return false
	default:
		*e = *e.args[a]
	}
	return true
}
