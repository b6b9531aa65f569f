package dist

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestInverseCDF(t *testing.T) {
	r := testRand(40)
	x := draw(200_000, func() float64 {
		return InverseCDF(r, func(u float64) float64 { return math.Tan(math.Pi * (u - 0.5)) }) // Cauchy
	})
	ksFits(t, "InverseCDF", x, func(x float64) float64 { return 0.5 + math.Atan(x)/math.Pi })
	p := []float64{3.5}
	discreteFits(t, "InverseCDF of dpois", 50_000, 0, 25,
		func() float64 { return InverseCDF(r, func(u float64) float64 { return poisQuantile(u, p) }) },
		func(x float64) float64 { return PoisLogProb(x, 3.5) })
}

// Both coordinates, and their product's law through the sum: (z₁+z₂)/√2 is normal only if they are independent.
func TestBoxMuller(t *testing.T) {
	r := testRand(41)
	for name, pair := range map[string]func(*rand.Rand) (z1, z2 float64){"BoxMuller": BoxMuller, "BoxMullerPolar": BoxMullerPolar} {
		var first, second, sum, square []float64
		for range 200_000 {
			a, b := pair(r)
			first, second = append(first, a), append(second, b)
			sum, square = append(sum, (a+b)/math.Sqrt2), append(square, a*a+b*b)
		}
		ksFits(t, name+", first", first, normCDF)
		ksFits(t, name+", second", second, normCDF)
		ksFits(t, name+", sum", sum, normCDF)
		ksFits(t, name+", radius", square, chiSquareCDF(2))
	}
}

// words is a source that gives fixed words, then those of another.
type words struct {
	first []uint64
	then  rand.Source
}

func (w *words) Uint64() uint64 {
	if len(w.first) == 0 {
		return w.then.Uint64()
	}
	v := w.first[0]
	w.first = w.first[1:]
	return v
}

// Given that its first k words are below 2⁴⁴, uniformFine is 2^(−20k) times a fresh uniform.
func TestUniformFine(t *testing.T) {
	src := rand.NewPCG(45, 1)
	for k := range 4 {
		scale := math.Ldexp(1, 20*k)
		x := draw(50_000, func() float64 {
			r := rand.New(&words{make([]uint64, k), src})
			return scale * uniformFine(r)
		})
		ksFits(t, "uniformFine", x, func(x float64) float64 { return min(x, 1) })
	}
	if x := uniformFine(rand.New(&words{then: &words{first: make([]uint64, 100), then: src}})); !(x > 0) {
		t.Errorf("a hundred zeros give %v", x)
	}
}
