package lda_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// breadAndBoats is a model of the short documents, and two new ones over its words.
func breadAndBoats() (*lda.Fitted, *corpus.Corpus) {
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
	f := m.Fitted()
	text := "yeast and water in the oven\nthe mast holds the sail"
	c, _, err := corpus.Read(strings.NewReader(text), corpus.Settings{Format: corpus.Lines, Fixed: f.Vocabulary})
	if err != nil {
		log.Fatal(err)
	}
	return f, c
}

// The topics of documents that the model has not seen; words that it does not have were left out.
func ExampleFitted_Infer() {
	f, c := breadAndBoats()
	s, err := f.Infer(context.Background(), c, lda.Inference{Chains: 2, Sweeps: 100, BurnIn: 20, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.LeftOut, "words are unknown")
	fmt.Printf("%.2f\n", s.Of(1, nil))
	s.Write(os.Stdout, 0.5)
	// Output:
	// 6 words are unknown
	// [0.05 0.95]
	// document	topic	tokens	share
	// 1	1	2.91875	0.943359
	// 2	2	2	0.954545
}

// How likely they are under the model.
func ExampleFitted_Evaluate() {
	f, c := breadAndBoats()
	for _, e := range []lda.Evaluation{{Method: "left-to-right", Runs: 2, Particles: 20}, {Method: "completion", Runs: 4, Sweeps: 100, BurnIn: 20}} {
		h, err := f.Evaluate(context.Background(), c, e)
		if err != nil {
			log.Fatal(err)
		}
		logp, se := h.PerToken()
		fmt.Printf("%s: %d tokens, log likelihood per token %.3f ± %.3f, perplexity %.1f\n", e.Method, h.Tokens, logp, se, h.Perplexity())
	}
	// Output:
	// left-to-right: 5 tokens, log likelihood per token -2.362 ± 0.041, perplexity 10.6
	// completion: 3 tokens, log likelihood per token -2.180 ± 0.002, perplexity 8.8
}
