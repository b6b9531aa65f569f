package lda

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/streams"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// Part is some documents of a corpus with all that a pass over them depends on.
type Part struct {
	Corpus *corpus.Corpus // the documents of the part, over the vocabulary of the whole
	Topics []uint16       // of its tokens
	Counts *Counts        // of the whole corpus, the part's tokens among them
	Alpha  []float64
	Beta   float64

	Seed         uint64 // with Number and Pass the name of the random stream
	Number, Pass uint64
}

// Change is a token of a part that has another topic.
type Change struct {
	Token    int // in Part.Corpus.Tokens
	From, To uint16
}

// Difference is how many more tokens a word has in a topic, or fewer.
type Difference struct {
	Word  int32
	Topic uint16
	N     int32
}

// Run moves the topic of each token of the part once, as sparse does, against the given counts, which follow the part's own
// tokens alone, and returns what changed: the tokens in their order, and the differences of the counts in order of words and
// topics. It changes nothing of the part and keeps nothing: equal parts give equal answers, wherever and in whatever order
// they run. A pass of all parts, whose differences are then added to the counts, is AD-LDA (Newman, Asuncion, Smyth
// and Welling, 2009): exact for one part, approximate for more. It takes memory for the part, and 12 bytes a word of the
// vocabulary.
func (p *Part) Run() ([]Change, []Difference, error) {
	m, err := New(p.Corpus, Settings{Alpha: p.Alpha, Beta: p.Beta, Seed: p.Seed})
	if err != nil {
		return nil, nil, err
	}
	if err := m.SetTopics(p.Topics); err != nil {
		return nil, nil, err
	}
	if err := p.Counts.check(p.Corpus.Words, len(p.Alpha)); err != nil {
		return nil, nil, err
	}
	if err := p.covered(m.Counts()); err != nil {
		return nil, nil, err
	}
	s := p.sampler(m)
	s.begin()
	s.documents(span{0, m.corpus.Len()}, streams.New(p.Seed, "lda pass", p.Number, p.Pass))
	return p.changes(m), p.differences(m), nil
}

// covered tells which of the part's own counts is not among those given.
func (p *Part) covered(own *Counts) error {
	for w := range p.Corpus.Words {
		all := p.Counts.Word(w)
		for _, e := range own.Word(w) {
			for len(all) > 0 && all[0].Topic < e.Topic {
				all = all[1:]
			}
			if len(all) == 0 || all[0].Topic > e.Topic || all[0].N < e.N {
				return fmt.Errorf("lda: the part has %d tokens of word %d in topic %d, more than the counts that it is given", e.N, w+1, int(e.Topic)+1)
			}
		}
	}
	return nil
}

// sampler is a sampler with the given counts, of the words that the part has.
func (p *Part) sampler(m *Model) *sparse[uint64] {
	room := make([]int64, p.Corpus.Words)
	for _, w := range p.Corpus.Tokens {
		room[w]++
	}
	for w, n := range room {
		if n > 0 {
			room[w] += int64(len(p.Counts.Word(w)))
		}
	}
	s := makeSparse[uint64](m, room)
	for w, n := range room {
		if n == 0 {
			continue
		}
		for _, e := range p.Counts.Word(w) {
			s.rows.used[w]++
			s.rows.row(int32(w))[0] = uint64(e.N)<<s.rows.shift | uint64(e.Topic)
		}
	}
	s.rows.sort()
	copy(s.totals.n, p.Counts.Totals)
	s.totals.invert(m)
	return s
}

func (p *Part) changes(m *Model) []Change {
	var c []Change
	for i, z := range m.topics {
		if z != p.Topics[i] {
			c = append(c, Change{i, p.Topics[i], z})
		}
	}
	return c
}

// differences go through the part's tokens by word.
func (p *Part) differences(m *Model) []Difference {
	after := m.Counts()
	if m.SetTopics(p.Topics) != nil {
		panic("lda: topics that were taken are refused")
	}
	before := m.Counts()
	var d []Difference
	for w := range p.Corpus.Words {
		d = appendDifferences(d, int32(w), before.Word(w), after.Word(w))
	}
	return d
}

// appendDifferences merges two lists in ascending order of topics.
func appendDifferences(d []Difference, w int32, before, after []Count) []Difference {
	for len(before) > 0 || len(after) > 0 {
		x := Difference{Word: w}
		switch {
		case len(after) == 0 || len(before) > 0 && before[0].Topic < after[0].Topic:
			x.Topic, x.N, before = before[0].Topic, -int32(before[0].N), before[1:]
		case len(before) == 0 || after[0].Topic < before[0].Topic:
			x.Topic, x.N, after = after[0].Topic, int32(after[0].N), after[1:]
		default:
			x.Topic, x.N = after[0].Topic, int32(after[0].N)-int32(before[0].N)
			before, after = before[1:], after[1:]
		}
		if x.N != 0 {
			d = append(d, x)
		}
	}
	return d
}
