package lda_test

import (
	"fmt"
	"log"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// short is a dozen short documents about bread and about boats.
func short() *corpus.Corpus {
	c := &corpus.Corpus{Starts: []int64{0}}
	for _, text := range []string{
		"flour water yeast salt", "dough oven flour", "yeast dough oven bread", "bread salt flour dough",
		"oven bread yeast", "flour dough water bread", "sail wind mast hull", "hull water anchor",
		"wind sail anchor mast", "mast hull sail", "anchor water hull wind", "sail wind hull water",
	} {
		for _, word := range strings.Fields(text) {
			w := slices.Index(c.Vocabulary, word)
			if w < 0 {
				w = len(c.Vocabulary)
				c.Vocabulary = append(c.Vocabulary, word)
			}
			c.Tokens = append(c.Tokens, int32(w))
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	c.Words = len(c.Vocabulary)
	return c
}

func Example() {
	c := short()
	m, err := lda.New(c, lda.Settings{Alpha: lda.Symmetric(0.2, 2), Beta: 0.1, Seed: 1})
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
	topics := make([][]string, m.K())
	counts := m.Counts()
	for w, name := range c.Vocabulary {
		for _, n := range counts.Word(w) {
			topics[n.Topic] = append(topics[n.Topic], fmt.Sprint(name, " ", n.N))
		}
	}
	for k, words := range topics {
		fmt.Printf("topic %d: %s\n", k+1, strings.Join(words, ", "))
	}
	fmt.Printf("log likelihood per token: %.2f\n", m.LogLikelihoodPerToken())
	// Output:
	// topic 1: flour 4, water 2, yeast 3, salt 1, dough 4, oven 3, bread 4
	// topic 2: water 3, salt 1, sail 4, wind 4, mast 3, hull 5, anchor 3
	// log likelihood per token: -2.88
}

// A model begins with warp, which is fast, and ends with an exact sampler.
func ExampleNewSampler() {
	m, err := lda.New(short(), lda.Settings{Alpha: lda.Symmetric(0.2, 2), Beta: 0.1, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, method := range []string{"warp", "sparse"} {
		s, err := lda.NewSampler(method, m, lda.Options{Threads: 2})
		if err != nil {
			log.Fatal(err)
		}
		for range 100 {
			s.Sweep()
		}
		fmt.Println(method, m.Sweeps(), m.Document(0), m.Document(11))
	}
	// Output:
	// warp 100 [1 1 1 1] [0 0 0 0]
	// sparse 200 [1 1 1 1] [0 0 0 0]
}

// A run that is stopped goes on from its state as if it had not been.
func ExampleModel_UnmarshalBinary() {
	set := lda.Settings{Alpha: lda.Symmetric(0.2, 2), Beta: 0.1, Seed: 1}
	sweeps := func(m *lda.Model, n int) {
		s, err := lda.NewSampler("light", m, lda.Options{})
		if err != nil {
			log.Fatal(err)
		}
		for range n {
			s.Sweep()
		}
	}
	whole, _ := lda.New(short(), set)
	sweeps(whole, 10)

	stopped, _ := lda.New(short(), set)
	sweeps(stopped, 4)
	state, _ := stopped.MarshalBinary()

	again, _ := lda.New(short(), set)
	if err := again.UnmarshalBinary(state); err != nil {
		log.Fatal(err)
	}
	sweeps(again, 6)
	fmt.Println(slices.Equal(whole.Topics(), again.Topics()))
	// Output: true
}

// A pass over a part of a corpus, here over the last two documents, says what it changes.
func ExamplePart_Run() {
	c := short()
	m, err := lda.New(c, lda.Settings{Alpha: lda.Symmetric(0.2, 2), Beta: 0.1, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	first := c.Starts[10]
	part := lda.Part{
		Corpus: &corpus.Corpus{Words: c.Words, Starts: []int64{0, c.Starts[11] - first, c.Starts[12] - first}, Tokens: c.Tokens[first:]},
		Topics: m.Topics()[first:], Counts: m.Counts(), Alpha: m.Alpha(), Beta: m.Beta(), Seed: 1, Number: 10, Pass: 0,
	}
	changes, differences, err := part.Run()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(changes)
	for _, d := range differences {
		fmt.Printf("%s: %+d in topic %d\n", c.Vocabulary[d.Word], d.N, d.Topic+1)
	}
	// Output:
	// [{0 1 0} {4 1 0} {7 1 0}]
	// water: +1 in topic 1
	// water: -1 in topic 2
	// sail: +1 in topic 1
	// sail: -1 in topic 2
	// anchor: +1 in topic 1
	// anchor: -1 in topic 2
}
