package lda

import (
	"context"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func (e *Evaluation) inference() *Inference {
	return &Inference{Chains: e.Runs, Sweeps: e.Sweeps, BurnIn: e.BurnIn, Seed: e.Seed}
}

// completion is the workspace of the method.
type completion struct {
	set    *Inference
	split  streams.Name
	keys   []streams.Name // of the runs
	work   *inferrer
	words  []int32
	shares []float64 // Σ_k θ_k φ_kw of each run and scored token
	ratios []float64 // of each run
}

func newCompletion(e *Evaluation, t *fixedTopics) evaluator {
	set := e.inference()
	return &completion{set: set, split: streams.New(e.Seed, "lda completion split"), keys: set.keys("lda completion"), work: newInferrer(t),
		ratios: make([]float64, e.Runs)}
}

func (c *completion) score(ctx context.Context, words []int32, d uint64, part portion) DocumentScore {
	c.words = append(c.words[:0], words...)
	shuffle(c.words, c.split.Stream(d))
	given, scored := c.words[:len(words)/2], c.words[len(words)/2:]
	c.shares = c.shares[:0]
	for i, k := range c.keys {
		c.work.gather(ctx, given, c.set, k.Stream(d), part.piece(i, len(c.keys)))
		c.take(len(given), scored)
	}
	return c.mean(len(scored))
}

// shuffle puts tokens into random order (Fisher and Yates).
func shuffle(words []int32, r streams.Stream) streams.Stream {
	var u uint64
	for i := len(words) - 1; i > 0; i-- {
		u, r = r.Next()
		j := streams.Below(u, i+1)
		words[i], words[j] = words[j], words[i]
	}
	return r
}

// take adds what the samples of one run, of a number of given tokens, say of the scored ones.
func (c *completion) take(given int, scored []int32) {
	t, samples := c.work.chain, float64(c.set.Sweeps-c.set.BurnIn)
	total := float64(given) + t.sum
	// The chain is over: its weights are those of θ until it is cleared.
	t.clear()
	for _, k := range c.work.topics {
		n := float64(c.work.sums[k]) / samples
		t.weight[k] = float64((n + t.Alpha[k]) * t.factor[k])
		t.own += float64(n * t.none[k])
	}
	for _, w := range scored {
		all, _ := t.mass(w)
		c.shares = append(c.shares, all/total)
	}
	for _, k := range c.work.topics {
		t.weight[k] = t.prior[k]
		c.work.sums[k] = 0
	}
	c.work.topics = c.work.topics[:0]
}

// mean scores tokens by the mean of the runs. To the first order the logarithm's error is that of the mean of Σ_i p_ri / p̄_i.
func (c *completion) mean(tokens int) DocumentScore {
	s := DocumentScore{Tokens: tokens}
	clear(c.ratios)
	for i := range tokens {
		sum := 0.0
		for r := range c.ratios {
			sum += c.shares[r*tokens+i]
		}
		mean := sum / float64(len(c.ratios))
		s.LogP += vec.Log(mean)
		for r := range c.ratios {
			c.ratios[r] += c.shares[r*tokens+i] / mean
		}
	}
	if tokens > 0 {
		_, s.SE = meanSE(c.ratios)
	}
	return s
}
