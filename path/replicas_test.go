package path

import (
	"fmt"
	"math"
	"testing"
)

func TestReplicas(t *testing.T) {
	g, l, m := newGaussian(4), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	set := IntegrateSettings{Settings: Settings{Seed: 1}, Draws: 400}
	all := func(name string, r *Integrals, want float64) {
		for _, x := range []*Result{r.TI, r.SteppingStone, r.BAR} {
			within(t, name+", "+x.Method, x, want)
			if len(x.Warnings) > 0 {
				t.Errorf("%s, %s: warnings %q", name, x.Method, x.Warnings)
			}
		}
	}
	all("gaussian", must(Replicas(background, Family[[]float64](exactGaussian{g}), must(Geometric(40, 0.002)), set)), g.logZ(1))
	all("ising", must(Replicas(background, Family[[]int8](l), must(Uniform(20)), set)), l.logZ(1))
	all("machine", must(Replicas(background, Family[units](m), must(Uniform(20)), set)), m.logZ(1))
}

// Below its critical temperature the lattice has two modes, of probabilities 0.65 and 0.35 in a small field. Moves do not cross
// between them, but swaps bring replicas from both, and the mean energy is nearer to the exact one.
func TestReplicasCross(t *testing.T) {
	l := ising{4, 1, 0.02}
	ladder := must(Uniform(16))
	set := IntegrateSettings{Settings: Settings{Seed: 4, Runs: 10}, Draws: 500}
	pt := must(Replicas(background, Family[[]int8](l), ladder, set))
	within(t, "swaps", pt.BAR, l.logZ(1))
	alone := must(Integrate(background, Family[[]int8](l), ladder, set))
	// The mean energy at β = 1 is the derivative of log Z, here by differences, to 1e-6.
	want := (l.logZ(1+1e-4) - l.logZ(1-1e-4)) / 2e-4
	if math.Abs(pt.Mean[16]-want) > math.Abs(alone.Mean[16]-want) {
		t.Errorf("mean energy %v with swaps and %v without, exactly %v", pt.Mean[16], alone.Mean[16], want)
	}
}

func TestReplicasThreads(t *testing.T) {
	f, ladder := Family[[]int8](ising{3, 0.3, 0}), must(Uniform(5))
	set := IntegrateSettings{Settings: Settings{Seed: 3, Threads: 1}, Draws: 20, Thin: 2}
	one := must(Replicas(background, f, ladder, set))
	set.Threads = 7
	many := must(Replicas(background, f, ladder, set))
	if a, b := fmt.Sprintf("%+v", *one.BAR), fmt.Sprintf("%+v", *many.BAR); a != b {
		t.Errorf("%s with one thread, %s with seven", a, b)
	}
}
