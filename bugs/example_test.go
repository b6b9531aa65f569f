package bugs_test

import (
	"fmt"
	"log"

	"github.com/ergodic-mcmc/ergodic/bugs"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const hives = `model {
  for (i in 1:N) {
    honey[i] ~ dnorm(mu + slope * (bees[i] - 30), tau)
  }
  mu ~ dnorm(0, 0.0001)
  slope ~ dnorm(0, 0.01)
  tau ~ dgamma(1, 1)
}`

func ExampleParse() {
	prog, err := bugs.Parse("hives.bug", hives)
	if err != nil {
		log.Fatal(err)
	}
	loop := prog.Model.Stmts[0].(*bugs.For)
	fmt.Println("for", loop.Var, "in", loop.Range)
	fmt.Println(loop.Body[0])
	// Output:
	// for i in 1:N
	// honey[i] ~ dnorm(mu + slope * (bees[i] - 30),tau)
}

func ExampleParse_error() {
	_, err := bugs.Parse("hives.bug", "model {\n  for (i in 1:N) honey[i] ~ dnorm(mu, tau)\n}")
	fmt.Println(err)
	// Output:
	// hives.bug:2:18: expected "{" around the body of the loop, found the name honey
	//       for (i in 1:N) honey[i] ~ dnorm(mu, tau)
	//                      ^
	//   Write braces, also around a single relation: for (i in …) { … }
}

func ExampleReadData() {
	dump, err := bugs.ReadData("hives.R", []byte("N <- 3\nbees <- c(22, 31, 40)"))
	if err != nil {
		log.Fatal(err)
	}
	json, err := bugs.ReadData("honey.json", []byte(`{"honey": [11.5, null, 19]}`))
	if err != nil {
		log.Fatal(err)
	}
	if err := dump.Merge(json); err != nil {
		log.Fatal(err)
	}
	for _, name := range dump.Names {
		v := dump.Values[name]
		fmt.Println(name, v.Dims, v.Data, v.NA)
	}
	// Output:
	// N [] [3] []
	// bees [3] [22 31 40] []
	// honey [3] [11.5 NaN 19] [false true false]
}

func ExampleCompile() {
	prog, err := bugs.Parse("hives.bug", hives)
	if err != nil {
		log.Fatal(err)
	}
	data, err := bugs.ReadData("hives.R", []byte("N <- 3; bees <- 22:24; honey <- c(11.5, NA, 19); hives <- 7"))
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := bugs.Compile(prog, data, rng.New(1, "data").Rand)
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range compiled.Warnings {
		fmt.Println(w)
	}
	// Output:
	// the data give hives, which the model does not use
}
