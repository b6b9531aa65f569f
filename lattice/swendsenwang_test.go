package lattice

import (
	"hash/crc32"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// clustered are the small models that the algorithms of clusters take: all but Potts antiferromagnets. Chains are long enough for strips.
func clustered() (all []small) {
	for _, m := range smallModels() {
		if m.model.clusterable() == nil {
			all = append(all, m)
		}
	}
	chain := must(Geometry{Size: []int{11}}.Graph(-1))
	return append(all,
		small{"Ising, antiferromagnetic ring of 11", &Model{Graph: chain}, 0.6, false},
		small{"Ising, antiferromagnetic ring of 11 in fields", &Model{Graph: chain, Field: []float64{1, -1, 0.5, 0, 0, 2, -2, 0.3, 0.3, -0.1, 0}}, 0.4, false},
		small{"Ising, periodic 6x2", &Model{Graph: must(Geometry{Size: []int{6, 2}}.Graph(1))}, 0.2, false})
}

// Blocks of all sites, of few, and rows in place of strips: each leaves each small model's distribution invariant.
func TestSwendsenWangExact(t *testing.T) {
	for _, m := range clustered() {
		for _, block := range []int{blockSites, 5, 3, 1} {
			for _, rows := range []bool{false, true} {
				k := must(newSwendsenWang(m.model, m.beta, 2, block))
				if rows && k.regular == nil {
					continue
				}
				if rows {
					k.regular = nil
					if err := k.sortBonds(); err != nil {
						t.Fatal(err)
					}
				}
				f := finite(m.model, m.beta, k)
				if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
					t.Errorf("%s, blocks of %d, rows %t: %v", m.name, block, rows, err)
				}
			}
		}
	}
}

// Given the bonds the clusters are drawn from their distribution, so that the kernel is reversible, and comes everywhere.
func TestSwendsenWangBalancesAndReaches(t *testing.T) {
	for _, m := range clustered() {
		k := must(newSwendsenWang(m.model, m.beta, 1, 4))
		f := finite(m.model, m.beta, k)
		if !math.IsInf(m.beta, 1) && len(f.LogWeight) <= 250 {
			if err := kerneltest.DetailedBalance(f, kerneltest.Settings{}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		if m.beta < 2 {
			if err := kerneltest.Reaches(f, 0, kerneltest.Settings{Steps: 60, Replicates: 3000}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
	}
}

// Eight bonds at a time are open when the scalar rule says so for the same bits.
func TestOpenerFollowsTheScalarRule(t *testing.T) {
	r := rng.New(1, "test").Rand
	spins := make([]uint8, 300)
	for _, c := range []chance{0, 1, 1 << 57, 0x9616_1234_5678_9abc, certain - 1, certain} {
		for _, q := range []int{2, 3, 255} {
			for i := range spins {
				spins[i] = uint8(r.IntN(q))
			}
			unlike := q == 2 && r.IntN(2) == 0
			for trial := range uint64(500) {
				s := streams.New(trial, "test").Stream(0)
				after := s
				o := newOpener(&after, c, unlike)
				off := 1 + r.IntN(90)
				at, n := off+r.IntN(300-off), 1+r.IntN(64)
				n = min(n, 300-at)
				got := o.mask(spins, at, off, n)
				want, last := scalarMask(s, c, unlike, spins, at, off, n)
				if got != want || after != last {
					t.Fatalf("chance %#x, q = %d: %b, want %b", uint64(c), q, got, want)
				}
			}
		}
	}
}

// scalarMask is the rule: 7 random bits, the lowest of each byte of a word, are below the leading 7 bits of the chance, or they are equal and another 57
// are below the others.
func scalarMask(s streams.Stream, c chance, unlike bool, spins []uint8, at, off, n int) (open uint64, _ streams.Stream) {
	for w := 0; w < n; w += 8 {
		word := next(&s)
		for b := range min(8, len(spins)-at-w) {
			i := at + w + b
			if (spins[i] == spins[i-off]) == unlike {
				continue
			}
			u := word >> (8 * b) & 0x7f
			is := u < uint64(c)>>57
			if c == certain {
				is = true
			} else if u == uint64(c)>>57 {
				is = next(&s)>>7 < uint64(c)&(1<<57-1)
			}
			if is && w+b < n {
				open |= 1 << (w + b)
			}
		}
		for b := len(spins) - at - w; b < 8; b++ { // beyond the last spin all are 0
			i := at + w + b
			x := uint8(0)
			if i-off < len(spins) {
				x = spins[i-off]
			}
			if u := word >> (8 * b) & 0x7f; (x == 0) != unlike && c != certain && u == uint64(c)>>57 {
				next(&s)
			}
		}
	}
	return open, s
}

// The chance of 16 bits and a tie is that of 64, and bonds of an infinite β are open.
func TestChance(t *testing.T) {
	m := &Model{}
	for _, c := range []struct{ beta, coupling, p float64 }{
		{0, 1, 0}, {math.Inf(1), 0, 0}, {math.Inf(1), -1e-300, 1}, {1e300, 1, 1}, {0.5, -1, 1 - math.Exp(-1)}, {0.25, 1, 1 - math.Exp(-0.5)},
	} {
		x := m.bondChance(c.beta, c.coupling)
		if got := float64(x) * 0x1p-64; math.Abs(got-c.p) > 1e-15 {
			t.Errorf("β = %v, J = %v: chance %v, want %v", c.beta, c.coupling, got, c.p)
		}
		r := rng.New(1, "test").Rand
		for range 1000 {
			u, v := r.Uint64(), r.Uint64()
			if r.IntN(2) == 0 { // at the threshold
				u = uint64(x)&^(1<<48-1) | u>>16
			}
			lane := uint32(u >> 48)
			if got, want := lane < x.high() || lane == x.high() && x.tie(v), x.happens(u>>48<<48|v>>16); got != want {
				t.Fatalf("β = %v, J = %v: %#x and %#x: %v", c.beta, c.coupling, u, v, got)
			}
		}
	}
}

// What a step says of its clusters is what a search finds: at β = ∞ clusters are the domains.
func TestClustersCounted(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{31, 17}}.Graph(1)), Q: 3}
	r := rng.New(1, "test").Rand
	for _, block := range []int{blockSites, 100, 31} {
		k := must(newSwendsenWang(m, math.Inf(1), 2, block))
		for range 20 {
			s := m.Random(r)
			want := domains(m.Graph, s.Spins)
			k.Step(s, r)
			if got := k.Clusters(); got != want {
				t.Errorf("blocks of %d: %+v, want %+v", block, got, want)
			}
			for name, want := range map[string]float64{"clusters": float64(want.Count), "largest_cluster": float64(want.Largest), "cluster_squares": want.Squares} {
				if got, ok := k.Statistic(name); !ok || got != want {
					t.Errorf("%s = %v, want %v", name, got, want)
				}
			}
		}
	}
}

func domains(g *Graph, spins []uint8) (c Clusters) {
	seen := make([]bool, len(spins))
	for i := range spins {
		if seen[i] {
			continue
		}
		seen[i] = true
		all := []int{i}
		for at := 0; at < len(all); at++ {
			for _, j := range g.Of(all[at]) {
				if !seen[j] && spins[j] == spins[i] {
					seen[j] = true
					all = append(all, int(j))
				}
			}
		}
		c.Count++
		c.Largest = max(c.Largest, len(all))
		c.Squares += float64(len(all) * len(all))
	}
	return c
}

// Draws do not depend on threads, and are frozen: regular and irregular bonds, fields, several blocks.
func TestGoldenClusters(t *testing.T) {
	square := must(Geometry{Size: []int{70, 50}}.Graph(1))
	disordered := must(square.PlusMinus(1, 0.5, 3))
	for _, c := range []struct {
		name  string
		model *Model
		beta  float64
		want  uint32
	}{
		{"Ising", &Model{Graph: square}, 0.44, 0x47c08e6e},
		{"Potts", &Model{Graph: square, Q: 3}, 1, 0x2c21a4ee},
		{"field", &Model{Graph: square, Field: UniformField(3500, 0.01)}, 0.4, 0x44c47b7a},
		{"disorder", &Model{Graph: disordered, Field: UniformField(3500, -0.1)}, 0.7, 0x74c89f37},
	} {
		for threads := 1; threads <= 3; threads++ {
			k := must(newSwendsenWang(c.model, c.beta, threads, 512))
			if got := crc32.ChecksumIEEE([]byte(after(c.model, k, 10))); got != c.want {
				t.Errorf("%s, %d threads: %#x, want %#x", c.name, threads, got, c.want)
			}
		}
	}
}

func TestSwendsenWangAllocatesNothing(t *testing.T) {
	for _, m := range clustered() {
		noAllocation(t, m.model, must(newSwendsenWang(m.model, m.beta, 2, 3)))
	}
}

func TestClusterSettings(t *testing.T) {
	g := must(Geometry{Size: []int{4, 4}}.Graph(1))
	anti := &Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(-1)), Q: 3}
	for _, bad := range []struct {
		model    *Model
		beta     float64
		threads  int
		clusters int
	}{
		{&Model{}, 1, 1, 1}, {&Model{Graph: g}, -1, 1, 1}, {&Model{Graph: g}, math.NaN(), 1, 1}, {anti, 1, 1, 1}, {&Model{Graph: g}, 1, -1, 0},
	} {
		if k, err := NewSwendsenWang(bad.model, bad.beta, bad.threads); err == nil || k != nil {
			t.Errorf("%+v gave %v", bad, k)
		}
		if k, err := NewWolff(bad.model, bad.beta, bad.clusters); err == nil || k != nil {
			t.Errorf("%+v gave %v", bad, k)
		}
	}
}
