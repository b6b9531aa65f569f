package rbm

import (
	"context"
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/path"
)

func momentAveragedOf(t testing.TB, m *Model, f *Family) *Family {
	t.Helper()
	own, err := m.MarginalBiases(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.MomentAveraged(context.Background(), own, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The moment-averaged path has the same ends as the geometric one, and its moves
// leave its own densities invariant.
func TestMomentAveragedPathIsConsistent(t *testing.T) {
	m := random(4, 3, 1.5, 1)
	geometric := family(t, m, []float64{-1, 0.5, 2, 0})
	f := momentAveragedOf(t, m, geometric)
	if len(f.knots) != momentKnots {
		t.Fatalf("%d knots", len(f.knots))
	}
	v := make([]uint8, m.Visible)
	p := f.New()
	for i := range 1 << m.Visible {
		f.SetVisible(p, unitsOf(v, i))
		for _, beta := range []float64{0, 1} {
			if got, want := f.LogDensity(p, beta), geometric.LogDensity(p, beta); !near(got, want, 1e-14) {
				t.Errorf("state %d, β = %v: log f = %v, geometric %v", i, beta, got, want)
			}
		}
		for _, c := range [][2]float64{{0, 1}, {0.31, 0.33}, {0.33, 0.61}, {0.9, 0.2}} {
			want := f.LogDensity(p, c[1]) - f.LogDensity(p, c[0])
			if got := f.LogRatio(p, c[0], c[1]); math.Abs(got-want) > 1e-6 {
				t.Errorf("state %d, %v: log ratio = %v, want %v", i, c, got, want)
			}
		}
		// float32 densities are smooth to some 1e-7.
		const d = 1e-3
		slope := (f.LogDensity(p, 0.33+d) - f.LogDensity(p, 0.33-d)) / (2 * d)
		if got := f.DLogDensity(p, 0.33); math.Abs(got-slope) > 1e-3 {
			t.Errorf("state %d: derivative %v, want %v", i, got, slope)
		}
	}
	const beta = 0.33
	target := visibleStates(f, beta, func(p *Particle, _ []uint8) float64 { return f.LogDensity(p, beta) })
	if err := kerneltest.Exact(target, kerneltest.Settings{Seed: 1}); err != nil {
		t.Error(err)
	}
}

// noisyRates are those of a few chains that start from noise: near enough to
// see how many units are on, and quickly had.
func noisyRates(t testing.TB, m *Model) []float64 {
	f := family(t, m, nil)
	on := newMarginals(f)
	for seed := range uint64(20) {
		p := f.New()
		f.Base(p, newRand(seed))
		for sweep := range 200 {
			if f.Move(p, 1, nil); sweep >= 100 {
				on.add(f, p, 1)
			}
		}
	}
	return logits(on.means())
}

// At β = ½ to h500, images of the geometric path are nearly blank; those of the
// moment-averaged path keep most of the machine's about 130 units on.
func TestMomentAveragedPathKeepsMarginals(t *testing.T) {
	m := sharedModel(t, "h500")
	base := noisyRates(t, m)
	want := 0.0
	for _, b := range base {
		want += vec.Ilogit(b)
	}
	geometric := family(t, m, base)
	on := func(f *Family) float64 {
		const chains, sweeps = 20, 100
		sum, r := 0, newRand(5)
		for range chains {
			p := f.New()
			f.Base(p, r)
			for range sweeps {
				f.Move(p, 0.5, nil)
			}
			sum += len(p.on)
		}
		return float64(sum) / chains
	}
	averaged, err := geometric.MomentAveraged(context.Background(), base, 1)
	if err != nil {
		t.Fatal(err)
	}
	if before, after := on(geometric), on(averaged); before > want/4 || after < want/2 {
		t.Errorf("of %.0f units on, %.0f are on half way along the geometric path and %.0f along the moment-averaged one", want, before, after)
	}
}

func TestMomentAveragedLogZ(t *testing.T) {
	m := random(30, 12, 0.7, 1)
	want := exactly(t, m, 0)
	s, err := path.Uniform(1000)
	if err != nil {
		t.Fatal(err)
	}
	res, err := path.AIS(context.Background(), momentAveragedOf(t, m, family(t, m, nil)), s, path.Settings{Seed: 1, Runs: 200})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.LogZ-want) > 5*res.SE || res.SE > 0.2 {
		t.Errorf("%v ± %v, want %v", res.LogZ, res.SE, want)
	}
}
