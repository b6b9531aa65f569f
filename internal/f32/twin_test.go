package f32

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sets are those that this machine can run.
func sets() (s []set) {
	for i := plainGo; i <= best(); i++ {
		s = append(s, i)
	}
	return s
}

// room makes slices that begin at odd addresses and are surrounded by a canary.
type room struct {
	r      *rand.Rand
	scale  float64
	frames [][]float32
}

const canary = -12345.5

func (o *room) slice(n int) []float32 {
	before := o.r.IntN(20)
	all := make([]float32, before+n+20)
	for i := range all {
		all[i] = canary
	}
	x := all[before : before+n : before+n]
	for i := range x {
		x[i] = o.number()
	}
	o.frames = append(o.frames, all[:before], all[before+n:])
	return x
}

// number is mostly moderate; rarely it is a special one.
func (o *room) number() float32 {
	special := []float32{0, float32(math.Copysign(0, -1)), 1e-40, -1e-40, 1e-20, 86.99, -87.01, 88, 126, -126, 200, -1e30, 1e30}
	if o.r.IntN(20) == 0 {
		return special[o.r.IntN(len(special))]
	}
	return float32(o.r.NormFloat64() * o.scale)
}

func (o *room) check() error {
	for _, f := range o.frames {
		for _, v := range f {
			if v != canary {
				return fmt.Errorf("a number beside a slice was written")
			}
		}
	}
	return nil
}

// loops run every function with n elements and return what it gives, as bits.
var loops = map[string]func(s set, o *room, n int) []uint64{
	"sumRows":        func(s set, o *room, n int) []uint64 { return runRows(s, o, n, false) },
	"addRows":        func(s set, o *room, n int) []uint64 { return runRows(s, o, n, true) },
	"panels":         runPanels,
	"bernoulli":      func(s set, o *room, n int) []uint64 { return runBernoulli(s, o, n, false) },
	"bernoulliAlong": func(s set, o *room, n int) []uint64 { return runBernoulli(s, o, n, true) },
	"line": func(s set, o *room, n int) []uint64 {
		dst := o.slice(n)
		s.line(dst, o.number(), o.slice(n), o.number(), o.slice(n))
		return bitsOf(dst)
	},
	"sigmoid": func(s set, o *room, n int) []uint64 { x := o.slice(n); s.sigmoid(x, x); return bitsOf(x) },
	"softplus": func(s set, o *room, n int) []uint64 {
		dst, x := o.slice(n), o.slice(n)
		s.softplus(dst, x)
		return bitsOf(dst)
	},
	"axpy": func(s set, o *room, n int) []uint64 {
		dst, x := o.slice(n), o.slice(n)
		s.axpy(dst, o.number(), x)
		return bitsOf(dst)
	},
	"dot": func(s set, o *room, n int) []uint64 {
		var to sums
		s.dot(&to, o.slice(n), o.slice(n))
		return []uint64{math.Float64bits(to.total())}
	},
	"sumSoftplus": func(s set, o *room, n int) []uint64 {
		var to sums
		s.sumSoftplus(&to, o.slice(n), o.number())
		return []uint64{math.Float64bits(to.total())}
	},
	"sumStep": func(s set, o *room, n int) []uint64 {
		from, step := o.r.Float64(), math.Pow(10, -5*o.r.Float64())
		return []uint64{math.Float64bits(s.sumStep(o.slice(n), from, from+step))}
	},
}

func runRows(s set, o *room, n int, add bool) []uint64 {
	height, stride := 1+o.r.IntN(9), n+o.r.IntN(5)
	w := o.slice((height-1)*stride + n)
	rows := make([]int32, o.r.IntN(40))
	for i := range rows {
		rows[i] = int32(o.r.IntN(height))
	}
	dst := o.slice(n)
	from := dst
	if !add {
		from = nil
	}
	if stride > 0 {
		addRows(s, dst, from, w, stride, rows)
	}
	return bitsOf(dst)
}

func runBernoulli(s set, o *room, n int, along bool) []uint64 {
	var l Lanes
	l.Seed(o.r)
	x, line := o.slice(n), o.slice(n)
	dst := make([]int32, n+2*block)
	dst[n+block] = 77
	var count int
	if along {
		count = s.bernoulliAlong(dst[:n+block], x, line, o.number(), &l)
	} else {
		count = s.bernoulli(dst[:n+block], x, o.number(), &l)
	}
	if dst[n+block] != 77 {
		return nil
	}
	out := []uint64{uint64(count)}
	for _, i := range dst[:count] {
		out = append(out, uint64(i))
	}
	for _, w := range l.s {
		for _, v := range w {
			out = append(out, uint64(v))
		}
	}
	return out
}

func bitsOf(x []float32) (out []uint64) {
	for _, v := range x {
		out = append(out, uint64(math.Float32bits(v)))
	}
	return out
}

// sameBits runs a loop on all sets with the same arguments.
func sameBits(t *testing.T, name string, seed uint64, n int, scale float64) {
	var want []uint64
	for _, s := range sets() {
		o := &room{r: rand.New(rand.NewPCG(seed, uint64(n))), scale: scale}
		got := loops[name](s, o, n)
		if err := o.check(); err != nil {
			t.Fatalf("%s with %d elements on %v, seed %d: %v", name, n, s, seed, err)
		}
		if s == plainGo {
			want = got
		} else if !slices.Equal(got, want) {
			t.Fatalf("%s with %d elements on %v, seed %d, scale %g:\n got %x\nwant %x", name, n, s, seed, scale, got, want)
		}
	}
}

func TestSameBits(t *testing.T) {
	t.Logf("%v", sets())
	for name := range loops {
		for n := range 101 {
			for _, scale := range []float64{0.01, 1, 5, 50} {
				sameBits(t, name, 1, n, scale)
				sameBits(t, name, 2, n, scale)
			}
		}
		for _, n := range []int{127, 255, 256, 257, 500, 513, 784, 1000} {
			sameBits(t, name, 3, n, 2)
		}
	}
}

func FuzzSameBits(f *testing.F) {
	f.Add(uint64(1), uint16(17), 1.0)
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, scale float64) {
		if math.IsNaN(scale) || math.IsInf(scale, 0) || math.Abs(scale) > 1e6 {
			t.Skip("not finite logits")
		}
		for name := range loops {
			sameBits(t, name, seed, int(n)%1500, scale)
		}
	})
}

// Indices come from lists that callers fill: one that names no row is caught on every set, in every panel.
func TestNoSuchRow(t *testing.T) {
	for _, s := range sets() {
		for _, n := range []int{1, 40, 64, 65, 300, 784} {
			w, dst := make([]float32, 5*n), make([]float32, n)
			for _, bad := range []int32{-1, 5, math.MaxInt32, math.MinInt32} {
				for count := range 6 {
					rows := append(make([]int32, count), bad)
					if !panics(func() { addRows(s, dst, dst, w, n, rows) }) {
						t.Errorf("%v: row %d of 5 is summed, %d columns", s, bad, n)
					}
				}
			}
			if !panics(func() { addRows(s, dst, dst, w, n-1, nil) }) {
				t.Errorf("%v: a stride below the number of columns passes", s)
			}
		}
	}
}

func TestLengthsThatDoNotFit(t *testing.T) {
	x, l := make([]float32, 20), new(Lanes)
	l.Seed(rand.New(rand.NewPCG(1, 1)))
	for name, f := range map[string]func(){
		"short list of indices": func() { Bernoulli(make([]int32, 35), x, 1, l) },
		"short line":            func() { BernoulliAlong(make([]int32, 36), x, 1, x[:19], l) },
		"Sigmoid":               func() { Sigmoid(x, x[:19]) },
		"Softplus":              func() { Softplus(x, x[:19]) },
		"Dot":                   func() { Dot(x, x[:19]) },
		"Axpy":                  func() { Axpy(x, 1, x[:19]) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}
