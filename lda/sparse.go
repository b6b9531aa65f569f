package lda

import (
	"github.com/ergodic-mcmc/ergodic/internal/prefetch"
	"github.com/ergodic-mcmc/ergodic/internal/streams"
)

// sparse is SparseLDA (Yao, Mimno and McCallum, 2009): a draw from the conditional distribution of gibbs, whose weights are
// split into three buckets,
//
//	α_k β / (n_k + Vβ)  +  n_dk β / (n_k + Vβ)  +  n_kw (α_k + n_dk) / (n_k + Vβ),
//
// all with ¬di. The sums of the first two are kept from token to token; the third, which has nearly all of the mass, runs
// over the topics of the word, the frequent ones first. Where tokens of a word stand side by side, as in all bags of words, its
// terms are computed once, and follow the tokens. The sums are floating-point numbers that follow the changes; each
// sweep begins them anew.
type sparse[E packed] struct {
	m      *Model
	key    streams.Name
	rows   *rows[E]
	totals totals
	doc    docTopics
	weight []float64 // (α_k + n_dk) / (n_k + Vβ)
	score  []float64 // of a row
	place  []uint16  // of the topics in it

	smooth, own float64 // sums of the first two buckets, over β
}

func newSparse(m *Model, o Options) (Sampler, error) {
	room := make([]int64, m.corpus.Words)
	most := int64(0)
	for _, w := range m.corpus.Tokens {
		room[w]++
		most = max(most, room[w])
	}
	if most>>(32-topicBits(m.K())) == 0 {
		return makeSparseParts[uint32](m, room, o), nil
	}
	return makeSparseParts[uint64](m, room, o), nil
}

func makeSparse[E packed](m *Model, room []int64) *sparse[E] {
	k := m.K()
	return &sparse[E]{
		m: m, key: streams.New(m.seed, "lda sparse"), rows: newRows[E](m.corpus.Words, k, room), totals: newTotals(k),
		doc: newDocTopics(k), weight: make([]float64, k), score: make([]float64, k), place: make([]uint16, k),
	}
}

func (s *sparse[E]) Sweep() {
	m := s.m
	if m.take(s, nil) {
		s.rows.count(m)
		s.totals.count(m)
	}
	s.rows.sort()
	s.begin()
	s.documents(span{0, m.corpus.Len()}, s.key.At(m.sweeps))
	m.sweeps++
}

// documents moves the tokens of some documents, whose streams have this name.
func (s *sparse[E]) documents(docs span, name streams.Name) {
	c := s.m.corpus
	for d := docs.first; d < docs.end; d++ {
		s.document(c.Tokens[c.Starts[d]:c.Starts[docs.end]], s.m.Document(d), name.Stream(uint64(d)))
	}
}

// begin makes what follows the changes of counts a function of the counts. With rows that are sorted all then is one of the
// topics.
func (s *sparse[E]) begin() {
	s.smooth = 0
	for k, a := range s.m.alpha {
		s.weight[k] = float64(a * s.totals.inverse[k])
		s.smooth += s.weight[k]
	}
}

// document moves the tokens of a document, which are the first of words; others come after it.
func (s *sparse[E]) document(words []int32, topics []uint16, r streams.Stream) {
	s.doc.fill(topics)
	s.own = 0
	for _, k := range s.doc.topics {
		n := float64(s.doc.n[k])
		s.own += float64(n * s.totals.inverse[k])
		s.weight[k] = float64((s.m.alpha[k] + n) * s.totals.inverse[k])
	}
	for i := 0; i < len(topics); {
		end := i + 1
		for end < len(topics) && words[end] == words[i] {
			end++
		}
		s.prefetch(words, i, end)
		r = s.tokens(words[i], topics[i:end], r)
		i = end
	}
	for _, k := range s.doc.topics {
		s.weight[k] = float64(s.m.alpha[k] * s.totals.inverse[k])
	}
	s.doc.clear()
}

// rowsAhead is the tokens between one that moves and one whose row is asked for.
const rowsAhead = 16

// prefetch asks for the rows of the words that come some tokens after those from i to the one before end.
func (s *sparse[E]) prefetch(words []int32, i, end int) {
	for i, end = i+rowsAhead, min(end+rowsAhead, len(words)); i < end; i++ {
		if w := words[i]; w != words[i-1] {
			prefetch.Slice(s.rows.row(w))
		}
	}
}

// count adds tokens of topic z to the document and to all, and mends the sums.
func (s *sparse[E]) count(z uint16, by int32) {
	a, n, inverse := s.m.alpha[z], float64(s.doc.n[z]), s.totals.inverse[z]
	smooth, own := s.smooth-float64(a*inverse), s.own-float64(n*inverse)
	s.doc.add(z, by)
	s.totals.add(z, int64(by))
	n, inverse = float64(s.doc.n[z]), s.totals.inverse[z]
	s.smooth, s.own = smooth+float64(a*inverse), own+float64(n*inverse)
	s.weight[z] = float64((a + n) * inverse)
}

// kept is what count changes of a topic and of the sums.
type kept struct{ inverse, weight, smooth, own float64 }

// uncount puts back a token that count took off.
func (s *sparse[E]) uncount(z uint16, was kept) {
	s.doc.add(z, 1)
	s.totals.n[z]++
	s.totals.inverse[z], s.weight[z], s.smooth, s.own = was.inverse, was.weight, was.smooth, was.own
}

// tokens moves tokens of word w that stand side by side.
func (s *sparse[E]) tokens(w int32, topics []uint16, r streams.Stream) streams.Stream {
	room := s.rows.room(int(w))
	first := len(room) - int(s.rows.used[w])
	score := s.score[:len(room)]
	sum := s.scores(room, score, first)
	shift, beta := s.rows.shift, s.m.beta
	var u uint64
	for i, z := range topics {
		was := kept{s.totals.inverse[z], s.weight[z], s.smooth, s.own}
		s.count(z, -1)
		at := s.place[z]
		before := score[at]
		left := room[at]>>shift - 1
		score[at] = float64(float64(left) * s.weight[z])
		rest := sum - before + score[at]
		u, r = r.Next()
		x := float64(streams.Unit(u) * (rest + float64(beta*(s.smooth+s.own))))
		t, found := uint16(0), false
		for j := len(room) - 1; j >= first; j-- {
			if x -= score[j]; x < 0 {
				t, found = uint16(room[j]&s.rows.mask), true
				break
			}
		}
		if !found {
			t = s.other(x / beta)
		}
		if t == z {
			s.uncount(z, was)
			score[at] = before
			continue
		}
		topics[i] = t
		s.count(t, 1)
		room[at] -= 1 << shift
		to := s.place[t]
		switch there := int(to) >= first && int(to) < len(room) && room[to]&s.rows.mask == E(t); {
		case there && left == 0: // the first entry takes the place
			room[at], score[at] = room[first], score[first]
			s.place[room[at]&s.rows.mask] = at
			first++
			to = s.place[t]
		case there:
		case left == 0:
			to, room[at], score[at] = at, E(t), 0
		default:
			first--
			to, room[first], score[first] = uint16(first), E(t), 0
		}
		s.place[t] = to
		room[to] += 1 << shift
		rest -= score[to]
		score[to] = float64(float64(room[to]>>shift) * s.weight[t])
		sum = rest + score[to]
	}
	s.rows.used[w] = int32(len(room) - first)
	return r
}

// scores computes the terms of the third bucket for a word, all its tokens counted, from entry first on, and their sum.
func (s *sparse[E]) scores(room []E, score []float64, first int) float64 {
	var even, odd float64
	weight, place, shift, mask := s.weight, s.place, s.rows.shift, s.rows.mask
	i := first
	for ; i+1 < len(room) && i+1 < len(score); i += 2 {
		e, f := room[i], room[i+1]
		place[e&mask], place[f&mask] = uint16(i), uint16(i+1)
		x, y := float64(float64(e>>shift)*weight[e&mask]), float64(float64(f>>shift)*weight[f&mask])
		score[i], score[i+1] = x, y
		even += x
		odd += y
	}
	if i < len(room) {
		e := room[i]
		place[e&mask] = uint16(i)
		score[i] = float64(float64(e>>shift) * weight[e&mask])
		even += score[i]
	}
	return even + odd
}

// other is the topic of u in the second bucket or, beyond, the first.
func (s *sparse[E]) other(u float64) uint16 {
	last := s.m.K() - 1 // where rounding leaves a rest of u
	for _, k := range s.doc.topics {
		if u -= float64(float64(s.doc.n[k]) * s.totals.inverse[k]); u < 0 {
			return k
		}
	}
	for k, a := range s.m.alpha {
		if u -= float64(a * s.totals.inverse[k]); u < 0 {
			return uint16(k)
		}
	}
	return uint16(last)
}
