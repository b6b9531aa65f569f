package markov_test

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/markov"
)

// necklace is a walk on a ring of n states that stays with probability ½.
func necklace(n int32) *markov.Sparse {
	var list []markov.Transition
	for i := range n {
		list = append(list,
			markov.Transition{From: i, To: i, P: 0.5},
			markov.Transition{From: i, To: (i + 1) % n, P: 0.25},
			markov.Transition{From: i, To: (i + n - 1) % n, P: 0.25})
	}
	c, err := markov.NewSparse(int(n), list)
	if err != nil {
		panic(err)
	}
	return c
}

// The second eigenvalue of this walk is ½ + ½ cos(2π/n).
func ExampleSecondEigenvalue() {
	c := necklace(200)
	pi, err := markov.StationaryOf(c)
	if err != nil {
		panic(err)
	}
	second, err := markov.SecondEigenvalue(c, pi, 5000)
	if err != nil {
		panic(err)
	}
	gap := 1 - second.Modulus()
	fmt.Printf("gap %.3g, error below a thousandth of it: %v\n", gap, second.Error < gap/1000)
	low, high, err := markov.MixingBounds(gap, 1.0/200, 0.25)
	if err != nil {
		panic(err)
	}
	t, err := markov.MixingTime(c, pi, 0.25)
	if err != nil {
		panic(err)
	}
	fmt.Println("mixing time between its bounds:", low <= float64(t) && float64(t) <= high)
	// Output:
	// gap 0.000247, error below a thousandth of it: true
	// mixing time between its bounds: true
}

// A walk that stays half of the time takes 2 k (n − k) steps to get k places round a ring of n.
func ExampleSolver_HittingLarge() {
	c := necklace(10_000)
	s := markov.Solver{}
	st, err := s.Solve(c)
	if err != nil {
		panic(err)
	}
	hit, err := s.HittingLarge(c, st.Pi, 0)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f %.0f\n", hit.Steps[1], hit.Steps[2])
	// Output: 19998 39992
}
