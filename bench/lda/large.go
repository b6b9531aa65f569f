package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
	"github.com/ergodic-mcmc/ergodic/rng"
)

const (
	largeTopics = 1000
	largeWords  = 50_000
	largeLength = 200 // tokens of a document
	largeMixed  = 4   // topics of a document
)

// rarest is a share of a topic that 10⁸ tokens do not come to: words with less are left out of it.
const rarest = 1e-9

// known is a topic: the words of positive share, and a table that draws them.
type known struct {
	words []int32
	table dist.Alias
}

// newKnown draws a topic's shares of words from the Dirichlet distribution with parameter beta, as the model has them.
func newKnown(r *rand.Rand, shares []float64) (*known, error) {
	sum := 0.0
	for w := range shares {
		shares[w] = dist.Gamma(r, beta, 1)
		sum += shares[w]
	}
	t := new(known)
	var kept []float64
	for w, x := range shares {
		if x > rarest*sum {
			t.words, kept = append(t.words, int32(w)), append(kept, x)
		}
	}
	return t, t.table.Build(kept)
}

// generate draws a corpus, and the topics of its tokens.
func generate(tokens int) (*corpus.Corpus, []uint16, error) {
	r := rng.New(1, "bench lda large").Rand
	all := make([]*known, largeTopics)
	shares := make([]float64, largeWords)
	for k := range all {
		var err error
		if all[k], err = newKnown(r, shares); err != nil {
			return nil, nil, err
		}
	}
	c := &corpus.Corpus{Words: largeWords, Tokens: make([]int32, 0, tokens), Starts: make([]int64, 1, tokens/largeLength+1)}
	topics := make([]uint16, 0, tokens)
	for len(c.Tokens) < tokens {
		var own [largeMixed]int
		for i := range own {
			own[i] = r.IntN(largeTopics)
		}
		for range largeLength {
			k := own[r.IntN(largeMixed)]
			topics = append(topics, uint16(k))
			c.Tokens = append(c.Tokens, all[k].words[all[k].table.Draw(r)])
		}
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	return c, topics, nil
}

// large compares what a token costs among 10⁷ and among 10⁸, with 1000 topics: five sweeps of warp after two, then two of
// sparse after one. Both begin with the topics that generated the tokens: from random ones more tokens are further from the posterior after as many sweeps, and
// their words have more topics, over which SparseLDA's sums run.
func (b *bench) large(context.Context) error {
	fmt.Printf("\ngenerated from %d known topics, %d words, documents of %d tokens: nanoseconds of CPU a token, log likelihood per token\n", largeTopics, largeWords, largeLength)
	var first [2]float64
	for i, tokens := range []int{1e7, 1e8} {
		c, topics, err := generate(tokens)
		if err != nil {
			return err
		}
		m, err := lda.New(c, lda.Settings{Alpha: lda.Symmetric(50, largeTopics), Beta: beta, Seed: 1})
		if err != nil {
			return err
		}
		if err := m.SetTopics(topics); err != nil {
			return err
		}
		topics = nil
		for j, s := range []struct {
			method       string
			before, then int
		}{{"warp", 2, 5}, {"sparse", 1, 2}} {
			sampler, err := lda.NewSampler(s.method, m, lda.Options{})
			if err != nil {
				return err
			}
			for range s.before {
				sampler.Sweep()
			}
			from := cputime.Process()
			for range s.then {
				sampler.Sweep()
			}
			cost := (cputime.Process() - from) / float64(s.then) / float64(tokens) * 1e9
			if i == 0 {
				first[j] = cost
			}
			fmt.Printf("%10d tokens %-8s %8.1f ns, %5.2f times that of 10⁷, %8.4f\n", tokens, s.method, cost, cost/first[j], m.LogLikelihoodPerToken())
			debug.FreeOSMemory()
		}
	}
	return nil
}
