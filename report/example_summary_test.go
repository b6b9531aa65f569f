package report_test

import (
	"log"
	"os"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/report"
)

func ExampleSummarizeSet() {
	set, err := draws.NewSet([]draws.Variable{{Name: "u"}}, 2)
	if err != nil {
		log.Fatal(err)
	}
	for chain := range 2 {
		for i := range 1000 {
			// The golden section fills the interval evenly.
			x := 0.6180339887498949 * float64(1000*chain+i)
			if err := set.Append(chain, []float64{x - float64(int(x))}); err != nil {
				log.Fatal(err)
			}
		}
	}
	j, err := report.SummarizeSet(set, nil, 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteTable(os.Stdout, j.Parameters, report.Screen{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	//      mean      sd  mcse_mean  mcse_sd      q5  median     q95  ess_bulk  ess_tail   rhat
	// u  0.5000  0.2888     0.0047   0.0016  0.0498  0.5001  0.9496      4016      2238  0.999
}
