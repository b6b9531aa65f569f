package lda

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// Evaluation says how the likelihood of held-out documents is estimated. Method and Runs are needed.
type Evaluation struct {
	Method string // one of EvaluationMethods
	Runs   int    // independent estimates for each document, which are averaged; the error comes from how they differ

	Particles      int // left-to-right: of each run
	Sweeps, BurnIn int // completion: of each run's chain, as in Inference

	Seed     uint64
	Threads  int                               // 0 and 1: one; the result does not depend on it
	Progress func(documents int, tokens int64) // what is done, tokens of documents under way in part, from one goroutine at a time; may be nil
}

// evaluators are the methods by name.
var evaluators = map[string]func(*Evaluation, *fixedTopics) evaluator{
	"left-to-right": newLeftToRight,
	"completion":    newCompletion,
}

// EvaluationMethods are left-to-right, which estimates the probability of each document, and completion, which estimates
// that of half of its tokens given the others. Both take the shares of words φ and the parameter α as they are.
//
// left-to-right is the algorithm of Wallach, Murray, Salakhutdinov and Mimno (2009, Algorithm 3). Tokens are put to the
// document one by one; at each of them R particles, assignments z of topics to the tokens before, move by Gibbs sampling, and
//
//	p̂_n = 1/R Σ_r Σ_k φ_kw (n_dk^r + α_k) / (n − 1 + Σα)
//
// is a factor of the estimate. Then, which the algorithm does not have, particles are drawn anew in proportion to their terms of
// p̂_n before they draw the topic of the token. It makes the product an unbiased estimate of p(w | φ, α) for any R, as
// particle filters with moves are (Gilks and Berzuini, 2001; Del Moral, 2004, section 7.4): moves alone do not take the
// particles to their distribution given token n. The logarithm of the estimate is too low by half of its variance. Each run
// takes the tokens in a random order, for p(w | φ, α) is the same for any, and moves a tenth of the tokens before each: N²R/20
// draws for N tokens.
//
// completion draws half of the tokens of each document at random, rounded down, infers its shares of topics θ from them as
// Infer does, and scores each other token by Σ_k θ_k φ_kw. Its logarithms do not add up to that of a probability of the document.
func EvaluationMethods() []string { return []string{"left-to-right", "completion"} }

func (e *Evaluation) check() error {
	switch {
	case evaluators[e.Method] == nil:
		return fmt.Errorf("lda: no method %q; there are %s", e.Method, strings.Join(EvaluationMethods(), ", "))
	case e.Runs < 1:
		return fmt.Errorf("lda: %d runs; there must be one or more", e.Runs)
	case e.Method == "completion":
		return e.inference().check()
	case e.Particles < 1:
		return fmt.Errorf("lda: %d particles; there must be one or more", e.Particles)
	}
	return nil
}

// HeldOut is the likelihood of held-out documents.
type HeldOut struct {
	Documents []DocumentScore
	Tokens    int64   // that are scored
	LogP      float64 // natural logarithm of the probability of all
	SE        float64 // Monte Carlo standard error of LogP; NaN where there was one run
}

// DocumentScore is the likelihood of one document.
type DocumentScore struct {
	Tokens int // that are scored
	LogP   float64
	SE     float64
}

// PerToken is LogP / Tokens and its standard error, 0 where there are no tokens.
func (h *HeldOut) PerToken() (logp, se float64) {
	if h.Tokens == 0 {
		return 0, 0
	}
	return h.LogP / float64(h.Tokens), h.SE / float64(h.Tokens)
}

// Perplexity is exp(−LogP / Tokens).
func (h *HeldOut) Perplexity() float64 {
	logp, _ := h.PerToken()
	return vec.Exp(-logp)
}

// Evaluate estimates the likelihood of documents that the model was not trained on. Each document has random streams of
// its own. The corpus must be over the model's vocabulary. When the context ends, so does Evaluate, with its error.
func (f *Fitted) Evaluate(ctx context.Context, c *corpus.Corpus, e Evaluation) (*HeldOut, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	t, err := f.fix(c)
	if err != nil {
		return nil, err
	}
	if e.Method == "completion" {
		if err := e.inference().fits(c); err != nil {
			return nil, err
		}
	}
	h := &HeldOut{Documents: make([]DocumentScore, c.Len())}
	err = eachDocument(ctx, c, e.Threads, e.Progress, func() evaluator { return evaluators[e.Method](&e, t) }, func(w evaluator, d int, part portion) {
		h.Documents[d] = w.score(ctx, c.Document(d), uint64(d), part)
	})
	if err != nil {
		return nil, err
	}
	variance := 0.0
	for _, s := range h.Documents {
		h.Tokens += int64(s.Tokens)
		h.LogP += s.LogP
		variance += float64(s.SE * s.SE)
	}
	h.SE = math.Sqrt(variance)
	return h, nil
}

// evaluator is a workspace for the documents of one thread.
type evaluator interface {
	score(ctx context.Context, words []int32, d uint64, part portion) DocumentScore
}

// meanSE is the mean of terms and its standard error, NaN of one term.
func meanSE(terms []float64) (mean, se float64) {
	n, sum, squares := float64(len(terms)), 0.0, 0.0
	for _, x := range terms {
		sum += x
	}
	mean = sum / n
	for _, x := range terms {
		squares += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(squares / (n * (n - 1)))
}

// logMeanExp turns logarithms into their terms over the greatest, and returns the logarithm of the mean.
func logMeanExp(terms []float64) float64 {
	top, sum := slices.Max(terms), 0.0
	for i, x := range terms {
		terms[i] = vec.Exp(x - top)
		sum += terms[i]
	}
	return top + vec.Log(sum/float64(len(terms)))
}
