package lattice

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// clusterKernels are the algorithms of clusters; Wolff's makes as many clusters a step as have all sites in the mean, at a guess.
func clusterKernels() []energyKernel {
	return []energyKernel{
		{"Swendsen–Wang", func(m *Model, beta float64) (mcmc.Kernel[*State], error) { return NewSwendsenWang(m, beta, 1) }},
		{"Wolff", func(m *Model, beta float64) (mcmc.Kernel[*State], error) {
			k, err := NewWolff(m, beta, 1)
			if err != nil {
				return nil, err
			}
			s, r, sites := &State{make([]uint8, m.Graph.Sites())}, rng.New(1, "guess").Rand, 0
			for range 200 {
				k.Step(s, r)
				sites += k.grown
			}
			return NewWolff(m, beta, max(1, 200*m.Graph.Sites()/sites))
		}},
	}
}

// Energies of periodic square Ising lattices beside exact ones (Kaufman 1949, as ising_exact_finite.csv has them).
func TestExactIsingByClusters(t *testing.T) {
	var c comparisons
	defer c.report(t)
	for _, row := range finiteIsing(t) {
		side, temperature, energy := row.Side, row.Temperature, row.Energy
		if side > 8 && (testing.Short() || temperature != 1.5 && temperature != 3 && temperature != 2.269185314213022) {
			continue
		}
		m := &Model{Graph: must(Geometry{Size: []int{side, side}}.Graph(1))}
		kernels := clusterKernels()
		steps := 2000
		if side == 8 && (temperature == 1.5 || temperature == 2.3 || temperature == 3) {
			kernels = append(kernels, energyKernel{"coupling from the past", func(m *Model, beta float64) (mcmc.Kernel[*State], error) {
				return NewCouplingFromThePast(m, beta, 0)
			}})
		}
		for _, kernel := range kernels {
			c.energy(t, fmt.Sprintf("%s, L = %d, T = %v", kernel.name, side, temperature), m, must(kernel.make(m, 1/temperature)),
				func() *State { return &State{make([]uint8, side*side)} }, steps, energy*float64(side*side))
		}
	}
}

// Energies of Potts lattices beside those of all their states, counted by satisfied bonds.
func TestExactPottsByClusters(t *testing.T) {
	var c comparisons
	defer c.report(t)
	for _, l := range []struct {
		file    string
		q, side int
	}{{"potts_q3_L3.txt", 3, 3}, {"potts_q3_L4.txt", 3, 4}, {"potts_q4_L3.txt", 4, 3}} {
		counts := pottsCounts(t, l.file)
		m := &Model{Graph: must(Geometry{Size: []int{l.side, l.side}}.Graph(1)), Q: l.q}
		for _, beta := range []float64{0.3, 0.7, 1, 1.6} {
			z, e := 0.0, 0.0
			for k, n := range counts {
				w := n * math.Exp(beta*float64(k))
				z += w
				e -= w * float64(k)
			}
			kernels := append(clusterKernels(), energyKernel{"coupling from the past", func(m *Model, beta float64) (mcmc.Kernel[*State], error) {
				return NewCouplingFromThePast(m, beta, 0)
			}})
			for _, kernel := range kernels {
				c.energy(t, fmt.Sprintf("%s, %s, beta = %v", kernel.name, l.file, beta), m, must(kernel.make(m, beta)),
					func() *State { return &State{make([]uint8, m.Graph.Sites())} }, 4000, e/z)
			}
		}
	}
}

// pottsCounts are numbers of states by satisfied bonds.
func pottsCounts(t *testing.T, file string) map[int]float64 {
	counts := map[int]float64{}
	for line := range strings.Lines(shared(t, file)) {
		var k int
		var n float64
		if found, _ := fmt.Sscan(line, &k, &n); found == 2 {
			counts[k] = n
		}
	}
	return counts
}

// Onsager's energy (1944, equation 116a) and Yang's magnetisation (1952) at L = 256, where the correlation length is below 3, to 12 digits from mpmath.
func TestClustersInfiniteLattice(t *testing.T) {
	if testing.Short() {
		t.Skip("65 536 sites: five seconds")
	}
	var c comparisons
	defer c.report(t)
	m := &Model{Graph: must(Geometry{Size: []int{256, 256}}.Graph(1))}
	for _, at := range []struct{ beta, energy, magnetisation float64 }{{0.35, -0.879806045288703, 0}, {0.5, -1.74556457531255, 0.911319377877496}} {
		for _, kernel := range clusterKernels() {
			k := must(kernel.make(m, at.beta))
			r, s := rng.New(1, "test").Rand, &State{make([]uint8, 65536)}
			energy, magnetisation := make([][]float64, 4), make([][]float64, 4)
			for chain := range energy {
				for step := range 250 {
					k.Step(s, r)
					if step >= 50 {
						energy[chain] = append(energy[chain], m.Energy(s)/65536)
						magnetisation[chain] = append(magnetisation[chain], math.Abs(m.Magnetisation(s)))
					}
				}
			}
			c.judge(t, fmt.Sprintf("%s, β = %v, energy", kernel.name, at.beta), energy, at.energy)
			if at.magnetisation > 0 {
				c.judge(t, fmt.Sprintf("%s, β = %v, magnetisation", kernel.name, at.beta), magnetisation, at.magnetisation)
			}
		}
	}
}

// judge compares the mean of chains with an exact number.
func (c *comparisons) judge(t *testing.T, name string, chains [][]float64, exact float64) {
	t.Helper()
	sum, n := 0.0, 0
	for _, chain := range chains {
		for _, x := range chain {
			sum += x
			n++
		}
	}
	mean, se := sum/float64(n), diag.MCSEMean(chains)
	z := math.Abs(mean-exact) / se
	if c.n++; !(z <= 4) {
		c.beyond++
		t.Errorf("%s: %v ± %v, exactly %v: %.1f standard errors", name, mean, se, exact, z)
	}
	c.largest = max(c.largest, z)
}
