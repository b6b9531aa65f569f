package lda

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/prefetch"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// warp is WarpLDA (Chen, Li, Zhu and Chen, 2016), which is approximate. A sweep is a pass over the words and one over the
// documents. The pass over words judges for each token of word w, of topic s, the topic t that the document proposed,
// and accepts it with probability
//
//	min(1, (n_wt + β)(n¬_s + Vβ) / ((n¬_ws + β)(n_t + Vβ))),
//
// then lets the word propose: t with probability ∝ n_wt + β. The pass over documents judges that by
//
//	min(1, (n_dt + α_t)(n¬_s + Vβ) / ((n¬_ds + α_s)(n_t + Vβ)))
//
// and lets the document propose. A proposal is the topic of a random token of the row, or one from the prior. It counts the
// token itself, at s on the way there and at t on the way back, so what it has to be divided by is the factor with ¬ of its
// own side in the target: both go. For t ≠ s counts without the token are counts with it. See RATIONALE.md.
//
// n_k are the counts at the start of the pass, and a proposal waits for the other pass while topics around it change. That
// is what makes it approximate, and fast: a row's counts are in the first cache, nothing else that is large is read at
// random, and rows may be taken in any order and on any number of threads. The paper's acceptance ratios have n_ws and n_s
// in place of n¬_ws and n¬_s, and counts from the start of the row, which takes two to three times the sweeps to a good
// likelihood, and ends at a slightly better one: Options.CountSelf.
//
// A token takes 4 bytes beside the corpus, and none in the model while warp moves it.
type warp struct {
	m     *Model
	names [2]streams.Name // of the streams of words and documents
	cells *byWord[cell]

	sides  [2]pass        // over words, over documents
	totals tally[float32] // n_k + Vβ
	n      []int64        // n_k
	own    float32
	words  []span // parts
	docs   []*stretch
	team   *fanout.Team
	crew   []*warpWorker

	// Of the pass under way.
	now     int // 0: over words
	name    streams.Name
	taken   atomic.Int64
	restart bool // propose only, as the pass did that led to these topics
}

// span is rows from first to the one before end.
type span struct{ first, end int }

// warpWorker is what a goroutine has for itself.
type warpWorker struct {
	row      []cell   // a document's cells,
	at, next []uint32 // where they are, and where those of the next document are
	counts   tally[uint32]
	gained   tally[int64] // tokens, by topics
	_        [128]byte
}

func newWarp(m *Model, o Options) (Sampler, error) {
	if m.tokens() > math.MaxUint32 {
		return nil, fmt.Errorf("lda: warp takes up to %d tokens; the corpus has %d", math.MaxUint32, m.tokens())
	}
	if err := memory.Room(4 * float64(m.tokens())); err != nil {
		return nil, fmt.Errorf("lda: warp takes 4 bytes a token: %w; sparse takes none", err)
	}
	w := &warp{m: m, names: [2]streams.Name{streams.New(m.seed, "lda warp words"), streams.New(m.seed, "lda warp documents")}}
	w.cells = newByWord(m.corpus, m.wordStarts(), memory.Large[cell](m.tokens()))
	w.words = cut(w.cells.start, partTokens)
	w.docs = stretches(m.corpus, w.cells.begin, max(1, min(o.Threads, m.tokens()/partTokens)))
	w.n = make([]int64, m.K())
	if w.own = 1; o.CountSelf {
		w.own = 0
	}
	longest := m.longest()
	for range w.docs {
		w.crew = append(w.crew, &warpWorker{row: make([]cell, longest), at: make([]uint32, longest), next: make([]uint32, longest)})
	}
	w.team = fanout.New(len(w.crew), w.work)
	return w, nil
}

// partTokens is how many tokens a goroutine takes at a time. The draws do not depend on it.
const partTokens = 1 << 15

// cut divides rows into spans of this many tokens or little more.
func cut(start []int64, tokens int64) []span {
	var parts []span
	first := 0
	for i := range len(start) - 1 {
		if start[i+1]-start[first] >= tokens || i == len(start)-2 {
			parts = append(parts, span{first, i + 1})
			first = i + 1
		}
	}
	return parts
}

func (w *warp) Sweep() {
	m := w.m
	if m.take(w, w.cells) {
		w.load()
	}
	m.sweeps++
	w.pass(0)
	w.pass(1)
}

// load takes the model's topics and priors, and makes the proposals that the last sweep left: they depend on its topics
// and the names of its streams alone.
func (w *warp) load() {
	m := w.m
	vb := float64(float64(m.corpus.Words) * m.beta)
	beta, alpha := new(tally[float32]), new(tally[float32])
	for k := range w.n {
		w.n[k] = 0
		beta[k], alpha[k] = float32(m.beta), float32(m.alpha[k])
	}
	flat := Symmetric(float64(float64(m.K())*m.beta), m.K())
	w.sides[0] = pass{beta, &w.totals, w.own, newMixture(flat, float64(float64(m.K())*m.beta))}
	w.sides[1] = pass{alpha, &w.totals, w.own, newMixture(m.alpha, m.sum)}
	for _, c := range w.cells.tokens {
		w.n[c.topic()]++
	}
	w.setTotals(vb)
	w.restart = true
	w.pass(1)
	w.restart = false
}

func (w *warp) setTotals(vb float64) {
	for k, n := range w.n {
		w.totals[k] = float32(float64(n) + vb)
	}
}

// pass takes all words, or all documents.
func (w *warp) pass(side int) {
	w.now, w.name = side, w.names[side].At(w.m.sweeps)
	w.taken.Store(0)
	for _, x := range w.docs {
		x.open()
	}
	w.team.Run(len(w.crew))
	if w.restart {
		return
	}
	for _, c := range w.crew {
		for k := range w.n {
			w.n[k] += c.gained[k]
			c.gained[k] = 0
		}
	}
	w.setTotals(float64(float64(w.m.corpus.Words) * w.m.beta))
}

// work takes parts until there are none.
func (w *warp) work(i int) {
	if c := w.crew[i]; w.now == 0 {
		w.someWords(c)
	} else {
		w.someDocuments(c, i)
	}
}

func (w *warp) someWords(c *warpWorker) {
	for p := w.taken.Add(1) - 1; p < int64(len(w.words)); p = w.taken.Add(1) - 1 {
		for v := w.words[p].first; v < w.words[p].end; v++ {
			w.move(c, w.cells.word(v), w.name.At(uint64(v)))
		}
	}
}

// someDocuments goes through a stretch from its front, then through others from their ends, where nobody does so.
func (w *warp) someDocuments(c *warpWorker, i int) {
	for docs, ok := w.docs[i].front(); ok; docs, ok = w.docs[i].front() {
		w.walk(c, docs.first, docs.end, 1, w.docs[i].ahead)
	}
	for j := range w.docs {
		x := w.docs[(i+j)%len(w.docs)]
		if j == 0 || !x.claim() {
			continue
		}
		for docs, ok := x.back(); ok; docs, ok = x.back() {
			w.walk(c, docs.end-1, docs.first-1, -1, x.behind)
		}
	}
}

// walk moves the documents from first to the one before end, in steps of 1 or −1. The cells of the next one are on their way
// from memory while one is moved.
func (w *warp) walk(c *warpWorker, first, end, step int, cursor []uint32) {
	corpus := w.m.corpus
	w.place(c, corpus.Document(first), step, cursor)
	for d := first; d != end; d += step {
		c.at, c.next = c.next, c.at
		if d+step != end {
			w.place(c, corpus.Document(d+step), step, cursor)
		}
		w.document(c, d, len(corpus.Document(d)))
	}
}

// place finds the cells of the document with these words that is next.
func (w *warp) place(c *warpWorker, words []int32, step int, cursor []uint32) {
	if step > 0 {
		w.cells.next(words, cursor, c.next)
	} else {
		w.cells.last(words, cursor, c.next)
	}
	prefetch.Elements(w.cells.tokens, c.next[:len(words)])
}

// document moves the cells of a document.
func (w *warp) document(c *warpWorker, d, length int) {
	row, at := c.row[:length], c.at[:length]
	for i, p := range at {
		row[i] = w.cells.tokens[p]
	}
	w.move(c, row, w.name.At(uint64(d)))
	for i, p := range at {
		w.cells.tokens[p] = row[i]
	}
}

// move judges the proposals of a row and makes new ones.
func (w *warp) move(c *warpWorker, row []cell, name streams.Name) {
	side := &w.sides[w.now]
	if !w.restart {
		side.judge(row, &c.counts, &c.gained, name.Stream(0))
	}
	side.propose(row, &c.counts, name.Stream(1))
}
