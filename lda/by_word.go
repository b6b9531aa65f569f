package lda

import (
	"slices"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// byWord is the topics of the tokens sorted by word, those of a word in the order of the corpus, each in the lower 16 bits of
// an element. A walk through the corpus passes the tokens of each word in that order, so that a number for each word says where
// it is: no token needs one. With walks there are up to 2³² − 1 tokens.
type byWord[T ~uint16 | ~uint32] struct {
	corpus *corpus.Corpus
	start  []int64  // where the tokens of a word begin
	begin  []uint32 // the same, for walks
	cursor []uint32 // where the walk is in those of a word
	tokens []T
}

func newByWord[T ~uint16 | ~uint32](c *corpus.Corpus, start []int64, tokens []T) *byWord[T] {
	begin := make([]uint32, c.Words)
	for w := range begin {
		begin[w] = uint32(start[w])
	}
	return &byWord[T]{c, start, begin, slices.Clone(begin), tokens}
}

// word is the tokens of word w.
func (b *byWord[T]) word(w int) []T { return b.tokens[b.start[w]:b.start[w+1]] }

// rewind begins a walk.
func (b *byWord[T]) rewind() { copy(b.cursor, b.begin) }

// next sets where the tokens of the document are that a walk comes to, which has these words.
func (b *byWord[T]) next(words []int32, cursor, at []uint32) {
	at = at[:len(words)]
	for i, w := range words {
		at[i] = cursor[w]
		cursor[w]++
	}
}

// last is next for a walk to the front.
func (b *byWord[T]) last(words []int32, cursor, at []uint32) {
	at = at[:len(words)]
	for i := len(words) - 1; i >= 0; i-- {
		w := words[i]
		cursor[w]--
		at[i] = cursor[w]
	}
}

// set takes the topics of tokens in the order of the corpus.
func (b *byWord[T]) set(topics []uint16) {
	b.rewind()
	for i, w := range b.corpus.Tokens {
		b.tokens[b.cursor[w]] = T(topics[i])
		b.cursor[w]++
	}
}

// walk gives the topics of one document after the other.
func (b *byWord[T]) walk(take func(d int, topics []uint16)) {
	var own []uint16
	b.rewind()
	for d := range b.corpus.Len() {
		own = own[:0]
		for _, w := range b.corpus.Document(d) {
			own = append(own, uint16(b.tokens[b.cursor[w]]))
			b.cursor[w]++
		}
		take(d, own)
	}
}

func (b *byWord[T]) wordCounts(w int, row []Count, n []uint32) []Count {
	first := len(row)
	for _, t := range b.word(w) {
		z := uint16(t)
		if n[z]++; n[z] == 1 {
			row = append(row, Count{Topic: z})
		}
	}
	for i := first; i < len(row); i++ {
		z := row[i].Topic
		row[i].N, n[z] = n[z], 0
	}
	return row
}
