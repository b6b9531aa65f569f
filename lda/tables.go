package lda

import "github.com/ergodic-mcmc/ergodic/internal/streams"

// blocks is how many blocks of documents a sweep of alias has. More blocks mean tables that leave out fewer tokens,
// and are built more often. It is part of what determines the draws.
const blocks = 8

// tables is what alias draws from for a word: topic k with probability proportional to
//
//	a_k (m_kw + β) / (m_k + Vβ),
//
// where m counts the tokens outside the block of documents under way. The part with m_kw is an alias table of the word, over
// the topics that it has; that with β is one for all words. They are stale within the block, and right: they depend on
// tokens alone that stay, so that for the tokens of the block they are a fixed proposal. Tables that count tokens which move,
// as Li et al. have them, depend through these on the topic that is judged, and the ratio does not see it. A
// word's table is built when the block first asks for it.
type tables[E packed] struct {
	m       *Model
	counts  *hashCounts[E] // n_kw
	outside *hashCounts[E] // m_kw
	totals  totals         // n_k
	factor  []float64      // a_k / (m_k + Vβ)
	scale   []float64      // a_k
	cut     []span         // documents of the blocks
	words   []wordTable
	cells   []topicCell // of the tables of the block
	used    int64
	block   uint64  // number of the block, over all sweeps
	smooth  float64 // mass of the table of all words
	all     []topicCell
	builder tableBuilder
}

// wordTable is where a word's table is.
type wordTable struct {
	block uint64  // that it is of
	mass  float64 // of its topics
	first int64
	n     int32
}

func newTables[E packed](m *Model, starts []int64) *tables[E] {
	room := int64(0)
	for w := range m.corpus.Words {
		room += min(starts[w+1]-starts[w], int64(m.K()))
	}
	return &tables[E]{
		m: m, counts: newHashCounts[E](m.K(), starts), outside: newHashCounts[E](m.K(), starts), totals: newTotals(m.K()), factor: make([]float64, m.K()), scale: m.alpha,
		cut: cut(m.corpus.Starts, int64(m.tokens()+blocks-1)/blocks), words: make([]wordTable, m.corpus.Words),
		cells: make([]topicCell, room), all: make([]topicCell, m.K()), builder: newTableBuilder(m.K()),
	}
}

// count takes the counts of the model's topics.
func (t *tables[E]) count() {
	clear(t.counts.entries)
	for i, w := range t.m.corpus.Tokens {
		t.counts.add(t.counts.table(w), t.m.topics[i])
	}
	copy(t.outside.entries, t.counts.entries)
	t.totals.count(t.m)
}

// open begins a block: its tokens leave what tables count.
func (t *tables[E]) open(docs span) {
	first, end := t.m.corpus.Starts[docs.first], t.m.corpus.Starts[docs.end]
	out := t.builder.total
	copy(out, t.totals.n)
	for i, w := range t.m.corpus.Tokens[first:end] {
		z := t.m.topics[first+int64(i)]
		t.outside.drop(t.outside.table(w), z)
		out[z]--
	}
	t.block++
	t.used = 0
	b := &t.builder
	b.begin()
	for k, n := range out {
		f := t.scale[k] / (float64(n) + t.totals.vb)
		t.factor[k] = f
		b.put(uint16(k), float64(f*t.m.beta))
	}
	t.smooth = b.build(t.all)
}

// close ends a block: its tokens are counted where they are now.
func (t *tables[E]) close(docs span) {
	first, end := t.m.corpus.Starts[docs.first], t.m.corpus.Starts[docs.end]
	for i, w := range t.m.corpus.Tokens[first:end] {
		t.outside.add(t.outside.table(w), t.m.topics[first+int64(i)])
	}
}

// of is the table of word w, whose counts outside the block are given.
func (t *tables[E]) of(w int32, outside []E) *wordTable {
	x := &t.words[w]
	if x.block == t.block {
		return x
	}
	b := &t.builder
	b.begin()
	for _, e := range outside {
		if n := e >> t.outside.shift; n > 0 {
			z := uint16(e & t.outside.mask)
			b.put(z, float64(float64(n)*t.factor[z]))
		}
	}
	*x = wordTable{block: t.block, first: t.used, n: int32(len(b.topics))}
	t.used += int64(x.n)
	x.mass = b.build(t.cells[x.first:t.used])
	return x
}

// draw is a topic from the table, and the stream after it.
func (t *tables[E]) draw(x *wordTable, r streams.Stream) (uint16, streams.Stream) {
	u, r := r.Next()
	v, r := r.Next()
	if float64(streams.Unit(u)*(x.mass+t.smooth)) < x.mass {
		return pickCell(t.cells[x.first:x.first+int64(x.n)], v), r
	}
	return pickCell(t.all, v), r
}

// proposal is a_k (m_kw + β) / (m_k + Vβ), up to rounding what draw draws with, of a word's counts.
func (t *tables[E]) proposal(k uint16, outside []E) float64 {
	return float64((t.outside.get(outside, k) + t.m.beta) * t.factor[k])
}
