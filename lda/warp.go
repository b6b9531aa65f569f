package lda

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/memory"
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
// A token takes 8 bytes beside the corpus and the model.
type warp struct {
	m     *Model
	names [2]key   // of the streams of words and documents
	cells []cell   // of the tokens, sorted by word
	place []uint32 // where the cells of the corpus's tokens are
	start []int64  // where the cells of a word begin

	sides  [2]pass // over words, over documents
	totals tally   // n_k + Vβ
	n      []int64 // n_k
	own    float32
	parts  [2][]span
	team   *fanout.Team
	crew   []*warpWorker

	// Of the pass under way.
	now     int // 0: over words
	name    key
	taken   atomic.Int64
	restart bool // propose only, as the pass did that led to these topics
}

// span is rows from first to the one before end.
type span struct{ first, end int }

// warpWorker is what a goroutine has for itself.
type warpWorker struct {
	row    []cell // a document's cells
	counts tally
	totals tally
	_      [128]byte
}

func newWarp(m *Model, o Options) (Sampler, error) {
	if len(m.topics) > math.MaxUint32 {
		return nil, fmt.Errorf("lda: warp takes up to %d tokens; the corpus has %d", math.MaxUint32, len(m.topics))
	}
	if err := memory.Room(8 * float64(len(m.topics))); err != nil {
		return nil, fmt.Errorf("lda: warp takes 8 bytes a token: %w; sparse takes none", err)
	}
	w := &warp{m: m, names: [2]key{newKey(m.seed, "lda warp words"), newKey(m.seed, "lda warp documents")}}
	w.start = m.wordStarts()
	w.cells, w.place = make([]cell, len(m.topics)), make([]uint32, len(m.topics))
	next := make([]int64, m.corpus.Words)
	copy(next, w.start)
	for i, v := range m.corpus.Tokens {
		w.place[i] = uint32(next[v])
		next[v]++
	}
	w.parts = [2][]span{cut(w.start, partTokens), cut(m.corpus.Starts, partTokens)}
	w.n = make([]int64, m.K())
	if w.own = 1; o.CountSelf {
		w.own = 0
	}
	for range min(o.Threads, max(len(w.parts[0]), len(w.parts[1]), 1)) {
		w.crew = append(w.crew, &warpWorker{row: make([]cell, m.longest())})
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
	if m.take(w) {
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
	beta, alpha := new(tally), new(tally)
	for k := range w.n {
		w.n[k] = 0
		beta[k], alpha[k] = float32(m.beta), float32(m.alpha[k])
	}
	flat := Symmetric(float64(float64(m.K())*m.beta), m.K())
	w.sides[0] = pass{beta, &w.totals, w.own, newMixture(flat, float64(float64(m.K())*m.beta))}
	w.sides[1] = pass{alpha, &w.totals, w.own, newMixture(m.alpha, m.sum)}
	for i, p := range w.place {
		z := m.topics[i]
		w.cells[p] = cellOf(z, z)
		w.n[z]++
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
	w.now, w.name = side, w.names[side].at(w.m.sweeps)
	w.taken.Store(0)
	w.team.Run(len(w.crew))
	if w.restart {
		return
	}
	clear(w.n)
	for _, c := range w.crew {
		for k := range w.n {
			w.n[k] += int64(c.totals[k])
			c.totals[k] = 0
		}
	}
	w.setTotals(float64(float64(w.m.corpus.Words) * w.m.beta))
}

// work takes parts until there are none.
func (w *warp) work(i int) {
	parts, c := w.parts[w.now], w.crew[i]
	for p := w.taken.Add(1) - 1; p < int64(len(parts)); p = w.taken.Add(1) - 1 {
		for row := parts[p].first; row < parts[p].end; row++ {
			if w.now == 0 {
				w.word(c, row)
			} else {
				w.document(c, row)
			}
		}
	}
}

func (w *warp) word(c *warpWorker, v int) {
	w.move(c, w.cells[w.start[v]:w.start[v+1]], w.name.at(uint64(v)))
}

// document gathers the document's cells, moves them and puts them back.
func (w *warp) document(c *warpWorker, d int) {
	place := w.place[w.m.corpus.Starts[d]:w.m.corpus.Starts[d+1]]
	row := c.row[:len(place)]
	for i, p := range place {
		row[i] = w.cells[p]
	}
	w.move(c, row, w.name.at(uint64(d)))
	topics := w.m.Document(d)
	for i, p := range place {
		w.cells[p] = row[i]
		topics[i] = row[i].topic()
	}
}

// move judges the proposals of a row and makes new ones.
func (w *warp) move(c *warpWorker, row []cell, name key) {
	side := &w.sides[w.now]
	if !w.restart {
		c.counts.count(row)
		side.judge(row, &c.counts, &c.totals, name.stream(0))
	}
	side.propose(row, &c.counts, name.stream(1))
}

func (w *warp) wordCounts(v int, row []Count, n []uint32) []Count {
	return countRow(w.cells[w.start[v]:w.start[v+1]], cell.topic, row, n)
}
