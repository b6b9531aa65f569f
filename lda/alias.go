package lda

import "github.com/ergodic-mcmc/ergodic/internal/streams"

// alias is AliasLDA (Li, Ahmed, Ravi and Smola, 2014): Metropolis–Hastings for each token with a proposal of two parts,
//
//	q(k) = n¬_dk (n¬_kw + β) / (n¬_k + Vβ)  +  α_k (m_kw + β) / (m_k + Vβ),
//
// the first over the topics of the document, fresh, in O(K_d); the second from an alias table, where m counts the tokens
// outside a block of documents to which the token belongs (see tables). From topic s to t it is accepted with probability
//
//	min(1, π(t) q(s) / (π(s) q(t))),  π(k) = (n¬_dk + α_k) (n¬_kw + β) / (n¬_k + Vβ).
//
// Neither part depends on the token's own topic, so s and t have the same q. All counts follow each token, so the posterior
// is left as it is, exactly.
type alias[E packed] struct {
	m      *Model
	key    streams.Name
	steps  int
	tables *tables[E]
	doc    docTopics
	upTo   []float64 // sums of the first part
}

func newAlias(m *Model, o Options) (Sampler, error) {
	starts, most := m.wordStarts(), int64(0)
	for w := range m.corpus.Words {
		most = max(most, starts[w+1]-starts[w])
	}
	if most>>(32-topicBits(m.K())) == 0 {
		return makeAlias[uint32](m, starts, o), nil
	}
	return makeAlias[uint64](m, starts, o), nil
}

func makeAlias[E packed](m *Model, starts []int64, o Options) *alias[E] {
	return &alias[E]{
		m: m, key: streams.New(m.seed, "lda alias", uint64(o.Steps)), steps: o.Steps, tables: newTables[E](m, starts),
		doc: newDocTopics(m.K()), upTo: make([]float64, m.K()),
	}
}

func (a *alias[E]) Sweep() {
	m := a.m
	if m.take(a, nil) {
		a.tables.scale = m.alpha
	}
	a.tables.count() // where entries stand in a table follows from the history; the draws must not
	sweep := a.key.At(m.sweeps)
	for _, b := range a.tables.cut {
		a.tables.open(b)
		for d := b.first; d < b.end; d++ {
			a.document(m.corpus.Document(d), m.Document(d), sweep.Stream(uint64(d)))
		}
		a.tables.close(b)
	}
	m.sweeps++
}

func (a *alias[E]) document(words []int32, topics []uint16, r streams.Stream) {
	a.doc.fill(topics)
	for i, w := range words {
		z := topics[i]
		a.doc.add(z, -1)
		a.tables.totals.add(z, -1)
		topics[i], r = a.move(w, z, r)
		if t := topics[i]; t != z {
			counts := a.tables.counts.table(w)
			a.tables.counts.drop(counts, z)
			a.tables.counts.add(counts, t)
		}
		a.doc.add(topics[i], 1)
		a.tables.totals.add(topics[i], 1)
	}
	a.doc.clear()
}

// move is a new topic for a token of word w, which the counts of the word still have at topic z.
func (a *alias[E]) move(w int32, z uint16, r streams.Stream) (uint16, streams.Stream) {
	counts := a.tables.counts.table(w)
	outside := a.tables.outside.table(w)
	table := a.tables.of(w, outside)
	sum := 0.0
	for i, k := range a.doc.topics {
		sum += float64(float64(a.doc.n[k]) * a.word(counts, k, z))
		a.upTo[i] = sum
	}
	s := z
	for range a.steps {
		var t uint16
		var u uint64
		if t, r = a.propose(table, sum, r); t == s {
			continue
		}
		u, r = r.Next()
		piS, qS := a.weights(counts, outside, s, z)
		piT, qT := a.weights(counts, outside, t, z)
		if float64(streams.Unit(u)*float64(piS*qT)) < float64(piT*qS) {
			s = t
		}
	}
	return s, r
}

// word is (n¬_kw + β) / (n¬_k + Vβ).
func (a *alias[E]) word(counts []E, k, z uint16) float64 {
	n := a.tables.counts.get(counts, k)
	if k == z {
		n--
	}
	return float64((n + a.m.beta) * a.tables.totals.inverse[k])
}

// weights are π(k) and q(k).
func (a *alias[E]) weights(counts, outside []E, k, z uint16) (pi, q float64) {
	word := a.word(counts, k, z)
	n := float64(a.doc.n[k])
	return float64((n + a.m.alpha[k]) * word), float64(n*word) + a.tables.proposal(k, outside)
}

// propose is a topic from q, whose first part has this sum.
func (a *alias[E]) propose(table *wordTable, sum float64, r streams.Stream) (uint16, streams.Stream) {
	u, r := r.Next()
	x := float64(streams.Unit(u) * (sum + table.mass + a.tables.smooth))
	if x < sum {
		for i, k := range a.doc.topics {
			if x < a.upTo[i] {
				return k, r
			}
		}
	}
	return a.tables.draw(table, r)
}

func (a *alias[E]) wordCounts(w int, row []Count, _ []uint32) []Count {
	return a.tables.counts.wordCounts(w, row)
}
