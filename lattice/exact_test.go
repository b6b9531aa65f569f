package lattice

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// shared is a file of the test material: in $ERGODIC_SHARED, or ../shared beside the module.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	b, err := os.ReadFile(filepath.Join(root, "lattice", "exact", name))
	if err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	return string(b)
}

// exactRow is what is known exactly of the periodic square Ising lattice, J = 1: energy and specific heat per site.
type exactRow struct {
	Side                      int
	Temperature, Energy, Heat float64
}

// finiteIsing are the rows of ising_exact_finite.csv.
func finiteIsing(t testing.TB) (rows []exactRow) {
	t.Helper()
	for line := range strings.Lines(shared(t, "ising_exact_finite.csv")) {
		var r exactRow
		var logZ float64
		if n, _ := fmt.Sscanf(line, "%d,%f,%f,%f,%f", &r.Side, &r.Temperature, &logZ, &r.Energy, &r.Heat); n == 5 {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		t.Fatal("ising_exact_finite.csv has no rows")
	}
	return rows
}

// energyKernel is a kernel whose mean energy is to be compared with exact numbers.
type energyKernel struct {
	name string
	make func(m *Model, beta float64) (mcmc.Kernel[*State], error)
}

// singleSpins are the kernels that move a spin at a time.
func singleSpins() []energyKernel {
	all := []energyKernel{{"continuous time", func(m *Model, beta float64) (mcmc.Kernel[*State], error) { return NewContinuous(m, beta) }}}
	for _, kernel := range singleSite {
		for scan := Systematic; scan <= Checkerboard; scan++ {
			all = append(all, energyKernel{fmt.Sprint(kernel.name, ", ", scan), func(m *Model, beta float64) (mcmc.Kernel[*State], error) {
				return kernel.make(m, beta, ScanSettings{Scan: scan, Threads: 1})
			}})
		}
	}
	return all
}

// comparisons counts differences of means from exact ones. For one that is right, a difference beyond 4 standard errors has a probability
// of 6e-5 (normal distribution).
type comparisons struct {
	n, beyond int
	largest   float64
}

// energy compares the mean energy of four chains from order, of so many steps each, with an exact one.
func (c *comparisons) energy(t *testing.T, name string, m *Model, k mcmc.Kernel[*State], start func() *State, steps int, exact float64) {
	t.Helper()
	chains := make([][]float64, 4)
	sum := 0.0
	for i := range chains {
		r, s := rng.New(uint64(i), "test "+name).Rand, start()
		for range steps / 10 {
			k.Step(s, r)
		}
		for range steps {
			k.Step(s, r)
			e := m.Energy(s)
			chains[i] = append(chains[i], e)
			sum += e
		}
	}
	mean, se := sum/float64(4*steps), diag.MCSEMean(chains)
	z := math.Abs(mean-exact) / se
	if c.n++; !(z <= 4) {
		c.beyond++
		t.Errorf("%s: energy %v ± %v, exactly %v: %.1f standard errors", name, mean, se, exact, z)
	}
	c.largest = max(c.largest, z)
}

func (c *comparisons) report(t *testing.T) {
	t.Helper()
	t.Logf("%d comparisons, the largest difference %.2f standard errors; %d beyond 4, where %.2g are expected", c.n, c.largest, c.beyond, 6.3e-5*float64(c.n))
}

// Energies of periodic square Ising lattices beside exact ones (Kaufman 1949, as ising_exact_finite.csv has them).
func TestExactIsing(t *testing.T) {
	var c comparisons
	defer c.report(t)
	for _, row := range finiteIsing(t) {
		side, temperature, energy := row.Side, row.Temperature, row.Energy
		steps, wanted := map[int]int{4: 6000, 8: 6000, 16: 6000}[side], temperature == 1.5 || temperature == 2.3 || temperature == 3 || temperature == 2.269185314213022
		if testing.Short() {
			steps = map[int]int{4: 6000}[side]
		}
		if steps == 0 || !wanted {
			continue
		}
		m := &Model{Graph: must(Geometry{Size: []int{side, side}}.Graph(1))}
		for _, kernel := range singleSpins() {
			c.energy(t, fmt.Sprintf("%s, L = %d, T = %v", kernel.name, side, temperature), m, must(kernel.make(m, 1/temperature)),
				func() *State { return &State{make([]uint8, side*side)} }, steps, energy*float64(side*side))
		}
	}
}

// Energies of Potts lattices beside those of all their states, counted by satisfied bonds; of the ferromagnet and, with the same counts, the
// antiferromagnet.
func TestExactPotts(t *testing.T) {
	var c comparisons
	defer c.report(t)
	for _, lattice := range []struct {
		file    string
		q, side int
	}{{"potts_q3_L3.txt", 3, 3}, {"potts_q3_L4.txt", 3, 4}, {"potts_q4_L3.txt", 4, 3}} {
		counts := pottsCounts(t, lattice.file)
		for _, coupling := range []float64{1, -1} {
			m := &Model{Graph: must(Geometry{Size: []int{lattice.side, lattice.side}}.Graph(coupling)), Q: lattice.q}
			for _, beta := range []float64{0.3, 1, 1.6} {
				z, e := 0.0, 0.0
				for k, n := range counts {
					w := n * math.Exp(beta*coupling*float64(k))
					z += w
					e -= w * coupling * float64(k)
				}
				for _, kernel := range singleSpins() {
					c.energy(t, fmt.Sprintf("%s, %s, J = %v, beta = %v", kernel.name, lattice.file, coupling, beta), m, must(kernel.make(m, beta)),
						func() *State { return &State{make([]uint8, m.Graph.Sites())} }, 4000, e/z)
				}
			}
		}
	}
}

// Energies at fixed magnetisation beside those of all states of the 4 × 4 lattice that have it.
func TestExactKawasaki(t *testing.T) {
	var c comparisons
	defer c.report(t)
	m := &Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(1))}
	spins := func(k int) *State {
		s := &State{make([]uint8, 16)}
		for i := range s.Spins {
			s.Spins[i] = uint8(k >> i & 1)
		}
		return s
	}
	for _, up := range []int{8, 5, 3} {
		for _, beta := range []float64{0, 0.2, 0.44, 0.7} {
			z, e := 0.0, 0.0
			for k := range 1 << 16 {
				if bits.OnesCount(uint(k)) == up {
					energy := m.Energy(spins(k))
					w := math.Exp(-beta * energy)
					z += w
					e += w * energy
				}
			}
			c.energy(t, fmt.Sprintf("%d up, beta = %v", up, beta), m, must(NewKawasaki(m, beta)), func() *State { return spins(1<<up - 1) }, 4000, e/z)
		}
	}
}
