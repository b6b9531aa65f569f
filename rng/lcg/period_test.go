package lcg_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng/lcg"
)

// walkPeriod follows the sequence until a state comes again.
func walkPeriod(g lcg.Generator, seed uint64) (tail, period uint64) {
	when := make([]uint64, g.Modulus) // one more than the time of the visit
	for x, n := seed, uint64(0); ; n++ {
		if when[x] > 0 {
			return when[x] - 1, n - when[x] + 1
		}
		when[x] = n + 1
		x = (g.Multiplier*x + g.Increment) % g.Modulus
	}
}

// hullDobell are the conditions of the full period.
func hullDobell(g lcg.Generator) bool {
	if common(g.Increment, g.Modulus) != 1 || g.Modulus%4 == 0 && g.Multiplier%4 != 1 {
		return false
	}
	for p := uint64(2); p <= g.Modulus; p++ {
		if g.Modulus%p == 0 && (g.Multiplier+p-1)%p != 0 { // p's multiples ask no more than p
			if prime(p) {
				return false
			}
		}
	}
	return true
}

func common(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

func prime(p uint64) bool {
	for q := uint64(2); q*q <= p; q++ {
		if p%q == 0 {
			return false
		}
	}
	return p > 1
}

// Every generator and seed with a modulus to 20, by walking; and Hull and Dobell's theorem.
func TestPeriodAll(t *testing.T) {
	for m := uint64(2); m <= 20; m++ {
		for a := range m {
			for c := range m {
				g := lcg.Generator{Modulus: m, Multiplier: a, Increment: c}
				full := true
				for seed := range m {
					tail, period, err := g.Period(seed)
					wantTail, want := walkPeriod(g, seed)
					if err != nil || tail != wantTail || period != want {
						t.Fatalf("%+v from %d: %d then %d (%v), want %d then %d", g, seed, tail, period, err, wantTail, want)
					}
					full = full && period == m
				}
				if full != hullDobell(g) {
					t.Fatalf("%+v: full period %v, by Hull and Dobell %v", g, full, !full)
				}
			}
		}
	}
}

func TestPeriodRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 500 {
		m := 2 + r.Uint64N(50_000)
		g := lcg.Generator{Modulus: m, Multiplier: r.Uint64N(m), Increment: r.Uint64N(m)}
		checkPeriod(t, g, r.Uint64N(m))
	}
}

func checkPeriod(t *testing.T, g lcg.Generator, seed uint64) {
	t.Helper()
	tail, period, err := g.Period(seed)
	wantTail, want := walkPeriod(g, seed)
	if err != nil || tail != wantTail || period != want {
		t.Errorf("%+v from %d: %d then %d (%v), want %d then %d", g, seed, tail, period, err, wantTail, want)
	}
}

// Periods that nobody walks. The multipliers modulo 2⁶³ and the prime 2⁶⁴ − 59 are from L'Ecuyer (1999), "Tables of linear
// congruential generators of different sizes and good lattice structure", Math. Comp. 68; 4294967291 and 4294967279
// are primes.
func TestPeriodLarge(t *testing.T) {
	for name, c := range map[string]struct {
		g    lcg.Generator
		seed uint64
		want uint64
	}{
		"MINSTD":   {lcg.MINSTD(), 1, 1<<31 - 2},
		"RANDU":    {lcg.RANDU(), 1, 1 << 29},
		"Java":     {lcg.Java(), 0, 1 << 48},
		"zero":     {lcg.MINSTD(), 0, 1},
		"2⁶⁴ − 59": {lcg.Generator{Modulus: 1<<64 - 59, Multiplier: 13891176665706064842}, 1, 1<<64 - 60},
		"2⁶³":      {lcg.Generator{Modulus: 1 << 63, Multiplier: 3512401965023503517}, 1, 1 << 61},
		"semi":     {lcg.Generator{Modulus: 4294967291 * 4294967279, Multiplier: 1, Increment: 1}, 7, 4294967291 * 4294967279},
	} {
		if tail, period, err := c.g.Period(c.seed); err != nil || tail != 0 || period != c.want {
			t.Errorf("%s: %d then %d (%v), want period %d", name, tail, period, err, c.want)
		}
	}
}

func FuzzPeriod(f *testing.F) {
	f.Add(uint16(100), uint16(21), uint16(7), uint16(0))
	f.Fuzz(func(t *testing.T, m, a, c, seed uint16) {
		if m < 2 {
			return
		}
		checkPeriod(t, lcg.Generator{Modulus: uint64(m), Multiplier: uint64(a % m), Increment: uint64(c % m)}, uint64(seed%m))
	})
}
