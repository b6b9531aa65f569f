package multispin

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

// digest updates a row of random words three times on a set and returns a hash of what is then there: the row, the state of the
// generators, the pairs that differ, and the words around the row, which must not change.
func digest(s set, seed uint64, vectors int, kind Kind, neighbours int, beta float64) uint64 {
	r := rand.New(rand.NewPCG(seed, uint64(vectors)))
	live := uint64(math.MaxUint64)
	if r.IntN(3) == 0 {
		live = r.Uint64()
	}
	w := newWorld(r, vectors, neighbours, live)
	if r.IntN(3) == 0 { // all spins of a class, so that vectors are undecided at the same places
		for _, words := range [][]uint64{w.row.Self, w.row.Beside, w.row.Across[0], w.row.Across[1], w.row.Across[2], w.row.Across[3]} {
			clear(words)
		}
	}
	rule := ruleAt(kind, neighbours, r.IntN(2) == 0, beta)
	var l Lanes
	l.Seed(streams.New(seed, "twin").Stream(uint64(vectors)))
	h := fnv.New64a()
	put := func(words []uint64) {
		for _, v := range words {
			h.Write(binary.LittleEndian.AppendUint64(nil, v))
		}
	}
	for range 3 {
		s.update(&w.row, rule, &l)
		put([]uint64{uint64(s.unequal(&w.row, neighbours))})
		turned := make([]uint64, vectors*Vector)
		bits := 1 + r.IntN(64)
		s.turn(turned, w.row.Self, 1, bits-1, live>>(64-bits))
		put(turned)
	}
	for _, words := range [][]uint64{w.row.Self, w.row.Live, w.row.Beside, w.row.Across[0], w.row.Across[1], w.row.Across[2], w.row.Across[3]} {
		put(words)
	}
	for _, lane := range l.s {
		put(lane[:])
	}
	return h.Sum64()
}

var betas = []float64{0, 0.05, 0.22, 0.44, 1, 6, math.Inf(1)}

func TestSameBits(t *testing.T) {
	t.Logf("%v", sets())
	for _, kind := range []Kind{Metropolis, HeatBath} {
		for _, neighbours := range []int{4, 6} {
			for _, beta := range betas {
				for vectors := range 30 {
					for seed := range uint64(5) {
						want := digest(plainGo, seed, vectors, kind, neighbours, beta)
						for _, s := range sets() {
							if got := digest(s, seed, vectors, kind, neighbours, beta); got != want {
								t.Fatalf("kind %d, %d neighbours, β = %v, %d vectors, seed %d: %v gives %#x, want %#x", kind, neighbours, beta, vectors, seed, s, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func FuzzSameBits(f *testing.F) {
	f.Add(uint64(1), uint8(17), 0.4)
	f.Fuzz(func(t *testing.T, seed uint64, vectors uint8, beta float64) {
		if !(beta >= 0) {
			t.Skip("no inverse temperature")
		}
		for _, kind := range []Kind{Metropolis, HeatBath} {
			for _, neighbours := range []int{4, 6} {
				want := digest(plainGo, seed, int(vectors), kind, neighbours, beta)
				for _, s := range sets() {
					if got := digest(s, seed, int(vectors), kind, neighbours, beta); got != want {
						t.Errorf("kind %d, %d neighbours on %v: %#x, want %#x", kind, neighbours, s, got, want)
					}
				}
			}
		}
	})
}

// golden freezes the bits: they reach draws, so they must be the same on every machine and in every release.
var golden = map[string]uint64{
	"0 4": 0x3d92fd1ca0cb1b3d,
	"0 6": 0x67e5e1d3939709d3,
	"1 4": 0x679448d65f9b6a81,
	"1 6": 0xd9061e800a4b0e16,
}

func TestGolden(t *testing.T) {
	for _, kind := range []Kind{Metropolis, HeatBath} {
		for _, neighbours := range []int{4, 6} {
			name := fmt.Sprint(kind, neighbours)
			for _, s := range sets() {
				h := uint64(0)
				for vectors := range 20 {
					for _, beta := range []float64{0, 0.25, 0.5, 1} {
						h = h*31 + digest(s, 9, vectors, kind, neighbours, beta)
					}
				}
				if h != golden[name] {
					t.Errorf("%q on %v: %#x, want %#x", name, s, h, golden[name])
				}
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(1, 1)), 9, 6, math.MaxUint64)
	rule := ruleAt(HeatBath, 6, false, 0.2)
	var l Lanes
	from := streams.New(1, "test").Stream(1)
	if n := testing.AllocsPerRun(100, func() {
		l.Seed(from)
		w.row.Update(rule, &l)
		w.row.Unequal(6)
		Turn(w.self, w.row.Self, 64, true)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, s := range sets() {
		for _, neighbours := range []int{4, 6} {
			for _, kind := range []Kind{Metropolis, HeatBath} {
				b.Run(fmt.Sprintf("%v/%d/%d", s, neighbours, kind), func(b *testing.B) {
					w := newWorld(rand.New(rand.NewPCG(1, 1)), 128, neighbours, math.MaxUint64)
					rule := ruleAt(kind, neighbours, false, []float64{0.44, 0.22}[neighbours/2-2])
					var l Lanes
					l.Seed(streams.New(1, "test").Stream(1))
					for b.Loop() {
						s.update(&w.row, rule, &l)
					}
					b.ReportMetric(float64(b.N)*65536/float64(b.Elapsed().Nanoseconds()), "spins/ns")
				})
			}
		}
	}
}
