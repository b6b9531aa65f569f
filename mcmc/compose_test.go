package mcmc_test

import (
	"encoding"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// logged is a kernel that notes what is done to it in a shared log; its tuning is the
// number of its adaptive steps.
type logged struct {
	name   string
	log    *[]string
	warmup []mcmc.Warmup
	tuned  byte
}

func (k *logged) note(what string) { *k.log = append(*k.log, k.name+" "+what) }

func (k *logged) Step(*walker, *rand.Rand) mcmc.Info {
	k.note("step")
	return mcmc.Info{Accepted: k.name == "a", AcceptProb: 0.5, Evals: 2, Divergent: k.name == "b"}
}

func (k *logged) Adapt(s *walker, r *rand.Rand, w mcmc.Warmup) mcmc.Info {
	k.note("adapt")
	k.warmup = append(k.warmup, w)
	k.tuned++
	return mcmc.Info{}
}

func (k *logged) Freeze() { k.note("freeze") }

func (k *logged) MarshalBinary() ([]byte, error) { return []byte{k.tuned}, nil }
func (k *logged) UnmarshalBinary(b []byte) error { k.tuned = b[0]; return nil }

// walker is the state of a finite chain.
type walker struct{ at int }

// plain is a kernel without tuning.
type plain func(s *walker, r *rand.Rand)

func (k plain) Step(s *walker, r *rand.Rand) mcmc.Info {
	k(s, r)
	return mcmc.Info{Accepted: true, AcceptProb: 1}
}

type kernel = mcmc.Kernel[*walker]

func TestComposition(t *testing.T) {
	var log []string
	a, b := &logged{name: "a", log: &log}, &logged{name: "b", log: &log}
	k := mcmc.Cycle[*walker](a, mcmc.Repeat[*walker](2, b), plain(func(*walker, *rand.Rand) {}))
	info := k.Step(&walker{}, nil)
	if want := (mcmc.Info{Accepted: true, AcceptProb: (0.5 + 0.5 + 1) / 3, Evals: 6, Divergent: true}); info != want {
		t.Errorf("the info of a cycle is %+v, want %+v", info, want)
	}
	k.Adapt(&walker{}, nil, mcmc.Warmup{Iteration: 3, Total: 10})
	k.Freeze()
	want := []string{"a step", "b step", "b step", "a adapt", "b adapt", "b adapt", "a freeze", "b freeze"}
	if !reflect.DeepEqual(log, want) {
		t.Errorf("the parts saw %v, want %v", log, want)
	}
	if want := []mcmc.Warmup{{Iteration: 6, Total: 20}, {Iteration: 7, Total: 20}}; !reflect.DeepEqual(b.warmup, want) {
		t.Errorf("the repeated part was told %v, want %v", b.warmup, want)
	}
	if info := mcmc.Repeat[*walker](0, a).Step(&walker{}, nil); info != (mcmc.Info{}) {
		t.Errorf("no repeats gave %+v", info)
	}
}

func TestCompositionMarshals(t *testing.T) {
	var log []string
	compose := func(a, b *logged) mcmc.Kernel[*walker] {
		m, err := mcmc.Mixture[*walker]([]float64{1, 1}, plain(func(*walker, *rand.Rand) {}), b)
		if err != nil {
			t.Fatal(err)
		}
		return mcmc.Cycle[*walker](a, mcmc.Repeat[*walker](3, m))
	}
	was := compose(&logged{log: &log, tuned: 3}, &logged{log: &log, tuned: 200})
	bytes, err := was.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	a, b := &logged{log: &log}, &logged{log: &log}
	is := compose(a, b).(encoding.BinaryUnmarshaler)
	if err := is.UnmarshalBinary(bytes); err != nil || a.tuned != 3 || b.tuned != 200 {
		t.Errorf("tuning %d and %d, want 3 and 200: %v", a.tuned, b.tuned, err)
	}
	for n := range bytes {
		if is.UnmarshalBinary(bytes[:n]) == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(bytes))
		}
	}
	if is.UnmarshalBinary(append(bytes, 0)) == nil {
		t.Error("a byte too many is accepted")
	}
	bytes[0] = 9
	if is.UnmarshalBinary(bytes) == nil {
		t.Error("another number of parts is accepted")
	}
}

func FuzzCompositionUnmarshal(f *testing.F) {
	f.Add([]byte{2, 1, 5, 0})
	f.Add([]byte{2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		k := mcmc.Cycle[*mcmc.Point](bananaJob{}.Kernel(0), bananaJob{}.Kernel(0))
		_ = k.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) // must not panic
	})
}

func TestMixtureWeights(t *testing.T) {
	p := plain(func(*walker, *rand.Rand) {})
	for _, c := range []struct {
		weights []float64
		kernels []kernel
		want    string
	}{
		{[]float64{1}, []kernel{p, p}, "2 kernels has 1 weights"},
		{nil, nil, "add up to 0"},
		{[]float64{0, 0}, []kernel{p, p}, "add up to 0"},
		{[]float64{1, -1}, []kernel{p, p}, "weight 2 is -1"},
		{[]float64{math.NaN(), 1}, []kernel{p, p}, "weight 1 is NaN"},
		{[]float64{math.Inf(1), 1}, []kernel{p, p}, "weight 1 is +Inf"},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, []kernel{p, p}, "add up to +Inf"},
	} {
		if _, err := mcmc.Mixture(c.weights, c.kernels...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("weights %v: error %v does not say %q", c.weights, err, c.want)
		}
	}
}

// A mixture picks kernel i with its weight: the kernel that goes to i makes the weights
// the law of the state after a step. kerneltest's false-alarm rate is 1e-6.
func TestMixtureFrequencies(t *testing.T) {
	weights := []float64{3, 0, 1, 0.5, 0}
	var kernels []kernel
	logw := make([]float64, len(weights))
	for i, w := range weights {
		kernels = append(kernels, plain(func(s *walker, _ *rand.Rand) { s.at = i }))
		logw[i] = math.Log(w)
	}
	m, err := mcmc.Mixture(weights, kernels...)
	if err != nil {
		t.Fatal(err)
	}
	err = kerneltest.Reaches(kerneltest.Finite[*walker]{
		LogWeight: logw,
		State:     func(i int) *walker { return &walker{i} },
		Index:     func(s *walker) int { return s.at },
		Kernel:    m,
	}, 1, kerneltest.Settings{})
	if err != nil {
		t.Error(err)
	}
}

// Composed kernels keep what their parts leave invariant, and a mixture their reversibility.
func TestCompositionConforms(t *testing.T) {
	logw := []float64{0, 1, -1, 0.5}
	step := func(by int) kernel {
		return plain(func(s *walker, r *rand.Rand) {
			to := (s.at + by*(1-2*r.IntN(2)) + len(logw)) % len(logw)
			if math.Log(r.Float64()) < logw[to]-logw[s.at] {
				s.at = to
			}
		})
	}
	mixed, err := mcmc.Mixture([]float64{1, 3}, step(1), step(2))
	if err != nil {
		t.Fatal(err)
	}
	target := func(k kernel) kerneltest.Finite[*walker] {
		return kerneltest.Finite[*walker]{
			LogWeight: logw,
			State:     func(i int) *walker { return &walker{i} },
			Index:     func(s *walker) int { return s.at },
			Kernel:    k,
		}
	}
	for name, k := range map[string]kernel{"cycle": mcmc.Cycle(step(1), step(2)), "mixture": mixed, "repeat": mcmc.Repeat(3, step(1))} {
		if err := kerneltest.Exact(target(k), kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := kerneltest.Reaches(target(k), 2, kerneltest.Settings{Steps: 50, Replicates: 5000}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "cycle" {
			continue // a cycle is not reversible
		}
		if err := kerneltest.DetailedBalance(target(k), kerneltest.Settings{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
