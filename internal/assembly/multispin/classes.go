package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// classes is what the neighbours of a vector of spins are.
type classes struct {
	undecided, second, third reg.VecVirtual
	live                     reg.VecVirtual // of Metropolis, taken after the first plane
	up                       reg.VecVirtual // of the heat bath
}

// param is a word of the arguments in all lanes.
func (u *updater) param(name string) reg.VecVirtual {
	mem, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return u.broadcast(mem.Addr)
}

// count adds up the neighbours that are up, or that differ, to the bits of a number.
func (u *updater) count(place reg.GPVirtual, half int) (b0, b1, b2 reg.VecVirtual) {
	of := func(base reg.Register, disp int) reg.VecVirtual {
		from := Mem{Base: base, Index: place, Scale: 1, Disp: 32*half + disp}
		if u.spins != nil {
			return u.xor(from, u.spins)
		}
		return u.load(from)
	}
	side := u.apply(choose, of(u.beside, 0), u.param("before"), of(u.beside, 16))
	a, b, c := of(u.beside, 8), of(u.across[0], 0), of(u.across[1], 0)
	odd, two := u.apply(xor3, a, b, c), u.apply(majority, a, b, c)
	if !u.cubic {
		return u.xor(odd, side), u.apply(xorAnd, two, odd, side), u.apply(and3, two, odd, side)
	}
	d, e := of(u.across[2], 0), of(u.across[3], 0)
	odder, twos := u.apply(xor3, side, d, e), u.apply(majority, side, d, e)
	carry := u.and(odd, odder)
	return u.xor(odd, odder), u.apply(xor3, two, twos, carry), u.apply(majority, two, twos, carry)
}

// classes are those of the twin's headSquare and headCubic.
func (u *updater) classes(place reg.GPVirtual, half int) classes {
	b0, b1, b2 := u.count(place, half)
	at := func(base reg.Register) reg.VecVirtual {
		return u.load(Mem{Base: base, Index: place, Scale: 1, Disp: 32 * half})
	}
	var c classes
	switch {
	case u.heatBath && !u.cubic:
		c.up = u.xor(u.param("anti"), u.apply(orAnd, b2, b1, b0))
		c.second = u.or(b0, b1)
		u.not(c.second)
		c.undecided = u.apply(unlessOnly, at(u.live), b1, b0)
	case u.heatBath:
		c.up = u.xor(u.param("anti"), b2)
		c.second = u.without(b0, b1)
		c.third = u.or(b0, u.xor(b1, b2))
		u.not(c.third)
		c.undecided = u.apply(withoutAnd, at(u.live), b0, b1)
	case !u.cubic:
		s := u.xor(u.param("anti"), at(u.self))
		c.second = u.apply(nor3, b0, b1, u.xor(b2, s))
		c.undecided = u.or(c.second, u.apply(whereEqual, b0, b1, s))
		c.live = at(u.live)
	default:
		away := u.apply(xor3, at(u.self), u.param("anti"), b2)
		between := u.xor(b1, b2)
		c.second = u.apply(withoutBoth, b0, b1, away)
		c.third = u.apply(nor3, b0, between, away)
		c.undecided = u.apply(or3, c.second, c.third, u.apply(withoutBoth, between, b0, away))
		c.live = at(u.live)
	}
	return c
}

// begin is pass, or under AVX2 its complement, after the random bits of the first plane.
func (c *classes) begin(u *updater, out reg.VecVirtual) reg.VecVirtual {
	pass := u.vec()
	if u.heatBath {
		u.move(out, pass)
	} else {
		u.andTo(out, c.undecided, pass)
		u.andTo(c.live, c.undecided, c.undecided)
	}
	if u.wide {
		u.not(pass)
	}
	return pass
}

func (m *machine) move(from, to reg.VecVirtual) {
	if m.wide {
		VMOVDQA64(from, to)
	} else {
		VMOVDQA(from, to)
	}
}
