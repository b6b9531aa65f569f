package plan_test

import (
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

func ExampleNew() {
	program, err := bugs.Parse("switch.bug", `
model {
  for (i in 1:4) { y[i] ~ dpois(rate[1 + (i > change)]) }
  change ~ dcat(even[])
  for (e in 1:2) { rate[e] ~ dgamma(1, 0.1) }
}`)
	if err != nil {
		log.Fatal(err)
	}
	data, err := bugs.ReadData("switch.R", []byte("y <- c(3, 4, 11, 9); even <- c(1, 1, 1)"))
	if err != nil {
		log.Fatal(err)
	}
	c, err := bugs.Compile(program, data, rng.New(1, "data").Rand)
	if err != nil {
		log.Fatal(err)
	}
	p, err := plan.New(c.Model, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range p.Items {
		t, i := c.Model.TemplateOf(item.Rows[0])
		fmt.Println(c.Model.CellName(t.Cells(i)[0]), item.Kernel)
	}
	// Output:
	// change enumerate
	// rate[1] conjugate-gamma
	// rate[2] conjugate-gamma
}
