package lda

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/fanout"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// sparseParts is AD-LDA (Newman, Asuncion, Smyth and Welling, 2009): sparse over parts of the documents, each of which sees
// the counts of the whole as they were before the sweep and the moves of its own tokens since; afterwards the moves of all are
// added. A part's topics depend on the counts and its streams alone, so parts may run on any number of threads. It is exact for
// one part and approximate for more. Each part has counts of its own.
type sparseParts[E packed] struct {
	m     *Model
	key   streams.Name
	whole *sparse[E]   // whose counts are those before the sweep
	parts []*sparse[E] // one a span of documents
	docs  []span
	words []span // for the sums, as many as parts or fewer
	sweep streams.Name

	mover, adder *fanout.Team
}

func makeSparseParts[E packed](m *Model, room []int64, o Options) Sampler {
	whole := makeSparse[E](m, room)
	docs := cut(m.corpus.Starts, max(1, int64(m.tokens()+o.Parts-1)/int64(o.Parts)))
	if len(docs) < 2 {
		return whole
	}
	p := &sparseParts[E]{m: m, key: streams.New(m.seed, "lda sparse parts", uint64(o.Parts)), whole: whole, docs: docs}
	ends := append([]int64{0}, whole.rows.end...)
	p.words = cut(ends, (ends[len(ends)-1]+int64(len(docs))-1)/int64(len(docs)))
	for range docs {
		p.parts = append(p.parts, makeSparse[E](m, room))
	}
	p.mover, p.adder = fanout.New(o.Threads, p.move), fanout.New(o.Threads, p.add)
	return p
}

func (p *sparseParts[E]) Sweep() {
	if p.m.take(p, nil) {
		p.whole.rows.count(p.m)
		p.whole.rows.sort()
		p.whole.totals.count(p.m)
		for _, s := range p.parts {
			copy(s.rows.used, p.whole.rows.used)
			copy(s.rows.entries, p.whole.rows.entries)
		}
	}
	p.sweep = p.key.At(p.m.sweeps)
	p.mover.Run(len(p.parts))
	p.adder.Run(len(p.words))
	total := &p.whole.totals
	for k, before := range total.n {
		for _, s := range p.parts {
			total.n[k] += s.totals.n[k] - before
		}
	}
	total.invert(p.m)
	p.m.sweeps++
}

// move is the sweep of part i.
func (p *sparseParts[E]) move(i int) {
	s := p.parts[i]
	copy(s.totals.n, p.whole.totals.n)
	copy(s.totals.inverse, p.whole.totals.inverse)
	s.totals.vb = p.whole.totals.vb
	s.begin()
	s.documents(p.docs[i], p.sweep)
}

// add sums the counts of words of a span: what all parts have, less what all but one had before.
func (p *sparseParts[E]) add(i int) {
	n := p.parts[i].doc.n // zeros, between documents
	all := p.whole.rows
	shift, mask, before := all.shift, all.mask, int32(len(p.parts)-1)
	for w := p.words[i].first; w < p.words[i].end; w++ {
		for _, s := range p.parts {
			for _, e := range s.rows.row(int32(w)) {
				n[e&mask] += int32(e >> shift)
			}
		}
		for _, e := range all.row(int32(w)) {
			n[e&mask] -= before * int32(e>>shift)
		}
		room := all.room(w)
		at := len(room)
		for _, s := range p.parts {
			for _, e := range s.rows.row(int32(w)) {
				if z := e & mask; n[z] > 0 {
					at--
					room[at] = E(n[z])<<shift | z
					n[z] = 0
				}
			}
		}
		slices.Sort(room[at:])
		all.used[w] = int32(len(room) - at)
		for _, s := range p.parts {
			s.rows.used[w] = all.used[w]
			copy(s.rows.room(w)[at:], room[at:])
		}
	}
}

func (p *sparseParts[E]) wordCounts(w int, row []Count, n []uint32) []Count {
	return p.whole.wordCounts(w, row, n)
}
