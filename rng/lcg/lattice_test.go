package lcg_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng/lcg"
)

// The squares of ν₂ … ν₆ in Knuth (1997), The Art of Computer Programming 2, section 3.3.4, table 1; RANDU's are those
// of modulus 2²⁹, as one seed reaches a quarter of the states.
func TestLatticeOfKnuth(t *testing.T) {
	for name, c := range map[string]struct {
		g    lcg.Generator
		want [5]float64
	}{
		"RANDU":  {lcg.Generator{Modulus: 1 << 29, Multiplier: 65539}, [5]float64{536936458, 118, 116, 116, 116}},
		"MINSTD": {lcg.MINSTD(), [5]float64{282475250, 408197, 21682, 4439, 895}},
		"23":     {lcg.Generator{Modulus: 100_000_001, Multiplier: 23}, [5]float64{530, 530, 530, 530, 447}},
	} {
		for i, want := range c.want {
			l, err := c.g.Lattice(i + 2)
			if err != nil || math.Abs(l.Nu*l.Nu/want-1) > 1e-14 {
				t.Errorf("%s: ν² in %d dimensions is %v (%v), want %v", name, i+2, l.Nu*l.Nu, err, want)
			}
		}
	}
}

// Against all dual vectors of a box, for small generators of every kind.
func TestLatticeBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		m := 2 + r.Uint64N(200)
		g := lcg.Generator{Modulus: m, Multiplier: r.Uint64N(m), Increment: r.Uint64N(m)}
		for d := 2; d <= 4; d++ {
			l, err := g.Lattice(d)
			if err != nil {
				t.Fatal(err)
			}
			if want := shortestDual(g, d); int(math.Round(l.Nu*l.Nu)) != want || !dual(g, l.Normal) {
				t.Errorf("%+v, %d dimensions: ν² = %v by %v, want %d", g, d, l.Nu*l.Nu, l.Normal, want)
			}
			if got := planesSeen(g, l.Normal); got > int(l.Planes) {
				t.Errorf("%+v: %d planes seen, %d said", g, got, l.Planes)
			}
		}
	}
}

// dual reports whether h·(1, a, a², …) is 0 modulo the modulus.
func dual(g lcg.Generator, h []int64) bool {
	sum, power := int64(0), int64(1)
	for _, v := range h {
		sum += v * power
		power = power * int64(g.Multiplier) % int64(g.Modulus)
	}
	return sum%int64(g.Modulus) == 0
}

// shortestDual tries all vectors with entries to 15; as ν ≤ 1.08 √200 in two dimensions and less in more, that is enough.
func shortestDual(g lcg.Generator, d int) int {
	best := math.MaxInt
	h := make([]int64, d)
	var walk func(i, norm int)
	walk = func(i, norm int) {
		if norm >= best {
			return
		}
		if i == d {
			if norm > 0 && dual(g, h) {
				best = norm
			}
			return
		}
		for v := int64(0); v <= 15; v++ {
			for _, h[i] = range []int64{v, -v} {
				walk(i+1, norm+int(v*v))
			}
		}
	}
	walk(0, 0)
	return best
}

// planesSeen counts the planes on which the points over all states lie that are inside the cube.
func planesSeen(g lcg.Generator, h []int64) int {
	seen := map[int64]bool{}
	for x := range g.Modulus {
		sum, y, inside := int64(0), x, true
		for _, v := range h {
			inside = inside && y > 0
			sum += v * int64(y)
			y = (g.Multiplier*y + g.Increment) % g.Modulus
		}
		if inside {
			seen[sum] = true
		}
	}
	return len(seen)
}

// With so many states as points, every plane is met; h = (9, −6, 1).
func TestRANDUPlanes(t *testing.T) {
	l, err := lcg.RANDU().Lattice(3)
	if err != nil || l.Planes != 15 || l.Normal[0] != 9 || l.Normal[1] != -6 || l.Normal[2] != 1 {
		t.Fatalf("%+v, %v; want 15 planes at right angles to (9, -6, 1)", l, err)
	}
	s := start(t, lcg.RANDU(), 1)
	u, v := s.Float64(), s.Float64()
	count := map[float64]int{}
	for range 200_000 {
		w := s.Float64()
		k := 9*u - 6*v + w // multiples of 2⁻³¹ below 16: exact
		if k != math.Floor(k) {
			t.Fatalf("(%v, %v, %v) lies on none of the planes", u, v, w)
		}
		count[k]++
		u, v = v, w
	}
	for k := -5.0; k <= 9; k++ {
		if count[k] == 0 {
			t.Errorf("no triple on plane %v", k)
		}
	}
	if len(count) != 15 {
		t.Errorf("triples lie on %d planes, want 15", len(count))
	}
}

// In as many dimensions as allowed, at moduli of 64 bits, good and degenerate: the answer comes at once, and obeys
// Hermite's bound ν² ≤ γ m^(2/d) with γ ≤ (4/3)^((d−1)/2).
func TestLatticeLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for i := range 60 {
		m := r.Uint64() | 1<<63
		a := r.Uint64N(m)
		switch i % 6 {
		case 0:
			a = 0
		case 1:
			a = 1
		case 2:
			a = m - 1
		case 3:
			a = 1 << 32
		}
		for _, d := range []int{2, 3, 8, 12} {
			l, err := lcg.Generator{Modulus: m, Multiplier: a}.Lattice(d)
			bound := math.Pow(4.0/3, float64(d-1)/4) * math.Pow(float64(m), 1/float64(d))
			if err != nil || !(l.Nu >= 1 && l.Nu <= bound*(1+1e-12)) {
				t.Errorf("m = %d, a = %d in %d dimensions: ν = %v (%v), at most %v", m, a, d, l.Nu, err, bound)
			}
		}
	}
}
