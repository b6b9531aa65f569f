package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// These are those of the twin.
const (
	head  = 8
	group = 16
)

// The fields of a Lanes, in bytes: the state of the generators, then what is known of the words of a group.
const (
	openAt      = 4 * vector
	field       = group * vector
	passAt      = openAt
	undecidedAt = openAt + field
	secondAt    = openAt + 2*field
	thirdAt     = openAt + 3*field
	upAt        = openAt + 4*field
)

// plane is the size in bytes of a plane of a class, and class that of all its planes.
const (
	plane = 8
	class = 64 * plane
)

// updater is what an update keeps.
type updater struct {
	*machine
	heatBath, cubic            bool
	self, live, beside         reg.Register
	across                     []reg.Register
	at, size, planes, lanes, v reg.GPVirtual // at: bytes done; size: bytes of the group; v: bytes in the group
	state                      [4]reg.VecVirtual
	spins                      reg.VecVirtual // whose neighbours are counted where they differ; nil: where they are up
}

// update writes the loop over a row.
func (m *machine) update(heatBath, cubic bool) {
	name, kind, across := "metropolisSquare", "Metropolis", 2
	if heatBath {
		name, kind = "heatBathSquare", "HeatBath"
	}
	if cubic {
		name, across = name[:len(name)-len("Square")]+"Cubic", 4
	}
	args := "self, live, beside"
	for i := range across {
		args += fmt.Sprintf(", a%d", i)
	}
	m.text(name, fmt.Sprintf("is updateGo for %s and %d neighbours, of n bytes.", kind, across+2),
		fmt.Sprintf("func(%s *uint64, n int, before, anti uint64, planes *uint64, last int, lanes *uint64)", args))
	u := &updater{machine: m, heatBath: heatBath, cubic: cubic}
	u.self, u.live, u.beside = Load(Param("self"), GP64()), Load(Param("live"), GP64()), Load(Param("beside"), GP64())
	for i := range across {
		u.across = append(u.across, Load(Param(fmt.Sprintf("a%d", i)), GP64()))
	}
	u.planes = Load(Param("planes"), GP64()).(reg.GPVirtual)
	u.lanes = Load(Param("lanes"), GP64()).(reg.GPVirtual)
	u.at, u.size, u.v = GP64(), GP64(), GP64()
	XORQ(u.at, u.at)
	if m.wide {
		u.state = u.loadState(0)
	}
	u.groups()
	if m.wide {
		u.storeState(0, u.state)
	}
	VZEROUPPER()
	RET()
}

func (u *updater) groups() {
	Label("group")
	Load(Param("n"), u.size)
	SUBQ(u.at, u.size)
	JE(LabelRef("end"))
	CMPQ(u.size, U32(field))
	JLE(LabelRef("begin"))
	MOVQ(U32(field), u.size)
	Label("begin")
	for half := range u.halves() {
		u.first(half)
	}
	u.tail()
	u.finish()
	ADDQ(u.size, u.at)
	JMP(LabelRef("group"))
	Label("end")
}

func (u *updater) loadState(half int) (s [4]reg.VecVirtual) {
	for w := range s {
		s[w] = u.load(Mem{Base: u.lanes, Disp: vector*w + 32*half})
	}
	return s
}

func (u *updater) storeState(half int, s [4]reg.VecVirtual) {
	for w := range s {
		u.store(s[w], Mem{Base: u.lanes, Disp: vector*w + 32*half})
	}
}

// of is a vector of the group in a field of lanes.
func (u *updater) of(field, half int) Mem {
	return Mem{Base: u.lanes, Index: u.v, Scale: 1, Disp: field + 32*half}
}

// each runs body for the vectors of the group, v counting bytes.
func (u *updater) each(body func()) {
	next := u.label("each")
	XORQ(u.v, u.v)
	Label(next)
	body()
	ADDQ(Imm(vector), u.v)
	CMPQ(u.v, u.size)
	JL(LabelRef(next))
}

// first finds the classes of the words and compares the first planes.
func (u *updater) first(half int) {
	s := u.state
	if !u.wide {
		s = u.loadState(half)
	}
	place := GP64()
	u.each(func() {
		LEAQ(Mem{Base: u.at, Index: u.v, Scale: 1}, place)
		c := u.classes(place, half)
		out := u.next(&s)
		if u.heatBath {
			u.store(c.up, u.of(upAt, half))
		}
		pass := c.begin(u, out)
		u.narrowDown(out, c.undecided, c.second, c.third, Mem{Base: u.planes})
		for p := 1; p < head; p++ {
			u.compare(&s, pass, c.undecided, c.second, c.third, Mem{Base: u.planes, Disp: plane * p})
		}
		if !u.wide {
			u.not(pass)
		}
		u.store(pass, u.of(passAt, half))
		u.store(c.undecided, u.of(undecidedAt, half))
		u.store(c.second, u.of(secondAt, half))
		if u.cubic {
			u.store(c.third, u.of(thirdAt, half))
		}
	})
	if !u.wide {
		u.storeState(half, s)
	}
}

// next steps the lanes.
func (u *updater) next(s *[4]reg.VecVirtual) reg.VecVirtual {
	out, t := u.vec(), u.vec()
	VPADDQ(s[3], s[0], out)
	u.rotate(out, 23)
	VPADDQ(s[0], out, out)
	VPSLLQ(Imm(17), s[1], t)
	u.xorTo(s[1], s[3], s[3])
	if u.wide {
		u.applyTo(xor3, s[1], s[2], s[0])
		u.applyTo(xor3, s[2], s[0], t)
	} else {
		VPXOR(s[0], s[2], s[2])
		VPXOR(s[2], s[1], s[1])
		VPXOR(t, s[2], s[2])
	}
	u.xorTo(s[3], s[0], s[0])
	u.rotate(s[3], 45)
	return out
}

func (u *updater) rotate(v reg.VecVirtual, by uint64) {
	if u.wide {
		VPROLQ(Imm(by), v, v)
		return
	}
	t := YMM()
	VPSRLQ(Imm(64-by), v, t)
	VPSLLQ(Imm(by), v, v)
	VPOR(t, v, v)
}

// whereDiffer is a where b and c differ.
var whereDiffer = function{of: func(a, b, c bool) bool { return a && b != c }}

// takeNot is not c where b is one, else a.
var takeNot = function{of: func(a, b, c bool) bool { return b && !c || !b && a }}

// compare takes a plane. Under AVX2 pass is its complement.
func (u *updater) compare(s *[4]reg.VecVirtual, pass, undecided, second, third reg.VecVirtual, p Mem) {
	out := u.next(s)
	if u.wide {
		u.applyTo(takeNot, pass, undecided, out)
	} else {
		t := YMM()
		VPXOR(out, pass, t)
		VPAND(undecided, t, t)
		VPXOR(t, pass, pass)
	}
	u.narrowDown(out, undecided, second, third, p)
}

// narrowDown keeps undecided where the random bits, which it overwrites, are those of the thresholds.
func (u *updater) narrowDown(out, undecided, second, third reg.VecVirtual, p Mem) {
	if u.wide {
		u.applyTo(xorAnd, out, second, p.Offset(class))
		if u.cubic {
			u.applyTo(xorAnd, out, third, p.Offset(2*class))
		}
		u.applyTo(whereDiffer, undecided, out, p)
		return
	}
	differ := func(of reg.VecVirtual, at int) {
		t := u.broadcast(p.Offset(at))
		VPAND(of, t, t)
		VPXOR(t, out, out)
	}
	differ(second, class)
	if u.cubic {
		differ(third, 2*class)
	}
	t := u.broadcast(p)
	VPXOR(t, out, out)
	u.andTo(out, undecided, undecided)
}

// tail decides what is left, in as many vectors at once as are not undecided at the same places.
func (u *updater) tail() {
	from := GP64()
	XORQ(from, from)
	Label("batch")
	var pass, undecided, second, third []reg.VecVirtual
	for range u.halves() {
		pass, undecided, second, third = append(pass, u.zero()), append(undecided, u.zero()), append(second, u.zero()), append(third, nil)
		if u.cubic {
			third[len(third)-1] = u.zero()
		}
	}
	MOVQ(from, u.v)
	Label("join")
	var joins, both []reg.VecVirtual
	for h := range u.halves() {
		joins = append(joins, u.load(u.of(undecidedAt, h)))
		both = append(both, u.and(undecided[h], joins[h]))
	}
	u.test(both)
	JNE(LabelRef("joined"))
	for h, v := range joins {
		u.orTo(v, undecided[h], undecided[h])
		u.gather(second[h], v, u.load(u.of(secondAt, h)))
		if u.cubic {
			u.gather(third[h], v, u.load(u.of(thirdAt, h)))
		}
	}
	ADDQ(Imm(vector), u.v)
	CMPQ(u.v, u.size)
	JL(LabelRef("join"))
	Label("joined")
	end := GP64()
	MOVQ(u.v, end)
	u.decide(pass, undecided, second, third)
	MOVQ(from, u.v)
	Label("leave")
	for h := range u.halves() {
		v, old := u.load(u.of(undecidedAt, h)), u.load(u.of(passAt, h))
		u.store(u.apply(choose, pass[h], v, old), u.of(passAt, h))
	}
	ADDQ(Imm(vector), u.v)
	CMPQ(u.v, end)
	JL(LabelRef("leave"))
	MOVQ(u.v, from)
	CMPQ(from, u.size)
	JL(LabelRef("batch"))
}

// gather adds to a the ones that both b and c have.
func (u *updater) gather(a, b, c reg.VecVirtual) {
	if u.wide {
		u.applyTo(orAnd, a, b, c)
		return
	}
	u.orTo(u.and(b, c), a, a)
}

// test sets the zero flag where no bit is one.
func (u *updater) test(v []reg.VecVirtual) {
	if u.wide {
		k := K()
		VPTESTMQ(v[0], v[0], k)
		KORTESTW(k, k)
		return
	}
	t := u.or(v[0], v[1])
	VPTEST(t, t)
}

// decide is that of the twin. The state of AVX2 is in memory.
func (u *updater) decide(pass, undecided, second, third []reg.VecVirtual) {
	next, done := u.label("plane"), u.label("done")
	p, end := GP64(), GP64()
	Load(Param("last"), end)
	LEAQ(Mem{Base: u.planes, Index: end, Scale: 8}, end)
	LEAQ(Mem{Base: u.planes, Disp: plane * head}, p)
	Label(next)
	u.test(undecided)
	JE(LabelRef(done))
	CMPQ(p, end)
	JGE(LabelRef(done))
	for h := range u.halves() {
		s := u.state
		if !u.wide {
			s = u.loadState(h)
			u.not(pass[h])
		}
		u.compare(&s, pass[h], undecided[h], second[h], third[h], Mem{Base: p})
		if !u.wide {
			u.not(pass[h])
			u.storeState(h, s)
		}
	}
	ADDQ(Imm(plane), p)
	JMP(LabelRef(next))
	Label(done)
	for h := range u.halves() {
		u.clearTo(undecided[h], pass[h], pass[h])
	}
}

// finish writes the spins.
func (u *updater) finish() {
	place := GP64()
	u.each(func() {
		LEAQ(Mem{Base: u.at, Index: u.v, Scale: 1}, place)
		for h := range u.halves() {
			to := Mem{Base: u.self, Index: place, Scale: 1, Disp: 32 * h}
			turn := u.load(u.of(passAt, h))
			if u.heatBath {
				u.xorTo(u.of(upAt, h), turn, turn)
				u.xorTo(to, turn, turn)
			}
			u.andTo(Mem{Base: u.live, Index: place, Scale: 1, Disp: 32 * h}, turn, turn)
			u.xorTo(to, turn, turn)
			u.store(turn, to)
		}
	})
}
