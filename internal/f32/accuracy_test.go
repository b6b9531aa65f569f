package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

// relative is the error of got in units of 2⁻²³ of want.
func relative(got float32, want float64) float64 {
	return math.Abs(float64(got)-want) / math.Abs(want) * (1 << 23)
}

// grid calls f with numbers between lo and hi, dense near zero too.
func grid(lo, hi float64, f func(x float32)) {
	const n = 200_000
	for i := range n + 1 {
		x := lo + (hi-lo)*float64(i)/n
		f(float32(x))
		f(float32(x * 1e-3))
		f(float32(x * 1e-7))
	}
}

// The expected values of the tests of accuracy are package math's, in float64.

func TestSigmoidAccuracy(t *testing.T) {
	worst := 0.0
	grid(-86, 120, func(x float32) {
		var y [1]float32
		Sigmoid(y[:], []float32{x})
		worst = max(worst, relative(y[0], 1/(1+math.Exp(-float64(x)))))
	})
	if worst > 2 {
		t.Errorf("the worst error is %.2f·2⁻²³, want at most 2", worst)
	}
}

func TestSoftplusAccuracy(t *testing.T) {
	worst := 0.0
	grid(-86, 200, func(x float32) {
		var y [1]float32
		Softplus(y[:], []float32{x})
		worst = max(worst, relative(y[0], math.Max(float64(x), 0)+math.Log1p(math.Exp(-math.Abs(float64(x))))))
	})
	if worst > 3 {
		t.Errorf("the worst error is %.2f·2⁻²³, want at most 3", worst)
	}
}

// A step's terms are relatively accurate. That from, to−from and their products with x are rounded is worth
// |from·x| + 1 units, the rest three.
func TestStepAccuracy(t *testing.T) {
	for _, step := range []struct{ from, to float64 }{{0, 1e-4}, {0.5, 0.5001}, {0.99, 1}, {1, 0.999999}, {0.3, 0.7}, {0, 1}} {
		worst := 0.0
		grid(-80, 118, func(x float32) {
			if x == 0 {
				return
			}
			got := SumSoftplusStep([]float32{x}, step.from, step.to)
			// With s = σ(from·x), log1p(s·expm1(δ)): twice as many digits as float32 has.
			v := float64(x)
			want := math.Log1p(math.Expm1((step.to-step.from)*v) / (1 + math.Exp(-step.from*v)))
			if math.Abs(want) > 1e-30 {
				worst = max(worst, relative(float32(got), want)/(4+math.Abs(step.from*v)))
			}
		})
		if worst > 1 {
			t.Errorf("%v: the worst error is %.2f·(4+|from·x|)·2⁻²³, want at most 1", step, worst)
		}
	}
}

func TestExp2Accuracy(t *testing.T) {
	worst := 0.0
	grid(-125, 126, func(y float32) { worst = max(worst, relative(exp2(y), math.Exp2(float64(y)))) })
	if worst > 2 {
		t.Errorf("the worst error is %.2f·2⁻²³, want at most 2", worst)
	}
}

func TestExtremes(t *testing.T) {
	x := []float32{-1e30, -200, 200, 1e30}
	y := make([]float32, len(x))
	Sigmoid(y, x)
	if y[0] > 5e-38 || y[1] > 5e-38 || y[2] != 1 || y[3] != 1 {
		t.Errorf("Sigmoid(%v) = %v", x, y)
	}
	Softplus(y, x)
	if y[0] > 5e-38 || y[1] > 5e-38 || y[2] != 200 || y[3] != 1e30 {
		t.Errorf("Softplus(%v) = %v", x, y)
	}
	var l Lanes
	l.Seed(rand.New(rand.NewPCG(1, 2)))
	dst := make([]int32, 4+block)
	for range 1000 {
		if n := Bernoulli(dst, x, 1, &l); n != 2 || dst[0] != 2 || dst[1] != 3 {
			t.Fatalf("Bernoulli(%v) gives the ones %v", x, dst[:n])
		}
	}
}
