package lda

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// sameWords tells whether the words of a corpus are those of f, as far as both have names.
func (f *Fitted) sameWords(c *corpus.Corpus) error {
	switch {
	case c.Words != f.Words:
		return fmt.Errorf("lda: the corpus is over %d words and the model over %d; read it with the model's vocabulary (corpus.Settings.Fixed)", c.Words, f.Words)
	case c.Vocabulary != nil && f.Vocabulary != nil && !slices.Equal(c.Vocabulary, f.Vocabulary):
		return fmt.Errorf("lda: the words of the corpus are not those of the model; read it with the model's vocabulary (corpus.Settings.Fixed)")
	}
	return nil
}

// eachDocument runs a task for every document on threads, each of which has a workspace, and calls progress, which may be
// nil, after each with the number of documents and tokens done. It ends early with the context.
func eachDocument[W any](ctx context.Context, c *corpus.Corpus, threads int, progress func(documents int, tokens int64), workspace func() W, task func(w W, d int)) error {
	var mu sync.Mutex
	done, tokens := 0, int64(0)
	fanout.Each(threads, c.Len(), workspace, func(w W, d int) {
		if ctx.Err() != nil {
			return
		}
		task(w, d)
		if progress == nil || ctx.Err() != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		done, tokens = done+1, tokens+c.Starts[d+1]-c.Starts[d]
		progress(done, tokens)
	})
	return ctx.Err()
}
