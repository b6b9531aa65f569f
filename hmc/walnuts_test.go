package hmc

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// neck is Neal's funnel (2003) in ten dimensions: x₀ ~ N(0, 3²), the others N(0, e^{x₀}).
func neck(x, grad []float64) float64 {
	v, sum, n := math.Exp(-x[0]), 0.0, float64(len(x)-1)
	for i, y := range x[1:] {
		sum += y * y
		if grad != nil {
			grad[i+1] = -v * y
		}
	}
	if grad != nil {
		grad[0] = -x[0]/9 - n/2 + v*sum/2
	}
	return -x[0]*x[0]/18 - n*x[0]/2 - v*sum/2
}

// TestWALNUTSIsRightInAFunnel compares the log scale and the others' with the normal distributions that they have: means, squares, and the shares in the neck, where NUTS
// does not come, and in the mouth. 9 estimates within 5.5 of their Monte Carlo errors: 4e-7, where the errors are right.
func TestWALNUTSIsRightInAFunnel(t *testing.T) {
	target := TargetFunc(neck)
	set := mcmc.Settings{Seed: 3, Warmup: 1000, Draws: 20_000}
	draws, err := mcmc.SamplePoints(context.Background(), target, 10, func() (mcmc.Kernel[*mcmc.Point], error) {
		return NewWALNUTS(target, 10, WALNUTSSettings{Settings: Settings{Metric: Unit}})
	}, set)
	if err != nil {
		t.Fatal(err)
	}
	v := draws.Element(0)
	of := func(f func(c, i int) float64) [][]float64 {
		out := make([][]float64, len(v))
		for c := range v {
			for i := range v[c] {
				out[c] = append(out[c], f(c, i))
			}
		}
		return out
	}
	share := func(in func(x float64) bool) [][]float64 {
		return of(func(c, i int) float64 {
			if in(v[c][i]) {
				return 1
			}
			return 0
		})
	}
	unscaled := func(k int) [][]float64 { // x_k e^{−x₀/2} ~ N(0, 1), independent of x₀
		x := draws.Element(k)
		return of(func(c, i int) float64 { return x[c][i] * math.Exp(-v[c][i]/2) })
	}
	square := func(x [][]float64) [][]float64 { return of(func(c, i int) float64 { return x[c][i] * x[c][i] }) }
	for name, c := range map[string]struct {
		x    [][]float64
		want float64
	}{
		"mean of the log scale":   {v, 0},
		"square of the log scale": {square(v), 9},
		"share in the neck":       {share(func(x float64) bool { return x < -6 }), 0.0227501}, // Φ(−2)
		"share deep in the neck":  {share(func(x float64) bool { return x < -3 }), 0.1586553}, // Φ(−1)
		"share in the mouth":      {share(func(x float64) bool { return x > 6 }), 0.0227501},  // 1 − Φ(2)
		"mean of x₁, unscaled":    {unscaled(1), 0},
		"square of x₁, unscaled":  {square(unscaled(1)), 1},
		"mean of x₉, unscaled":    {unscaled(9), 0},
		"square of x₉, unscaled":  {square(unscaled(9)), 1},
	} {
		s := diag.Tabulate(c.x, nil)
		if math.Abs(s.Mean-c.want) > 5.5*s.MCSEMean || s.MCSEMean > 0.6 {
			t.Errorf("%s: %.4f ± %.4f, exact %.4f", name, s.Mean, s.MCSEMean, c.want)
		}
	}
	if r, ess := diag.Rhat(v), diag.Tabulate(v, nil).ESSBulk; r > 1.03 || ess < 300 {
		t.Errorf("R-hat of the log scale %.3f, ESS %.0f", r, ess)
	}
}

// A step that is not divided is a leapfrog: where the tolerance is never met WALNUTS makes the steps of NUTS.
func TestWALNUTSWithoutDivisionIsNUTS(t *testing.T) {
	target := targets()[0]
	nuts, err := NewNUTS(target, target.dim, Settings{StepSize: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	walnuts, err := NewWALNUTS(target, target.dim, WALNUTSSettings{Settings: Settings{StepSize: 0.1}, Tolerance: maxError})
	if err != nil {
		t.Fatal(err)
	}
	r1, r2 := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	a, b := mcmc.NewPoint(target, []float64{1, 1, 0}), mcmc.NewPoint(target, []float64{1, 1, 0})
	for range 200 {
		if x, y := nuts.Step(a, r1), walnuts.Step(b, r2); x != y || !slices.Equal(a.X, b.X) {
			t.Fatalf("%+v at %v, %+v at %v", x, a.X, y, b.X)
		}
	}
}

func TestWALNUTSSettings(t *testing.T) {
	for said, set := range map[string]WALNUTSSettings{
		"vary by -1":        {Tolerance: -1},
		"vary by NaN":       {Tolerance: math.NaN()},
		"Halvings is 31":    {Halvings: 31},
		"acceptance probab": {Settings: Settings{Accept: 2}},
	} {
		if _, err := NewWALNUTS(targets()[0], 3, set); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%v, want %s", err, said)
		}
	}
}
