package lda_test

import (
	"fmt"
	"log"
	"math"

	"github.com/ergodic-mcmc/ergodic/lda"
)

// What a reader wants to know of topics: their words, whether these belong together, and whether they are the topic's alone.
func ExampleRankings() {
	m, err := lda.New(short(), lda.Settings{Alpha: lda.Symmetric(0.2, 2), Beta: 0.1, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	s, err := lda.NewSampler("sparse", m, lda.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for range 200 {
		s.Sweep()
	}
	r := m.Fitted().Rankings()
	for k, d := range r.Diagnose(m, 4) {
		fmt.Printf("topic %d, c_npmi %.2f, exclusivity %.2f, first in %d documents:", k+1, d.NPMI, d.Exclusivity, d.RankOneDocuments)
		for _, x := range r.Relevant(k, 4, 0.6) {
			fmt.Print(" ", r.Word(x.Word))
		}
		fmt.Println()
	}
	fmt.Printf("divergence %.2f of %.2f\n", r.Distances([]int{0, 1}, 1).At(0, 1), math.Ln2)
	// Output:
	// topic 1, c_npmi 0.30, exclusivity 0.98, first in 6 documents: flour dough bread yeast
	// topic 2, c_npmi 0.27, exclusivity 0.88, first in 6 documents: hull sail wind mast
	// divergence 0.48 of 0.69
}
