package multispin

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// world is a row among words of its own.
type world struct {
	row        Row
	self       []uint64 // a copy of the row before updates
	neighbours int
}

func newWorld(r *rand.Rand, vectors, neighbours int, live uint64) *world {
	n := vectors * Vector
	random := func(n int) []uint64 {
		x := make([]uint64, n)
		for i := range x {
			x[i] = r.Uint64()
		}
		return x
	}
	w := &world{neighbours: neighbours, self: random(n)}
	w.row = Row{Self: slices.Clone(w.self), Live: make([]uint64, n), Beside: random(n + 2), Before: r.Uint64()}
	for i := range neighbours - 2 {
		w.row.Across[i] = random(n)
	}
	for i := range w.row.Live {
		w.row.Live[i] = live
	}
	return w
}

// up is the number of neighbours that are up of a bit of a word, counted one by one.
func (w *world) up(i, bit int) int {
	at := func(x uint64) int { return int(x >> bit & 1) }
	n := at(w.row.Beside[i+1])
	if at(w.row.Before) == 1 {
		n += at(w.row.Beside[i])
	} else {
		n += at(w.row.Beside[i+2])
	}
	for _, a := range w.row.Across[:w.neighbours-2] {
		n += at(a[i])
	}
	return n
}

// probability is that of the spin being up after an update, from the definition of the update.
func probability(kind Kind, neighbours, up int, anti, spin bool, beta float64) float64 {
	field := float64(2*up - neighbours)
	if anti {
		field = -field
	}
	if kind == HeatBath {
		return 1 / (1 + math.Exp(-2*beta*field))
	}
	s := -1.0
	if spin {
		s = 1
	}
	turn := math.Min(1, math.Exp(-2*beta*s*field))
	if spin {
		return 1 - turn
	}
	return turn
}

func ruleAt(kind Kind, neighbours int, anti bool, beta float64) *Rule {
	rule := NewRule(kind, neighbours)
	var t []uint64
	for c := 1; c <= neighbours/2; c++ {
		p := vec.Exp(-4 * beta * float64(c))
		if kind == HeatBath {
			p /= 1 + p
		}
		if p == 1 {
			t = append(t, math.MaxUint64)
			continue
		}
		t = append(t, uint64(p*0x1p64))
	}
	rule.Set(t, anti)
	return rule
}

// Every number of neighbours that are up, with the spin up and down, has its probability. Per rule there are 2.7e8 decisions of spins,
// 2.1e9 in all; of 96 binomial counts each is within 6.5 standard deviations, a false alarm of 8e-9.
func TestFrequencies(t *testing.T) {
	updates := 2000
	if testing.Short() {
		updates = 100
	}
	seed := uint64(0)
	for _, neighbours := range []int{4, 6} {
		for _, kind := range []Kind{Metropolis, HeatBath} {
			for _, anti := range []bool{false, true} {
				seed++
				beta := []float64{0.44, 0.22}[neighbours/2-2]
				name := fmt.Sprintf("%d neighbours, kind %d, anti %v", neighbours, kind, anti)
				frequencies(t, name, kind, neighbours, anti, beta, updates, seed)
			}
		}
	}
}

func frequencies(t *testing.T, name string, kind Kind, neighbours int, anti bool, beta float64, updates int, seed uint64) {
	w := newWorld(rand.New(rand.NewPCG(seed, 1)), 256, neighbours, math.MaxUint64)
	rule := ruleAt(kind, neighbours, anti, beta)
	// Masks of the bits of each word that have a number of neighbours up and a spin.
	masks := make([][7][2]uint64, len(w.self))
	var trials, ups [7][2]int
	for i, s := range w.self {
		for bit := range 64 {
			k, spin := w.up(i, bit), s>>bit&1
			masks[i][k][spin] |= 1 << bit
			trials[k][spin] += updates
		}
	}
	var l Lanes
	l.Seed(streams.New(seed, "test").Stream(2))
	for range updates {
		copy(w.row.Self, w.self)
		w.row.Update(rule, &l)
		for i, s := range w.row.Self {
			for k := range neighbours + 1 {
				ups[k][0] += bits.OnesCount64(s & masks[i][k][0])
				ups[k][1] += bits.OnesCount64(s & masks[i][k][1])
			}
		}
	}
	for k := range neighbours + 1 {
		for spin := range 2 {
			n, p := float64(trials[k][spin]), probability(kind, neighbours, k, anti, spin == 1, beta)
			got := float64(ups[k][spin])
			if math.Abs(got-n*p) > 6.5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s: with %d neighbours up a spin %d was up %v times of %v, want %.1f", name, k, spin, got, n, n*p)
			}
		}
	}
}

// Decisions about different spins are independent: of all spins in the same class, those next to each other as bits, as words,
// as vectors and as groups, and the same one in two updates, both turn as often as two independent ones. The variance of a count of
// pairs is N·p²·(1 − p²) + 2N·(p³ − p⁴), since each spin has two partners; 10 counts within 6.5 standard deviations are a false
// alarm of 8e-10.
func TestIndependentDecisions(t *testing.T) {
	const updates = 1000
	for _, p := range []float64{0.171572875, 0.4} {
		w := newWorld(rand.New(rand.NewPCG(3, 3)), 512, 4, math.MaxUint64)
		n := len(w.self)
		clear(w.self)
		clear(w.row.Beside)
		clear(w.row.Across[0])
		clear(w.row.Across[1])
		rule := NewRule(Metropolis, 4)
		rule.Set([]uint64{1 << 63, uint64(p * 0x1p64)}, false)
		var l Lanes
		l.Seed(streams.New(4, "test").Stream(4))
		names := []string{"bits", "words", "vectors", "groups", "updates"}
		var both [5]int
		before := make([]uint64, n)
		for step := range updates + 1 {
			copy(w.row.Self, w.self)
			w.row.Update(rule, &l)
			if step == 0 {
				copy(before, w.row.Self)
				continue
			}
			for i, s := range w.row.Self {
				for k, other := range []uint64{bits.RotateLeft64(s, 1), w.row.Self[(i+1)%n], w.row.Self[(i+Vector)%n],
					w.row.Self[(i+group*Vector)%n], before[i]} {
					both[k] += bits.OnesCount64(s & other)
				}
			}
			copy(before, w.row.Self)
		}
		total := float64(updates * n * 64)
		sd := math.Sqrt(total * (p*p*(1-p*p) + 2*p*p*p*(1-p)))
		for k, got := range both {
			if math.Abs(float64(got)-total*p*p) > 6.5*sd {
				t.Errorf("p = %v: neighbouring %s turned both %d times, want %.0f ± %.0f", p, names[k], got, total*p*p, sd)
			}
		}
	}
}

// Bits that are not spins stay as they are, and do not change what spins do.
func TestOnlySpins(t *testing.T) {
	for _, neighbours := range []int{4, 6} {
		for _, kind := range []Kind{Metropolis, HeatBath} {
			rule := ruleAt(kind, neighbours, false, 0.3)
			const live = 0x0000ffffffff00ff
			var after [2][]uint64
			for k := range after {
				w := newWorld(rand.New(rand.NewPCG(5, 5)), 9, neighbours, live)
				r := rand.New(rand.NewPCG(6, uint64(k)))
				for _, words := range [][]uint64{w.row.Self, w.row.Beside, w.row.Across[0], w.row.Across[1], w.row.Across[2], w.row.Across[3]} {
					for i := range words {
						words[i] ^= r.Uint64() &^ live
					}
				}
				dead := slices.Clone(w.row.Self)
				var l Lanes
				l.Seed(streams.New(7, "test").Stream(7))
				w.row.Update(rule, &l)
				for i, s := range w.row.Self {
					if (s^dead[i])&^live != 0 {
						t.Fatalf("kind %d: word %d: a bit that is no spin has changed", kind, i)
					}
					after[k] = append(after[k], s&live)
				}
			}
			if !slices.Equal(after[0], after[1]) {
				t.Errorf("kind %d: bits that are no spins change what spins do", kind)
			}
		}
	}
}

// Probabilities 0, ½ and 1 − 2⁻⁶⁴ have thresholds that end in the first plane or not at all.
func TestExtremeThresholds(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(8, 8)), 40, 4, math.MaxUint64)
	var l Lanes
	l.Seed(streams.New(9, "test").Stream(9))
	for name, c := range map[string]struct {
		threshold uint64
		least     int
		most      int
	}{
		"never":       {0, 0, 0},
		"always":      {math.MaxUint64, 40 * 512, 40 * 512},
		"half":        {1 << 63, 10240 - 465, 10240 + 465}, // 6.5 standard deviations
		"almost none": {1, 0, 0},
	} {
		rule := NewRule(Metropolis, 4)
		rule.Set([]uint64{c.threshold, c.threshold}, false)
		clear(w.row.Self)
		clear(w.row.Beside)
		clear(w.row.Across[0])
		clear(w.row.Across[1])
		w.row.Update(rule, &l)
		n := 0
		for _, s := range w.row.Self {
			n += bits.OnesCount64(s)
		}
		if n < c.least || n > c.most {
			t.Errorf("%s: %d of %d spins turned, want %d to %d", name, n, 40*512, c.least, c.most)
		}
	}
}

func TestUnequal(t *testing.T) {
	for _, neighbours := range []int{4, 6} {
		for vectors := range 12 {
			w := newWorld(rand.New(rand.NewPCG(10, uint64(vectors))), vectors, neighbours, 0x00ffffffff0fffff)
			want := 0
			for i, s := range w.row.Self {
				for bit := range 64 {
					if w.row.Live[i]>>bit&1 == 0 {
						continue
					}
					if k := w.up(i, bit); s>>bit&1 == 1 {
						want += neighbours - k
					} else {
						want += k
					}
				}
			}
			if got := w.row.Unequal(neighbours); got != want {
				t.Errorf("%d vectors, %d neighbours: %d pairs differ, want %d", vectors, neighbours, got, want)
			}
		}
	}
}

func TestTurn(t *testing.T) {
	for _, c := range []struct {
		bits           int
		src, up, lower uint64
	}{
		{1, 1, 1, 1},
		{64, 1<<63 | 2, 5, 1<<62 | 1},
		{5, 0b10010, 0b00101, 0b01001},
		{2, 0b01, 0b10, 0b10},
	} {
		src, dst := slices.Repeat([]uint64{c.src}, 24), make([]uint64, 24)
		Turn(dst, src, c.bits, true)
		if !slices.Equal(dst, slices.Repeat([]uint64{c.up}, 24)) {
			t.Errorf("%b of %d bits turns up to %b", c.src, c.bits, dst)
		}
		Turn(dst, src, c.bits, false)
		if !slices.Equal(dst, slices.Repeat([]uint64{c.lower}, 24)) {
			t.Errorf("%b of %d bits turns down to %b", c.src, c.bits, dst)
		}
	}
}

func TestLengthsThatDoNotFit(t *testing.T) {
	w := newWorld(rand.New(rand.NewPCG(11, 11)), 2, 4, math.MaxUint64)
	for name, change := range map[string]func(r *Row){
		"self":         func(r *Row) { r.Self = r.Self[:9] },
		"live":         func(r *Row) { r.Live = r.Live[:15] },
		"beside":       func(r *Row) { r.Beside = r.Beside[:17] },
		"across":       func(r *Row) { r.Across[1] = nil },
		"not a vector": func(r *Row) { r.Self, r.Live, r.Beside = r.Self[:9], r.Live[:9], r.Beside[:11] },
	} {
		row := w.row
		change(&row)
		if !panics(func() { row.Update(NewRule(Metropolis, 4), new(Lanes)) }) || !panics(func() { row.Unequal(4) }) {
			t.Errorf("%s: no panic", name)
		}
	}
	if !panics(func() { Turn(make([]uint64, 8), make([]uint64, 7), 5, true) }) || !panics(func() { Turn(make([]uint64, 8), make([]uint64, 8), 65, true) }) {
		t.Error("words that do not fit are turned")
	}
	if !panics(func() { NewRule(Metropolis, 5) }) || !panics(func() { NewRule(HeatBath, 6).Set([]uint64{1, 2}, false) }) {
		t.Error("a rule that does not exist passes")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
