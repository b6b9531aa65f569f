package lda

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/prefetch"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// light is LightLDA (Yuan et al., 2015): Metropolis–Hastings steps for each token, in turn with a proposal from its word and
// one from its document, both in O(1). For a token di of word w that goes from topic s to t the target is
//
//	π(k) = (n¬_dk + α_k) (n¬_kw + β) / (n¬_k + Vβ).
//
// The word proposes the topic of one of its tokens picked at random, or any topic with weight β: k with probability
// ∝ n_kw + β. This counts the token itself, which is at s on the way there and at t on the way back: it proposes t with
// n¬_tw + β, and s from t with n¬_sw + β. These are factors of π, and the step is accepted with probability
//
//	min(1, (n¬_dt + α_t)(n¬_s + Vβ) / ((n¬_ds + α_s)(n¬_t + Vβ))).
//
// The document proposes likewise, k with probability ∝ n_dk + α_k, and the step is accepted with probability
//
//	min(1, (n¬_tw + β)(n¬_s + Vβ) / ((n¬_sw + β)(n¬_t + Vβ))).
//
// All counts follow each token, so the posterior is left as it is, exactly. The paper's word draws from an alias table of
// n_kw + β, which is stale; a random token has the same distribution, sparse part and dense part, and is always fresh. See
// RATIONALE.md.
//
// It keeps the topics itself, sorted by word, where those that a word may propose are near each other. So a token takes no
// memory beside the corpus and the model, and a count that can occur 5.3 bytes.
type light[E packed] struct {
	m      *Model
	key    streams.Name
	steps  int
	byWord *byWord[uint16]
	counts *hashCounts[E]
	topics []lightTopic
	vb     float64 // Vβ
	flat   float64 // Kβ
	prior  mixture
	own    []uint16 // of the document at hand: its topics,
	at     []uint32 // where they are in byWord,
	ahead  []ahead  // and its proposals, steps for each token
	next   []uint32 // where the topics of the next document are
}

// ahead is a pair of proposals: tokens whose topics are proposed, by their place in byWord and in the document; below zero, the
// complement of a topic. Neither depends on topics, so those of a document are drawn before its first step, and the reads
// from memory that they need do not wait for each other.
type ahead struct {
	word int64
	doc  int32
}

// lightTopic is what a step reads of a topic, in half of a cache line: four arrays would be four misses.
type lightTopic struct {
	total float64 // n_k + Vβ
	alpha float64
	n     int64 // n_k
	doc   int32 // n_dk
}

func newLight(m *Model, o Options) (Sampler, error) {
	if m.tokens() > math.MaxUint32 {
		return nil, fmt.Errorf("lda: light takes up to %d tokens; the corpus has %d", math.MaxUint32, m.tokens())
	}
	if err := memory.Room(2 * float64(m.tokens())); err != nil {
		return nil, fmt.Errorf("lda: light takes 2 bytes a token: %w; sparse takes none", err)
	}
	starts, most := m.wordStarts(), int64(0)
	for w := range m.corpus.Words {
		most = max(most, starts[w+1]-starts[w])
	}
	if most>>(32-topicBits(m.K())) == 0 {
		return makeLight[uint32](m, starts, o), nil
	}
	return makeLight[uint64](m, starts, o), nil
}

func makeLight[E packed](m *Model, starts []int64, o Options) *light[E] {
	longest := m.longest()
	return &light[E]{
		m: m, key: streams.New(m.seed, "lda light", uint64(o.Steps)), steps: o.Steps,
		byWord: newByWord(m.corpus, starts, memory.Large[uint16](m.tokens())), counts: newHashCounts[E](m.K(), starts), topics: make([]lightTopic, m.K()),
		own: make([]uint16, longest), at: make([]uint32, longest), next: make([]uint32, longest), ahead: make([]ahead, longest*o.Steps),
	}
}

func (l *light[E]) Sweep() {
	m := l.m
	if m.take(l, l.byWord) {
		l.count()
	}
	sweep := l.key.At(m.sweeps)
	l.byWord.rewind()
	l.find(0)
	for d := range m.corpus.Len() {
		l.at, l.next = l.next, l.at
		l.find(d + 1)
		l.document(m.corpus.Document(d), sweep.Stream(uint64(d)))
	}
	m.sweeps++
}

// find sets where the topics of document d, the next one, are, and asks for them.
func (l *light[E]) find(d int) {
	if d == l.m.corpus.Len() {
		return
	}
	words := l.m.corpus.Document(d)
	l.byWord.next(words, l.byWord.cursor, l.next)
	prefetch.Elements(l.byWord.tokens, l.next[:len(words)])
}

// count takes the counts of the model's topics, and its priors.
func (l *light[E]) count() {
	m := l.m
	l.prior = newMixture(m.alpha, m.sum)
	l.vb, l.flat = float64(float64(m.corpus.Words)*m.beta), float64(float64(m.K())*m.beta)
	for k := range l.topics {
		l.topics[k] = lightTopic{alpha: m.alpha[k], total: l.vb}
	}
	clear(l.counts.entries)
	for w := range m.corpus.Words {
		table := l.counts.table(int32(w))
		for _, z := range l.byWord.word(w) {
			l.counts.add(table, z)
			l.topics[z].add(1, l.vb)
		}
	}
	for k := range l.topics {
		l.topics[k].doc = 0
	}
}

// add counts tokens in the document and in all.
func (x *lightTopic) add(by int32, vb float64) {
	x.doc += by
	x.n += int64(by)
	x.total = float64(x.n) + vb
}

func (l *light[E]) document(words []int32, r streams.Stream) {
	topics := l.own[:len(words)]
	for i, p := range l.at[:len(words)] {
		topics[i] = l.byWord.tokens[p]
	}
	for _, z := range topics {
		l.topics[z].doc++
	}
	r = l.drawAhead(words, r)
	l.prefetch(words, topics, 0, min(stepsAhead, len(words)))
	for i, w := range words {
		l.prefetch(words, topics, i+stepsAhead, min(i+stepsAhead+1, len(words)))
		z := topics[i]
		r = l.move(w, topics, i, r)
		if t := topics[i]; t != z {
			table := l.counts.table(w)
			l.counts.drop(table, z)
			l.counts.add(table, t)
			l.topics[z].add(-1, l.vb)
			l.topics[t].add(1, l.vb)
		}
	}
	for _, z := range topics {
		l.topics[z].doc = 0
	}
}

// drawAhead draws the proposals of a document.
func (l *light[E]) drawAhead(words []int32, r streams.Stream) streams.Stream {
	var u, v uint64
	length := float64(len(words))
	document := length + l.m.sum
	for i, w := range words {
		first := l.byWord.start[w]
		n := float64(l.byWord.start[w+1] - first)
		for j := range l.steps {
			a := &l.ahead[i*l.steps+j]
			u, r = r.Next()
			v, r = r.Next()
			if x := float64(streams.Unit(u) * (n + l.flat)); x < n {
				a.word = first + int64(x)
			} else {
				u, r = r.Next()
				a.word = ^int64(streams.Below(u, len(l.topics)))
			}
			if x := float64(streams.Unit(v) * document); x < length {
				a.doc = int32(x)
			} else {
				u, r = r.Next()
				a.doc = ^int32(l.prior.topic(u))
			}
		}
	}
	return r
}

// stepsAhead is the tokens between one that moves and one whose counts are asked for.
const stepsAhead = 16

// prefetch asks for what the steps of the tokens from i to the one before end of a document are likely to read.
func (l *light[E]) prefetch(words []int32, topics []uint16, i, end int) {
	for ; i < end; i++ {
		table := l.counts.table(words[i])
		l.counts.prefetch(table, topics[i])
		for _, a := range l.ahead[i*l.steps : (i+1)*l.steps] {
			if a.word >= 0 {
				prefetch.Slice(l.byWord.tokens[a.word : a.word+1])
			}
			l.counts.prefetch(table, topics[max(a.doc, 0)])
		}
	}
}

// move takes the steps of token i of a document, whose topic it sets. The counts stay, at the topic z that it had.
func (l *light[E]) move(w int32, topics []uint16, i int, r streams.Stream) streams.Stream {
	z := topics[i]
	s := z
	var u uint64
	for _, a := range l.ahead[i*l.steps : (i+1)*l.steps] {
		t := uint16(^a.word)
		if a.word >= 0 {
			t = l.byWord.tokens[a.word]
		}
		if t != s {
			u, r = r.Next()
			here, there := l.place(s, z), l.place(t, z)
			if float64(float64(streams.Unit(u)*here.document)*there.total) < float64(there.document*here.total) {
				s, topics[i] = t, t
				l.byWord.tokens[l.at[i]] = t
			}
		}
		t = uint16(^a.doc)
		if a.doc >= 0 {
			t = topics[a.doc]
		}
		if t != s {
			u, r = r.Next()
			table := l.counts.table(w)
			here, there := l.place(s, z), l.place(t, z)
			hereWord, thereWord := l.counts.get(table, s)-here.own+l.m.beta, l.counts.get(table, t)-there.own+l.m.beta
			if float64(float64(streams.Unit(u)*hereWord)*there.total) < float64(thereWord*here.total) {
				s, topics[i] = t, t
				l.byWord.tokens[l.at[i]] = t
			}
		}
	}
	return r
}

// place is what a step needs of a topic.
type place struct {
	own      float64 // tokens of the topic that do not count: 1 where it is the token's
	document float64 // n¬_dk + α_k
	total    float64 // n¬_k + Vβ
}

// place is that of topic k for a token whose counts are still those of topic z.
func (l *light[E]) place(k, z uint16) (p place) {
	x := &l.topics[k]
	if k == z {
		p.own = 1
	}
	p.document = float64(x.doc) - p.own + x.alpha
	p.total = x.total - p.own
	return p
}

func (l *light[E]) wordCounts(w int, row []Count, _ []uint32) []Count {
	return l.counts.wordCounts(w, row)
}
