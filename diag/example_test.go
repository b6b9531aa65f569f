package diag_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/diag"
)

// twoChains are draws of a slowly mixing process.
func twoChains() [][]float64 {
	r := rand.New(rand.NewPCG(1, 2))
	chains := make([][]float64, 2)
	for c := range chains {
		x := 0.0
		for range 1000 {
			x = 0.8*x + r.NormFloat64()
			chains[c] = append(chains[c], x)
		}
	}
	return chains
}

func ExampleSummarize() {
	var work diag.Work // reuse it for the next scalar
	s := diag.Summarize(twoChains(), &work)
	fmt.Printf("mean %.2f ± %.2f, sd %.2f\n", s.Mean, s.MCSEMean, s.SD)
	fmt.Printf("90 %% interval %.2f to %.2f\n", s.Q5, s.Q95)
	fmt.Printf("R-hat %.3f, ESS %.0f in the bulk, %.0f in the tails\n", s.Rhat, s.ESSBulk, s.ESSTail)
	// Output:
	// mean 0.18 ± 0.10, sd 1.59
	// 90 % interval -2.40 to 2.89
	// R-hat 1.002, ESS 234 in the bulk, 585 in the tails
}

func ExampleRhat() {
	chains := twoChains()
	fmt.Printf("%.2f\n", diag.Rhat(chains))
	for i := range chains[1] {
		chains[1][i] += 2 // the second chain sits elsewhere
	}
	fmt.Printf("%.2f\n", diag.Rhat(chains))
	// Output:
	// 1.00
	// 1.27
}

func ExampleLeaveOneOut() {
	r := rand.New(rand.NewPCG(1, 2))
	y := []float64{-0.6, 0.2, 0.4}
	logLik := make([][][]float64, len(y)) // observations × chains × draws
	for i := range logLik {
		logLik[i] = [][]float64{nil}
	}
	for range 1000 {
		mu := 0.577 * r.NormFloat64()
		for i, v := range y {
			logLik[i][0] = append(logLik[i][0], -0.919-(v-mu)*(v-mu)/2)
		}
	}
	loo, err := diag.LeaveOneOut(logLik)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("elpd %.1f ± %.1f with %.1f effective parameters\n", loo.ELPD, loo.SE, loo.P)
	worst := 0.0
	for _, p := range loo.Points {
		worst = max(worst, p.K)
	}
	fmt.Println("trustworthy:", worst < diag.KThreshold(1000))
	// Output:
	// elpd -3.7 ± 0.2 with 0.4 effective parameters
	// trustworthy: true
}

func ExampleAutocorrelation() {
	rho := diag.Autocorrelation([]float64{1, 2, 3, 4, 5, 4, 3, 2})
	fmt.Printf("%.2f\n", rho[:4])
	// Output:
	// [1.00 0.50 -0.08 -0.50]
}

func ExampleDICByVariance() {
	d := diag.DICByVariance([][]float64{{40, 43, 41}, {42, 40, 44}})
	fmt.Printf("DIC %.1f = %.1f + %s %.1f\n", d.Value, d.MeanDeviance, d.PenaltyName, d.Penalty)
	// Output:
	// DIC 43.0 = 41.7 + pV 1.3
}

func ExampleLive() {
	live := diag.NewLive(2, 3) // two chains of three elements
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		for c := range 2 {
			live.Add(c, []float64{r.NormFloat64(), float64(c) + r.NormFloat64(), r.NormFloat64()})
		}
	}
	w := live.Worst()
	fmt.Printf("the worst R-hat is that of element %d; above 1.1: %t\n", w.RhatElement, w.Rhat > 1.1)
	// Output:
	// the worst R-hat is that of element 1; above 1.1: true
}

func ExampleBFMI() {
	fractions := diag.BFMI([][]float64{{1, 2, 1, 2, 1, 2}}) // one chain
	fmt.Printf("%.2f\n", fractions[0])
	// Output:
	// 3.33
}

func ExampleGeweke() {
	chain := twoChains()[0]
	fmt.Printf("%.2f\n", diag.Geweke(chain))
	// Output:
	// -0.47
}
