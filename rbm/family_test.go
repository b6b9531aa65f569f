package rbm

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/path"
)

func family(t testing.TB, m *Model, base []float64) *Family {
	t.Helper()
	f, err := NewFamily(m, base)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tempered is log f_β in float64 from its definition.
func tempered(m *Model, base []float64, v []uint8, beta float64) float64 {
	input := make([]float64, m.Hidden)
	m.HiddenInput(input, v)
	for j := range input {
		input[j] *= beta
	}
	return (1-beta)*sumOn(base, v) + beta*sumOn(m.VisibleBias, v) + sumSoftplus(input)
}

// sweep moves at one temperature.
type sweep struct {
	f    *Family
	beta float64
}

func (k sweep) Step(p *Particle, r *rand.Rand) mcmc.Info {
	k.f.Move(p, k.beta, r)
	return mcmc.Info{}
}

// visibleStates is the target of moves at beta on all visible states, whose log densities these are.
func visibleStates(f *Family, beta float64, logDensity func(p *Particle, v []uint8) float64) kerneltest.Finite[*Particle] {
	visible := f.visible
	v := make([]uint8, visible)
	seed := uint64(0)
	target := kerneltest.Finite[*Particle]{
		Kernel: sweep{f, beta},
		State: func(i int) *Particle {
			p := f.New()
			seed++
			p.lanes.Seed(newRand(seed))
			f.SetVisible(p, unitsOf(v, i))
			return p
		},
		Index: func(p *Particle) int {
			k := 0
			for _, i := range p.on {
				k |= 1 << i
			}
			return k
		},
	}
	for i := range 1 << visible {
		p := target.State(i)
		target.LogWeight = append(target.LogWeight, logDensity(p, v))
	}
	return target
}

func TestMovesLeaveTheTemperedMachineInvariant(t *testing.T) {
	m := random(4, 3, 1.5, 1)
	base := []float64{-1, 0.5, 2, 0}
	f := family(t, m, base)
	for _, beta := range []float64{0, 0.4, 1} {
		target := visibleStates(f, beta, func(_ *Particle, v []uint8) float64 { return tempered(m, base, v, beta) })
		if err := kerneltest.Exact(target, kerneltest.Settings{Seed: 1}); err != nil {
			t.Errorf("β = %v: %v", beta, err)
		}
		if err := kerneltest.DetailedBalance(target, kerneltest.Settings{Seed: 2}); err != nil {
			t.Errorf("β = %v: %v", beta, err)
		}
		if err := kerneltest.Reaches(target, 0, kerneltest.Settings{Seed: 3, Steps: 60}); err != nil {
			t.Errorf("β = %v: %v", beta, err)
		}
	}
}

func TestBaseDrawsAreIndependentUnits(t *testing.T) {
	m := random(3, 2, 1, 2)
	base := []float64{-2, 0, 1.5}
	f := family(t, m, base)
	const n = 40_000
	count := make([]int, 8)
	p, r := f.New(), newRand(1)
	for range n {
		f.Base(p, r)
		k := 0
		for _, i := range p.on {
			k |= 1 << i
		}
		count[k]++
	}
	for k, c := range count {
		prob := 1.0
		for i, b := range base {
			if q := vec.Ilogit(b); k>>i&1 == 1 {
				prob *= q
			} else {
				prob *= 1 - q
			}
		}
		// 5.3 standard deviations: a false alarm in 10⁶ over the eight.
		if sd := math.Sqrt(n * prob * (1 - prob)); math.Abs(float64(c)-n*prob) > 5.3*sd {
			t.Errorf("state %03b: %d of %d, want %.0f ± %.0f", k, c, n, n*prob, sd)
		}
	}
	if want := sumSoftplus(base) + 2*math.Ln2; !near(f.LogZBase(), want, 1e-14) {
		t.Errorf("log Z of the base is %v, want %v", f.LogZBase(), want)
	}
}

// float32 must not be seen in log Z: on states all along the path of the
// course's machines, densities and their ratios agree with float64 to 1e-4.
func TestFloat32IsEnough(t *testing.T) {
	for _, name := range []string{"h10", "h20", "h100", "h500"} {
		m := sharedModel(t, name)
		base := make([]float64, m.Visible)
		f := family(t, m, base)
		p, r := f.New(), newRand(1)
		f.Base(p, r)
		v := make([]uint8, m.Visible)
		for k := range 200 {
			beta := float64(k+1) / 200
			f.Move(p, beta, r)
			f.Visible(v, p)
			want := tempered(m, base, v, beta)
			if got := f.LogDensity(p, beta); math.Abs(got-want) > 1e-4 {
				t.Errorf("%s, β = %v: log f = %v, want %v", name, beta, got, want)
			}
			from := beta - 1./200
			want -= tempered(m, base, v, from)
			if got := f.LogRatio(p, from, beta); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%s, β = %v: log ratio = %v, want %v", name, beta, got, want)
			}
			const d = 1e-5
			slope := (tempered(m, base, v, beta+d) - tempered(m, base, v, beta-d)) / (2 * d)
			if got := f.DLogDensity(p, beta); math.Abs(got-slope) > 1e-5*max(1, math.Abs(slope)) {
				t.Errorf("%s, β = %v: derivative = %v, want %v", name, beta, got, slope)
			}
		}
	}
}

func TestParticlesAreKeptAsBytes(t *testing.T) {
	m := random(40, 30, 1, 1)
	f := family(t, m, nil)
	p, r := f.New(), newRand(1)
	f.Base(p, r)
	b, err := f.MarshalState(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := f.UnmarshalState(b)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		f.Move(p, 0.9, r)
		f.Move(q, 0.9, r)
	}
	if !reflect.DeepEqual(p.on, q.on) || !reflect.DeepEqual(p.input, q.input) {
		t.Error("a particle from bytes goes another way")
	}
	small := family(t, random(3, 3, 1, 1), nil)
	for _, bad := range [][]byte{nil, b[:100], b[:len(b)-1], b} {
		if _, err := small.UnmarshalState(bad); err == nil {
			t.Errorf("%d bytes of another machine are taken", len(bad))
		}
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	m := random(50, 30, 1, 1)
	f := family(t, m, nil)
	p, r := f.New(), newRand(1)
	f.Base(p, r)
	if n := testing.AllocsPerRun(100, func() {
		f.Move(p, 0.5, r)
		f.LogRatio(p, 0.5, 0.6)
		f.DLogDensity(p, 0.5)
	}); n != 0 {
		t.Errorf("%v allocations a move", n)
	}
}

func TestFamiliesRefuseBadBases(t *testing.T) {
	m := New(2, 2)
	for _, base := range [][]float64{{1}, {math.NaN(), 0}, {0, 1e9}} {
		if _, err := NewFamily(m, base); err == nil {
			t.Errorf("base %v is taken", base)
		}
	}
}

// AIS agrees with the sum over all states, from either base. Its error bar is
// from 200 independent runs; 5 of them: a false alarm in 10⁶.
func TestAISAgreesWithExact(t *testing.T) {
	s, err := path.Uniform(200)
	if err != nil {
		t.Fatal(err)
	}
	m := random(30, 12, 0.7, 1)
	want := exactly(t, m, 0)
	for name, base := range map[string][]float64{"uniform": nil, "own": m.VisibleBias} {
		res, err := path.AIS(context.Background(), family(t, m, base), s, path.Settings{Seed: 1, Runs: 200})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(res.LogZ-want) > 5*res.SE || res.SE > 0.1 {
			t.Errorf("%s base: %v ± %v, want %v", name, res.LogZ, res.SE, want)
		}
	}
}

func BenchmarkMove(b *testing.B) {
	for _, name := range []string{"h10", "h20", "h100", "h500"} {
		b.Run(name, func(b *testing.B) {
			f := family(b, sharedModel(b, name), nil)
			p, r := f.New(), newRand(1)
			f.Base(p, r)
			for b.Loop() {
				f.Move(p, 0.999, r)
				f.LogRatio(p, 0.999, 0.9991)
			}
		})
	}
}
