package lattice_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	. "github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// bitGolden freezes the spins after ten sweeps from random ones.
var bitGolden = map[string]uint64{
	"Metropolis 16x16":   0x26bb0253a1fc18ca,
	"Metropolis 18x64":   0xa2d8244aa5016de9,
	"Metropolis 4x134":   0x6fb04ab3ca0aabc7,
	"Metropolis 256x256": 0xb83001bff19b165a,
	"Metropolis 4x6x64":  0x581b28a2e2aee94,
	"Metropolis 34x6x10": 0xa2f72d18e6e0d7ed,
	"heat bath 16x16":    0x513a4417b95cc901,
	"heat bath 18x64":    0x403dfc9bc801283e,
	"heat bath 4x134":    0x3e411986407515c1,
	"heat bath 256x256":  0xec0c0c167e1f235f,
	"heat bath 4x6x64":   0x4d014fde8190ed09,
	"heat bath 34x6x10":  0x5e276002d71d0d99,
}

func TestGoldenBits(t *testing.T) {
	for name, make := range sweeps {
		for _, size := range [][]int{{16, 16}, {18, 64}, {4, 134}, {256, 256}, {4, 6, 64}, {34, 6, 10}} {
			l := periodic(size...)
			b := randomBits(t, l, 1)
			k, err := make(l, 1, 0.3, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := rng.New(2, "chain").Rand
			for range 10 {
				k.Step(b, r)
			}
			h := fnv.New64a()
			h.Write(unpacked(t, b).Spins)
			what := fmt.Sprintf("%s %v", name, l)
			if got := h.Sum64(); got != bitGolden[what] {
				t.Errorf("%q: %#x, want %#x", what, got, bitGolden[what])
			}
		}
	}
}

// Threads do not change the spins, in several blocks with ends in the middle of a plane too.
func TestThreadsDoNotChangeBits(t *testing.T) {
	for _, size := range [][]int{{2048, 2048}, {2, 16384}, {64, 30, 1030}} {
		l := periodic(size...)
		var want []byte
		for threads := range 4 {
			b := randomBits(t, l, 1)
			k, err := NewBitMetropolis(l, 1, 0.3, threads)
			if err != nil {
				t.Fatal(err)
			}
			r := rng.New(3, "chain").Rand
			for range 3 {
				k.Step(b, r)
			}
			got, err := b.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%v: other spins with %d threads", l, threads)
			}
		}
	}
}

// A chain goes on from what was marshalled.
func TestBitsResume(t *testing.T) {
	l := periodic(18, 6, 12)
	a, c := randomBits(t, l, 1), randomBits(t, l, 2)
	k, err := NewBitHeatBath(l, -1, 0.2, 1)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(4, "chain")
	for range 5 {
		k.Step(a, stream.Rand)
	}
	spins, _ := a.MarshalBinary()
	state, _ := stream.MarshalBinary()
	k.Step(a, stream.Rand)
	if err := c.UnmarshalBinary(spins); err != nil {
		t.Fatal(err)
	}
	if err := stream.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	k.Step(c, stream.Rand)
	if !slices.Equal(unpacked(t, a).Spins, unpacked(t, c).Spins) {
		t.Error("the resumed chain takes another way")
	}
}

// At β = +Inf spins turn only where that does not raise the energy, at β = 0 Metropolis's rule turns all.
func TestBitsExtremeTemperatures(t *testing.T) {
	for _, size := range [][]int{{34, 34}, {8, 6, 10}} {
		l := periodic(size...)
		for name, make := range sweeps {
			k, err := make(l, 1, math.Inf(1), 1)
			if err != nil {
				t.Fatal(err)
			}
			b := randomBits(t, l, 5)
			r := rng.New(5, "chain").Rand
			before := b.Unequal()
			for range 20 {
				k.Step(b, r)
				if now := b.Unequal(); now > before {
					t.Errorf("%s on %v: the energy rises at β = +Inf", name, l)
				} else {
					before = now
				}
			}
			if err := k.SetBeta(0); err != nil {
				t.Fatal(err)
			}
			up := b.Up()
			k.Step(b, r)
			if name == "Metropolis" && b.Up() != b.Sites()-up {
				t.Errorf("%v: %d of %d spins turned at β = 0", l, b.Sites()-b.Up()-up, b.Sites())
			}
		}
	}
}

func TestBitSweepsDoNotAllocate(t *testing.T) {
	l := periodic(512, 1024)
	for name, make := range sweeps {
		for _, threads := range []int{1, 2} {
			k, err := make(l, 1, 0.44, threads)
			if err != nil {
				t.Fatal(err)
			}
			b, r := randomBits(t, l, 1), rng.New(1, "chain").Rand
			sum := 0.0
			if n := testing.AllocsPerRun(20, func() {
				k.Step(b, r)
				sum += b.Energy(1) + b.Magnetisation()
			}); n != 0 {
				t.Errorf("%s with %d threads: %v allocations a sweep", name, threads, n)
			}
		}
	}
}

func FuzzUnmarshalBits(f *testing.F) {
	l := periodic(6, 4)
	start, err := NewBits(l)
	if err != nil {
		f.Fatal(err)
	}
	seed, _ := start.MarshalBinary()
	f.Add(seed)
	f.Add(seed[1:])
	f.Add(bytes.Repeat([]byte{0x0f}, len(seed)))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := NewBits(l)
		if err != nil {
			t.Fatal(err)
		}
		if b.UnmarshalBinary(data) != nil {
			return
		}
		again, _ := b.MarshalBinary()
		if !bytes.Equal(again, data) {
			t.Errorf("%x becomes %x", data, again)
		}
		c, err := NewBits(l)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Pack(unpacked(t, b)); err != nil || c.Unequal() != b.Unequal() {
			t.Errorf("%x: the copies of the ends are not those of the spins (%v)", data, err)
		}
	})
}
