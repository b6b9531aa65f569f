package path

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ergodic-mcmc/ergodic/importance"
)

func TestSMC(t *testing.T) {
	g, l, m := newGaussian(5), ising{4, 0.4, 0.1}, newMachine(10, 6, 0.7)
	s := must(Uniform(40))
	set := SMCSettings{Settings: Settings{Seed: 1, Runs: 30}}
	within(t, "gaussian", must(SMC(background, Family[[]float64](g), s, set)), g.logZ(1))
	within(t, "ising", must(SMC(background, Family[[]int8](l), s, set)), l.logZ(1))
	within(t, "machine", must(SMC(background, Family[units](m), s, set)), m.logZ(1))
	set.Particles = 1 // is AIS
	within(t, "one particle", must(SMC(background, Family[[]int8](l), must(Uniform(300)), set)), l.logZ(1))
}

// Resampling helps where plain weights degenerate: at the same cost, with independent draws at each temperature, the variance is
// Σ s_k²/N instead of (exp(Σ s_k²) − 1)/N for steps whose log weights have the variances s_k².
func TestSMCBeatsAIS(t *testing.T) {
	g := newGaussian(20)
	g.rho = 0
	s := must(Geometric(20, 0.005))
	ais := must(AIS(background, Family[[]float64](g), s, Settings{Seed: 2, Runs: 2000}))
	for name, scheme := range map[string]importance.Resampler{
		"multinomial": importance.Multinomial, "residual": importance.Residual,
		"stratified": importance.Stratified, "systematic": importance.Systematic,
	} {
		smc := must(SMC(background, Family[[]float64](g), s, SMCSettings{Settings: Settings{Seed: 2}, Particles: 100, Resampling: scheme}))
		if smc.SE > ais.SE/2 {
			t.Errorf("%s: standard errors %.3f with and %.3f without resampling", name, smc.SE, ais.SE)
		}
		within(t, name, smc, g.logZ(1))
	}
}

func TestSMCSettings(t *testing.T) {
	for _, set := range []SMCSettings{{Particles: -1}, {Threshold: 2}, {Threshold: -0.5}} {
		if _, err := SMC(background, Family[[]float64](newGaussian(1)), must(Uniform(3)), set); err == nil {
			t.Errorf("%+v is accepted", set)
		}
	}
}

// A checkpoint belongs to a resampling scheme: it is refused with another scheme and resumed with the same.
func TestSMCResume(t *testing.T) {
	f, s := Family[[]float64](newGaussian(2)), must(Uniform(20))
	set := SMCSettings{Settings: Settings{Seed: 5, Runs: 4, Checkpoint: filepath.Join(t.TempDir(), "runs")}, Resampling: importance.Residual}
	want := must(SMC(background, f, s, set))
	set.Resume = true
	if got := must(SMC(background, f, s, set)); !reflect.DeepEqual(got, want) {
		t.Errorf("resumed %+v, undisturbed %+v", got, want)
	}
	for name, other := range map[string]importance.Resampler{
		"multinomial": importance.Multinomial, "stratified": importance.Stratified, "systematic": importance.Systematic,
	} {
		set.Resampling = other
		if _, err := SMC(background, f, s, set); err == nil {
			t.Errorf("a job with residual resampling is resumed as %s", name)
		}
	}
}
