package model_test

import (
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/model"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// A relation in a loop is one template with a row for each turn. What has to
// be computed again, and whose density changes, when b moves is its Markov
// blanket, in runs of rows.
func ExampleModel_Blanket() {
	program, err := bugs.Parse("line.bug", `
model {
  for (i in 1:1000) {
    mu[i] <- a + b * x[i]
    y[i] ~ dnorm(mu[i], 1)
    x[i] <- i / 1000
  }
  a ~ dnorm(0, 1)
  b ~ dnorm(0, 1)
}`)
	if err != nil {
		log.Fatal(err)
	}
	data, err := bugs.ReadData("line.json", fmt.Appendf(nil, `{"y": %s}`, zeros(1000)))
	if err != nil {
		log.Fatal(err)
	}
	c, err := bugs.Compile(program, data, rng.New(1, "data").Rand)
	if err != nil {
		log.Fatal(err)
	}
	m := c.Model
	b, _ := m.Array("b")
	blanket := m.Blanket([]int32{b.Base})
	fmt.Println(len(m.Templates), "templates,", m.Rows(), "rows")
	fmt.Println(model.Count(blanket.Det), "to compute in", len(blanket.Det), "run;",
		model.Count(blanket.Stoch), "densities in", len(blanket.Stoch), "run")
	// Output:
	// 4 templates, 2002 rows
	// 1000 to compute in 1 run; 1000 densities in 1 run
}

func zeros(n int) string {
	s := "[0"
	for range n - 1 {
		s += ", 0"
	}
	return s + "]"
}
