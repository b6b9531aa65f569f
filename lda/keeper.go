package lda

import "github.com/ergodic-mcmc/ergodic/internal/memory"

// keeper has the topics of a model in another order than the corpus's, in place of the model: a byWord.
type keeper interface {
	wordCounter
	set(topics []uint16)                    // in the order of the corpus
	walk(take func(d int, topics []uint16)) // topics are take's for the time of the call
}

// take makes s the owner of the topics and says whether it has to count them. They are where k keeps them, or in the model
// where s has no keeper.
func (m *Model) take(s Sampler, k keeper) (count bool) {
	if m.kept != nil && m.kept != k {
		m.fetch()
	}
	count = m.owner != s
	m.owner = s
	if k == nil || m.kept == k {
		return count
	}
	if count {
		k.set(m.topics)
	}
	m.kept = k
	if m.scratch == "" {
		m.topics = nil
	}
	return count
}

// fetch takes the topics back from who keeps them.
func (m *Model) fetch() {
	if m.kept == nil {
		return
	}
	if m.topics == nil {
		m.topics = memory.Large[uint16](m.tokens())
	}
	m.kept.walk(func(d int, topics []uint16) { copy(m.topics[m.corpus.Starts[d]:], topics) })
	m.kept = nil
}

// eachDocument gives the topics of one document after the other, for the time of the call.
func (m *Model) eachDocument(take func(d int, topics []uint16)) {
	if m.kept != nil {
		m.kept.walk(take)
		return
	}
	for d := range m.corpus.Len() {
		take(d, m.topics[m.corpus.Starts[d]:m.corpus.Starts[d+1]])
	}
}
