package lda

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// Inference says how the topics of new documents are found. Chains and Sweeps are needed.
type Inference struct {
	Chains int // independent ones for each document
	Sweeps int // of each chain, BurnIn among them; the topics after each of the others are a sample
	BurnIn int

	Seed     uint64
	Threads  int                               // 0 and 1: one; the result does not depend on it
	Progress func(documents int, tokens int64) // what is done, tokens of documents under way in part, from one goroutine at a time; may be nil
}

func (s *Inference) check() error {
	switch {
	case s.Chains < 1:
		return fmt.Errorf("lda: %d chains; there must be one or more", s.Chains)
	case s.BurnIn < 0 || s.Sweeps <= s.BurnIn:
		return fmt.Errorf("lda: %d sweeps with a burn-in of %d; there must be more sweeps than that, and it must not be negative", s.Sweeps, s.BurnIn)
	case s.Sweeps-s.BurnIn > math.MaxInt32/s.Chains:
		return fmt.Errorf("lda: %d sweeps of %d chains are more samples than can be counted", s.Sweeps-s.BurnIn, s.Chains)
	}
	return nil
}

// samples is how many samples a document has.
func (s *Inference) samples() int { return s.Chains * (s.Sweeps - s.BurnIn) }

// fits tells which document has more tokens than can be counted over all samples.
func (s *Inference) fits(c *corpus.Corpus) error {
	for d := range c.Len() {
		if n := len(c.Document(d)); n > math.MaxUint32/s.samples() {
			return fmt.Errorf("lda: %d samples of the %d tokens of document %d are more than can be counted", s.samples(), n, d+1)
		}
	}
	return nil
}

// keys names the streams of the chains.
func (s *Inference) keys(purpose string) []streams.Name {
	keys := make([]streams.Name, s.Chains)
	for c := range keys {
		keys[c] = streams.New(s.Seed, purpose, uint64(c))
	}
	return keys
}

// Infer finds the topics of documents that the model was not trained on, with its shares of words φ as they are: by Gibbs
// sampling of the topics z of each document, with
//
//	p(z_i = k | z¬i, w) ∝ (n¬_dk + α_k) φ_kw,
//
// from topics that are drawn token by token. A sample is a sweep after the burn-in. Each chain and document has a random
// stream of its own. The corpus must be over the model's vocabulary. When the context ends, so does Infer, with its error.
func (f *Fitted) Infer(ctx context.Context, c *corpus.Corpus, set Inference) (*DocumentShares, error) {
	if err := set.check(); err != nil {
		return nil, err
	}
	t, err := f.fix(c)
	if err != nil {
		return nil, err
	}
	if err := set.fits(c); err != nil {
		return nil, err
	}
	s := &DocumentShares{corpus: c, alpha: slices.Clone(f.Alpha), sum: t.sum, samples: set.samples(), counts: make([][]Count, c.Len())}
	keys := set.keys("lda infer")
	err = eachDocument(ctx, c, set.Threads, set.Progress, func() *inferrer { return newInferrer(t) }, func(w *inferrer, d int, part portion) {
		for i, k := range keys {
			w.gather(ctx, c.Document(d), &set, k.Stream(uint64(d)), part.piece(i, len(keys)))
		}
		s.counts[d] = w.take()
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// inferrer is a workspace for the documents of one thread.
type inferrer struct {
	chain  *documentChain
	sums   []uint32 // n_dk over samples
	topics []uint16 // those whose sum is not zero
	room   []Count  // for results
}

func newInferrer(t *fixedTopics) *inferrer {
	return &inferrer{chain: newDocumentChain(t), sums: make([]uint32, t.K()), topics: make([]uint16, 0, t.K())}
}

// gather adds the counts of one chain.
func (w *inferrer) gather(ctx context.Context, words []int32, set *Inference, r streams.Stream, part portion) {
	c := w.chain
	c.clear()
	for _, word := range words {
		r = c.extend(word, r)
	}
	for s := 0; s < set.Sweeps && len(words) > 0 && ctx.Err() == nil; s++ {
		r = c.sweep(words, 0, 1, r)
		part.tell(float64(s+1) / float64(set.Sweeps))
		if s < set.BurnIn {
			continue
		}
		for _, k := range c.doc.topics {
			if w.sums[k] == 0 {
				w.topics = append(w.topics, k)
			}
			w.sums[k] += uint32(c.doc.n[k])
		}
	}
}

// roomSize is in counts. One piece of memory has the results of many documents.
const roomSize = 1 << 15

// take gives the sums in ascending order of topics, and begins again.
func (w *inferrer) take() []Count {
	slices.Sort(w.topics)
	if cap(w.room)-len(w.room) < len(w.topics) {
		w.room = make([]Count, 0, max(roomSize, len(w.topics)))
	}
	from := len(w.room)
	for _, k := range w.topics {
		w.room = append(w.room, Count{k, w.sums[k]})
		w.sums[k] = 0
	}
	w.topics = w.topics[:0]
	return w.room[from:len(w.room):len(w.room)]
}
