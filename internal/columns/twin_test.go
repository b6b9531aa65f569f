package columns

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// sets are those that this machine can run.
func sets() (s []set) {
	for i := plainGo; i <= best(); i++ {
		s = append(s, i)
	}
	return s
}

// room makes columns that begin at odd addresses and are surrounded by a canary.
type room struct {
	r       *rand.Rand
	special int // one number in so many is a special one
	frames  [][]float64
}

const canary = -12345.5

func (o *room) column(n int) []float64 {
	x := o.empty(n)
	for i := range x {
		x[i] = o.number()
	}
	return x
}

func (o *room) empty(n int) []float64 {
	before := o.r.IntN(20)
	all := make([]float64, before+n+20)
	Fill(all, canary)
	o.frames = append(o.frames, all[:before], all[before+n:])
	return all[before : before+n : before+n]
}

// binary are zeros and ones.
func (o *room) binary(n int) []float64 {
	x := o.empty(n)
	for i := range x {
		x[i] = float64(o.r.IntN(2))
	}
	return x
}

var specials = []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, -0.5, 1.5, 22, -22, 40, -40, 0x1p53, 0x1p-53, 0x1p-54, -0x1p-54, 5e-324, -5e-324, 0x1p-1022, 0x1p-1023,
	math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 708, -708, 707.99, -707.99, 709, 709.5, 709.8, -745.1, -745.2, 800, -800, 1e300, 1e-300,
	math.Nextafter(1, 0), math.Nextafter(1, 2), math.Nextafter(-1, 0), 0.69140625, 1.3828125}

// number is of any size that occurs; rarely it is a special one.
func (o *room) number() float64 {
	if o.r.IntN(o.special) == 0 {
		return specials[o.r.IntN(len(specials))]
	}
	x := o.r.NormFloat64()
	switch o.r.IntN(6) {
	case 0:
		return x * 100
	case 1:
		return x * 1e-9
	case 2:
		return vec.Exp(30 * x)
	case 3:
		return math.Abs(x)
	}
	return x * 4
}

func (o *room) check() error {
	for _, f := range o.frames {
		for _, v := range f {
			if v != canary {
				return fmt.Errorf("a number beside a column was written")
			}
		}
	}
	return nil
}

func (o *room) sums(n int) []Sums {
	s := make([]Sums, n)
	for j := range s {
		for l := range s[j] {
			s[j][l] = o.r.NormFloat64()
		}
	}
	return s
}

// columnsOf joins columns, for comparison.
func columnsOf(x ...[]float64) []float64 { return slices.Concat(x...) }

func unary(f func(s set, d, a []float64)) func(s set, o *room, n int) []float64 {
	return func(s set, o *room, n int) []float64 {
		d, a := o.column(n), o.column(n)
		f(s, d, a)
		f(s, a, a)
		return columnsOf(d, a)
	}
}

func binary(f func(s set, d, a, b []float64)) func(s set, o *room, n int) []float64 {
	return func(s set, o *room, n int) []float64 {
		d, a, b := o.column(n), o.column(n), o.column(n)
		f(s, d, a, b)
		f(s, a, a, b)
		f(s, b, b, b)
		return columnsOf(d, a, b)
	}
}

func scalar(f func(s set, d, a []float64, c float64)) func(s set, o *room, n int) []float64 {
	return func(s set, o *room, n int) []float64 {
		d, a, c := o.column(n), o.column(n), o.number()
		f(s, d, a, c)
		f(s, a, a, c)
		return columnsOf(d, a)
	}
}

// functions are the elementary ones, with the function of package vec whose bits they have.
var functions = []struct {
	name   string
	column func(s set, d, a []float64)
	scalar func(float64) float64
}{
	{"exp", set.exp, vec.Exp}, {"log", set.log, vec.Log},
	{"log1pExp", set.log1pExp, vec.Log1pExp}, {"ilogit", set.ilogit, vec.Ilogit}, {"sqrt", set.sqrt, math.Sqrt}, {"tanh", set.tanh, vec.Tanh},
	{"lgamma", set.lgamma, vec.Lgamma}, {"digamma", set.digamma, vec.Digamma},
}

// loops run every function with n rows and return what it gives.
var loops = map[string]func(s set, o *room, n int) []float64{
	"add": binary(set.add), "sub": binary(set.sub), "mul": binary(set.mul), "times": binary(set.times), "div": binary(set.div), "addMul": binary(set.addMul),
	"addScalar": scalar(set.addScalar), "mulScalar": scalar(set.mulScalar), "addScaled": scalar(set.addScaled),
	"subFrom": scalar(func(s set, d, a []float64, c float64) { s.subFrom(d, c, a) }),
	"divInto": scalar(func(s set, d, a []float64, c float64) { s.divInto(d, c, a) }),
	"fill":    scalar(func(s set, d, _ []float64, c float64) { s.fill(d, c) }),
	"neg":     unary(set.neg),
	"affine":  scalar(func(s set, d, a []float64, c float64) { s.affine(d, a, c, 0.75) }),
	"moments": func(s set, o *room, n int) []float64 {
		mean, sum := o.column(n), o.column(n)
		s.moments(mean, sum, o.column(n), o.number())
		return columnsOf(mean, sum)
	},
	"normalPriors": func(s set, o *room, n int) []float64 {
		d := o.column(n)
		return append(d, s.normalPriors(d, o.column(n), o.column(n), o.column(n)))
	},
	"addScaledMul": func(s set, o *room, n int) []float64 {
		d := o.column(n)
		s.addScaledMul(d, o.column(n), o.column(n), o.number())
		return d
	},
	"drift": func(s set, o *room, n int) []float64 {
		x, r := o.column(n), o.column(n)
		s.drift(x, r, o.column(n), o.column(n), o.number(), o.number())
		return columnsOf(x, r)
	},
	"rotate": func(s set, o *room, n int) []float64 {
		x, y := o.column(n), o.column(n)
		s.rotate(x, y, o.number(), o.number())
		return columnsOf(x, y)
	},
	"gather": func(s set, o *room, n int) []float64 {
		v, d := o.column(1+o.r.IntN(50)), o.column(n)
		idx := make([]int32, n)
		for i := range idx {
			idx[i] = int32(o.r.IntN(len(v)))
		}
		s.gather(d, v, idx)
		return d
	},
	"sum": func(s set, o *room, n int) []float64 {
		to := o.sums(1)
		s.sum(&to[0], o.column(n))
		return to[0][:]
	},
	"dot": func(s set, o *room, n int) []float64 {
		to := o.sums(1)
		s.dot(&to[0], o.column(n), o.column(n))
		return to[0][:]
	},
	"addLogs": func(s set, o *room, n int) []float64 {
		var l Logs
		x := o.column(l.room(n, 1))
		s.addLogs(&l, x)
		return l.parts()
	},
	"addMatVec": func(s set, o *room, n int) []float64 {
		columns, ld := 1+o.r.IntN(6), n+o.r.IntN(5)
		d, x, b := o.column(n), o.column(ld*(columns-1)+n), o.column(columns)
		s.addMatVec(d, x, ld, b)
		return d
	},
	"addMatTVec": func(s set, o *room, n int) []float64 {
		columns, ld := 1+o.r.IntN(9), n+o.r.IntN(5)
		to, x, r := o.sums(columns), o.column(ld*(columns-1)+n), o.column(n)
		s.addMatTVec(to, x, ld, r)
		var out []float64
		for j := range to {
			out = append(out, to[j][:]...)
		}
		return out
	},
	"sumTotal": func(s set, o *room, n int) []float64 { return []float64{s.sumTotal(o.column(n))} },
	"dotTotal": func(s set, o *room, n int) []float64 { return []float64{s.dotTotal(o.column(n), o.column(n))} },
	"addScaledNorm": func(s set, o *room, n int) []float64 {
		d := o.column(n)
		return append(d, s.addScaledNorm(d, o.column(n), o.number()))
	},
	"kick": func(s set, o *room, n int) []float64 {
		h, r := o.empty(n), o.column(n)
		norm2 := s.kick(h, r, o.column(n), o.column(n), o.number())
		return append(columnsOf(h, r), norm2)
	},
	"mulScalarDot": func(s set, o *room, n int) []float64 {
		d := o.empty(n)
		sum, dot := s.mulScalarDot(d, o.column(n), o.number(), o.column(n))
		return append(d, sum, dot)
	},
	"normalAlike": func(s set, o *room, n int) []float64 {
		d := o.column(n)
		slope, squares := s.normalAlike(d, o.column(n), o.number(), o.number())
		return append(d, slope, squares)
	},
	"pair": func(s set, o *room, n int) []float64 {
		d := o.empty(n)
		aa, bb, ab := s.pair(d, o.column(n), o.column(n))
		return append(d, aa, bb, ab)
	},
	"join": func(s set, o *room, n int) []float64 {
		var p [6]float64
		d := o.column(n)
		s.join(&p, d, o.column(n), o.column(n), o.column(n), o.column(n), o.column(n))
		return append(d, p[:]...)
	},
	"matTVec": func(s set, o *room, n int) []float64 {
		columns, ld := 1+o.r.IntN(9), n+o.r.IntN(5)
		d := o.empty(columns)
		s.matTVec(d, o.column(ld*(columns-1)+n), ld, o.column(n))
		return d
	},
	"normal": func(s set, o *room, n int) []float64 {
		to, d := o.sums(1), o.empty(n)
		s.normal(&to[0], d, o.column(n), o.column(n), o.number())
		return columnsOf(to[0][:], d)
	},
	"normalRows": func(s set, o *room, n int) []float64 {
		to, d, q := o.sums(1), o.empty(n), o.empty(n)
		s.normalRows(&to[0], d, q, o.column(n), o.column(n), o.column(n))
		return columnsOf(to[0][:], d, q)
	},
	"normalLine": func(s set, o *room, n int) []float64 {
		to, d := o.sums(1), o.column(n)
		slope, product := s.normalLine(&to[0], d, o.column(n), o.column(n), o.column(n), o.number(), o.number())
		return columnsOf(to[0][:], d, []float64{slope, product})
	},
	"normalPlane": func(s set, o *room, n int) []float64 {
		to, d, e := o.sums(1), o.column(n), o.column(n)
		s.normalPlane(&to[0], d, e, o.column(n), o.column(n), o.column(n), o.column(n), o.column(n), o.number())
		return columnsOf(to[0][:], d, e)
	},
	"bernoulliLogit": func(s set, o *room, n int) []float64 {
		var t Density
		n = t.Logs.room(n, 1)
		d := o.empty(n)
		s.bernoulliLogit(&t.Terms, &t.Logs.product, d, o.binary(n), o.column(n))
		return columnsOf(t.Terms[:], t.Logs.product[:], d)
	},
	"bernoulliProbit": func(s set, o *room, n int) []float64 {
		var t Density
		n = t.Factors.room(n, 1)
		d := o.empty(n)
		s.bernoulliProbit(&t.Terms, &t.Factors, d, o.binary(n), o.column(n))
		return columnsOf(t.Terms[:], t.Factors.parts(), d)
	},
	"binomialLogit": func(s set, o *room, n int) []float64 {
		to, d := o.sums(1), o.empty(n)
		s.binomialLogit(&to[0], d, o.column(n), o.column(n), o.column(n))
		return columnsOf(to[0][:], d)
	},
	"orderedLogit": func(s set, o *room, n int) []float64 {
		var t Density
		n = t.Factors.room(t.Logs.room(n, 2), 1)
		da, db, a, b := o.empty(n), o.empty(n), o.column(n), o.column(n)
		o.order(a, b)
		s.orderedLogit(&t, da, db, a, b)
		return columnsOf(t.Terms[:], t.Logs.product[:], t.Factors.parts(), da, db)
	},
	"orderedProbit": func(s set, o *room, n int) []float64 {
		var t Density
		n = t.Factors.room(n, 1)
		da, db, a, b := o.empty(n), o.empty(n), o.column(n), o.column(n)
		o.order(a, b)
		s.orderedProbit(&t.Terms, &t.Factors, da, db, a, b)
		return columnsOf(t.Terms[:], t.Factors.parts(), da, db)
	},
	"negBinLog": func(s set, o *room, n int) []float64 {
		to, d := o.sums(2), o.empty(n)
		s.negBinLog(&to[0], &to[1], d, o.column(n), o.column(n), o.column(n), o.number())
		return columnsOf(to[0][:], to[1][:], d)
	},
	"poissonLog": func(s set, o *room, n int) []float64 {
		to, d := o.sums(1), o.empty(n)
		s.poissonLog(&to[0], d, o.column(n), o.column(n))
		return columnsOf(to[0][:], d)
	},
}

// order puts most pairs of ends in order.
func (o *room) order(a, b []float64) {
	for i := range a {
		if a[i] > b[i] && o.r.IntN(20) > 0 {
			a[i], b[i] = b[i], a[i]
		}
	}
}

func (l *Logs) parts() []float64 {
	out := columnsOf(l.product[:], l.odd[:])
	for _, e := range l.exponent {
		out = append(out, float64(e))
	}
	return out
}

func init() {
	for _, f := range functions {
		loops[f.name] = unary(f.column)
	}
}

// sameBits runs a loop on all sets with the same arguments.
func sameBits(t *testing.T, name string, seed uint64, n, special int) {
	var want []float64
	for _, s := range sets() {
		o := &room{r: rand.New(rand.NewPCG(seed, uint64(n))), special: special}
		got := loops[name](s, o, n)
		if err := o.check(); err != nil {
			t.Fatalf("%s with %d rows on %v, seed %d: %v", name, n, s, seed, err)
		}
		if s == plainGo {
			want = got
			continue
		}
		if i := different(got, want); i >= 0 {
			t.Fatalf("%s with %d rows on %v, seed %d, special %d: number %d is %v (%x), want %v (%x)", name, n, s, seed, special, i,
				got[i], math.Float64bits(got[i]), want[i], math.Float64bits(want[i]))
		}
	}
}

// different is the first place where the bits differ, −1 if there is none; all NaN are one.
func different(a, b []float64) int {
	for i := range b {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return i
		}
	}
	return -1
}

func TestSameBits(t *testing.T) {
	t.Logf("%v", sets())
	for name := range loops {
		for n := range 71 {
			for seed, special := range []int{1e9, 40, 8, 2} {
				sameBits(t, name, uint64(seed), n, special)
			}
		}
		for _, n := range []int{127, 255, 256, 257, 500, 1000, 1024} {
			sameBits(t, name, 9, n, 1e9)
			sameBits(t, name, 10, n, 50)
		}
	}
}

func FuzzSameBits(f *testing.F) {
	f.Add(uint64(1), uint16(17), uint8(3))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, special uint8) {
		for name := range loops {
			sameBits(t, name, seed, int(n)%1500, 1+int(special))
		}
	})
}

// Elementary functions have the bits of package vec for any numbers, those of random bits and of every size among them.
func TestElementaryFunctions(t *testing.T) {
	const n = 1 << 14
	rounds := 40
	if testing.Short() {
		rounds = 4
	}
	for _, f := range functions {
		r := rand.New(rand.NewPCG(1, 2))
		a, d := make([]float64, n), make([]float64, n)
		for round := range rounds {
			o := &room{r: r, special: 200}
			for i := range a {
				switch round % 5 {
				case 0:
					a[i] = o.number()
				case 1:
					a[i] = math.Float64frombits(r.Uint64())
				case 2:
					a[i] = 1500*r.Float64() - 750
				case 3:
					a[i] = 3*r.Float64() - 1
				case 4:
					a[i] = 12 * r.Float64()
				}
			}
			for _, s := range sets() {
				f.column(s, d, a)
				for i := range d {
					if want := f.scalar(a[i]); math.Float64bits(d[i]) != math.Float64bits(want) && !(math.IsNaN(want) && math.IsNaN(d[i])) {
						t.Fatalf("%s(%v) on %v is %v, want %v", f.name, a[i], s, d[i], want)
					}
				}
			}
		}
	}
}

// 0 times infinity is 0 as a BUGS product.
func TestTimes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	a := []float64{0, inf, -inf, 0, nan, 0, 2, inf, 3, 0}
	b := []float64{inf, 0, 0, 5, 0, nan, 3, -inf, inf, math.Copysign(0, -1)}
	want := []float64{0, 0, 0, 0, nan, nan, 6, -inf, inf, math.Copysign(0, -1)}
	d := make([]float64, len(a))
	for _, s := range sets() {
		s.times(d, a, b)
		if different(d, want) >= 0 {
			t.Errorf("%v: %v", s, d)
		}
	}
}

// No function allocates, also where its columns are on the caller's stack.
func TestNothingIsAllocated(t *testing.T) {
	x := make([]Sums, 3)
	var total float64
	count := testing.AllocsPerRun(10, func() {
		var a, b, d [100]float64
		var idx [100]int32
		var l Density
		Add(d[:], a[:], b[:])
		Gather(d[:], a[:], idx[:])
		Exp(d[:], a[:])
		Log(a[:], d[:])
		BernoulliLogit(&l, d[:], a[:], b[:])
		l.Logs.Add(b[:])
		AddMatTVec(x, a[:], 30, b[:30])
		AddMatVec(d[:30], a[:], 30, b[:3])
		total += l.Total() + Sum(d[:])
	})
	if count != 0 {
		t.Errorf("%v allocations", count)
	}
}
