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

// eachDocument runs a task for every document on threads, each of which has a workspace. A task tells what share of its work
// is done, and progress, which may be nil, the number of documents and tokens done. It ends early with the context.
func eachDocument[W any](ctx context.Context, c *corpus.Corpus, threads int, progress func(documents int, tokens int64), workspace func() W, task func(w W, d int, part portion)) error {
	all := &told{progress: progress}
	type worker struct {
		W        W
		document *underWay
	}
	fanout.Each(threads, c.Len(), func() worker { return worker{workspace(), &underWay{told: all}} }, func(w worker, d int) {
		if ctx.Err() != nil {
			return
		}
		w.document.tokens, w.document.done = c.Starts[d+1]-c.Starts[d], 0
		task(w.W, d, portion{w.document, 0, 1})
		if ctx.Err() == nil {
			w.document.end()
		}
	})
	return ctx.Err()
}

// told is what is done of all documents.
type told struct {
	progress func(documents int, tokens int64)

	mu        sync.Mutex
	documents int
	tokens    int64
}

func (t *told) add(documents int, tokens int64) {
	if t.progress == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.documents, t.tokens = t.documents+documents, t.tokens+tokens
	t.progress(t.documents, t.tokens)
}

// underWay is what is done of the document of one goroutine.
type underWay struct {
	*told
	tokens, done int64
}

// tellAfter is how many tokens a document tells at once. Fewer would take time.
const tellAfter = 64

func (u *underWay) tell(share float64) {
	if more := int64(share*float64(u.tokens)) - u.done; more >= tellAfter {
		u.done += more
		u.add(0, more)
	}
}

func (u *underWay) end() { u.add(1, u.tokens-u.done) }

// portion is a portion of the work on a document, of nobody's where it is zero.
type portion struct {
	of          *underWay
	first, size float64 // shares of that work
}

// piece is one of n equal pieces.
func (p portion) piece(i, n int) portion {
	size := p.size / float64(n)
	return portion{p.of, p.first + float64(float64(i)*size), size}
}

// tell says what share is done.
func (p portion) tell(share float64) {
	if p.of != nil {
		p.of.tell(p.first + float64(share*p.size))
	}
}
