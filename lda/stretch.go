package lda

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// stretch is documents that one goroutine goes through from the front, and another, which has none left, from the end. So
// goroutines work far from each other: tokens of a word that are near each other are in documents that are, and two processors
// that write to one line of a cache wait for it.
type stretch struct {
	corpus        *corpus.Corpus
	docs          span
	begin, end    []uint32 // cursors of byWord at both ends
	ahead, behind []uint32 // of the walks under way

	mu      sync.Mutex
	left    span
	claimed atomic.Bool // somebody comes from the end
}

// stretches divides the documents into n stretches, fewer where there are few documents. begin is that of byWord.
func stretches(c *corpus.Corpus, begin []uint32, n int) []*stretch {
	parts := cut(c.Starts, int64(max(1, (len(c.Tokens)+n-1)/n)))
	if len(parts) == 0 {
		parts = []span{{}}
	}
	at := slices.Clone(begin)
	all := make([]*stretch, len(parts))
	for i, docs := range parts {
		x := &stretch{corpus: c, docs: docs, begin: at, ahead: make([]uint32, c.Words)}
		if all[i] = x; len(parts) == 1 { // nobody comes from the end
			break
		}
		at = slices.Clone(at)
		for _, w := range c.Tokens[c.Starts[docs.first]:c.Starts[docs.end]] {
			at[w]++
		}
		x.end, x.behind = at, make([]uint32, c.Words)
	}
	return all
}

// open is before a pass.
func (x *stretch) open() {
	x.left = x.docs
	x.claimed.Store(false)
	copy(x.ahead, x.begin)
	copy(x.behind, x.end)
}

// claim makes the caller the one that comes from the end, if there is none.
func (x *stretch) claim() bool { return x.claimed.CompareAndSwap(false, true) }

// front is the next documents from the front; not ok where there are none.
func (x *stretch) front() (docs span, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	docs = span{x.left.first, x.left.first}
	for docs.end < x.left.end && x.tokens(docs) < partTokens {
		docs.end++
	}
	x.left.first = docs.end
	return docs, docs.first < docs.end
}

// back is the next documents from the end.
func (x *stretch) back() (docs span, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	docs = span{x.left.end, x.left.end}
	for docs.first > x.left.first && x.tokens(docs) < partTokens {
		docs.first--
	}
	x.left.end = docs.first
	return docs, docs.first < docs.end
}

func (x *stretch) tokens(docs span) int64 {
	return x.corpus.Starts[docs.end] - x.corpus.Starts[docs.first]
}
