package dist_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func ExampleInverseCDF() {
	// The exponential, −log(1 − U) over the rate.
	r := rng.New(1, "exponential")
	sum := 0.0
	for range 100_000 {
		sum += dist.InverseCDF(r.Rand, func(u float64) float64 { return -math.Log1p(-u) / 2 })
	}
	fmt.Printf("%.2f\n", sum/100_000)
	// Output:
	// 0.50
}

func ExampleInvertCDF() {
	// The sum of an exponential and a uniform variable has a distribution function, and no formula for quantiles.
	cdf := func(x float64) float64 {
		if x < 1 {
			return x + math.Expm1(-x)
		}
		return 1 - math.Exp(-x)*math.Expm1(1)
	}
	r := rng.New(1, "sum")
	sum := 0.0
	for range 20_000 {
		x, err := dist.InvertCDF(r.Rand, 0, math.Inf(1), cdf)
		if err != nil {
			fmt.Println(err)
			return
		}
		sum += x
	}
	fmt.Printf("%.2f\n", sum/20_000)
	_, err := dist.InvertCDF(r.Rand, 0, 1, func(x float64) float64 { return 1.5 * x })
	fmt.Println(err)
	// Output:
	// 1.50
	// dist: the distribution function is 1.5 at x = 1; it must be between 0 and 1
}

func ExampleSolveQuantile() {
	median, err := dist.SolveQuantile(0.5, 0, math.Inf(1), func(x float64) float64 { return 1 - math.Exp(-x*x) })
	fmt.Printf("%.6f %v\n", median, err)
	// Output:
	// 0.832555 <nil>
}

func ExampleBoxMuller() {
	r := rng.New(1, "normals")
	var square, product float64
	for range 100_000 {
		a, b := dist.BoxMuller(r.Rand)
		c, d := dist.BoxMullerPolar(r.Rand)
		square += (a*a + b*b + c*c + d*d) / 4
		product += (a*b + c*d) / 2
	}
	fmt.Printf("%.2f %.2f\n", square/100_000, math.Abs(product)/100_000)
	// Output:
	// 1.00 0.00
}

func ExampleRejection() {
	// A half circle, from the square around it: p(x) = √(1−x²) ≤ 1 = 2 q(x).
	j, err := dist.NewRejection(
		func(r *rand.Rand) float64 { return 2*r.Float64() - 1 },
		func(x float64) float64 { return 0.5 * math.Log(1-x*x) },
		func(float64) float64 { return -math.Ln2 }, math.Ln2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "circle")
	for range 100_000 {
		if _, err := j.Draw(r.Rand); err != nil {
			fmt.Println(err)
			return
		}
	}
	got := j.Report()
	fmt.Printf("accepted %.3f, area of the half disc %.2f\n", got.Rate, math.Exp(got.LogMass))
	// Output:
	// accepted 0.783, area of the half disc 1.57
}

func ExampleNewRejection_brokenBound() {
	j, _ := dist.NewRejection(dist.StdNormal,
		func(x float64) float64 { return dist.NormLogProb(x, 1, 1) }, // heavier than the proposal on the right
		func(x float64) float64 { return dist.NormLogProb(x, 0, 1) }, 1.5)
	r := rng.New(1, "broken")
	for {
		if _, err := j.Draw(r.Rand); err != nil {
			fmt.Println(err)
			return
		}
	}
	// Output:
	// dist: the bound is broken at x = 2.092198905213788: log p(x) = -1.5153877574797714 is above log M + log q(x) = 1.5 + -3.1075866626935595; raise log M by 0.09219890521378815 or more
}

func ExampleNewPosterior() {
	// A coin with a uniform prior that showed 7 heads in 10 throws: the posterior is Beta(8, 4), the evidence 1/11.
	logLik := func(p float64) float64 { return dist.BinLogProb(7, p, 10) }
	j, err := dist.NewPosterior(func(r *rand.Rand) float64 { return r.Float64() }, logLik, logLik(0.7))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "coin")
	mean := 0.0
	for range 100_000 {
		p, err := j.Draw(r.Rand)
		if err != nil {
			fmt.Println(err)
			return
		}
		mean += p / 100_000
	}
	fmt.Printf("mean %.3f of %.3f, evidence %.4f of %.4f\n", mean, 8.0/12, math.Exp(j.Report().LogMass), 1.0/11)
	// Output:
	// mean 0.666 of 0.667, evidence 0.0909 of 0.0909
}

// The acceptance rate falls as (σq/σp)^−D: a proposal that is a quarter too wide in each of 20 dimensions is taken once
// in 87 times, and in 100 dimensions once in five thousand million.
func ExampleRejection_dimension() {
	const ratio = 1.25
	r := rng.New(1, "dimension")
	for _, d := range []int{1, 2, 5, 10, 20} {
		logDensity := func(x []float64, sd float64) float64 {
			l := 0.0
			for _, v := range x {
				l += dist.NormLogProb(v, 0, 1/(sd*sd))
			}
			return l
		}
		x := make([]float64, d)
		j, err := dist.NewRejection(
			func(r *rand.Rand) []float64 {
				for i := range x {
					x[i] = ratio * dist.StdNormal(r)
				}
				return x
			},
			func(x []float64) float64 { return logDensity(x, 1) },
			func(x []float64) float64 { return logDensity(x, ratio) },
			float64(d)*math.Log(ratio))
		if err != nil {
			fmt.Println(err)
			return
		}
		for range 4000 {
			if _, err := j.Draw(r.Rand); err != nil {
				fmt.Println(err)
				return
			}
		}
		got := j.Report()
		fmt.Printf("D = %2d: accepted %.4f, 1/M = %.4f\n", d, got.Rate, got.InverseM)
	}
	// Output:
	// D =  1: accepted 0.7954, 1/M = 0.8000
	// D =  2: accepted 0.6509, 1/M = 0.6400
	// D =  5: accepted 0.3288, 1/M = 0.3277
	// D = 10: accepted 0.1077, 1/M = 0.1074
	// D = 20: accepted 0.0115, 1/M = 0.0115
}

func ExampleARS() {
	// The full conditional of a log rate with a normal prior and one Poisson count, 3: not a law with a name.
	h := func(x float64) (h, dh float64) { return 3*x - math.Exp(x) - x*x/2, 3 - math.Exp(x) - x }
	a, err := dist.NewARS(math.Inf(-1), math.Inf(1), h, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rng.New(1, "conditional")
	mean := 0.0
	for range 100_000 {
		x, err := a.Draw(r.Rand)
		if err != nil {
			fmt.Println(err)
			return
		}
		mean += x / 100_000
	}
	fmt.Printf("mean %.2f, evaluations for fewer than one draw in 200: %v\n", mean, a.Evals() < 500)
	// Output:
	// mean 0.69, evaluations for fewer than one draw in 200: true
}

func ExampleNewARSDerivativeFree() {
	cauchy := func(x float64) float64 { return -math.Log1p(x * x) } // concave between -1 and 1 only
	a, err := dist.NewARSDerivativeFree(-20, 20, cauchy, 1)
	r := rng.New(1, "cauchy")
	for err == nil {
		_, err = a.Draw(r.Rand)
	}
	fmt.Println(err)
	// Output:
	// dist: the log density is not concave: at x = 5.0886273848078405 it is -3.2919079974095804, and at 5.0886273848078405 below the chord from 1 to 10.5
}
