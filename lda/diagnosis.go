package lda

import "math"

// Diagnosis is what tells whether a topic is one that a reader can use.
type Diagnosis struct {
	Coherence // of its most frequent words, in the collection

	// Exclusivity is the mean over its most frequent words of φ_kw / Σ_j φ_jw (Bischof and Airoldi, 2012): how much of a word is
	// this topic's. From 1/K, for a topic like all others, to 1.
	Exclusivity float64

	// EffectiveWords is 1 / Σ_w φ_kw², the number of words that as many topics of equal shares would have; 1 to V.
	EffectiveWords float64

	// RankOneDocuments is the number of documents in which the topic has more tokens than any other. One whose first topics have as many
	// tokens counts for the first of them, one without tokens for none.
	RankOneDocuments int
}

// Diagnose is the diagnosis of each topic, by its most frequent words, up to so many. Ten are usual. m is the model that they are of, with
// the collection and the topics of its documents.
func (r *Rankings) Diagnose(m *Model, words int) []Diagnosis {
	f := r.Fitted
	lists := make([][]int32, f.K())
	for k := range lists {
		for _, x := range r.Relevant(k, words, 1) {
			lists[k] = append(lists[k], x.Word)
		}
	}
	base := 0.0 // Σ_j φ_jw of a word without tokens
	for j := range f.K() {
		none, _ := f.Shares(j)
		base += none
	}
	all := make([]Diagnosis, f.K())
	first := m.rankOneDocuments()
	for k, coherence := range Coherences(m.corpus, lists) {
		all[k] = Diagnosis{Coherence: coherence, Exclusivity: f.exclusivity(k, lists[k], base), EffectiveWords: f.effectiveWords(k, r.topic(k)),
			RankOneDocuments: first[k]}
	}
	return all
}

// exclusivity is NaN without words.
func (f *Fitted) exclusivity(k int, words []int32, base float64) float64 {
	sum := 0.0
	for _, w := range words {
		own, all := 0.0, base
		for _, e := range f.Counts.Word(int(w)) {
			none, factor := f.Shares(int(e.Topic))
			all += float64(factor * float64(e.N))
			if int(e.Topic) == k {
				own = none + float64(factor*float64(e.N))
			}
		}
		sum += own / all
	}
	return sum / float64(len(words))
}

func (f *Fitted) effectiveWords(k int, words []wordN) float64 {
	none, factor := f.Shares(k)
	sum := float64(f.Words-len(words)) * float64(none*none)
	for _, w := range words {
		sum += math.Pow(none+float64(factor*float64(w.n)), 2)
	}
	return 1 / sum
}

func (m *Model) rankOneDocuments() []int {
	first, n := make([]int, m.K()), newDocTopics(m.K())
	m.eachDocument(func(_ int, topics []uint16) {
		n.fill(topics)
		best := -1
		for _, z := range n.topics {
			if z := int(z); best < 0 || n.n[z] > n.n[best] || n.n[z] == n.n[best] && z < best {
				best = z
			}
		}
		if best >= 0 {
			first[best]++
		}
		n.clear()
	})
	return first
}
