package spinlanes

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// sets are those that this machine can run.
func sets() (s []set) {
	for i := plainGo; i <= best(); i++ {
		s = append(s, i)
	}
	return s
}

// randomGraph has couplings of absolute values up to most, each pair of spins with probability dense, and fields up to field.
func randomGraph(r *rand.Rand, n int, dense float64, most, field int) *Graph {
	rows := make([]map[uint32]int32, n)
	for i := range rows {
		rows[i] = map[uint32]int32{}
	}
	fields := make([]int32, n)
	for i := range n {
		fields[i] = int32(r.IntN(2*field+1) - field)
		for j := range i {
			if r.Float64() < dense {
				w := int32(r.IntN(most) + 1)
				if r.IntN(2) == 0 {
					w = -w
				}
				rows[i][uint32(j)], rows[j][uint32(i)] = w, w
			}
		}
	}
	first, at, weight := []uint32{0}, []uint32(nil), []int32(nil)
	for i := range rows {
		for j := range uint32(n) {
			if w, ok := rows[i][j]; ok {
				at, weight = append(at, j), append(weight, w)
			}
		}
		first = append(first, uint32(len(at)))
	}
	return NewGraph(fields, first, at, weight)
}

func randomState(r *rand.Rand, g *Graph) *State {
	s := NewState(g)
	for i := range s.Up {
		s.Up[i] = r.Uint32()
	}
	s.Refresh()
	return s
}

// digest is a hash of all that three sweeps leave.
func digest(with set, g *Graph, seed uint64, rate float64) uint64 {
	s := randomState(rand.New(rand.NewPCG(seed, 7)), g)
	var t Thresholds
	var gen Generator
	gen.Seed(streams.New(seed, "twin").Stream(0))
	t.Set(rate, g.Bound())
	h := fnv.New64a()
	for k := range 3 {
		fmt.Fprint(h, s.sweep(with, &t, &gen, k*7%len(s.Up), k), s.Up, s.Energy, s.f16, s.f32)
	}
	for _, w := range gen.s {
		for _, v := range w {
			h.Write(binary.LittleEndian.AppendUint64(nil, v))
		}
	}
	return h.Sum64()
}

// shapes are graphs of all kinds: units or not, 16 or 32 bits, one digit and many.
var shapes = []struct {
	n           int
	dense       float64
	most, field int
}{
	{1, 0, 1, 0}, {1, 0, 1, 3}, {2, 1, 1, 0}, {40, 0.1, 1, 0}, {90, 0.9, 1, 2}, {300, 0.02, 1, 1}, {40, 0.2, 3, 5}, {60, 0.5, 100, 1000},
	{50, 0.3, 2000, 0}, {30, 0.5, 40_000, 5}, {20, 0.5, 10_000_000, 500_000_000}, {9, 0, 1, MaxField},
}

var rates = []float64{0, 1e-9, 1e-6, 1e-4, 0.01, 0.1, 0.5, 1, 2, 7, 44, 45, 1000, math.Inf(1)}

func TestSameBits(t *testing.T) {
	t.Logf("%v", sets())
	for k, c := range shapes {
		for _, rate := range rates {
			for seed := range uint64(3) {
				g := randomGraph(rand.New(rand.NewPCG(seed, uint64(k))), c.n, c.dense, c.most, c.field)
				want := digest(plainGo, g, seed, rate)
				for _, s := range sets() {
					if got := digest(s, g, seed, rate); got != want {
						t.Fatalf("shape %d, rate %v, seed %d: %v gives %#x, want %#x", k, rate, seed, s, got, want)
					}
				}
			}
		}
	}
}

// Where thresholds are like random bits, lanes are tied as often in all planes as they can be.
func TestSameBitsOfTies(t *testing.T) {
	for k, c := range shapes {
		g := randomGraph(rand.New(rand.NewPCG(1, uint64(k))), c.n, c.dense, c.most, c.field)
		var want *State
		for _, with := range sets() {
			s := randomState(rand.New(rand.NewPCG(3, 7)), g)
			var th Thresholds
			th.Set(0.001, g.Bound())
			r := rand.New(rand.NewPCG(5, 5))
			// Generators of few bits: most outputs are 0, and so are thresholds.
			var gen Generator
			for i := range gen.s[0] {
				gen.s[0][i] = 1 << r.IntN(64)
			}
			for i := range th.planes {
				if r.IntN(3) > 0 {
					th.planes[i] = 0
				}
			}
			for range 2 {
				s.sweep(with, &th, &gen, 0, 0)
			}
			if want == nil {
				want = s
			}
			if fmt.Sprint(s.Up, s.Energy, s.f16, s.f32) != fmt.Sprint(want.Up, want.Energy, want.f16, want.f32) {
				t.Errorf("shape %d: %v differs", k, with)
			}
		}
	}
}

// Fields and energies that sweeps have kept are those of the spins.
func TestKept(t *testing.T) {
	for k, c := range shapes {
		for _, with := range sets() {
			g := randomGraph(rand.New(rand.NewPCG(9, uint64(k))), c.n, c.dense, c.most, c.field)
			s := randomState(rand.New(rand.NewPCG(3, 7)), g)
			var th Thresholds
			var gen Generator
			gen.Seed(streams.New(1, "kept").Stream(0))
			th.Set(1/float64(g.Bound()), g.Bound())
			for range 5 {
				s.sweep(with, &th, &gen, 0, 0)
			}
			kept := fmt.Sprint(s.Energy, s.f16, s.f32)
			s.Refresh()
			if again := fmt.Sprint(s.Energy, s.f16, s.f32); again != kept {
				t.Errorf("shape %d, %v: kept\n%.300s\nwant\n%.300s", k, with, kept, again)
			}
		}
	}
}
