package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// term is a vector of what a sum adds up.
type term func(in *mask, at int) reg.VecVirtual

// total writes the sums of terms over all rows, in lanes like those of accumulate, and returns them as one number each.
func (m *machine) total(i, n reg.GPVirtual, terms func(in *mask, at int) []reg.VecVirtual, count int) []reg.VecVirtual {
	vectors := lanes / m.n
	sums := make([]reg.VecVirtual, count*vectors)
	for k := range sums {
		sums[k] = m.zero()
	}
	m.full(i, n, vectors, func(_ *mask, at int) {
		for k, t := range terms(nil, at) {
			r := sums[k*vectors+at/(8*m.n)]
			m.setAdd(t, r, r)
		}
	})
	m.rest(i, n, func(in *mask, v int) {
		for k, t := range terms(in, 8*m.n*v) {
			r := sums[k*vectors+v]
			m.setAdd(m.keep(t, in), r, r)
		}
	})
	totals := make([]reg.VecVirtual, count)
	for k := range totals {
		totals[k] = m.tree(sums[k*vectors : (k+1)*vectors])
	}
	return totals
}

func (m *machine) zero() reg.VecVirtual {
	r := m.vec()
	if m.wide {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
	return r
}

// tree adds the lanes up as Sums.Total does: lanes i and i+8, then i and i+4, i and i+2, i and i+1.
func (m *machine) tree(sums []reg.VecVirtual) reg.VecVirtual {
	four := YMM()
	if m.wide {
		eight, high := ZMM(), YMM()
		VADDPD(sums[1], sums[0], eight)
		VEXTRACTF64X4(Imm(1), eight, high)
		VADDPD(high, eight.AsY(), four)
	} else {
		low, high := YMM(), YMM()
		VADDPD(sums[2], sums[0], low)
		VADDPD(sums[3], sums[1], high)
		VADDPD(high, low, four)
	}
	two, high, one := XMM(), XMM(), XMM()
	VEXTRACTF128(Imm(1), four, high)
	VADDPD(high, four.AsX(), two)
	VUNPCKHPD(two, two, high)
	VADDSD(high, two, one)
	return one
}

// totals writes the loops that give sums as one number each.
func (m *machine) totals() {
	m.text("sumTotal", "is sumTotalGo.", "func(a *float64, n int) float64")
	i := counter()
	a, n := pointer("a", i), size("n")
	t := m.total(i, n, func(in *mask, at int) []reg.VecVirtual { return []reg.VecVirtual{m.load(a.Offset(at), in)} }, 1)
	Store(t[0], ReturnIndex(0))
	end()

	m.text("dotTotal", "is dotTotalGo.", "func(a, b *float64, n int) float64")
	i = counter()
	a, b, n := pointer("a", i), pointer("b", i), size("n")
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		return []reg.VecVirtual{m.mul(m.load(a.Offset(at), in), m.load(b.Offset(at), in))}
	}, 1)
	Store(t[0], ReturnIndex(0))
	end()

	m.text("addScaledNorm", "is addScaledNormGo.", "func(d, a *float64, s float64, n int) float64")
	i = counter()
	d, a, n, s := pointer("d", i), pointer("a", i), size("n"), m.broadcast("s")
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		r := m.add(m.mul(s, m.load(a.Offset(at), in)), m.load(d.Offset(at), in))
		m.store(r, d.Offset(at), in)
		return []reg.VecVirtual{m.mul(r, r)}
	}, 1)
	Store(t[0], ReturnIndex(0))
	end()

	m.text("kick", "is kickGo.", "func(h, r, grad, scale *float64, half float64, n int) float64")
	i = counter()
	h, r, grad, scale, n, half := pointer("h", i), pointer("r", i), pointer("grad", i), pointer("scale", i), size("n"), m.broadcast("half")
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		w := m.mul(m.load(scale.Offset(at), in), m.load(grad.Offset(at), in))
		m.store(w, h.Offset(at), in)
		v := m.add(m.mul(half, w), m.load(r.Offset(at), in))
		m.store(v, r.Offset(at), in)
		return []reg.VecVirtual{m.mul(v, v)}
	}, 1)
	Store(t[0], ReturnIndex(0))
	end()

	m.text("normalAlike", "is normalAlikeGo.", "func(d, y *float64, mu, tau float64, n int) (slope, squares float64)")
	i = counter()
	d, y, n, mu, tau := pointer("d", i), pointer("y", i), size("n"), m.broadcast("mu"), m.broadcast("tau")
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		r := m.keep(m.sub(mu, m.load(y.Offset(at), in)), in)
		w := m.mul(tau, r)
		m.store(m.sub(w, m.load(d.Offset(at), in)), d.Offset(at), in)
		return []reg.VecVirtual{w, m.mul(r, r)}
	}, 2)
	Store(t[0], ReturnIndex(0))
	Store(t[1], ReturnIndex(1))
	end()

	m.text("normalPriors", "is normalPriorsGo.", "func(d, y, mu, tau *float64, n int) float64")
	i = counter()
	d, y, n = pointer("d", i), pointer("y", i), size("n")
	means, each := pointer("mu", i), pointer("tau", i)
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		r := m.sub(m.load(means.Offset(at), in), m.load(y.Offset(at), in))
		w := m.mul(r, m.load(each.Offset(at), in))
		m.store(m.sub(w, m.load(d.Offset(at), in)), d.Offset(at), in)
		return []reg.VecVirtual{m.mul(w, r)}
	}, 1)
	Store(t[0], ReturnIndex(0))
	end()

	m.text("mulScalarDot", "is mulScalarDotGo.", "func(d, a *float64, s float64, b *float64, n int) (sum, dot float64)")
	i = counter()
	d, a, b, n, s = pointer("d", i), pointer("a", i), pointer("b", i), size("n"), m.broadcast("s")
	t = m.total(i, n, func(in *mask, at int) []reg.VecVirtual {
		x := m.load(a.Offset(at), in)
		y := m.mul(s, x)
		m.store(y, d.Offset(at), in)
		return []reg.VecVirtual{x, m.mul(m.load(b.Offset(at), in), y)}
	}, 2)
	Store(t[0], ReturnIndex(0))
	Store(t[1], ReturnIndex(1))
	end()
	m.trajectories()
	m.matTVec()
}

// several runs a loop for each part of the terms that the registers hold, and gives their totals; last is run in the last loop.
func (m *machine) several(i, n reg.GPVirtual, terms []term, last func(in *mask, at int), give func(k int, total reg.VecVirtual)) {
	most := 2
	if m.wide {
		most = len(terms)
	}
	for from := 0; from < len(terms); from += most {
		to := min(from+most, len(terms))
		if from > 0 {
			XORQ(i, i)
		}
		totals := m.total(i, n, func(in *mask, at int) (v []reg.VecVirtual) {
			for _, t := range terms[from:to] {
				v = append(v, t(in, at))
			}
			if to == len(terms) {
				last(in, at)
			}
			return v
		}, to-from)
		for k, x := range totals {
			give(from+k, x)
		}
	}
}

// trajectories writes the sums and products of momenta that the criterion of NUTS needs.
func (m *machine) trajectories() {
	product := func(a, b Mem) term {
		return func(in *mask, at int) reg.VecVirtual {
			return m.mul(m.load(a.Offset(at), in), m.load(b.Offset(at), in))
		}
	}
	m.text("pair", "is pairGo.", "func(sum, a, b *float64, n int) (aa, bb, ab float64)")
	i := counter()
	sum, a, b, n := pointer("sum", i), pointer("a", i), pointer("b", i), size("n")
	m.several(i, n, []term{product(a, a), product(b, b), product(a, b)}, func(in *mask, at int) {
		m.store(m.add(m.load(b.Offset(at), in), m.load(a.Offset(at), in)), sum.Offset(at), in)
	}, func(k int, x reg.VecVirtual) { Store(x, ReturnIndex(k)) })
	end()

	m.text("join", "is joinGo.", "func(sum, first, last, sum1, first1, last1 *float64, n int, products *[6]float64)")
	i = counter()
	sum, n = pointer("sum", i), size("n")
	first, last, sum1, first1, last1 := pointer("first", i), pointer("last", i), pointer("sum1", i), pointer("first1", i), pointer("last1", i)
	products := Load(Param("products"), GP64())
	m.several(i, n, []term{product(first, sum1), product(sum, last1), product(sum, first1), product(last, sum1), product(last, last1), product(first, first1)}, func(in *mask, at int) {
		m.store(m.add(m.load(sum1.Offset(at), in), m.load(sum.Offset(at), in)), sum.Offset(at), in)
	}, func(k int, x reg.VecVirtual) { VMOVSD(x.AsX(), Mem{Base: products, Disp: 8 * k}) })
	end()
}

// matTVec writes the product of a transposed panel and a vector as numbers: so many columns at once that their sums stay in registers, then one.
func (m *machine) matTVec() {
	m.text("matTVec", "is matTVecGo; ld is in bytes.", "func(d, x *float64, ld int, r *float64, n, columns int)")
	d, x := Load(Param("d"), GP64()).(reg.GPVirtual), Load(Param("x"), GP64()).(reg.GPVirtual)
	ld, n, columns := size("ld"), size("n"), size("columns")
	i := GP64()
	r := pointer("r", i)
	for _, c := range []int{m.n / 2, 1} {
		next, check := m.label("next"), m.label("check")
		JMP(LabelRef(check))
		Label(next)
		XORQ(i, i)
		of := make([]Mem, c)
		at := x
		for j := range c {
			of[j] = Mem{Base: at, Index: i, Scale: 8}
			if j+1 < c {
				then := GP64()
				LEAQ(Mem{Base: at, Index: ld, Scale: 1}, then)
				at = then
			}
		}
		t := m.total(i, n, func(in *mask, at int) (v []reg.VecVirtual) {
			w := m.load(r.Offset(at), in)
			for _, column := range of {
				v = append(v, m.mul(m.load(column.Offset(at), in), w))
			}
			return v
		}, c)
		for j, y := range t {
			VMOVSD(y.AsX(), Mem{Base: d, Disp: 8 * j})
		}
		ADDQ(U32(8*c), d)
		for range c {
			ADDQ(ld, x)
		}
		SUBQ(Imm(uint64(c)), columns)
		Label(check)
		CMPQ(columns, Imm(uint64(c)))
		JGE(LabelRef(next))
	}
	end()
}
