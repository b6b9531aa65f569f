package colouring_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/anneal"
	"github.com/ergodic-mcmc/ergodic/anneal/colouring"
)

// Six exams, of which those that share a student are joined, go to as few hours as can be: as long as there is a colouring without
// conflict, one colour fewer is tried.
func ExampleGraph_Colours() {
	g, err := colouring.Read("exams.col", []byte(`p edge 6 8
e 1 2
e 1 3
e 2 3
e 2 4
e 3 5
e 4 5
e 4 6
e 5 6`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, k := g.Greedy()
	for least := len(g.Clique()); k > least; k-- {
		p, err := g.Colours(k - 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		found, err := anneal.Run(context.Background(), p, anneal.Settings{Seed: 1, HasTarget: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		if found.Best > 0 {
			break
		}
	}
	fmt.Println(k, "hours, and at least", len(g.Clique()))
	// Output: 3 hours, and at least 3
}
