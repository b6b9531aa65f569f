package lda

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Counts is the topic–word counts that are not zero, and the totals of the topics.
type Counts struct {
	Starts  []int64 // the topics of word w are Entries[Starts[w]:Starts[w+1]]; one more than there are words
	Entries []Count // of a word in ascending order of topics
	Totals  []int64 // n_k, one a topic
}

// Count is the number of tokens that a word has in a topic.
type Count struct {
	Topic uint16
	N     uint32
}

// Counts takes the counts of the model's topics, in O(tokens) and a sort for each word.
func (m *Model) Counts() *Counts {
	size := 0
	m.eachWord(func(_ int, row []Count) { size += len(row) })
	c := &Counts{Entries: make([]Count, 0, size), Starts: make([]int64, m.corpus.Words+1), Totals: make([]int64, m.K())}
	m.eachWord(func(w int, row []Count) {
		slices.SortFunc(row, func(a, b Count) int { return int(a.Topic) - int(b.Topic) })
		for _, e := range row {
			c.Totals[e.Topic] += int64(e.N)
		}
		c.Entries = append(c.Entries, row...)
		c.Starts[w+1] = int64(len(c.Entries))
	})
	return c
}

// wordCounter is a sampler that has the counts of words: it appends those of word w to row, in any order. It may use n, K zeros,
// and leaves zeros there.
type wordCounter interface {
	wordCounts(w int, row []Count, n []uint32) []Count
}

// eachWord gives the counts of one word after the other, in any order within a word. They are its owner's, if that has any; or
// else take two bytes a token for the while.
func (m *Model) eachWord(take func(w int, row []Count)) {
	c, ok := m.owner.(wordCounter)
	if !ok && m.byWord != nil {
		c, ok = m.byWord, true
	}
	if !ok {
		sorted, release := m.sorted()
		defer release()
		c = sorted
	}
	var row []Count
	n := make([]uint32, m.K())
	for w := range m.corpus.Words {
		row = c.wordCounts(w, row[:0], n)
		take(w, row)
	}
}

// sorted is the topics that the model has, sorted by word.
func (m *Model) sorted() (b *byWord[uint16], release func()) {
	topics, release, err := allocate(m.tokens(), m.scratch)
	if err != nil { // the disk is full
		topics, release = make([]uint16, m.tokens()), func() {}
	}
	b = &byWord[uint16]{start: m.wordStarts(), tokens: topics}
	next := slices.Clone(b.start)
	for i, w := range m.corpus.Tokens {
		topics[next[w]] = m.topics[i]
		next[w]++
	}
	return b, release
}

// Word is the counts of word w.
func (c *Counts) Word(w int) []Count { return c.Entries[c.Starts[w]:c.Starts[w+1]] }

// check tells what keeps c from being counts of this many words and topics.
func (c *Counts) check(words, topics int) error {
	if c == nil || len(c.Starts) != words+1 || len(c.Totals) != topics || c.Starts[0] != 0 || c.Starts[words] != int64(len(c.Entries)) {
		return fmt.Errorf("lda: the counts are not of %d words and %d topics", words, topics)
	}
	sums := make([]int64, topics)
	for w := range words {
		if c.Starts[w] > c.Starts[w+1] || c.Starts[w+1] > int64(len(c.Entries)) {
			return fmt.Errorf("lda: the counts of word %d end before they begin, or beyond all", w+1)
		}
		before := -1
		for _, e := range c.Word(w) {
			if int(e.Topic) >= topics || int(e.Topic) <= before || e.N == 0 {
				return fmt.Errorf("lda: the counts of word %d are not of topics 1 to %d in ascending order, each positive", w+1, topics)
			}
			before = int(e.Topic)
			sums[e.Topic] += int64(e.N)
		}
	}
	if !slices.Equal(sums, c.Totals) {
		return fmt.Errorf("lda: the totals of the topics are not the sums of their counts")
	}
	return nil
}

// plus is the sum of counts of the same words and topics.
func (c *Counts) plus(more *Counts) (*Counts, error) {
	var d []Difference
	for w := range len(more.Starts) - 1 {
		for _, e := range more.Word(w) {
			if e.N > math.MaxInt32 {
				return nil, fmt.Errorf("lda: %d tokens of word %d in topic %d are more than can be added", e.N, w+1, int(e.Topic)+1)
			}
			d = append(d, Difference{int32(w), e.Topic, int32(e.N)})
		}
	}
	return c.Add(d)
}

// Add returns the counts with differences added: those of the parts of a pass, in any order. The error names a word and
// a topic that there are not, or whose count would be below zero.
func (c *Counts) Add(differences ...[]Difference) (*Counts, error) {
	all := slices.Concat(differences...)
	slices.SortFunc(all, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.Topic, b.Topic))
	})
	sum := &Counts{Starts: make([]int64, len(c.Starts)), Totals: slices.Clone(c.Totals)}
	for w := range len(c.Starts) - 1 {
		row := c.Word(w)
		for len(all) > 0 && int(all[0].Word) == w && int(all[0].Topic) < len(c.Totals) {
			z, n := all[0].Topic, int64(0)
			for ; len(row) > 0 && row[0].Topic < z; row = row[1:] {
				sum.Entries = append(sum.Entries, row[0])
			}
			if len(row) > 0 && row[0].Topic == z {
				n, row = int64(row[0].N), row[1:]
			}
			for ; len(all) > 0 && int(all[0].Word) == w && all[0].Topic == z; all = all[1:] {
				n += int64(all[0].N)
				sum.Totals[z] += int64(all[0].N)
			}
			if n < 0 || n > math.MaxUint32 {
				return nil, fmt.Errorf("lda: the differences leave %d tokens of word %d in topic %d", n, w+1, int(z)+1)
			}
			if n > 0 {
				sum.Entries = append(sum.Entries, Count{z, uint32(n)})
			}
		}
		sum.Entries = append(sum.Entries, row...)
		sum.Starts[w+1] = int64(len(sum.Entries))
	}
	if len(all) > 0 {
		return nil, fmt.Errorf("lda: a difference is of word %d in topic %d; there are %d words and %d topics", all[0].Word+1, int(all[0].Topic)+1, len(c.Starts)-1, len(c.Totals))
	}
	return sum, nil
}
