package mrf

import (
	"math"
	"testing"

	"github.com/ergodic-mcmc/ergodic/kerneltest"
)

// Kernels of paths with bases of different sizes leave f_β invariant, enumerated by LogDensity, which is that of the model at 1.
func TestPathExact(t *testing.T) {
	for name, m := range models() {
		f, e := mustField(t, m, FieldSettings{}), enumerate(m)
		for entries := range map[int]bool{5: true, 24: true} {
			p, err := NewPath(f, PathSettings{Entries: entries, Blocks: BlockSettings{Entries: 12}})
			if err != nil {
				t.Fatal(err)
			}
			for _, beta := range []float64{0, 0.4, 1} {
				k, err := p.Kernel(beta)
				if err != nil {
					t.Fatal(err)
				}
				at := &enumeration{m: m, logs: make([]float64, len(e.logs))}
				for i, l := range e.logs {
					s := mustState(t, f, e.values(i))
					at.logs[i] = p.LogDensity(s, beta)
					if e.index(s.X) != i { // a value that is not possible
						at.logs[i] = math.Inf(-1)
					}
					if beta == 1 && at.logs[i] != l && !(math.Abs(at.logs[i]-l) < 1e-9) {
						t.Errorf("%s: log f at 1 is %v, not %v", name, at.logs[i], l)
					}
				}
				if z := at.logZ(); beta == 0 && !(math.Abs(z-p.LogZBase()) < 1e-9) {
					t.Errorf("%s: log Z of the base is %v, not %v", name, p.LogZBase(), z)
				}
				if err := kerneltest.Exact(finite(t, f, at, k), kerneltest.Settings{Seed: 1, Replicates: 3000, Alpha: 2e-8 / 6}); err != nil {
					t.Errorf("%s, entries %d, β = %v: %v", name, entries, beta, err)
				}
			}
		}
	}
}

// Where the base is all of a model, log Z is that of the competition, to its six digits.
func TestPathsOfSharedModels(t *testing.T) {
	for _, name := range uaiNames {
		in := sharedInstance(t, name)
		f := mustField(t, in.given.Model, FieldSettings{})
		p, err := NewPath(f, PathSettings{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Exact() && !(math.Abs(p.LogZBase()/math.Ln10-in.pr) < 1e-3*max(1, math.Abs(in.pr))) {
			t.Errorf("%s: log10 Z %v, not %v", name, p.LogZBase()/math.Ln10, in.pr)
		}
	}
}
