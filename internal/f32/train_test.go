package f32

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// trainingLoops are the loops of training, as loops.
var trainingLoops = map[string]func(s set, o *room, n int) []uint64{
	"blend": func(s set, o *room, n int) []uint64 {
		dst, x := o.slice(n), o.slice(n)
		s.line(dst, o.number(), dst, o.number(), x)
		return bitsOf(dst)
	},
	"axpy2": func(s set, o *room, n int) []uint64 {
		dst, x, y := o.slice(n), o.slice(n), o.slice(n)
		s.axpy2(dst, o.number(), x, o.number(), y)
		return bitsOf(dst)
	},
	"dense": func(s set, o *room, n int) []uint64 {
		d := newDense(o, n)
		s.dense(d.dst, d.to, d.h, d.from, d.lists, d.w, d.stride, d.rows, d.columns)
		return bitsOf(d.dst)
	},
	"transpose": func(s set, o *room, n int) []uint64 {
		rows, columns := 1+o.r.IntN(40), 1+n
		stride, to := columns+o.r.IntN(9), rows+o.r.IntN(9)
		dst := o.slice((columns-1)*to + rows)
		s.transpose(dst, to, o.slice((rows-1)*stride+columns), stride, rows, columns)
		return bitsOf(dst)
	},
}

// dense is the arguments of dense sums.
type dense struct {
	dst, h, w                              []float32
	to, from, lists, stride, rows, columns int
}

func newDense(o *room, n int) dense {
	d := dense{lists: 1 + o.r.IntN(12), rows: 1 + o.r.IntN(30), columns: Narrow + block*(1+n%13)}
	d.to, d.from, d.stride = d.columns+o.r.IntN(5), d.rows+o.r.IntN(5), d.columns+o.r.IntN(5)
	d.dst, d.h, d.w = o.slice((d.lists-1)*d.to+d.columns), o.slice((d.lists-1)*d.from+d.rows), o.slice((d.rows-1)*d.stride+d.columns)
	for k := range d.h {
		d.h[k] = float32(o.r.IntN(2))
	}
	return d
}

// Dense sums have the bits of sums over lists.
func TestSumDenseIsSumRows(t *testing.T) {
	for seed := range uint64(200) {
		d := newDense(&room{r: rand.New(rand.NewPCG(seed, 1)), scale: 2}, int(seed))
		SumDense(d.dst, d.to, d.h, d.from, d.lists, d.w, d.stride, d.rows, d.columns)
		want := make([]float32, d.columns)
		for c := range d.lists {
			var rows []int32
			for k, on := range d.h[c*d.from : c*d.from+d.rows] {
				if on != 0 {
					rows = append(rows, int32(k))
				}
			}
			SumRows(want, d.w, d.stride, rows)
			if got := d.dst[c*d.to : c*d.to+d.columns]; !slices.Equal(bitsOf(got), bitsOf(want)) {
				t.Fatalf("seed %d, list %d: %v; want %v", seed, c, got, want)
			}
		}
	}
	if !panics(func() { SumDense(make([]float32, 16), 16, make([]float32, 3), 3, 1, make([]float32, 48), 16, 3, 16) }) {
		t.Error("16 columns pass, whose sums are others")
	}
}

func sameTrainingBits(t *testing.T, name string, seed uint64, n int) {
	var want []uint64
	for _, s := range sets() {
		o := &room{r: rand.New(rand.NewPCG(seed, uint64(n))), scale: 2}
		got := trainingLoops[name](s, o, n)
		if err := o.check(); err != nil {
			t.Fatalf("%s with %d elements on %v, seed %d: %v", name, n, s, seed, err)
		}
		if s == plainGo {
			want = got
		} else if !slices.Equal(got, want) {
			t.Fatalf("%s with %d elements on %v, seed %d:\n got %x\nwant %x", name, n, s, seed, got, want)
		}
	}
}

func TestSameBitsInTraining(t *testing.T) {
	for name := range trainingLoops {
		for n := range 101 {
			for seed := range uint64(4) {
				sameTrainingBits(t, name, seed, n)
			}
		}
	}
}

func FuzzSameBitsInTraining(f *testing.F) {
	f.Add(uint64(1), uint16(17))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16) {
		for name := range trainingLoops {
			sameTrainingBits(t, name, seed, int(n)%1500)
		}
	})
}

func TestTransposeMovesElements(t *testing.T) {
	x, dst := make([]float32, 13*24), make([]float32, 19*16)
	for i := range x {
		x[i] = float32(i)
	}
	Transpose(dst, 16, x, 24, 13, 19)
	for i := range 13 {
		for j := range 19 {
			if dst[j*16+i] != x[i*24+j] {
				t.Fatalf("element %d,%d is %v; want %v", i, j, dst[j*16+i], x[i*24+j])
			}
		}
	}
	if !panics(func() { Transpose(dst, 12, x, 24, 13, 19) }) || !panics(func() { Transpose(dst[:300], 16, x, 24, 13, 19) }) {
		t.Error("a matrix that does not fit passes")
	}
}

func BenchmarkTraining(b *testing.B) {
	const rows, columns = 784, 512
	x, y := make([]float32, rows*columns), make([]float32, rows*columns)
	for _, s := range sets() {
		b.Run("transpose/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.transpose(y, rows, x, columns, rows, columns)
			}
		})
		b.Run("dense/"+s.String(), func(b *testing.B) {
			h, dst := make([]float32, 10*columns), make([]float32, 10*rows)
			for k := range h {
				h[k] = float32(k % 2)
			}
			for b.Loop() {
				s.dense(dst, rows, h, columns, 10, y, rows, 500, rows)
			}
		})
		b.Run("sparse/"+s.String(), func(b *testing.B) { // as dense
			var list []int32
			for k := int32(0); k < 500; k += 2 {
				list = append(list, k)
			}
			dst := make([]float32, rows)
			for b.Loop() {
				for range 10 {
					addRows(s, dst, nil, y, rows, list)
				}
			}
		})
		b.Run("blend/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.line(y[:500], 0.9, y[:500], 0.1, x[:500])
			}
		})
	}
}
