package lda

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/best"
)

// Rankings has the words of a model topic by topic, and orders them. It holds 4 bytes for each topic–word count that is not zero.
type Rankings struct {
	*Fitted
	starts []int   // of each topic in words, one more than there are topics
	words  []int32 // of topic k in ascending order
	totals []int64 // of each word, over all topics and samples
	all    float64 // tokens
}

type wordN struct {
	word int32
	n    uint32
}

// Rankings takes the counts of f topic by topic, in O(counts that are not zero).
func (f *Fitted) Rankings() *Rankings {
	r := &Rankings{Fitted: f, starts: make([]int, f.K()+1), words: make([]int32, len(f.Counts.Entries)), totals: make([]int64, f.Words)}
	for _, e := range f.Counts.Entries {
		r.starts[e.Topic+1]++
	}
	for k := range f.K() {
		r.starts[k+1] += r.starts[k]
		r.all += float64(f.Counts.Totals[k])
	}
	at := slices.Clone(r.starts)
	for w := range f.Words {
		for _, e := range f.Counts.Word(w) {
			r.words[at[e.Topic]] = int32(w)
			at[e.Topic]++
			r.totals[w] += int64(e.N)
		}
	}
	return r
}

// topic is the words of topic k, in O(words · log of the topics that they have).
func (r *Rankings) topic(k int) []wordN {
	words := r.words[r.starts[k]:r.starts[k+1]]
	all := make([]wordN, len(words))
	for i, w := range words {
		row := r.Counts.Word(int(w))
		all[i] = wordN{w, row[entryOf(row, k)].N}
	}
	return all
}

// entryOf is where topic k is in the counts of a word that has it.
func entryOf(row []Count, k int) int {
	at, _ := slices.BinarySearchFunc(row, k, func(e Count, k int) int { return int(e.Topic) - k })
	return at
}

// Total is the number of tokens of word w, over all samples.
func (r *Rankings) Total(w int32) int { return int(r.totals[w]) }

// Relevant gives the words of topic k that are among the first n by relevance (Sievert and Shirley, 2014),
//
//	λ log φ_kw + (1 − λ) log(φ_kw / p_w),
//
// at any of the lambdas, in the order of the first, those that come in later ones after it. p_w is the word's share of all tokens. With λ = 1 they are
// the most frequent words, with λ = 0 those that other topics have least of. Words without a token in the topic are left out; of equals the
// first in the vocabulary is first.
func (r *Rankings) Relevant(k, n int, lambdas ...float64) []WordCount {
	words := r.topic(k)
	none, factor := r.Fitted.Shares(k)
	logShare, logLift := make([]float64, len(words)), make([]float64, len(words))
	for i, w := range words {
		logShare[i] = math.Log(none + float64(factor*float64(w.n)))
		logLift[i] = logShare[i] - math.Log(float64(r.totals[w.word])/r.all)
	}
	var all []WordCount
	had := make([]bool, len(words))
	first := make([]best.Scored, 0, max(n, 0))
	for _, l := range lambdas {
		first = first[:0]
		for i := range words {
			first = best.Keep(first, best.Scored{At: i, Score: float64(l*logShare[i]) + float64((1-l)*logLift[i])})
		}
		for _, b := range first {
			if !had[b.At] {
				had[b.At] = true
				all = append(all, WordCount{words[b.At].word, int(words[b.At].n)})
			}
		}
	}
	return all
}

// Phi fills phi, of the length of the vocabulary, with the shares of words φ_k of topic k.
func (r *Rankings) Phi(k int, phi []float64) {
	none, factor := r.Fitted.Shares(k)
	for w := range phi {
		phi[w] = none
	}
	for _, w := range r.topic(k) {
		phi[w.word] += float64(factor * float64(w.n))
	}
}

// Salient gives the first n words by saliency (Chuang, Manning and Heer, 2012), p_w Σ_k p(k | w) log(p(k | w) / p(k)): words that are
// frequent and tell one topic from the others. Probabilities are shares of tokens. Of equals the first in the vocabulary is first.
func (r *Rankings) Salient(n int) []WordCount {
	first := make([]best.Scored, 0, max(n, 0))
	c := r.Counts
	for w, total := range r.totals {
		if total == 0 {
			continue
		}
		s := 0.0
		for _, e := range c.Word(w) {
			s += float64(float64(e.N) * math.Log(float64(e.N)/float64(total)*(r.all/float64(c.Totals[e.Topic]))))
		}
		first = best.Keep(first, best.Scored{At: w, Score: s / r.all})
	}
	all := make([]WordCount, len(first))
	for i, b := range first {
		all[i] = WordCount{int32(b.At), int(r.totals[b.At])}
	}
	return all
}
