package lattice

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// wangLandau runs walkers to their end.
func wangLandau(t *testing.T, w *WangLandau) *DensityOfStates {
	t.Helper()
	if err := w.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return must(w.Result())
}

// Numbers of states beside exact ones, level by level, and what follows from them at several temperatures: 241 comparisons of means of 30 walkers. By Student's law with
// 29 degrees of freedom one is beyond 8.5 standard errors with probability 6e-7 in all; beyond 4 are 0.1 in the mean, and six or more with probability 1e-9.
func TestWangLandauIsExact(t *testing.T) {
	n, beyond, largest := 0, 0, 0.0
	judge := func(what string, got Between, want float64) {
		z := math.Abs(got.Mean-want) / got.SE
		if got.Mean == want {
			z = 0
		}
		n++
		largest = max(largest, z)
		if z > 4 {
			beyond++
			t.Logf("%s: %v ± %v, want %v", what, got.Mean, got.SE, want)
		}
		if !(z < 8.5) {
			t.Errorf("%s: %v ± %v, want %v", what, got.Mean, got.SE, want)
		}
	}
	for _, c := range []struct {
		name   string
		model  *Model
		exact  map[float64]float64 // ln g by energy
		sweeps int
	}{
		{"Ising, L = 4", &Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(1))}, isingCounts(t, "4"), 20000},
		{"Ising, L = 8", &Model{Graph: must(Geometry{Size: []int{8, 8}}.Graph(1))}, isingCounts(t, "8"), 20000},
		{"Potts of 3, L = 3", &Model{Graph: must(Geometry{Size: []int{3, 3}}.Graph(1)), Q: 3}, pottsLevels(t, "potts_q3_L3.txt"), 20000},
		{"Potts of 3, L = 4", &Model{Graph: must(Geometry{Size: []int{4, 4}}.Graph(1)), Q: 3}, pottsLevels(t, "potts_q3_L4.txt"), 20000},
		{"Potts of 4, L = 3", &Model{Graph: must(Geometry{Size: []int{3, 3}}.Graph(1)), Q: 4}, pottsLevels(t, "potts_q4_L3.txt"), 20000},
	} {
		d := wangLandau(t, &WangLandau{Model: c.model, Walkers: 30, Sweeps: c.sweeps, Seed: 1, Threads: 2})
		if len(d.Energies) != len(c.exact) {
			t.Errorf("%s: %d levels, want %d", c.name, len(d.Energies), len(c.exact))
		}
		for k, e := range d.Energies {
			judge(fmt.Sprintf("%s, ln g(%v)", c.name, e), d.Level(k), c.exact[e])
		}
		for _, beta := range []float64{0, 0.2, 0.44, 0.8, 1.5} {
			z, mean, square := 0.0, 0.0, 0.0
			for e, g := range c.exact {
				w := math.Exp(g - beta*e)
				z, mean, square = z+w, mean+w*e, square+w*e*e
			}
			mean, square = mean/z, square/z
			x := d.At(beta)
			if beta > 0 {
				judge(fmt.Sprintf("%s, β = %v, ln Z", c.name, beta), x.LogZ, math.Log(z))
				judge(fmt.Sprintf("%s, β = %v, free energy", c.name, beta), x.FreeEnergy, -math.Log(z)/beta)
				judge(fmt.Sprintf("%s, β = %v, specific heat", c.name, beta), x.SpecificHeat, beta*beta*(square-mean*mean))
				judge(fmt.Sprintf("%s, β = %v, entropy", c.name, beta), x.Entropy, math.Log(z)+beta*mean)
			} else if math.Abs(x.LogZ.Mean-math.Log(z)) > 1e-9 || !math.IsInf(x.FreeEnergy.Mean, -1) {
				t.Errorf("%s at β = 0: %+v", c.name, x)
			}
			judge(fmt.Sprintf("%s, β = %v, energy", c.name, beta), x.Energy, mean)
		}
	}
	t.Logf("%d comparisons, %d beyond 4 standard errors, the largest %.2f", n, beyond, largest)
	if beyond > 5 {
		t.Errorf("%d of %d comparisons are beyond 4 standard errors", beyond, n)
	}
}

// isingCounts are ln g by energy.
func isingCounts(t *testing.T, side string) map[float64]float64 {
	x, all := readStates(t, side), map[float64]float64{}
	for k, e := range x.e {
		all[e*x.sites] = x.logG[k]
	}
	return all
}

func pottsLevels(t *testing.T, file string) map[float64]float64 {
	all := map[float64]float64{}
	for k, n := range pottsCounts(t, file) {
		all[-float64(k)] = math.Log(n)
	}
	return all
}

// A run that is interrupted again and again and resumed from its file, on any threads, and one that is made longer, end with the numbers of an undisturbed one.
func TestWangLandauResumes(t *testing.T) {
	m := &Model{Graph: must(Geometry{Size: []int{5, 4}}.Graph(-1)), Q: 3}
	want := wangLandau(t, &WangLandau{Model: m, Walkers: 3, Sweeps: 3000, Seed: 7})
	file := filepath.Join(t.TempDir(), "walkers")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for i := range 4 {
		w := &WangLandau{Model: m, Walkers: 3, Sweeps: 1000, Seed: 7, Threads: 2, File: file, Fingerprint: "x"}
		if err := w.Resume(); err != nil {
			t.Fatal(err)
		}
		if err := w.Run(ctx); !errors.Is(err, mcmc.ErrInterrupted) {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	w := &WangLandau{Model: m, Walkers: 3, Sweeps: 3000, Seed: 7, Threads: 3, File: file, Fingerprint: "x"}
	if err := w.Resume(); err != nil {
		t.Fatal(err)
	}
	if got := wangLandau(t, w); !reflect.DeepEqual(got, want) {
		t.Error("resumed walkers come to other numbers")
	}
	for _, other := range []*WangLandau{
		{Model: m, Walkers: 3, Sweeps: 3000, Seed: 8, File: file, Fingerprint: "x"},
		{Model: m, Walkers: 4, Sweeps: 3000, Seed: 7, File: file, Fingerprint: "x"},
		{Model: m, Walkers: 3, Sweeps: 3000, Seed: 7, File: file, Fingerprint: "y"},
		{Model: m, Walkers: 3, Sweeps: 2999, Seed: 7, File: file, Fingerprint: "x"},
		{Model: &Model{Graph: m.Graph}, Walkers: 3, Sweeps: 3000, Seed: 7, File: file, Fingerprint: "x"},
	} {
		if err := other.Resume(); err == nil {
			t.Errorf("%+v resumed another run", other)
		}
	}
}

// What is damaged or was never a run is an error, and never a panic.
func FuzzWangLandauFile(f *testing.F) {
	m := &Model{Graph: must(Geometry{Size: []int{3}}.Graph(1))}
	w := &WangLandau{Model: m, Walkers: 2, Sweeps: 3, File: filepath.Join(f.TempDir(), "walkers")}
	if err := w.Run(context.Background()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(w.File)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	good := w.content()
	for _, change := range []func(s *savedWalker){
		func(s *savedWalker) { s.Spins = []uint8{7, 7, 7} },
		func(s *savedWalker) { s.LogG = slices.Repeat([]float64{math.NaN()}, 4) },
		func(s *savedWalker) { s.LogG = slices.Repeat([]float64{math.Inf(-1)}, 4) },
		func(s *savedWalker) { s.Visits = nil },
		func(s *savedWalker) { s.Factor = 0 },
		func(s *savedWalker) { s.Sweeps = -1 },
	} {
		bad := good
		bad.States = slices.Clone(good.States)
		change(&bad.States[1])
		b, err := wangLandauFile().Encode(bad)
		if err != nil {
			f.Fatal(err)
		}
		if err := resumeBytes(f, m, b); err == nil {
			f.Errorf("%+v was taken", bad.States[1])
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { _ = resumeBytes(t, m, b) })
}

// resumeBytes goes on from a file of these bytes to the end.
func resumeBytes(t testing.TB, m *Model, b []byte) error {
	file := filepath.Join(t.TempDir(), "walkers")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	w := &WangLandau{Model: m, Walkers: 2, Sweeps: 5, File: file}
	if err := w.Resume(); err != nil {
		return err
	}
	return w.Run(context.Background())
}

func TestGoldenWangLandau(t *testing.T) {
	for name, c := range map[string]struct {
		model *Model
		want  uint32
	}{
		"Ising": {&Model{Graph: must(Geometry{Size: []int{6, 5}}.Graph(1))}, 0x20847022},
		"Potts": {&Model{Graph: must(Geometry{Kind: Triangular, Size: []int{4, 3}}.Graph(-1)), Q: 4}, 0x50100ed5},
	} {
		d := wangLandau(t, &WangLandau{Model: c.model, Walkers: 2, Sweeps: 500, Seed: 1})
		if got := crc32.ChecksumIEEE(fmt.Append(nil, d.LogG)); got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
		}
	}
}

func TestWangLandauSettings(t *testing.T) {
	g := must(Geometry{Size: []int{3, 3}}.Graph(1))
	for _, bad := range []*WangLandau{
		{Walkers: 2, Sweeps: 1},
		{Model: &Model{Graph: g}, Walkers: 1, Sweeps: 1},
		{Model: &Model{Graph: g}, Walkers: 2},
		{Model: &Model{Graph: g, Field: UniformField(9, 1)}, Walkers: 2, Sweeps: 1},
		{Model: &Model{Graph: must(g.PlusMinus(1, 0.5, 1))}, Walkers: 2, Sweeps: 1},
		{Model: &Model{Graph: g}, Walkers: 2, Sweeps: 1, Threads: -1},
	} {
		if err := bad.Run(context.Background()); err == nil {
			t.Errorf("%+v ran", bad)
		}
	}
	if _, err := new(WangLandau).Result(); err == nil {
		t.Error("a result before the run")
	}
}
