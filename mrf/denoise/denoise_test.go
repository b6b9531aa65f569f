package denoise

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/runner"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mrf"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func random(seed uint64, width, height, levels int, coupling, spread float64) *Posterior {
	r := rand.New(rng.New(seed, "denoise test"))
	p := &Posterior{Width: width, Height: height, Levels: levels, Coupling: coupling, Log: make([]float64, width*height*levels)}
	for i := range p.Log {
		p.Log[i] = spread * r.NormFloat64()
	}
	return p
}

// small are the posteriors of few states that kernels are tested on: 9, each with an alpha of 1e-7.
func small() map[string]*Posterior {
	all := map[string]*Posterior{
		"a pixel":      random(1, 1, 1, 3, 2, 1),
		"a row":        random(2, 6, 1, 2, 1.5, 1),
		"a column":     random(3, 1, 5, 3, 0.7, 1),
		"two levels":   random(4, 3, 3, 2, 0.9, 1),
		"three levels": random(5, 3, 2, 3, 1.2, 1),
		"no prior":     random(6, 3, 2, 2, 0, 2),
		"steep":        random(7, 2, 2, 2, 50, 400),
		"steep of 4":   random(8, 2, 2, 4, 3, 400),
		"flat":         random(9, 3, 3, 2, 1, 0),
	}
	return all
}

// states goes through all states.
func states(p *Posterior) (all [][]uint8) {
	x := make([]uint8, p.Width*p.Height)
	for {
		all = append(all, slices.Clone(x))
		i := 0
		for ; i < len(x); i++ {
			if x[i]++; int(x[i]) < p.Levels {
				break
			}
			x[i] = 0
		}
		if i == len(x) {
			return all
		}
	}
}

func TestGibbsExact(t *testing.T) {
	for name, p := range small() {
		all := states(p)
		k, err := NewGibbs(p)
		if err != nil {
			t.Fatal(err)
		}
		k.Sums = make([]float64, k.Width()*p.Width*p.Height)
		f := kerneltest.Finite[*State]{Kernel: k, State: func(i int) *State { return p.NewState(all[i]) },
			Index: func(s *State) int {
				at := 0
				for i, v := range slices.Backward(s.Levels()) {
					_ = i
					at = at*p.Levels + int(v)
				}
				return at
			}}
		for _, x := range all {
			f.LogWeight = append(f.LogWeight, p.LogDensity(x))
		}
		if err := kerneltest.Exact(f, kerneltest.Settings{Seed: 1, Replicates: 20000, Alpha: 1e-7}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	for _, q := range []int{2, 5} {
		p := random(1, 9, 8, q, 1, 1)
		k, err := NewGibbs(p)
		if err != nil {
			t.Fatal(err)
		}
		k.Sums = make([]float64, k.Width()*p.Width*p.Height)
		s, r := p.NewState(make([]uint8, 72)), rng.New(1, "denoise test").Rand
		if n := testing.AllocsPerRun(10, func() { k.Step(s, r) }); n > 0 {
			t.Errorf("%d levels: %v allocations", q, n)
		}
	}
}

// model is a posterior as a factor graph, for the junction tree.
func model(p *Posterior) *mrf.Model {
	m := &mrf.Model{}
	pair := make([]float64, p.Levels*p.Levels)
	for v := range pair {
		if pair[v] = 1; v%(p.Levels+1) == 0 {
			pair[v] = math.Exp(p.Coupling)
		}
	}
	for i := range p.Width * p.Height {
		m.Cards = append(m.Cards, p.Levels)
		own := make([]float64, p.Levels)
		for v := range own {
			own[v] = math.Exp(p.Log[i*p.Levels+v])
		}
		m.Factors = append(m.Factors, mrf.Factor{Scope: []int{i}, Table: own})
		if i%p.Width > 0 {
			m.Factors = append(m.Factors, mrf.Factor{Scope: []int{i - 1, i}, Table: pair})
		}
		if i >= p.Width {
			m.Factors = append(m.Factors, mrf.Factor{Scope: []int{i - p.Width, i}, Table: pair})
		}
	}
	return m
}

// The marginals of 48 pixels by chains are within five of their standard errors of the exact ones, of which there are about 1e-6 · 48 · 4 false alarms
// for normal errors; errors that are estimated from eight numbers need a floor, a tenth of the tolerance.
func TestSampleIsExact(t *testing.T) {
	for _, q := range []int{2, 4} {
		p := random(11, 8, 6, q, 0.8, 1)
		tree, err := mrf.NewJunctionTree(model(p), 0)
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := tree.Marginals(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Sample(context.Background(), p, Settings{Seed: 1, Sweeps: 4000})
		if err != nil {
			t.Fatal(err)
		}
		for i, exact := range want {
			for v, x := range exact {
				if d := math.Abs(got.P[i*q+v] - x); d > 5*max(got.MCSE[i], Tolerance/10) {
					t.Errorf("%d levels, pixel %d: %v ± %v, not %v", q, i, got.P[i*q:(i+1)*q], got.MCSE[i], exact)
				}
			}
		}
		if got.Unconverged > 0 {
			t.Errorf("%d pixels have not converged", got.Unconverged)
		}
	}
}

// Of two levels the mode is that of the junction tree, of more it is no worse than the best of many states.
func TestMode(t *testing.T) {
	for seed := range uint64(60) {
		q := 2
		if seed >= 40 {
			q = 3
		}
		p := random(seed, 1+int(seed%9), 1+int(seed%7), q, float64(seed%5)/2, 1)
		tree, err := mrf.NewJunctionTree(model(p), 0)
		if err != nil {
			t.Fatal(err)
		}
		best, _, err := tree.MAP(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]uint8, len(best))
		for i, v := range best {
			want[i] = uint8(v)
		}
		x, err := p.Mode(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, most := p.LogDensity(x), p.LogDensity(want)
		if q == 2 && got < most-1e-4 || q > 2 && got < most-2 || got > most+1e-9 {
			t.Errorf("seed %d, %d × %d of %d levels: %v, and the maximum is %v", seed, p.Width, p.Height, q, got, most)
		}
	}
}

// A run that was interrupted, and one on other threads, give the bytes of an undisturbed one.
func TestSampleIsResumed(t *testing.T) {
	p := random(1, 40, 30, 3, 0.8, 1)
	want, err := Sample(context.Background(), p, Settings{Seed: 3, Warmup: 20, Sweeps: 100})
	if err != nil {
		t.Fatal(err)
	}
	set := Settings{Seed: 3, Warmup: 20, Sweeps: 100, Threads: 3, Checkpoint: filepath.Join(t.TempDir(), "chains"), Resume: true, Fingerprint: "it", Every: 1}
	interrupted := 0
	for {
		ctx, stop := context.WithCancel(context.Background())
		set.Progress = func(done, total int) {
			if interrupted < 3 {
				stop()
			}
		}
		if interrupted == 0 {
			stop()
		}
		got, err := Sample(ctx, p, set)
		stop()
		if err == nil {
			if interrupted == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("interrupted %d times: other marginals", interrupted)
			}
			break
		}
		if !errors.Is(err, runner.ErrInterrupted) {
			t.Fatal(err)
		}
		interrupted++
	}
	set.Fingerprint = "another"
	if _, err := Sample(context.Background(), p, set); err == nil {
		t.Error("the checkpoint of another image is accepted")
	}
}

// The draws of a seed stay as they are.
func TestGoldenDraws(t *testing.T) {
	for q, want := range map[int]string{2: "[0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1]", 3: "[2 2 2 0 0 2 2 0 0 0 2 2 2 0 0 0 2 1 1 2 2 1 2 1]"} {
		p := random(1, 6, 4, q, 0.9, 1)
		k, err := NewGibbs(p)
		if err != nil {
			t.Fatal(err)
		}
		s, r := p.NewState(make([]uint8, 24)), rng.New(5, "denoise test").Rand
		for range 10 {
			k.Step(s, r)
		}
		if got := fmt.Sprint(s.Levels()); got != want {
			t.Errorf("%d levels: %s", q, got)
		}
	}
}

// blocks is a picture of two greys with noise, and the picture without.
func blocks(noise float64, flips float64) (noisy, clean *Image) {
	r := rand.New(rng.New(4, "denoise test"))
	const side = 64
	clean = &Image{side, side, make([]float64, side*side)}
	noisy = &Image{side, side, make([]float64, side*side)}
	for i := range clean.Grey {
		g := 0.2
		if x, y := i%side-side/2, i/side-side/2; x*x+y*y < 400 || i%side < 8 {
			g = 0.8
		}
		clean.Grey[i] = g
		if r.Float64() < flips {
			g = 1 - g
		}
		noisy.Grey[i] = g + noise*r.NormFloat64()
	}
	return noisy, clean
}

// What noise and levels are is found from the picture itself, and most of the noise goes.
func TestRestoration(t *testing.T) {
	noisy, clean := blocks(0.2, 0)
	levels := noisy.FindLevels(2)
	if math.Abs(levels[0]-0.2) > 0.03 || math.Abs(levels[1]-0.8) > 0.03 {
		t.Errorf("levels %v", levels)
	}
	if sd := noisy.FindSD(); math.Abs(sd-0.2) > 0.02 {
		t.Errorf("noise of %v", sd)
	}
	p, err := noisy.Gaussian(levels, noisy.FindSD(), 1)
	if err != nil {
		t.Fatal(err)
	}
	truth := clean.Nearest(levels)
	m, err := Sample(context.Background(), p, Settings{Seed: 1, Warmup: 50, Sweeps: 100})
	if err != nil {
		t.Fatal(err)
	}
	mode, err := p.Mode(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wrong := func(x []uint8) (n int) {
		for i, v := range x {
			if v != truth[i] {
				n++
			}
		}
		return n
	}
	before, mpm, best := wrong(noisy.Nearest(levels)), wrong(m.MPM()), wrong(mode)
	if before < 200 || mpm > before/10 || best > before/10 {
		t.Errorf("of %d wrong pixels %d are left, and %d in the mode", before, mpm, best)
	}
	for _, to := range []*Image{noisy.Mean(levels, m), noisy.Doubt(m), noisy.Of(levels, mode)} {
		for _, g := range to.Grey {
			if !(g >= 0 && g <= 1) {
				t.Fatalf("a grey of %v", g)
			}
		}
	}

	noisy, _ = blocks(0, 0.1)
	if share := noisy.FindFlips(noisy.Nearest([]float64{0.2, 0.8})); math.Abs(share-0.1) > 0.02 {
		t.Errorf("a share of %v is changed", share)
	}
}

func TestLevelsOfAwkwardImages(t *testing.T) {
	for name, m := range map[string]*Image{"one grey": {2, 2, []float64{0.5, 0.5, 0.5, 0.5}}, "one pixel": {1, 1, []float64{1}}, "two greys": {3, 1, []float64{0, 0, 1}}, "rare": {1, 5, []float64{0, 0, 0, 0, 0.9}}} {
		for n := 2; n < 5; n++ {
			levels := m.FindLevels(n)
			if len(levels) < 2 || len(levels) > n || !slices.IsSorted(levels) || levels[0] == levels[1] || math.IsNaN(levels[0]) {
				t.Errorf("%s: %v", name, levels)
			}
		}
	}
	m := FromImage(&image.Gray{Pix: []uint8{0, 51, 255, 102}, Stride: 2, Rect: image.Rect(0, 0, 2, 2)})
	if !slices.Equal(m.Grey, []float64{0, 0.2, 1, 0.4}) || !slices.Equal(m.Image8().Pix, []uint8{0, 51, 255, 102}) {
		t.Error(m.Grey)
	}
}

func BenchmarkGibbs(b *testing.B) {
	for _, q := range []int{2, 8} {
		b.Run(fmt.Sprintf("%d levels", q), func(b *testing.B) {
			p := random(1, 512, 512, q, 0.9, 1)
			k, err := NewGibbs(p)
			if err != nil {
				b.Fatal(err)
			}
			k.Sums = make([]float64, k.Width()*p.Width*p.Height)
			s, r := p.NewState(make([]uint8, 512*512)), rng.New(1, "b").Rand
			for b.Loop() {
				k.Step(s, r)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/512/512, "ns/pixel")
		})
	}
}

func BenchmarkMode(b *testing.B) {
	for _, q := range []int{2, 8} {
		b.Run(fmt.Sprintf("%d levels", q), func(b *testing.B) {
			p := random(1, 512, 512, q, 0.9, 1)
			for b.Loop() {
				if _, err := p.Mode(context.Background(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
