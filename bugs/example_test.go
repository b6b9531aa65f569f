package bugs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/diag"
	"github.com/ergodic-mcmc/ergodic/mcmc"
	"github.com/ergodic-mcmc/ergodic/model/plan"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// From the text of a model to a posterior mean. The posterior of p is
// Beta(1 + 7, 1 + 3), whose mean is 2/3.
func ExampleCompile() {
	program, err := bugs.Parse("coin.bug", `
model {
  heads ~ dbin(p, tosses)
  p ~ dunif(0, 1)
}`)
	if err != nil {
		log.Fatal(err)
	}
	data, err := bugs.ReadData("coin.R", []byte("heads <- 7; tosses <- 10"))
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := bugs.Compile(program, data, rng.New(1, "data").Rand)
	if err != nil {
		log.Fatal(err)
	}
	p, err := plan.New(compiled.Model, nil)
	if err != nil {
		log.Fatal(err)
	}
	monitors, err := compiled.Monitors([]string{"p"})
	if err != nil {
		log.Fatal(err)
	}
	job := &plan.Job{Plan: p, Monitors: monitors}
	set := mcmc.Settings{Seed: 1, Draws: 20_000}
	record, err := mcmc.NewMemory(job.Variables(), set)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := mcmc.Run(context.Background(), job, set, record, nil); err != nil {
		log.Fatal(err)
	}
	s := diag.Summarize(record.Draws().Element(0), nil)
	fmt.Printf("%s by %s: mean %.2f, R-hat %.2f\n", record.Draws().Names()[0], p.Items[0].Kernel, s.Mean, s.Rhat)
	// Output: p by conjugate-beta: mean 0.67, R-hat 1.00
}

// An error says what to do, and shows the line it is about, with a caret.
func ExampleParse() {
	_, err := bugs.Parse("coin.bug", "model {\n  heads ~ dbin(p, tosses\n}\n")
	fmt.Println(err)
	// Output:
	// coin.bug:3:1: expected "," or ")" in the parameters of dbin, found "}"
	//   The list begins after dbin at line 2, column 11.
	//     }
	//     ^
}

// Data in R's dump format and in JSON read alike: R's arrays run down the
// columns, JSON's are nested by rows.
func ExampleReadData() {
	r, err := bugs.ReadData("x.R", []byte("x <- structure(c(1, 2, 3, 4, NA, 6), .Dim = c(2, 3))"))
	if err != nil {
		log.Fatal(err)
	}
	j, err := bugs.ReadData("x.json", []byte(`{"x": [[1, 3, null], [2, 4, 6]]}`))
	if err != nil {
		log.Fatal(err)
	}
	a, b := r.Values["x"], j.Values["x"]
	fmt.Println(a.Dims, a.Data[:4], a.Missing(4))
	fmt.Println(b.Dims, b.Data[:4], b.Missing(4))
	// Output:
	// [2 3] [1 2 3 4] true
	// [2 3] [1 2 3 4] true
}

// A regression: plates are boxes, computed variables diamonds.
func ExampleProgram_DOT() {
	program, err := bugs.Parse("line.bug", `
model {
  for (i in 1:N) {
    y[i] ~ dnorm(mu[i], tau)
    mu[i] <- alpha + beta * x[i]
  }
  alpha ~ dnorm(0, 0.001)
  beta ~ dnorm(0, 0.001)
  tau ~ dgamma(1, 1) T(lo,)
}`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(program.DOT())
	// Output:
	// digraph model {
	//   subgraph cluster_1 {
	//     label="i in 1:N";
	//     "y" [shape=ellipse];
	//     "mu" [shape=diamond];
	//   }
	//   "alpha" [shape=ellipse];
	//   "beta" [shape=ellipse];
	//   "tau" [shape=ellipse];
	//   "x" [shape=box];
	//   "lo" [shape=box];
	//   "mu" -> "y";
	//   "tau" -> "y";
	//   "alpha" -> "mu" [style=dashed];
	//   "beta" -> "mu" [style=dashed];
	//   "x" -> "mu" [style=dashed];
	//   "lo" -> "tau";
	// }
}
