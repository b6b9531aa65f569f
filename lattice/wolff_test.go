package lattice

import (
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func TestWolffExact(t *testing.T) {
	for _, m := range clustered() {
		k := must(NewWolff(m.model, m.beta, 1))
		f := finite(m.model, m.beta, k)
		if err := kerneltest.Exact(f, kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if !math.IsInf(m.beta, 1) && len(f.LogWeight) <= 1000 {
			if err := kerneltest.DetailedBalance(f, kerneltest.Settings{}); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
		three := finite(m.model, m.beta, must(NewWolff(m.model, m.beta, 3)))
		if err := kerneltest.Exact(three, kerneltest.Settings{Seed: 1}); err != nil {
			t.Errorf("%s, 3 clusters: %v", m.name, err)
		}
	}
}

func TestWolffReaches(t *testing.T) {
	for _, m := range clustered() {
		if m.beta == 0 || m.beta > 2 { // at 0 the chain has period 2
			continue
		}
		k := must(NewWolff(m.model, m.beta, 1))
		if err := kerneltest.Reaches(finite(m.model, m.beta, k), 0, kerneltest.Settings{Steps: 200, Replicates: 3000}); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// From exact draws the cluster of a site has the mean size N⟨m²⟩ (Wolff 1989) of the ferromagnet, of which the enumeration knows the value; 10⁶ clusters, within 5
// standard errors (false alarms: 6e-7 a model, four models).
func TestWolffMeanClusterSize(t *testing.T) {
	for _, c := range []struct {
		size []int
		q    int
		beta float64
	}{{[]int{4, 4}, 0, 0.4}, {[]int{3, 3}, 0, 0.2}, {[]int{3, 2}, 3, 0.7}, {[]int{2, 2}, 4, 0.5}} {
		m := &Model{Graph: must(Geometry{Size: c.size}.Graph(1)), Q: c.q}
		f := finite(m, c.beta, nil)
		// The chance that two spins are in one cluster is (q P(equal) − 1)/(q − 1) (Fortuin and Kasteleyn 1972).
		q, z, equal := float64(m.States()), 0.0, 0.0
		n := m.Graph.Sites()
		weights := make([]float64, len(f.LogWeight))
		for k, w := range f.LogWeight {
			weights[k] = math.Exp(w)
			z += weights[k]
			s := f.State(k)
			for _, x := range s.Spins {
				if x == s.Spins[0] {
					equal += weights[k] // lattices are alike at all sites
				}
			}
		}
		want := (q*equal/z - float64(n)) / (q - 1)
		r := rng.New(1, "test").Rand
		k := must(NewWolff(m, c.beta, 1))
		sum, squares := 0.0, 0.0
		const clusters = 1_000_000
		s := m.Random(r)
		var batch float64
		for i := range clusters + 1000 {
			k.Step(s, r)
			if i < 1000 {
				continue
			}
			grown, changed := k.Sites()
			if grown != changed {
				t.Fatal("without fields every cluster is accepted")
			}
			batch += float64(grown)
			if (i-999)%500 == 0 { // means of 500 clusters are next to independent
				sum += batch / 500
				squares += batch / 500 * batch / 500
				batch = 0
			}
		}
		batches := float64(clusters / 500)
		mean := sum / batches
		se := math.Sqrt((squares/batches - mean*mean) / (batches - 1))
		if math.Abs(mean-want) > 5*se {
			t.Errorf("%v, q = %d: mean size %v ± %v, want %v", c.size, c.q, mean, se, want)
		}
		if se > 0.003*want {
			t.Errorf("%v, q = %d: an error of %v says little of %v", c.size, c.q, se, want)
		}
	}
}

func TestGoldenWolff(t *testing.T) {
	square := must(Geometry{Size: []int{70, 50}}.Graph(1))
	disordered := must(square.PlusMinus(1, 0.5, 3))
	for _, c := range []struct {
		name  string
		model *Model
		beta  float64
		want  uint32
	}{
		{"Ising", &Model{Graph: square}, 0.44, 0x199888c8},
		{"Potts", &Model{Graph: square, Q: 3}, 1, 0x206f5192},
		{"field", &Model{Graph: square, Field: UniformField(3500, 0.01)}, 0.4, 0x876ce6e5},
		{"disorder", &Model{Graph: disordered, Field: UniformField(3500, -0.1)}, 0.7, 0x77bd6f07},
	} {
		k := must(NewWolff(c.model, c.beta, 50))
		if got := crc32.ChecksumIEEE([]byte(after(c.model, k, 10))); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
}

func TestWolffAllocatesNothing(t *testing.T) {
	for _, m := range clustered() {
		noAllocation(t, m.model, must(NewWolff(m.model, m.beta, 2)))
	}
}

// Without couplings that count, clusters are single spins: a step of as many as there are sites must not keep the number of spins that are up even or odd. Of
// 10000 independent states 5000 ± 50 are even; chance is off by 6 of these once in 500 million, and tau of the parity is near 1.
func TestWolffSweepMixesParity(t *testing.T) {
	for _, length := range []int{1, 2, 4} {
		g, err := Geometry{Size: []int{length}}.Graph(1)
		if err != nil {
			t.Fatal(err)
		}
		k, err := NewWolffSweep(&Model{Graph: g}, 0)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rng.New(1, "parity", uint64(length)))
		s, even := &State{Spins: make([]uint8, length)}, 0
		for range 100 {
			k.Adapt(s, r, mcmc.Warmup{})
		}
		k.Freeze()
		for range 10000 {
			k.Step(s, r)
			up := 0
			for _, x := range s.Spins {
				up += int(x)
			}
			even += 1 - up%2
		}
		if math.Abs(float64(even)-5000) > 300 {
			t.Errorf("%d sites: %d states of 10000 are even", length, even)
		}
	}
}
