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
		"8ca7cac359a9f302 99.2095 35.0759",
		"3fc2fa2d4526c633 77.239 27.3081",
		"86d9aec182307266 67.4825 47.7173",
		"be116ec7de629a23 72.8328 51.5005",
		"495731e7497ced57 1.33685e+12 6.68423e+11",
		"0f16478caa69506f 9.13792e+11 4.56896e+11",
		"29d11ef70816bb15 1 1",
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
