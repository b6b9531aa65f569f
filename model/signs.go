package model

import "slices"

// SignedProducts tells whether the logical rows of a relation, two or more, multiply two quantities that change and may each have either sign, so that the signs of both may be
// changed and the product stays. Three of them are looked at, as their factors are alike.
func (m *Model) SignedProducts(det []Seg) bool {
	w := &supports{m: m, id: make([]int32, len(m.Init))}
	var order []int32
	rows := map[int32][]int32{} // by template, first and last row, and one in between
	for _, g := range det {
		if len(rows[g.T]) == 0 {
			order = append(order, g.T)
			rows[g.T] = []int32{g.Lo, g.Lo + (g.Hi-g.Lo)/2, g.Hi - 1}
		}
		rows[g.T][2] = g.Hi - 1
	}
	for _, t := range order {
		some := slices.Compact(rows[t])
		if len(some) == 1 {
			continue
		}
		for _, i := range some {
			if w.signedProduct(m.Templates[t], int(i)) {
				return true
			}
		}
	}
	return false
}

// signedProduct tells whether a row has such a product.
func (w *supports) signedProduct(t *Template, i int) bool {
	p := t.Prog
	pairs := p.products()
	if len(pairs) == 0 {
		return false
	}
	w.m.eachParent(t, i, w.know)
	reg := make([]Values, p.NReg)
	for k, c := range t.in(i) {
		reg[k] = w.of(c)
	}
	w.runSets(t, i, reg, nil, nil)
	return slices.ContainsFunc(pairs, func(x [2]int32) bool {
		return !sameOperand(t, i, x[0], x[1]) && reg[x[0]].eitherSign() && reg[x[1]].eitherSign()
	})
}

// products are the registers that a program multiplies with one another.
func (p *Program) products() (pairs [][2]int32) {
	for _, in := range p.Code {
		switch in.Op {
		case OpMul:
			pairs = append(pairs, [2]int32{in.A, in.B})
		case OpDot:
			args := p.Args[in.A : in.A+in.B]
			for k, h := 0, len(args)/2; k < h; k++ {
				pairs = append(pairs, [2]int32{args[k], args[h+k]})
			}
		}
	}
	return pairs
}

func (v *Values) eitherSign() bool { return v.Lo < 0 && v.Hi > 0 }
