package partition_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/partition"
)

// Weights are divided between two sides of a load.
func ExampleRead() {
	problem, err := partition.Read("weights.txt", []byte("484 114 205 288 506 503 201 127 410"))
	if err != nil {
		fmt.Println(err)
		return
	}
	set := anneal.Settings{Seed: 1, Target: problem.Parity(), HasTarget: true}
	found, err := anneal.Run(context.Background(), problem, set)
	if err != nil {
		fmt.Println(err)
		return
	}
	check, err := problem.Evaluate(found.Solution)
	fmt.Println("difference", found.Best, "check", check, err)
	// Output:
	// difference 0 check 0 <nil>
}
