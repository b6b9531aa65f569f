package qap

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/ergodic-mcmc/ergodic/rng"
)

// The walks of a seed do not change, nor depend on the machine. The values are what walkers did when the conformance suite had passed them.
func TestGoldenWalks(t *testing.T) {
	want := []string{
		"37a1d3d136060594 198.419 49.6048",
		"d57fb0592e6820c6 154.478 27.3081",
		"e9b070cac7458f43 190.869 23.8587",
		"f3d44409d26d62c5 145.666 51.5005",
		"2b7af0c511175b07 3.78117e+12 4.72647e+11",
		"d31ac2ce305f4119 1.82758e+12 3.23074e+11",
		"6ae198535682a514 1 1",
	}
	for k, f := range forms {
		r := rng.New(9, "qap golden", uint64(k)).Rand
		p := f.problem(t, 23, r)
		w, err := p.Walker()
		if err != nil {
			t.Fatal(err)
		}
		w.Start(r)
		hot, cold := p.Temperatures()
		hash := fnv.New64a()
		for s := range 60 {
			_, accepted := w.Sweep([]float64{hot, cold, 0}[s%3], r)
			fmt.Fprint(hash, accepted, w.State(0), w.Energy(0), w.Best(0))
		}
		if got := fmt.Sprintf("%016x %.6g %.6g", hash.Sum64(), hot, cold); got != want[k] {
			t.Errorf("%+v: %q", f, got)
		}
	}
}
