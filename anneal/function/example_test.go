package function_test

import (
	"context"
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/function"
)

// Rastrigin's function has a local minimum in every unit of its square, and its minimum of 0 in the middle.
func ExampleRead() {
	problem, err := function.Read("rastrigin.txt", []byte(`
for (i in 1:2) { x[i] ~ dunif(-5.12, 5.12) }
minimise <- 20 + sum(x^2 - 10*cos(2*pi*x))`))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := anneal.Run(context.Background(), problem, anneal.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", problem.Objective(found.Best))
	for i, name := range problem.Names() {
		fmt.Printf("%s %.4f\n", name, math.Abs(found.Solution[i]))
	}
	// Output:
	// 0.000000
	// x[1] 0.0000
	// x[2] 0.0000
}
