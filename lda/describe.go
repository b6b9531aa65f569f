package lda

import (
	"cmp"
	"slices"
)

// Topic is what is shown of a topic.
type Topic struct {
	Alpha  float64
	Tokens int         // that have it
	Words  []WordCount // its most frequent words, the most frequent first; of equals the first in the vocabulary
}

// WordCount is how many tokens of a word have a topic.
type WordCount struct {
	Word  int32
	Count int
}

// Describe gives each topic with up to so many words, in O(tokens) and memory for the words that are asked for.
func (m *Model) Describe(words int) []Topic {
	all := make([]Topic, m.K())
	for k, a := range m.alpha {
		all[k].Alpha = a
	}
	m.EachWord(func(w int32, topics []uint16, counts []int32) {
		for i, z := range topics {
			t := &all[z]
			t.Tokens += int(counts[i])
			t.add(WordCount{w, int(counts[i])}, words)
		}
	})
	return all
}

// add puts a word into its place among the most frequent.
func (t *Topic) add(x WordCount, most int) {
	at, _ := slices.BinarySearchFunc(t.Words, x, func(a, b WordCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Word, b.Word))
	})
	if at >= most {
		return
	}
	if len(t.Words) == most {
		t.Words = t.Words[:most-1]
	}
	t.Words = slices.Insert(t.Words, at, x)
}

// EachWord calls f with every word of the vocabulary, the topics that its tokens have, ascending, and how many tokens have
// each. The slices are f's for the time of the call only.
func (m *Model) EachWord(f func(word int32, topics []uint16, counts []int32)) {
	var topics []uint16
	var counts []int32
	m.eachWord(func(w int, row []Count) {
		slices.SortFunc(row, func(a, b Count) int { return int(a.Topic) - int(b.Topic) })
		topics, counts = topics[:0], counts[:0]
		for _, e := range row {
			topics, counts = append(topics, e.Topic), append(counts, int32(e.N))
		}
		f(int32(w), topics, counts)
	})
}
