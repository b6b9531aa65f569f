package lattice_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	. "github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func periodic(size ...int) Geometry { return Geometry{Kind: Cubic, Size: size, Boundary: Periodic} }

// bitSizes have rows of less than a vector and of more, bands of even and odd height, and as many as 64.
var bitSizes = [][]int{{2, 2}, {4, 2}, {2, 4}, {6, 4}, {4, 6}, {16, 16}, {18, 64}, {130, 12}, {4, 134}, {34, 128}, {20, 66}, {2, 256},
	{2, 2, 2}, {4, 2, 2}, {2, 4, 6}, {6, 4, 2}, {18, 2, 12}, {4, 6, 64}, {6, 4, 128}, {16, 16, 16}, {34, 6, 10}}

func randomBits(t *testing.T, l Geometry, seed uint64) *Bits {
	t.Helper()
	b, err := NewBits(l)
	if err != nil {
		t.Fatal(err)
	}
	b.Randomise(rng.New(seed, "bits", uint64(len(l.Size)), uint64(b.Sites())).Rand)
	return b
}

func unpacked(t *testing.T, b *Bits) *State {
	t.Helper()
	s := &State{Spins: make([]uint8, b.Sites())}
	if err := b.Unpack(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// The oracle of what a configuration of bits is, and of its energy, is the model on the graph.
func TestBitsAreTheModel(t *testing.T) {
	for _, size := range bitSizes {
		l := periodic(size...)
		for _, coupling := range []float64{1, -0.7} {
			g, err := l.Graph(coupling)
			if err != nil {
				t.Fatal(err)
			}
			m := &Model{Graph: g}
			b := randomBits(t, l, 1)
			s := unpacked(t, b)
			if got, want := b.Energy(coupling), m.Energy(s); got != want {
				t.Errorf("%v: the energy is %v, want %v", l, got, want)
			}
			if got, want := b.Magnetisation(), m.Magnetisation(s); got != want {
				t.Errorf("%v: the magnetisation is %v, want %v", l, got, want)
			}
		}
	}
}

func TestBitsPack(t *testing.T) {
	for _, size := range bitSizes {
		l := periodic(size...)
		b := randomBits(t, l, 2)
		s := unpacked(t, b)
		c, err := NewBits(l)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Pack(s); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(unpacked(t, c).Spins, s.Spins) || c.Energy(1) != b.Energy(1) {
			t.Errorf("%v: packed and unpacked spins differ", l)
		}
		data, err := b.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		d := randomBits(t, l, 3)
		if err := d.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(unpacked(t, d).Spins, s.Spins) || d.Energy(1) != b.Energy(1) {
			t.Errorf("%v: what was marshalled differs", l)
		}
	}
}

func TestBitsRefuse(t *testing.T) {
	for _, c := range []struct {
		l    Geometry
		want string
	}{
		{periodic(), "a length for each direction"},
		{periodic(8), "square or a cubic"},
		{periodic(2, 2, 2, 2), "square or a cubic"},
		{periodic(8, 7), "even lengths"},
		{periodic(7, 8), "even lengths"},
		{periodic(8, 1), "even lengths"},
		{periodic(0, 8), "must be 1 or more"},
		{periodic(1<<20, 1<<20), "there may be"},
		{Geometry{Kind: Cubic, Size: []int{8, 8}, Boundary: Open}, "periodic"},
		{Geometry{Kind: Cubic, Size: []int{8, 8}, Boundary: Helical}, "periodic"},
		{Geometry{Kind: Triangular, Size: []int{8, 8}}, "square or a cubic"},
	} {
		if _, err := NewBits(c.l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one with %q", c.l, err, c.want)
		}
		if _, err := NewBitHeatBath(c.l, 1, 1, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error of the sweep %v, want one with %q", c.l, err, c.want)
		}
	}
	for _, beta := range []float64{-1, math.NaN(), math.Inf(-1)} {
		if _, err := NewBitMetropolis(periodic(4, 4), 1, beta, 1); err == nil || !strings.Contains(err.Error(), "0 or more") {
			t.Errorf("β = %v: error %v", beta, err)
		}
	}
	if _, err := NewBitMetropolis(periodic(4, 4), math.Inf(1), 1, 1); err == nil {
		t.Error("an infinite coupling passes")
	}
	b := randomBits(t, periodic(4, 4), 1)
	want := unpacked(t, b)
	if b.Pack(&State{Spins: make([]uint8, 15)}) == nil || b.Pack(&State{Spins: bytes.Repeat([]byte{2}, 16)}) == nil || b.Unpack(&State{}) == nil {
		t.Error("states that do not fit are packed")
	}
	data, _ := b.MarshalBinary()
	if b.UnmarshalBinary(data[1:]) == nil || b.UnmarshalBinary(bytes.Repeat([]byte{0xff}, len(data))) == nil {
		t.Error("bytes that are no spins are taken")
	}
	if !slices.Equal(unpacked(t, b).Spins, want.Spins) {
		t.Error("what was refused has changed the spins")
	}
}

// sweeps makes both kinds.
var sweeps = map[string]func(l Geometry, coupling, beta float64, threads int) (*BitSweep, error){
	"Metropolis": NewBitMetropolis, "heat bath": NewBitHeatBath,
}

// bitsAt are the configurations of a small lattice, numbered by their spins.
func bitsAt(t *testing.T, l Geometry, i int) *Bits {
	b, err := NewBits(l)
	if err != nil {
		t.Fatal(err)
	}
	s := &State{Spins: make([]uint8, b.Sites())}
	for j := range s.Spins {
		s.Spins[j] = uint8(i >> j & 1)
	}
	if err := b.Pack(s); err != nil {
		t.Fatal(err)
	}
	return b
}

func numberOf(t *testing.T, b *Bits) int {
	i := 0
	for j, x := range unpacked(t, b).Spins {
		i |= int(x) << j
	}
	return i
}

// The energies are the model's, on lattices where neighbours are joined by two bonds too.
func TestBitSweepsLeaveTheDistribution(t *testing.T) {
	seed := uint64(0)
	for _, size := range [][]int{{2, 2}, {4, 2}, {2, 4}, {2, 2, 2}} {
		for _, coupling := range []float64{1, -0.5} {
			l := periodic(size...)
			g, err := l.Graph(coupling)
			if err != nil {
				t.Fatal(err)
			}
			m := &Model{Graph: g}
			for _, beta := range []float64{0.1, 0.3} {
				for name, make := range sweeps {
					seed++
					k, err := make(l, coupling, beta, 1)
					if err != nil {
						t.Fatal(err)
					}
					f := kerneltest.Finite[*Bits]{
						State:  func(i int) *Bits { return bitsAt(t, l, i) },
						Index:  func(b *Bits) int { return numberOf(t, b) },
						Kernel: k,
					}
					for i := range 1 << g.Sites() {
						f.LogWeight = append(f.LogWeight, -beta*m.Energy(unpacked(t, bitsAt(t, l, i))))
					}
					if err := kerneltest.Exact(f, kerneltest.Settings{Seed: seed, Replicates: 60000}); err != nil {
						t.Errorf("%s on %v, J = %v, β = %v: %v", name, l, coupling, beta, err)
					}
				}
			}
		}
	}
}

// Onsager's energy per site of the infinite lattice is −0.70450 at β = 0.3.
func ExampleNewBitHeatBath() {
	l := Geometry{Kind: Cubic, Size: []int{256, 256}, Boundary: Periodic}
	spins, err := NewBits(l)
	if err != nil {
		panic(err)
	}
	sweep, err := NewBitHeatBath(l, 1, 0.3, 1)
	if err != nil {
		panic(err)
	}
	r := rng.New(1, "chain").Rand
	sum := 0.0
	for i := range 1200 {
		sweep.Step(spins, r)
		if i >= 200 {
			sum += spins.Energy(1) / float64(spins.Sites())
		}
	}
	fmt.Printf("%.3f\n", sum/1000)
	// Output: -0.704
}

func BenchmarkBits(b *testing.B) {
	for name, make := range sweeps {
		for _, size := range [][]int{{2048, 2048}, {256, 256}, {64, 64}, {16, 16}, {128, 128, 128}} {
			l := periodic(size...)
			b.Run(fmt.Sprintf("%s/%v", name, l), func(b *testing.B) {
				beta := math.Log(1+math.Sqrt2) / 2
				if len(size) == 3 {
					beta = 0.2216546
				}
				s, err := NewBits(l)
				if err != nil {
					b.Fatal(err)
				}
				k, err := make(l, 1, beta, 1)
				if err != nil {
					b.Fatal(err)
				}
				r := rng.New(1, "bench").Rand
				for range 20 {
					k.Step(s, r)
				}
				b.ResetTimer()
				for range b.N {
					k.Step(s, r)
				}
				b.ReportMetric(float64(b.N)*float64(s.Sites())/float64(b.Elapsed().Nanoseconds()), "flips/ns")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
	s, _ := NewBits(periodic(2048, 2048))
	b.Run("energy", func(b *testing.B) {
		for range b.N {
			s.Unequal()
		}
		b.ReportMetric(float64(b.N)*float64(s.Sites())/float64(b.Elapsed().Nanoseconds()), "sites/ns")
	})
}
