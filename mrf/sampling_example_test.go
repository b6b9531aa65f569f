package mrf_test

import (
	"context"
	"fmt"

	"github.com/ergodic-mcmc/ergodic/gibbs"
	"github.com/ergodic-mcmc/ergodic/mrf"
	"github.com/ergodic-mcmc/ergodic/path"
	"github.com/ergodic-mcmc/ergodic/rng"
)

// ring is spins in a ring that want to agree with their neighbours.
func ring(n int) *mrf.Model {
	m := &mrf.Model{}
	for i := range n {
		m.Cards = append(m.Cards, 2)
		m.Factors = append(m.Factors, mrf.Factor{Scope: []int{i, (i + 1) % n}, Table: []float64{3, 1, 1, 3}})
	}
	return m
}

func ExampleNewGibbs() {
	f, err := mrf.NewField(ring(10), mrf.FieldSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := mrf.NewGibbs(f, gibbs.Systematic)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := f.NewState(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, agree := rng.New(1, "example"), 0
	for range 1_000_000 {
		k.Step(s, r.Rand)
		if s.X[0] == s.X[1] {
			agree++
		}
	}
	// Two neighbours agree with probability (3·4⁹ + 3·2⁹)/(4¹⁰ + 2¹⁰) = 0.7507.
	fmt.Printf("%.2f\n", float64(agree)/1_000_000)
	// Output: 0.75
}

func ExampleNewBlocks() {
	f, err := mrf.NewField(ring(10), mrf.FieldSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := mrf.NewBlocks(f, mrf.BlockSettings{Trees: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("variables in each tree:", k.Sizes())
	// Output: variables in each tree: [9 9]
}

func ExampleSearch() {
	m := ring(10)
	m.Factors = append(m.Factors, mrf.Factor{Scope: []int{4}, Table: []float64{1, 2}})
	mode, err := mrf.Search(context.Background(), m, mrf.SearchSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v %.4f exact: %v\n", mode.State, mode.LogDensity, mode.Exact) // ln(3¹⁰·2)
	// Output: [1 1 1 1 1 1 1 1 1 1] 11.6793 exact: true
}

func ExampleLogZ() {
	z, err := mrf.LogZ(context.Background(), ring(10), mrf.PathSettings{}, path.AutoSettings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.4f\n", z.Method, z.LogZ) // ln(4¹⁰ + 2¹⁰)
	// Output: exact: 13.8639
}
