package lda

// light is LightLDA (Yuan et al., 2015): Metropolis–Hastings steps for each token, in turn with a proposal from its word and
// one from its document. For a token di of word w that goes from topic s to t, with the target
//
//	π(k) = (n¬_dk + α_k) (n¬_kw + β) / (n¬_k + Vβ),
//
// the word proposes with q(k) = (m_kw + β) / (m_k + Vβ), where m counts the tokens outside a block of documents to which the
// token belongs (see tables), and the step is accepted with probability
//
//	min(1, π(t) q(s) / (π(s) q(t))).
//
// The document proposes the topic of one of its tokens picked at random, or one from α: k with probability ∝ n_dk + α_k. This
// counts the token itself, which is at s on the way there and at t on the way back: it proposes t with n¬_dt + α_t,
// and s from t with n¬_ds + α_s. These are factors of π, and what is left is
//
//	min(1, (n¬_tw + β)(n¬_s + Vβ) / ((n¬_sw + β)(n¬_t + Vβ))).
//
// All counts follow each token, so the posterior is left as it is, exactly.
type light struct {
	m      *Model
	key    key
	steps  int
	tables *tables
	topics []lightTopic
	prior  mixture
	ahead  []ahead // the proposals of a document, steps for each token
	seen   uint64
}

// ahead is a pair of proposals. Neither depends on the topics, so those of a document are drawn before its first step, and the
// reads from memory that they need do not wait for each other.
type ahead struct {
	word  uint16
	prior uint16 // where from < 0
	from  int32  // the token of the document whose topic is proposed
}

// lightTopic is what a step reads of a topic, in half of a cache line: four arrays would be four misses.
type lightTopic struct {
	inverse float64 // 1/(n_k + Vβ)
	factor  float64 // 1/(m_k + Vβ)
	alpha   float64
	doc     int32 // n_dk
}

func newLight(m *Model, o Options) (Sampler, error) {
	t, err := newTables(m, nil)
	if err != nil {
		return nil, err
	}
	return &light{m: m, key: newKey(m.seed, "lda light", uint64(o.Steps)), steps: o.Steps, tables: t,
		topics: make([]lightTopic, m.K()), ahead: make([]ahead, 0, m.longest()*o.Steps)}, nil
}

func (l *light) Sweep() {
	m := l.m
	if m.take(l) {
		l.tables.count()
		l.prior = newMixture(m.alpha, m.sum)
	}
	sweep := l.key.at(m.sweeps)
	for _, b := range l.tables.cut {
		l.tables.open(b)
		for k := range l.topics {
			l.topics[k] = lightTopic{l.tables.totals.inverse[k], l.tables.factor[k], m.alpha[k], 0}
		}
		for d := b.first; d < b.end; d++ {
			l.document(m.corpus.Document(d), m.Document(d), sweep.stream(uint64(d)))
		}
		l.tables.close(b)
	}
	m.sweeps++
}

func (l *light) document(words []int32, topics []uint16, r stream) {
	for _, z := range topics {
		l.topics[z].doc++
	}
	r = l.drawAhead(words, topics, r)
	for i, w := range words {
		z := topics[i]
		r = l.move(w, topics, i, r)
		if t := topics[i]; t != z {
			counts := l.tables.counts.table(w)
			l.tables.counts.drop(counts, z)
			l.tables.counts.add(counts, t, inAll)
			l.count(z, -1)
			l.count(t, 1)
		}
	}
	for _, z := range topics {
		l.topics[z].doc = 0
	}
}

// drawAhead draws the proposals of a document, and reads where the counts that they are likely to need begin.
func (l *light) drawAhead(words []int32, topics []uint16, r stream) stream {
	l.ahead = l.ahead[:0]
	for i, w := range words {
		counts := l.tables.counts.table(w)
		table := l.tables.of(w, counts)
		seen := l.tables.counts.touch(counts, topics[i])
		for range l.steps {
			var a ahead
			a.word, r = l.tables.draw(table, r)
			a.from, a.prior, r = l.fromDocument(len(topics), r)
			seen ^= l.tables.counts.touch(counts, a.word)
			if a.from >= 0 {
				seen ^= l.tables.counts.touch(counts, topics[a.from])
			}
			l.ahead = append(l.ahead, a)
		}
		l.seen ^= seen // or the compiler would leave the reads out
	}
	return r
}

// count adds a token of topic z, or takes one off, in the document and in all.
func (l *light) count(z uint16, by int32) {
	l.tables.totals.add(z, int64(by))
	x := &l.topics[z]
	x.doc += by
	x.inverse = l.tables.totals.inverse[z]
}

// place is what a step needs of a topic.
type place struct {
	topic    uint16
	document float64 // n¬_dk + α_k
	word     float64 // (n¬_kw + β) / (n¬_k + Vβ)
	proposal float64 // the word's
}

// at is the place of topic k for a token whose counts are still those of topic z.
func (l *light) at(counts []uint64, k, z uint16) place {
	e, x := l.tables.counts.get(counts, k), &l.topics[k]
	n, doc, inverse := countAll(e), float64(x.doc), x.inverse
	if k == z {
		n--
		doc--
		inverse = 1 / (float64(l.tables.totals.n[z]-1) + l.tables.totals.vb)
	}
	beta := l.m.beta
	return place{k, doc + x.alpha, float64((n + beta) * inverse), float64((countOutside(e) + beta) * x.factor)}
}

// move takes the steps of token i of a document, whose topic it sets. The counts stay.
func (l *light) move(w int32, topics []uint16, i int, r stream) stream {
	counts, z := l.tables.counts.table(w), topics[i]
	here := l.at(counts, z, z)
	var u uint64
	for _, a := range l.ahead[i*l.steps : (i+1)*l.steps] {
		if a.word != here.topic {
			there := l.at(counts, a.word, z)
			u, r = r.next()
			from := float64(float64(here.document*here.word) * there.proposal)
			if float64(unit(u)*from) < float64(float64(there.document*there.word)*here.proposal) {
				here = there
				topics[i] = a.word
			}
		}
		t := a.prior
		if a.from >= 0 {
			t = topics[a.from]
		}
		if t != here.topic {
			there := l.at(counts, t, z)
			if u, r = r.next(); float64(unit(u)*here.word) < there.word {
				here = there
				topics[i] = t
			}
		}
	}
	return r
}

// fromDocument is the document's proposal: the topic that one of its n tokens will have, or one from the prior.
func (l *light) fromDocument(n int, r stream) (from int32, prior uint16, _ stream) {
	u, r := r.next()
	if x := float64(unit(u) * (float64(n) + l.m.sum)); x < float64(n) {
		return int32(x), 0, r
	}
	u, r = r.next()
	return -1, l.prior.topic(u), r
}
