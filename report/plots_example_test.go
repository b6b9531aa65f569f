package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/draws"
	"github.com/ergodic-mcmc/ergodic/report"
)

func ExampleTraces() {
	set, err := draws.NewSet([]draws.Variable{{Name: "theta", Dims: []int{12}}}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	r := rand.New(rand.NewPCG(1, 2))
	draw := make([]float64, 12)
	for i := range 200 {
		for k := range draw {
			draw[k] = r.NormFloat64()
		}
		if err := set.Append(i%2, draw); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, page := range report.Traces(set) {
		var picture bytes.Buffer
		if err := page.Write(&picture, "svg"); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(page.Kind, page.Number, "of", page.Of, picture.Len() > 10000)
	}
	// Output:
	// trace 1 of 2 true
	// trace 2 of 2 true
}

func ExampleParseKind() {
	kind, err := report.ParseKind("auto")
	fmt.Println(kind, err)
	_, err = report.ParseKind("pie")
	fmt.Println(err)
	// Output:
	// autocorrelation <nil>
	// there is no picture "pie"; choose from trace, density, rank, autocorrelation, forest, pairs
}
