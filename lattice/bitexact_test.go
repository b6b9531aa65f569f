package lattice_test

import (
	"fmt"
	"math"
	"testing"

	. "github.com/ergodic-mcmc/ergodic/lattice"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// batched is a mean with its standard error from the means of batches, which are much longer than what is averaged remembers.
type batched struct{ sum, sum2, n float64 }

func (b *batched) add(mean float64) {
	b.sum += mean
	b.sum2 += mean * mean
	b.n++
}

// z is how many standard errors the mean lies above a value.
func (b *batched) z(value float64) float64 {
	mean := b.sum / b.n
	return (mean - value) / math.Sqrt((b.sum2/b.n-mean*mean)/(b.n-1))
}

// comparisons counts those of means of 100 batches with exact numbers. Under Student's law with 99 degrees of freedom one of 200
// is beyond 6.5 with probability 7e-7, and four are beyond 4 with probability 1e-8.
type comparisons struct {
	n, beyond4 int
	most       float64
}

func (c *comparisons) judge(t *testing.T, what string, z float64) {
	t.Helper()
	c.n++
	c.most = max(c.most, math.Abs(z))
	if math.Abs(z) > 4 {
		c.beyond4++
		t.Logf("%s: %.2f standard errors from the exact value", what, z)
	}
	if !(math.Abs(z) < 6.5) {
		t.Errorf("%s: %.2f standard errors from the exact value", what, z)
	}
}

func (c *comparisons) end(t *testing.T) {
	t.Helper()
	t.Logf("%d comparisons: the largest deviation is %.2f standard errors, %d are beyond 4", c.n, c.most, c.beyond4)
	if c.beyond4 > 3 {
		t.Errorf("%d of %d deviations are beyond 4 standard errors", c.beyond4, c.n)
	}
}

// average sweeps and returns the means of the energy per site, of its square and of |m|.
func average(t *testing.T, k *BitSweep, b *Bits, seed uint64, warm, batch int) (e, e2, m batched) {
	t.Helper()
	r := rng.New(seed, "bits").Rand
	for range warm {
		k.Step(b, r)
	}
	n := float64(b.Sites())
	for range 100 {
		var se, se2, sm float64
		for range batch {
			k.Step(b, r)
			x := b.Energy(1) / n
			se += x
			se2 += x * x
			sm += math.Abs(b.Magnetisation())
		}
		e.add(se / float64(batch))
		e2.add(se2 / float64(batch))
		m.add(sm / float64(batch))
	}
	return e, e2, m
}

// The exact energies and specific heats are those of ../shared/lattice/exact, from the densities of states (Beale 1996).
func TestBitsFiniteLattices(t *testing.T) {
	var all comparisons
	for i, row := range FiniteIsing(t) {
		side, temperature, energy, heat := row.Side, row.Temperature, row.Energy, row.Heat
		if side > 8 && testing.Short() {
			continue
		}
		for name, make := range sweeps {
			l := periodic(side, side)
			k, err := make(l, 1, 1/temperature, 1)
			if err != nil {
				t.Fatal(err)
			}
			b, err := NewBits(l)
			if err != nil {
				t.Fatal(err)
			}
			e, e2, _ := average(t, k, b, uint64(i), 20*side*side, 100+4*side*side)
			what := fmt.Sprintf("%s, L = %d, T = %v", name, side, temperature)
			all.judge(t, what+", energy", e.z(energy))
			all.judge(t, what+", squared energy", e2.z(energy*energy+heat*temperature*temperature/float64(side*side)))
		}
	}
	all.end(t)
}

// Onsager's energy (1944, equation 116a) and Yang's magnetisation (1952), to 12 digits from mpmath: the correlation length is
// below 3 at both temperatures, so that 256 sites a side are as good as infinitely many.
func TestBitsInfiniteLattice(t *testing.T) {
	var all comparisons
	for _, c := range []struct{ beta, energy, magnetisation float64 }{
		{0.35, -0.879806045288703, 0},
		{0.5, -1.74556457531255, 0.911319377877496},
	} {
		for name, make := range sweeps {
			l := periodic(256, 256)
			k, err := make(l, 1, c.beta, 1)
			if err != nil {
				t.Fatal(err)
			}
			b, err := NewBits(l)
			if err != nil {
				t.Fatal(err)
			}
			e, _, m := average(t, k, b, 7, 1000, 100)
			what := fmt.Sprintf("%s, β = %v", name, c.beta)
			all.judge(t, what+", energy", e.z(c.energy))
			if c.magnetisation > 0 {
				all.judge(t, what+", magnetisation", m.z(c.magnetisation))
			}
		}
	}
	all.end(t)
}

// On the cubic lattice the oracle is the kernel that visits one site after the other; 4 differences of means of 100 batches.
func TestBitsCubicLattice(t *testing.T) {
	l := periodic(6, 4, 8)
	g, err := l.Graph(1)
	if err != nil {
		t.Fatal(err)
	}
	const beta, batch = 0.2, 500
	model := &Model{Graph: g}
	slow, err := NewHeatBath(model, beta, ScanSettings{})
	if err != nil {
		t.Fatal(err)
	}
	r := rng.New(1, "cubic").Rand
	s := model.Random(r)
	var energy, magnetisation batched
	for i := range 101 {
		var se, sm float64
		for range batch {
			slow.Step(s, r)
			se += model.Energy(s) / 192
			sm += math.Abs(model.Magnetisation(s))
		}
		if i > 0 {
			energy.add(se / batch)
			magnetisation.add(sm / batch)
		}
	}
	var all comparisons
	for name, make := range sweeps {
		k, err := make(l, 1, beta, 1)
		if err != nil {
			t.Fatal(err)
		}
		e, _, m := average(t, k, randomBits(t, l, 4), 5, batch, batch)
		all.judge(t, name+", energy", difference(e, energy))
		all.judge(t, name+", magnetisation", difference(m, magnetisation))
	}
	all.end(t)
}

// difference is that of two means in standard errors.
func difference(a, b batched) float64 {
	za, zb := a.z(0), b.z(0)
	ma, mb := a.sum/a.n, b.sum/b.n
	return (ma - mb) / math.Hypot(ma/za, mb/zb)
}

// Replicas at the same temperature, each with a stream of its own, stay apart: random numbers that they shared would make them one
// (../shared/lattice/REFERENCE.md). At L = 24 and this temperature two independent configurations are equal with a probability below
// 2⁻¹⁰⁰, as the entropy is above 0.3 a site.
func TestReplicasStayApart(t *testing.T) {
	l := periodic(24, 24)
	k, err := NewBitHeatBath(l, 1, 0.4, 1)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i := range 64 {
		b := randomBits(t, l, uint64(i))
		r := rng.New(1, "replica", uint64(i)).Rand
		for range 1000 {
			k.Step(b, r)
		}
		s := string(unpacked(t, b).Spins)
		if j, ok := seen[s]; ok {
			t.Errorf("replicas %d and %d are equal", j, i)
		}
		seen[s] = i
	}
}
