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
		"62e47d3c98d5cd69 140.303 70.1517",
		"1b9adf133539a4f8 109.232 27.3081",
		"4af97815211d1b52 95.4347 33.7413",
		"8772f31b569724a1 103.001 51.5005",
		"c13ed2df154aefcb 1.89059e+12 4.72647e+11",
		"f56813a86fcbb77b 1.2923e+12 4.56896e+11",
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
