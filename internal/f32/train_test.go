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
		s.blend(dst, o.number(), x, o.number())
		return bitsOf(dst)
	},
	"transpose": func(s set, o *room, n int) []uint64 {
		rows, columns := 1+o.r.IntN(40), 1+n
		stride, to := columns+o.r.IntN(9), rows+o.r.IntN(9)
		dst := o.slice((columns-1)*to + rows)
		s.transpose(dst, to, o.slice((rows-1)*stride+columns), stride, rows, columns)
		return bitsOf(dst)
	},
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
		b.Run("blend/"+s.String(), func(b *testing.B) {
			for b.Loop() {
				s.blend(y[:500], 0.9, x[:500], 0.1)
			}
		})
	}
}
