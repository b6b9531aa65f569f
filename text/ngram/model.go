package ngram

import "math"

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
type State uint32

// Empty is the state where nothing is known of the words before.
func (m *Model) Empty() State { return root }

// Start is the state at the begin of a sentence.
func (m *Model) Start() State { return m.state(first + begin) }

// After is the state after these words. It has the memory of Order−1 words.
func (m *Model) After(context []int32) State {
	s := m.Empty()
	for _, w := range context[max(0, len(context)-m.Order()+1):] {
		_, s = m.Next(s, w)
	}
	return s
}

// Next is log10 of the probability of a word in a state, and the state after it.
func (m *Model) Next(s State, word int32) (log10 float64, next State) {
	node, w := uint32(s), uint32(word)
	for node != root {
		if child, ok := m.child(node, w); ok {
			return log10 + m.log10(child), m.state(child)
		}
		r := m.inner(node)
		log10 += m.backoff(r, node)
		node = suffix(r)
	}
	child := first + w
	return log10 + m.log10(child), m.state(child)
}

// LogProb is the natural logarithm of the probability of a word after the context, whose last Order−1 words count.
func (m *Model) LogProb(context []int32, word int32) float64 {
	log10, _ := m.Next(m.After(context), word)
	return float64(log10 * math.Ln10)
}
