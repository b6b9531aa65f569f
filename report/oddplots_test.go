package report

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/ergodic-mcmc/ergodic/draws"
)

// oddDraws are draws that a picture can stumble over, by name: the i-th of a chain.
func oddDraws() map[string]func(r *rand.Rand, chain, i int) float64 {
	pick := func(values ...float64) func(*rand.Rand, int, int) float64 {
		return func(r *rand.Rand, _, _ int) float64 { return values[r.IntN(len(values))] }
	}
	inf, nan := math.Inf(1), math.NaN()
	return map[string]func(r *rand.Rand, chain, i int) float64{
		"normal":             func(r *rand.Rand, _, _ int) float64 { return r.NormFloat64() },
		"infinite":           pick(inf),
		"both infinities":    pick(inf, -inf),
		"NaN":                pick(nan),
		"all kinds of none":  pick(nan, inf, -inf),
		"infinite at times":  func(r *rand.Rand, _, _ int) float64 { return 1 / max(r.NormFloat64(), 0) },
		"exp(1e4 m)":         func(r *rand.Rand, _, _ int) float64 { return math.Exp(1e4 * r.NormFloat64()) },
		"exp(300 m)":         func(r *rand.Rand, _, _ int) float64 { return math.Exp(300 * r.NormFloat64()) },
		"Cauchy":             func(r *rand.Rand, _, _ int) float64 { return math.Tan(math.Pi * r.Float64()) },
		"Cauchy to the 20":   func(r *rand.Rand, _, _ int) float64 { return math.Pow(math.Tan(math.Pi*r.Float64()), 21) },
		"largest":            pick(math.MaxFloat64),
		"largest both ways":  pick(math.MaxFloat64, -math.MaxFloat64),
		"at the limit":       pick(largest, -largest, 0),
		"huge":               func(r *rand.Rand, _, _ int) float64 { return 1e299 * r.NormFloat64() },
		"huge and close":     func(r *rand.Rand, _, _ int) float64 { return 1e299 * (1 + 1e-15*r.Float64()) },
		"smallest":           pick(5e-324, 0, -5e-324),
		"tiny":               func(r *rand.Rand, _, _ int) float64 { return 1e-310 * r.NormFloat64() },
		"tiny, far from 0":   func(r *rand.Rand, _, _ int) float64 { return 1 + 1e-16*r.NormFloat64() },
		"tiny to huge":       func(r *rand.Rand, _, _ int) float64 { return math.Pow(10, 600*r.Float64()-300) },
		"one far":            func(_ *rand.Rand, chain, i int) float64 { return map[bool]float64{true: 1e290, false: 1}[chain+i == 0] },
		"constant":           pick(3),
		"constant 0":         pick(0),
		"minus zero":         pick(0, math.Copysign(0, -1)),
		"constant by chain":  func(_ *rand.Rand, chain, _ int) float64 { return float64(chain) },
		"one chain NaN":      func(r *rand.Rand, chain, _ int) float64 { return []float64{nan, r.NormFloat64()}[min(chain, 1)] },
		"one chain infinite": func(r *rand.Rand, chain, _ int) float64 { return []float64{inf, r.NormFloat64()}[min(chain, 1)] },
		"counts":             func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(4)) },
		"huge counts":        pick(1e18, 1e18+256),
		"counts and far":     pick(0, 1, 2, 1e15),
		"first, then none":   func(_ *rand.Rand, _, i int) float64 { return []float64{1, nan}[min(i, 1)] },
	}
}

// Every picture of any draws is drawn, in both formats, and never panics.
func TestPicturesOfOddDraws(t *testing.T) {
	for _, shape := range []struct{ chains, draws int }{{2, 60}, {4, 1000}, {1, 1}, {3, 2}, {1, 0}, {4, 5}} {
		for name, f := range oddDraws() {
			set := oddSet(t, shape.chains, shape.draws, f)
			for _, kind := range Kinds() {
				drawOdd(t, fmt.Sprintf("%s of %d × %d draws, %s", kind, shape.chains, shape.draws, name), kind, set)
			}
		}
	}
}

// The same of draws that mix scales at random.
func TestPicturesOfMixedDraws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 5e-324, math.MaxFloat64, largest, -largest}
	sets := 80
	if testing.Short() {
		sets = 60
	}
	for k := range sets {
		share, scale := r.Float64()*r.Float64(), 300*r.Float64()
		centre := []float64{0, 0, r.NormFloat64() * math.Pow(10, 300*r.Float64())}[r.IntN(3)]
		f := func(r *rand.Rand, _, _ int) float64 {
			if r.Float64() < share {
				return special[r.IntN(len(special))]
			}
			return centre + r.NormFloat64()*math.Pow(10, scale*r.NormFloat64())
		}
		set := oddSet(t, 1+r.IntN(4), 1+r.IntN(200), f)
		for _, kind := range Kinds() {
			drawOdd(t, fmt.Sprintf("%s of mixture %d", kind, k), kind, set)
		}
	}
}

// Estimates of log Z that are not numbers, or cost nothing, are left out of their picture.
func TestEstimateCurvesOfOddValues(t *testing.T) {
	values := []float64{0, 1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -math.MaxFloat64, 5e-324}
	for _, cost := range values {
		for _, value := range values {
			for _, se := range values {
				curves := []Curve{{"a", []float64{cost, 2 * cost}, []float64{value, value}, [2]float64{value - se, value + se}}, {"b", []float64{1}, []float64{2}, [2]float64{1.9, 2.1}}, {"none", nil, nil, [2]float64{se, -se}}}
				var b bytes.Buffer
				if err := EstimateCurves("m", "CPU seconds", "log Z", curves).Write(&b, "svg"); err != nil || bytes.Contains(b.Bytes(), []byte("NaN")) {
					t.Errorf("cost %v, value %v, error %v: %v", cost, value, se, err)
				}
			}
		}
	}
}

func oddSet(t *testing.T, chains, n int, f func(r *rand.Rand, chain, i int) float64) *draws.Set {
	t.Helper()
	set, err := draws.NewSet([]draws.Variable{{Name: "odd"}, {Name: "even"}, {Name: "odder"}}, chains)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for c := range chains {
		for i := range n {
			if err := set.Append(c, []float64{f(r, c, i), r.NormFloat64(), f(r, c, i)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}

func drawOdd(t *testing.T, what string, kind Kind, set *draws.Set) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v %s", what, p, debug.Stack())
		}
	}()
	for _, page := range Pictures(kind, set, nil) {
		for _, format := range []string{"svg", "png"} {
			if format == "png" && (testing.Short() || set.Draws() != 60) { // the strokes are the same, and take long to fill
				continue
			}
			var b bytes.Buffer
			if err := page.Write(&b, format); err != nil || b.Len() < 500 {
				t.Errorf("%s as %s: %d bytes, %v", what, format, b.Len(), err)
			}
			if bytes.Contains(b.Bytes(), []byte("NaN")) && format == "svg" {
				t.Errorf("%s: a coordinate is NaN", what)
			}
		}
	}
}
