package lda

import "github.com/ergodic-mcmc/ergodic/lda/corpus"

// window is the number of tokens of the windows that words occur in together. One begins at each token of a document where it fits,
// and at the first of a document that is shorter; those of wholeDocument are the documents.
type window int

const wholeDocument window = 0

// occurrences counts the windows that have both of two words of a list, for several lists.
type occurrences struct {
	windows int64
	both    [][]int64 // of list k, words i and j: both[k][i·n + j]; the windows that have one word where i = j
}

// in is the number of windows that have words i and j of a list.
func (o *occurrences) in(list, words, i, j int) float64 { return float64(o.both[list][i*words+j]) }

// listed is a place in the lists.
type listed struct{ list, at int }

// occurrenceCounter counts the occurrences of the words of lists.
type occurrenceCounter struct {
	lists [][]int32
	size  window
	occurrences

	where [][]listed   // of each word
	spans [][]interval // of each word, in the document at hand
	had   []int32      // words with spans
	met   [][]int      // of each list, the places whose words the document has
	full  []int        // lists with such places
}

// interval is windows of a document, from first to before end.
type interval struct{ first, end int }

// occur counts the windows of c that have the words of each list: in O(tokens) and, in a document, its pairs of words that
// share a list.
func occur(c *corpus.Corpus, lists [][]int32, size window) *occurrences {
	o := &occurrenceCounter{lists: lists, size: size, where: make([][]listed, c.Words), spans: make([][]interval, c.Words), met: make([][]int, len(lists))}
	o.both = make([][]int64, len(lists))
	for k, words := range lists {
		o.both[k] = make([]int64, len(words)*len(words))
		for i, w := range words {
			o.where[w] = append(o.where[w], listed{k, i})
		}
	}
	for d := range c.Len() {
		o.document(c.Document(d))
	}
	return &o.occurrences
}

func (o *occurrenceCounter) document(tokens []int32) {
	if len(tokens) == 0 {
		return
	}
	size := int(o.size)
	if o.size == wholeDocument || size > len(tokens) {
		size = len(tokens)
	}
	last := len(tokens) - size
	o.windows += int64(last) + 1
	for i, w := range tokens {
		if o.where[w] == nil {
			continue
		}
		s := o.spans[w]
		if len(s) == 0 {
			o.had = append(o.had, w)
		}
		first, end := max(i-size+1, 0), min(i, last)+1
		if n := len(s); n > 0 && s[n-1].end >= first {
			s[n-1].end = end
		} else {
			s = append(s, interval{first, end})
		}
		o.spans[w] = s
	}
	for _, w := range o.had {
		for _, p := range o.where[w] {
			if len(o.met[p.list]) == 0 {
				o.full = append(o.full, p.list)
			}
			o.met[p.list] = append(o.met[p.list], p.at)
		}
	}
	for _, k := range o.full {
		o.pairs(k)
		o.met[k] = o.met[k][:0]
	}
	o.full = o.full[:0]
	for _, w := range o.had {
		o.spans[w] = o.spans[w][:0]
	}
	o.had = o.had[:0]
}

// pairs counts the pairs of words of a list that the document has.
func (o *occurrenceCounter) pairs(list int) {
	words, both := o.lists[list], o.both[list]
	for a, i := range o.met[list] {
		for _, j := range o.met[list][:a+1] {
			n := common(o.spans[words[i]], o.spans[words[j]])
			both[i*len(words)+j] += n
			if i != j {
				both[j*len(words)+i] += n
			}
		}
	}
}

// common is the number of windows that both have.
func common(a, b []interval) (n int64) {
	for len(a) > 0 && len(b) > 0 {
		n += int64(max(min(a[0].end, b[0].end)-max(a[0].first, b[0].first), 0))
		if a[0].end < b[0].end {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return n
}
