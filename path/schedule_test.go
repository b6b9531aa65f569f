package path

import (
	"math"
	"testing"
)

func TestSchedules(t *testing.T) {
	for name, s := range map[string]Schedule{
		"uniform":   must(Uniform(4)),
		"pieces":    must(Pieces(Piece{0.5, 1}, Piece{0.9, 2}, Piece{1, 1})),
		"geometric": must(Geometric(4, 0.001)),
		"sigmoid":   must(Sigmoid(4, 4)),
	} {
		if err := s.check(); err != nil || s.Steps() != 4 {
			t.Errorf("%s: %v has %d steps, %v", name, s, s.Steps(), err)
		}
	}
	for name, c := range map[string]struct {
		got  Schedule
		want []float64
	}{
		"uniform":   {must(Uniform(4)), []float64{0, 0.25, 0.5, 0.75, 1}},
		"pieces":    {must(Pieces(Piece{0.5, 1}, Piece{0.9, 2}, Piece{1, 1})), []float64{0, 0.5, 0.7, 0.9, 1}},
		"geometric": {must(Geometric(4, 0.001)), []float64{0, 0.001, 0.01, 0.1, 1}},
		"longer":    {must(must(Geometric(2, 0.5)).Resize(4)), []float64{0, 0.25, 0.5, 0.75, 1}},
		"shorter":   {must(must(Uniform(100)).Resize(2)), []float64{0, 0.5, 1}},
		// By hand: σ(−2) = 0.1192029, σ(−4) = 0.0179862; (σ(−2) − σ(−4))/(1 − 2σ(−4)) = 0.1049936.
		"sigmoid": {must(Sigmoid(4, 4)), []float64{0, 0.1049936, 0.5, 0.8950064, 1}},
	} {
		for k, v := range c.want {
			if math.Abs(c.got[k]-v) > 1e-7 {
				t.Errorf("%s: %v, want %v", name, c.got, c.want)
				break
			}
		}
	}
}

func TestBadSchedules(t *testing.T) {
	nan := math.NaN()
	for name, err := range map[string]error{
		"no steps":          second(Uniform(0)),
		"negative":          second(Uniform(-3)),
		"falling pieces":    second(Pieces(Piece{0.5, 1}, Piece{0.5, 1}, Piece{1, 1})),
		"pieces too short":  second(Pieces(Piece{0.5, 1})),
		"no pieces":         second(Pieces()),
		"piece to NaN":      second(Pieces(Piece{nan, 1})),
		"too many":          second(Uniform(1 << 40)),
		"geometric from 0":  second(Geometric(5, 0)),
		"geometric NaN":     second(Geometric(5, nan)),
		"geometric 1 step":  second(Geometric(1, 0.5)),
		"sigmoid flat":      second(Sigmoid(5, 0)),
		"sigmoid steep":     second(Sigmoid(5, 1e9)),
		"resize to nothing": second(Schedule{0, 1}.Resize(0)),
		"resize nothing":    second(Schedule{}.Resize(3)),
		"NaN within":        Schedule{0, nan, 1}.check(),
		"not to one":        Schedule{0, 0.5}.check(),
		"twice the same":    Schedule{0, 0.5, 0.5, 1}.check(),
		"ESS of 1":          second(EqualESS(background, Family[[]float64](newGaussian(1)), 1, Pilot{})),
		"ESS of NaN":        second(EqualESS(background, Family[[]float64](newGaussian(1)), nan, Pilot{})),
		"pilot of 1 run":    second(EqualLength(background, Family[[]float64](newGaussian(1)), 10, Pilot{Settings: Settings{Runs: 1}})),
		"length 0":          second(EqualLength(background, Family[[]float64](newGaussian(1)), 0, Pilot{})),
	} {
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// The variance of d log f/dβ under p_β of the Gaussian path in one dimension has a closed form: with p_β = N(m, s²) and
// the quadratic U = x²/2 − ((x−μ)/σ)²/2 = A x² + B x + C, Var U = 2A²s⁴ + (2Am + B)²s².
func (g *gaussian) speed(beta float64) float64 {
	m, s, _ := g.at(0, beta)
	mu, v := g.mean[0], g.sd[0]*g.sd[0]
	a, b := 0.5-0.5/v, mu/v
	return math.Sqrt(2*a*a*s*s*s*s + (2*a*m+b)*(2*a*m+b)*s*s)
}

// A fitted schedule's temperatures divide the exact length equally, to the pilot's accuracy: 25 windows with the standard
// deviation over 200 runs (5 % each, partly correlated) and piecewise constant speeds. The bound is 0.02 of the whole length.
func TestEqualLength(t *testing.T) {
	g := newGaussian(1)
	s := must(EqualLength(background, Family[[]float64](g), 20, Pilot{Settings: Settings{Seed: 1, Runs: 200}}))
	const fine = 100_000
	whole, upTo := 0.0, make([]float64, fine+1)
	for i := range fine {
		whole += g.speed((float64(i)+0.5)/fine) / fine
		upTo[i+1] = whole
	}
	for k, beta := range s {
		if got, want := upTo[int(beta*fine)]/whole, float64(k)/20; math.Abs(got-want) > 0.02 {
			t.Errorf("temperature %d, %.4f: %.3f of the length, want %.3f", k, beta, got, want)
		}
	}
}

// With the same autocorrelation at every β, friction changes nothing; with slow moves, the measured autocorrelation time is that
// of the autoregression: U is quadratic in x, so it lies between those of x², (1+ρ²)/(1−ρ²), and x, (1+ρ)/(1−ρ).
func TestCorrelationTime(t *testing.T) {
	g := newGaussian(1)
	g.rho = 0.8
	one := must(Uniform(1000))
	still := make(Schedule, len(one)) // all at β = 0, so that the chain is stationary
	for k := range still {
		still[k] = 1e-9 * one[k]
	}
	p := Pilot{Settings: Settings{Seed: 2, Runs: 100}}.withDefaults()
	with := must(measure(background, Family[[]float64](g), still, Pilot{p.Settings, p.Steps, true}, 0))
	without := must(measure(background, Family[[]float64](g), still, p, 0))
	ratio := with.length[25] / without.length[25]
	low, high := (1+0.64)/(1-0.64), (1+0.8)/(1-0.8)
	if tau := ratio * ratio; tau < low || tau > high {
		t.Errorf("measured time %.2f, want %.2f to %.2f", tau, low, high)
	}
}

// Each step of a schedule of equal conditional effective sample size has that size in another population, within the noise of
// 400 particles. The first step is checked against its exact value: the ratio E[v]²/E[v²] = Z(t)²/(Z(0) Z(2t)) at the step t.
func TestEqualESS(t *testing.T) {
	g := newGaussian(2)
	const ratio = 0.9
	s := must(EqualESS(background, Family[[]float64](g), ratio, Pilot{Settings: Settings{Seed: 3, Runs: 4000}}))
	// E_β[(f_{β+t}/f_β)²] = Z(β+2t)/Z(β), because log f is linear in β.
	for k := 1; k < len(s)-1; k++ {
		step := s[k] - s[k-1]
		if s[k]+step > 1 {
			break
		}
		got := math.Exp(2*g.logZ(s[k]) - g.logZ(s[k-1]) - g.logZ(s[k]+step))
		if math.Abs(got-ratio) > 0.04 { // over seeds the standard deviation is below 0.008
			t.Errorf("step %d to %.4f has the conditional ratio %.3f, want %v", k, s[k], got, ratio)
		}
	}
	within(t, "AIS along it", must(AIS(background, Family[[]float64](g), must(s.Resize(200)), Settings{Seed: 4})), g.logZ(1))
}
