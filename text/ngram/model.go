package ngram

import (
	"iter"
	"math"
)

// MostOrder is the largest order that a model may have.
const MostOrder = 8

// Model is an n-gram model: a tree of word sequences, where a node's children are the sequences of one word more. It may be used by several
// goroutines.
type Model struct {
	vocabulary
	tree
	// Backward tells that the model is of sentences from their last word to their first.
	Backward bool
	// Characters tells that the words are the characters of a text.
	Characters bool

	unmap func() error
}

// Order is the length of the longest sequences: a word depends on the Order−1 words before it.
func (m *Model) Order() int { return len(m.counts) }

// Counts are the numbers of sequences in the model by their length, from one word on.
func (m *Model) Counts() []int { return append([]int{}, m.counts...) }

// Close gives back the file of a model that is mapped into memory; the model must not be used after it.
func (m *Model) Close() error {
	m.tree = tree{}
	if m.unmap == nil {
		return nil
	}
	unmap := m.unmap
	m.unmap = nil
	return unmap()
}

// State is what counts of the words before: a node of the tree, the longest that ends with them and is followed by words.
type State = uint32

// Empty is the state where nothing is known of the words before.
func (m *Model) Empty() State { return root }

// Start is the state at the begin of a sentence.
func (m *Model) Start() State { return m.state(first + begin) }

// After is the state after these words, of which the last Order−1 count.
func (m *Model) After(context []int32) State {
	s := m.Empty()
	for _, w := range context[max(0, len(context)-m.Order()+1):] {
		_, s = m.Next(s, w)
	}
	return s
}

// Next is the natural logarithm of the probability of a word in a state, and the state after it.
func (m *Model) Next(s State, word int32) (logProb float64, next State) {
	log10, next := m.next(s, uint32(word))
	return float64(log10 * math.Ln10), next
}

// LogProb is the natural logarithm of the probability of a word after the context, whose last Order−1 words count.
func (m *Model) LogProb(context []int32, word int32) float64 {
	p, _ := m.Next(m.After(context), word)
	return p
}

// Pairs are the words that the model knows beside each other, in the order of their numbers; none in a model of single words.
func (m *Model) Pairs() iter.Seq2[int32, int32] {
	return func(yield func(a, b int32) bool) {
		if m.Order() < 2 {
			return
		}
		for a := range uint32(m.Size()) {
			from, to := m.family(first + a)
			for child := from; child < to; child++ {
				if !yield(int32(a), int32(m.word(child))) {
					return
				}
			}
		}
	}
}
