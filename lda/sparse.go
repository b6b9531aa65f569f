package lda

// sparse is SparseLDA (Yao, Mimno and McCallum, 2009): a draw from the conditional distribution of gibbs, whose weights are
// split into three buckets,
//
//	α_k β / (n_k + Vβ)  +  n_dk β / (n_k + Vβ)  +  n_kw (α_k + n_dk) / (n_k + Vβ),
//
// all with ¬di. The sums of the first two are kept from token to token; the third, which has nearly all of the mass, runs
// over the topics of the word, the frequent ones first. The sums are floating-point numbers that follow the changes; each
// sweep begins them anew.
type sparse[E packed] struct {
	m      *Model
	key    key
	rows   *rows[E]
	totals totals
	doc    docTopics
	weight []float64 // (α_k + n_dk) / (n_k + Vβ)
	score  []float64 // of a row

	smooth, own float64 // sums of the first two buckets, over β
}

func newSparse(m *Model, _ Options) (Sampler, error) {
	room := make([]int64, m.corpus.Words)
	most := int64(0)
	for _, w := range m.corpus.Tokens {
		room[w]++
		most = max(most, room[w])
	}
	if most>>(32-topicBits(m.K())) == 0 {
		return makeSparse[uint32](m, room), nil
	}
	return makeSparse[uint64](m, room), nil
}

func makeSparse[E packed](m *Model, room []int64) *sparse[E] {
	k := m.K()
	return &sparse[E]{
		m: m, key: newKey(m.seed, "lda sparse"), rows: newRows[E](m.corpus.Words, k, room), totals: newTotals(k),
		doc: newDocTopics(k), weight: make([]float64, k), score: make([]float64, k),
	}
}

func (s *sparse[E]) Sweep() {
	m := s.m
	if m.take(s) {
		s.rows.count(m)
		s.totals.count(m)
	}
	s.begin()
	sweep := s.key.at(m.sweeps)
	for d := range m.corpus.Len() {
		s.document(m.corpus.Document(d), m.Document(d), sweep.stream(uint64(d)))
	}
	m.sweeps++
}

// begin makes everything a function of the topics that is not yet.
func (s *sparse[E]) begin() {
	s.rows.sort()
	s.smooth = 0
	for k, a := range s.m.alpha {
		s.weight[k] = float64(a * s.totals.inverse[k])
		s.smooth += s.weight[k]
	}
}

func (s *sparse[E]) document(words []int32, topics []uint16, r stream) {
	s.doc.fill(topics)
	s.own = 0
	for _, k := range s.doc.topics {
		n := float64(s.doc.n[k])
		s.own += float64(n * s.totals.inverse[k])
		s.weight[k] = float64((s.m.alpha[k] + n) * s.totals.inverse[k])
	}
	var u uint64
	for i, w := range words {
		u, r = r.next()
		topics[i] = s.move(w, topics[i], unit(u))
	}
	for _, k := range s.doc.topics {
		s.weight[k] = float64(s.m.alpha[k] * s.totals.inverse[k])
	}
	s.doc.clear()
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

// move is a new topic for a token of word w with topic z.
func (s *sparse[E]) move(w int32, z uint16, u float64) uint16 {
	s.count(z, -1)
	row := s.rows.row(w)
	score := s.score[:len(row)]
	sum, at := s.scores(row, score, z)
	beta := s.m.beta
	u = float64(u * (sum + float64(beta*(s.smooth+s.own))))
	t, found := uint16(0), false
	for i := len(row) - 1; i >= 0; i-- {
		if u -= score[i]; u < 0 {
			t, found = uint16(row[i]&s.rows.mask), true
			break
		}
	}
	if !found {
		t = s.other(u / beta)
	}
	if t != z {
		s.rows.down(w, at)
		s.rows.add(w, t)
	}
	s.count(t, 1)
	return t
}

// scores computes the weights of the third bucket for a token of topic z, their sum, and where z is in the row.
func (s *sparse[E]) scores(row []E, score []float64, z uint16) (sum float64, at int) {
	var even, odd float64
	weight, shift, mask := s.weight, s.rows.shift, s.rows.mask
	i := 0
	for ; i+1 < len(row) && i+1 < len(score); i += 2 {
		e, f := row[i], row[i+1]
		if e&mask == E(z) {
			at = i
		}
		if f&mask == E(z) {
			at = i + 1
		}
		x, y := float64(float64(e>>shift)*weight[e&mask]), float64(float64(f>>shift)*weight[f&mask])
		score[i], score[i+1] = x, y
		even += x
		odd += y
	}
	if i < len(row) {
		e := row[i]
		if e&mask == E(z) {
			at = i
		}
		score[i] = float64(float64(e>>shift) * weight[e&mask])
		even += score[i]
	}
	was := score[at] // the row still counts the token
	score[at] = float64(float64(row[at]>>shift-1) * weight[z])
	return even + odd - was + score[at], at
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
