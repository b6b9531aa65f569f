package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Beta(2, 2) from the uniform: f = 6x(1−x) ≤ 1.5, so 1.5 proposals a draw; unnormalised, the rate times M is the mass.
func TestRejection(t *testing.T) {
	for _, scale := range []float64{1, 40} {
		r := testRand(42)
		j, err := NewRejection((*rand.Rand).Float64, func(x float64) float64 { return math.Log(scale * 6 * x * (1 - x)) },
			func(float64) float64 { return 0 }, math.Log(1.5*scale))
		if err != nil {
			t.Fatal(err)
		}
		const n = 200_000
		x := draw(n, func() float64 {
			x, err := j.Draw(r)
			if err != nil {
				t.Fatal(err)
			}
			return x
		})
		ksFits(t, "Rejection", x, func(x float64) float64 { return x * x * (3 - 2*x) })
		got := j.Report()
		if got.Accepted != n || math.Abs(got.InverseM*1.5*scale-1) > 1e-14 {
			t.Errorf("%+v", got)
		}
		meanFits(t, "proposals", float64(got.Proposed), n, 1.5, math.Sqrt(1.0/3)/(2.0/3)) // geometric with success 2/3
		if got.SE < 0.99*math.Sqrt(2.0/9/(1.5*n)) || got.SE > 1.01*math.Sqrt(2.0/9/(1.5*n)) {
			t.Errorf("standard error of the rate %v", got.SE)
		}
		if math.Abs(got.LogMass-math.Log(scale)) > 0.01 { // 7.7 standard errors of 0.0013
			t.Errorf("log mass %v, want %v", got.LogMass, math.Log(scale))
		}
	}
}

// The posterior of a normal mean in the plane, one coordinate seen twice: conjugate, so the coordinates and the evidence
// are known. The state is a vector.
func TestPosteriorOfVector(t *testing.T) {
	r := testRand(46)
	y := []float64{0.5, 1.1, -0.7}
	of := []int{0, 0, 1}
	logLik := func(x []float64) float64 {
		l := 0.0
		for i, v := range y {
			l += NormLogProb(v, x[of[i]], 1)
		}
		return l
	}
	j, err := NewPosterior(func(r *rand.Rand) []float64 { return []float64{StdNormal(r), StdNormal(r)} }, logLik, logLik([]float64{0.8, -0.7}))
	if err != nil {
		t.Fatal(err)
	}
	var first, second []float64
	for range 50_000 {
		x, err := j.Draw(r)
		if err != nil {
			t.Fatal(err)
		}
		first, second = append(first, (x[0]-1.6/3)*math.Sqrt(3)), append(second, (x[1]+0.35)*math.Sqrt2)
	}
	ksFits(t, "seen twice", first, normCDF)
	ksFits(t, "seen once", second, normCDF)
	// y₁, y₂ are normal with covariance I + 11ᵀ, of determinant 3 and inverse I − 11ᵀ/3; y₃ has variance 2.
	evidence := -1.5*math.Log(2*math.Pi) - 0.5*(math.Log(3)+0.25+1.21-1.6*1.6/3) - 0.5*(math.Log(2)+0.49/2)
	got := j.Report()
	if se := got.SE / got.Rate; math.Abs(got.LogMass-evidence) > 5.5*se { // 4e-8
		t.Errorf("log evidence %v ± %v, want %v", got.LogMass, se, evidence)
	}
}

// The rate falls as (σq/σp)^−D for normals of standard deviations σp and σq in D dimensions (MacKay 2003,
// Information Theory, Inference, and Learning Algorithms, section 29.3).
func TestRejectionDimension(t *testing.T) {
	const ratio = 1.25
	for _, d := range []int{1, 2, 5, 10, 20} {
		j := normalRejection(d, ratio)
		r := testRand(47 + uint64(d))
		const n = 4000
		for range n {
			if _, err := j.Draw(r); err != nil {
				t.Fatal(err)
			}
		}
		rate := math.Pow(ratio, -float64(d))
		got := j.Report()
		if math.Abs(got.InverseM/rate-1) > 1e-13 {
			t.Errorf("%d dimensions: 1/M = %v, want %v", d, got.InverseM, rate)
		}
		meanFits(t, fmt.Sprintf("%d dimensions", d), float64(got.Proposed), n, 1/rate, math.Sqrt(1-rate)/rate)
	}
}

// normalRejection draws a standard normal vector from one that is ratio times as wide.
func normalRejection(d int, ratio float64) *Rejection[[]float64] {
	x := make([]float64, d)
	logDensity := func(x []float64, sd float64) float64 {
		l := 0.0
		for _, v := range x {
			l += NormLogProb(v, 0, 1/(sd*sd))
		}
		return l
	}
	j, err := NewRejection(func(r *rand.Rand) []float64 {
		for i := range x {
			x[i] = ratio * StdNormal(r)
		}
		return x
	}, func(x []float64) float64 { return logDensity(x, 1) }, func(x []float64) float64 { return logDensity(x, ratio) },
		float64(d)*math.Log(ratio))
	if err != nil {
		panic(err) // the bound is finite
	}
	return j
}

func TestRejectionErrors(t *testing.T) {
	r := testRand(48)
	inf, nan := math.Inf(1), math.NaN()
	quarter := func(*rand.Rand) float64 { return 0.25 }
	constant := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	for want, c := range map[string]struct{ logP, logQ, logM float64 }{
		"broken at x = 0.25: log p(x) = 0.1 is above log M + log q(x) = -0.5 + 0.25; raise log M by 0.35": {0.1, 0.25, -0.5},
		"target is NaN at x = 0.25":         {nan, 0, 0},
		"target is +Inf at x = 0.25":        {inf, 0, 0},
		"where its log density is -Inf":     {0, -inf, 0},
		"where its log density is NaN":      {0, nan, 0},
		"50 proposals in a row were reject": {-inf, 0, 0},
		"bound of rejection is NaN":         {0, 0, nan},
		"bound of rejection is -Inf":        {0, 0, -inf},
	} {
		j, err := NewRejection(quarter, constant(c.logP), constant(c.logQ), c.logM)
		if err == nil {
			j.MaxTries = 50
			_, err = j.Draw(r)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := NewRejection(quarter, nil, constant(0), 0); err == nil {
		t.Error("no target gives no error")
	}
	if _, err := NewPosterior[float64](nil, constant(0), 0); err == nil {
		t.Error("no prior gives no error")
	}
	// An attained bound is not broken by the rounding of logarithms.
	j, err := NewRejection(StdNormal, func(x float64) float64 { return NormLogProb(x, 0, 1) + 300 }, func(x float64) float64 { return NormLogProb(x, 0, 1) }, 300)
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		if _, err := j.Draw(r); err != nil {
			t.Fatal(err)
		}
	}
	if got := j.Report(); got.Rate < 1-1e-3 {
		t.Errorf("rate %v under equal densities", got.Rate)
	}
}

func TestRejectionAllocatesNothing(t *testing.T) {
	j, r := normalRejection(3, 1.5), testRand(49)
	if n := testing.AllocsPerRun(200, func() {
		if _, err := j.Draw(r); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}
