package markov

import (
	"math/rand/v2"
	"testing"
)

func randomReduction(r *rand.Rand, rows, cols, m int) *reduction {
	red := newReduction(rows, cols, m)
	for k := range red.a {
		if r.IntN(4) > 0 {
			red.a[k] = r.Float64()
		}
		if k%cols == cols-1 { // a way out
			red.a[k] = 0.1
		}
	}
	return red
}

// The blocked elimination with vector instructions gives the bits of one that takes a state at a time in plain Go.
func TestReductionSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{2, 3, 9, 47, 48, 49, 57, 131} {
		for _, size := range [][3]int{{n, n, n - 1}, {n, n + 3, n}, {n + 1, n + 1, n}} {
			got := randomReduction(r, size[0], size[1], size[2])
			want := newReduction(size[0], size[1], size[2])
			copy(want.a, got.a)
			if k := got.run(); k >= 0 {
				t.Fatalf("%v: state %d cannot leave", size, k)
			}
			for k := range want.m {
				for _, v := range want.row(k)[k+1:] {
					want.s[k] += v
				}
				for i := k + 1; i < want.rows; i++ {
					row := want.row(i)
					row[k] /= want.s[k]
					axpy(row[k+1:], row[k], want.row(k)[k+1:])
				}
			}
			for i := range want.rows {
				for j := range want.cols {
					if i != j && got.row(i)[j] != want.row(i)[j] {
						t.Fatalf("%v: entry %d, %d is %v, not %v", size, i, j, got.row(i)[j], want.row(i)[j])
					}
				}
			}
		}
	}
}

func TestAddProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const ld = 29
	for _, depth := range []int{0, 1, 2, 7, 16} {
		c, a, b := make([]float64, 4*ld), make([]float64, 4*ld), make([]float64, 16*strip)
		for _, x := range [][]float64{c, a, b} {
			for k := range x {
				x[k] = r.NormFloat64()
			}
		}
		want := append([]float64(nil), c...)
		addProduct(c, ld, a, b, depth)
		addProductGo(want, ld, a, b, depth)
		for k := range c {
			if c[k] != want[k] {
				t.Fatalf("depth %d, element %d: %v, not %v", depth, k, c[k], want[k])
			}
		}
	}
}

func BenchmarkReduction1000(b *testing.B) {
	red := randomReduction(rand.New(rand.NewPCG(1, 3)), 1000, 1000, 999)
	from := append([]float64(nil), red.a...)
	for b.Loop() {
		copy(red.a, from)
		red.run()
	}
}
