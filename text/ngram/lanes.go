package ngram

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/prefetch"
)

// lanes is how many sentences are scored side by side: one waits for memory while the others go on.
const lanes = 24

// query is a word that is looked for in a state.
type query struct {
	node, word uint32
	lo, n      uint32 // the children among which it is
	log10      float64
	at, end    int // the word's place among those of its sentence
}

// logProbs fills out with the natural logarithms of the probabilities of words: sentences one behind the other, each with the end of a sentence as its last word,
// and ends where the next one begins. They are those of [Model.Next] to the last bit.
func (m *Model) logProbs(words []int32, ends []int, out []float64) {
	var qs [lanes]query
	active, begun, start := 0, 0, m.Start()
	for ; active < lanes && begun < len(ends); begun++ {
		qs[active].begin(start, words, ends, begun)
		active++
	}
	for active > 0 {
		m.search(qs[:active])
		for i := active - 1; i >= 0; i-- {
			q := &qs[i]
			if !m.step(q, out) {
				continue
			}
			switch {
			case q.at < q.end:
				q.word = uint32(words[q.at])
			case begun < len(ends):
				q.begin(start, words, ends, begun)
				begun++
			default:
				active--
				*q = qs[active]
			}
		}
	}
}

func (q *query) begin(start State, words []int32, ends []int, sentence int) {
	from := 0
	if sentence > 0 {
		from = ends[sentence-1]
	}
	*q = query{node: start, word: uint32(words[from]), at: from, end: ends[sentence]}
}

// search finds where among the children of its node each word is if it is there: the last child whose word is not greater, or the first one.
func (t *tree) search(qs []query) {
	for i := range qs {
		q := &qs[i]
		if q.node == root {
			q.lo, q.n = first+q.word, 1
			continue
		}
		lo, hi := t.family(q.node)
		q.lo, q.n = lo, hi-lo
	}
	for more := true; more; {
		more = false
		for i := range qs {
			q := &qs[i]
			if q.n < 2 {
				continue
			}
			half := q.n / 2
			lo, middle, n := q.lo, q.lo+half, q.n-half
			if t.word(middle) <= q.word {
				lo = middle
			}
			q.lo, q.n = lo, n
			more = more || n > 1
		}
	}
	for i := range qs {
		if q := &qs[i]; q.lo < t.outer {
			prefetch.Slice(t.inner(q.lo))
		} else if q.n > 0 {
			prefetch.Slice(t.outerAt(q.lo))
		}
	}
}

// step goes on from what search has found, and tells whether this was the word.
func (t *tree) step(q *query, out []float64) bool {
	if q.n == 0 || t.word(q.lo) != q.word {
		r := t.inner(q.node)
		q.log10 += t.backoff(r, q.node)
		q.node = suffix(r)
		return false
	}
	out[q.at] = float64((q.log10 + t.log10(q.lo)) * math.Ln10)
	q.node, q.log10 = t.state(q.lo), 0
	q.at++
	return true
}
