package path

import (
	"math"
	"reflect"
	"testing"
)

// The bits of results with a fixed seed: on all processors, and with any number of threads. They change only on purpose.
func TestGoldenResults(t *testing.T) {
	m, l := Family[units](newMachine(6, 3, 0.7)), Family[[]int8](ising{3, 0.5, 0.1})
	s, ladder := must(Geometric(40, 0.01)), must(Uniform(5))
	labels := must(Models([]Family[units]{m, newMachine(6, 3, 0.3)}, ladder))
	for threads := 1; threads <= 2; threads++ {
		set := Settings{Seed: 26, Runs: 4, Threads: threads}
		tempered := must(Tempered(background, m, ladder, TemperedSettings{Settings: set, Rounds: 60, Moves: 2, Learn: 30, Passes: 3}))
		integrate := IntegrateSettings{Settings: set, Draws: 20}
		ti, pt := must(Integrate(background, l, ladder, integrate)), must(Replicas(background, l, ladder, integrate))
		adjusted := SelfAdjustedSettings{Settings: set, Rounds: 200}
		sandwich := must(Sandwich(background, l, s, SandwichSettings{Settings: set}))
		for name, c := range map[string]struct {
			got  []float64
			want []uint64
		}{
			"AIS":         {must(AIS(background, m, s, set)).PerRun, []uint64{0x401c4a8d65402942, 0x401a63e7c8ee22cc, 0x401d375fe0e53da0, 0x401937ceaed68dfd}},
			"SMC":         {must(SMC(background, l, s, SMCSettings{Settings: set, Particles: 9})).PerRun, []uint64{0x4020109cc7d40600, 0x401f73c815b62fa8, 0x40202dd52ecd8bbc, 0x4020dfed8b2483b4}},
			"down":        {sandwich.Upper.PerRun, []uint64{0x4020644405a38e7c, 0x4021b767fa2b9e38, 0x401f13f7de79bf58, 0x401fcc318e3e54da}},
			"sandwich":    {sandwich.BAR.PerRun, []uint64{0x401f74a3afb293d7, 0x40207737b938d9fa, 0x40206b360d1ec703, 0x401f3cea87300f00}},
			"RTS":         {tempered.RTS.PerRun, []uint64{0x4019d857aa880bf6, 0x401a0f4fcc2d3ff8, 0x401a2678a389e284, 0x401b773778af740f}},
			"TS":          {tempered.TS.PerRun, []uint64{0x40170261fdde876c, 0x401a2143e0680244, 0x40170261fdde876c, 0x401d2bcc6a9f247d}},
			"RTS, ladder": {tempered.LogZ, []uint64{0x4018923292620d9b, 0x40177f2f616a8eda, 0x401739d1dc5e547f, 0x4017b28da53f2154, 0x4018ca86ee6a66cd, 0x401a60340bdcc74e}},
			"SAMS":        {must(SAMS(background, labels, adjusted)).LogZ().PerRun, []uint64{0x4019724a4f0c6ee8, 0x4019d6e721c703cf, 0x401b1e9300915411, 0x4019d51897f5b6d0}},
			"SAMC":        {must(SAMC(background, labels, adjusted)).LogZ().PerRun, []uint64{0x4018923292620d9b, 0x4014923292620d9b, 0x4014923292620d9b, 0x4018923292620d9b}},
			"TI":          {ti.TI.PerRun, []uint64{0x402083ebbe718687, 0x401fdd8433d774b1, 0x40206014b43416bc, 0x4020596cc496640c}},
			"TI, bridge":  {ti.BAR.PerRun, []uint64{0x402081534fa7966d, 0x401ff6feafd11875, 0x4020446f36eaba5e, 0x40204222ad0b5c05}},
			"PT":          {pt.TI.PerRun, []uint64{0x402090e43c0ddb69, 0x401fa55df921dc69, 0x4020a5cc575c5d00, 0x401feae9eb7a9c10}},
			"PT, stones":  {pt.SteppingStone.PerRun, []uint64{0x402055dfd878a56d, 0x401f76c0b6b3c42a, 0x40207e3d6b00481f, 0x402034c5e8c49bd9}},
		} {
			got := make([]uint64, len(c.got))
			for i, v := range c.got {
				got[i] = math.Float64bits(v)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s with %d threads: got %#x, want %#x", name, threads, got, c.want)
			}
		}
	}
}

// A fitted schedule decides all draws along it.
func TestGoldenSchedules(t *testing.T) {
	l := Family[[]int8](ising{3, 0.5, 0.1})
	p := Pilot{Settings: Settings{Seed: 26, Runs: 10}, Steps: 50, Friction: true}
	for name, c := range map[string]struct {
		got  Schedule
		want []uint64
	}{
		"geometric":    {must(Geometric(3, 0.01)), []uint64{0x0, 0x3f847ae147ae147d, 0x3fb999999999999b, 0x3ff0000000000000}},
		"sigmoid":      {must(Sigmoid(4, 4)), []uint64{0x0, 0x3fbae0dc0f990c45, 0x3fe0000000000000, 0x3feca3e47e0cde76, 0x3ff0000000000000}},
		"equal length": {must(EqualLength(background, l, 4, p)), []uint64{0x0, 0x3fd3b201d1a343ee, 0x3fe24951122eb098, 0x3fe97c1381fded03, 0x3ff0000000000000}},
		"equal ESS":    {must(EqualESS(background, l, 0.8, p)), []uint64{0x0, 0x3fce200000000000, 0x3fdb0bc500000000, 0x3fead93406700000, 0x3ff0000000000000}},
	} {
		var got []uint64
		for _, v := range c.got {
			got = append(got, math.Float64bits(v))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %#x, want %#x", name, got, c.want)
		}
	}
}
