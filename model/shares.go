package model

import "math"

// Shares is how a value depends on a number x: c·xᵃ·(1−x)ᵇ with c free of x, or, in logarithms, c + a·log x + b·log(1−x).
type Shares struct {
	A, B int
	log  bool
	kind sharesKind
	one  bool // c is 1
}

type sharesKind uint8

const (
	freeShares sharesKind = iota
	powerShares
	otherShares
)

// Powers tells whether the value is a product c·xᵃ·(1−x)ᵇ.
func (s Shares) Powers() bool { return s.kind != otherShares && !s.log }

// Shares finds the forms of what depends on the cell of a blanket of one. It knows products, ratios and logarithms, however the program writes them; a cell that is not in the
// result is free of x.
func (m *Model) Shares(b *Blanket) map[int32]Shares {
	of := map[int32]Shares{b.Cells[0]: {A: 1, kind: powerShares, one: true}}
	var reg []Shares
	for _, g := range b.Det {
		t := m.Templates[g.T]
		for i := int(g.Lo); i < int(g.Hi); i++ {
			reg = append(reg[:0], make([]Shares, t.Prog.NReg)...)
			for k, c := range t.in(i) {
				reg[k] = of[c]
				reg[k].one = reg[k].one || reg[k].kind == freeShares && m.Kinds[c] == Constant && m.Init[c] == 1
			}
			for k := range t.Prog.Code {
				m.shareOf(t, i, &t.Prog.Code[k], reg, of)
			}
			for k, c := range t.out(i) {
				if s := reg[t.Prog.Out[k]]; s.kind != freeShares {
					of[c] = s
				}
			}
		}
	}
	return of
}

// shareOf finds the form of what an instruction computes.
func (m *Model) shareOf(t *Template, i int, in *Instr, reg []Shares, of map[int32]Shares) {
	p := t.Prog
	z := Shares{}
	switch a := reg[in.A]; {
	case in.Op == OpGather:
		g := &p.Gathers[in.A]
		walkTable(t.addr(i)[g.Slot], g.Extent, g.Stride, func(c int32) {
			if s := of[c]; s.kind != freeShares {
				z.kind = otherShares
			}
		})
		for _, r := range g.Idx {
			z.kind = max(z.kind, reg[r].unless())
		}
	case operations[in.Op].binary != nil && (in.Op == OpMul || in.Op == OpDiv || in.Op == OpAdd || in.Op == OpSub):
		z = shares2(in.Op, a, reg[in.B])
	case in.Op == OpSum || in.Op == OpProd:
		step := OpAdd
		if in.Op == OpProd {
			step = OpMul
		}
		args := p.Args[in.A : in.A+in.B]
		z = reg[args[0]]
		for _, r := range args[1:] {
			z = shares2(step, z, reg[r])
		}
	case in.Op == OpSqr:
		z = shares2(OpMul, a, a)
	case in.Op == OpNeg && !a.log:
		z, z.one = a, false
	case in.Op == OpExp && a.kind == powerShares && a.log:
		z, z.log = a, false
	case operations[in.Op].name == "" && len(operations[in.Op].words) > 0 && operations[in.Op].words[0] == "log" && a.kind == powerShares && !a.log:
		z, z.log = a, true
	default:
		var three [3]int32
		for _, r := range p.reads(in, &three) {
			z.kind = max(z.kind, reg[r].unless())
		}
		for k := int32(0); in.Op.Block() && k < in.B; k++ {
			reg[in.Dst+k] = z
		}
	}
	reg[in.Dst] = z
}

// unless is the kind of a function that nothing is known of.
func (s Shares) unless() sharesKind {
	if s.kind == freeShares {
		return freeShares
	}
	return otherShares
}

func shares2(op Op, a, b Shares) Shares {
	other := Shares{kind: otherShares}
	free := a.kind == freeShares && b.kind == freeShares
	logs := a.log || b.log
	times := op == OpMul || op == OpDiv
	switch {
	case a.kind == otherShares || b.kind == otherShares:
		return other
	case free:
		return Shares{one: times && a.one && b.one}
	case logs && (times || a.kind == powerShares && !a.log || b.kind == powerShares && !b.log):
		return other
	case op == OpMul || op == OpAdd && logs:
		return Shares{A: a.A + b.A, B: a.B + b.B, kind: powerShares, log: logs, one: a.one && b.one && !logs}
	case op == OpDiv || op == OpSub && logs:
		return Shares{A: a.A - b.A, B: a.B - b.B, kind: powerShares, log: logs, one: a.one && b.one && !logs}
	case op == OpSub && a.kind == freeShares && a.one && b.one && b.A+b.B == 1 && b.A*b.B == 0:
		return Shares{A: b.B, B: b.A, kind: powerShares, one: true} // 1 − x, or 1 − (1 − x)
	case a.kind == powerShares && b.kind == powerShares && a.A == b.A && a.B == b.B:
		return Shares{A: a.A, B: a.B, kind: powerShares}
	}
	return other
}

// evenly is the difference, relative to a sum of weights, that rounding may make.
const evenly = 1e-11

// KeepsSum tells whether the sum of cells that are free of x, or proportional to x or to 1 − x, is the same for all x, at the state's other values.
func (s *State) KeepsSum(cells []int32, of map[int32]Shares, x float64) bool {
	all, up, down := 0.0, 0.0, 0.0
	for _, c := range cells {
		w := s.V[c]
		all += w
		switch h := of[c]; {
		case h.A == 1:
			up += w / x
		case h.B == 1:
			down += w / (1 - x)
		}
	}
	return math.Abs(up-down) <= float64(evenly*all)
}

// SumsUp tells whether the sum of weights is a number above 0.
func (s *State) SumsUp(cells []int32) bool {
	all := 0.0
	for _, c := range cells {
		all += s.V[c]
	}
	return all > 0 && !math.IsInf(all, 1)
}
