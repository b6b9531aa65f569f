package qap_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/qap"
)

// Four departments go to four rooms in a row, so that people walk as little as they can: the matrices are how often they go from one to
// another, and how far it is between the rooms.
func ExampleRead() {
	problem, err := qap.Read("rooms.dat", []byte(`4
0 5 2 0
5 0 0 1
2 0 0 8
0 1 8 0

0 1 2 3
1 0 1 2
2 1 0 1
3 2 1 0`))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := anneal.Run(context.Background(), problem, anneal.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("length", problem.Objective(found.Best))
	check, err := problem.Evaluate(found.Solution)
	fmt.Println("check ", check, err)
	// Output:
	// length 36
	// check  36 <nil>
}
