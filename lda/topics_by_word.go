package lda

import "github.com/ergodic-mcmc/ergodic/internal/memory"

// topicsByWord is the topics of a model in the order of words, of whatever element: a byWord.
type topicsByWord interface {
	wordCounter
	set(topics []uint16)                    // in the order of the corpus
	walk(take func(d int, topics []uint16)) // topics are take's for the time of the call
}

// take makes s the owner of the topics and says whether it has to count them. They come into b, or where that is nil into the
// order of the corpus.
func (m *Model) take(s Sampler, b topicsByWord) (count bool) {
	if m.byWord != nil && m.byWord != b {
		m.fetch()
	}
	count = m.owner != s
	m.owner = s
	if b == nil || m.byWord == b {
		return count
	}
	if count {
		b.set(m.topics)
	}
	m.byWord = b
	if m.scratch == "" {
		m.topics = nil
	}
	return count
}

// fetch brings the topics back into the order of the corpus.
func (m *Model) fetch() {
	if m.byWord == nil {
		return
	}
	if m.topics == nil {
		m.topics = memory.Large[uint16](m.tokens())
	}
	m.byWord.walk(func(d int, topics []uint16) { copy(m.topics[m.corpus.Starts[d]:], topics) })
	m.byWord = nil
}

// eachDocument gives the topics of one document after the other, for the time of the call.
func (m *Model) eachDocument(take func(d int, topics []uint16)) {
	if m.byWord != nil {
		m.byWord.walk(take)
		return
	}
	for d := range m.corpus.Len() {
		take(d, m.topics[m.corpus.Starts[d]:m.corpus.Starts[d+1]])
	}
}
