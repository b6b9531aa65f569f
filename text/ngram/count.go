package ngram

import (
	"context"
	"errors"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// level is the different sequences of one length in a text, in the order of their words' numbers. The numbers of a level's sequences begin
// at 0.
type level struct {
	prefix []uint32 // all words but the last, in the level before
	word   []uint32 // the last word
	suffix []uint32 // all words but the first, in the level before
	times  []uint32 // how often the sequence occurs
	before []uint32 // adjusted counts
	begins span     // the sequences that begin a sentence
}

type span struct{ from, to int }

// under is the first sequence whose prefix is g or a later one.
func (l *level) under(g int) int {
	at, _ := slices.BinarySearch(l.prefix, uint32(g))
	return at
}

// counter finds the sequences of a text, a level at a time. It sorts nothing but the words: the places where sequences of k words begin,
// taken in the order of the word at their end and laid out by their first k−1 words, are in the order of all k.
type counter struct {
	tokens []int32
	words  int
	ends   []int32  // places of tokens in the order of the tokens
	was    []int32  // of each place the sequence of k−1 tokens that begins there, −1 where the sentence ends before
	is     []int32  // the same for k tokens
	places []int32  // in the order of the sequences there
	free   []uint32 // of each sequence of k−1 tokens where its next place goes
}

// count finds the sequences of up to order words.
func count(ctx context.Context, t *Text, order int) ([]level, error) {
	n := len(t.tokens)
	if n == 0 {
		return nil, errors.New("ngram: there is no text to train on")
	}
	if err := memory.Room(memory.Product(n, 16) + memory.Product(len(t.words), 24)); err != nil {
		return nil, err
	}
	c := &counter{tokens: t.tokens, words: len(t.words), ends: make([]int32, n), was: make([]int32, n), is: make([]int32, n), places: make([]int32, n)}
	all := []level{c.first()}
	for k := 2; k <= order; k++ {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		next, err := c.next(k, &all[k-2])
		if err != nil {
			return nil, err
		}
		all = append(all, next)
	}
	top := &all[order-1]
	top.before = top.times
	if order == 1 { // begins of sentences are not predicted
		top.before = slices.Clone(top.times)
		top.before[begin] = 0
	}
	return all, nil
}

// first counts the words and sorts the places by them.
func (c *counter) first() level {
	l := level{prefix: make([]uint32, c.words), word: make([]uint32, c.words), suffix: make([]uint32, c.words), times: make([]uint32, c.words), begins: span{begin, begin + 1}}
	for _, w := range c.tokens {
		l.times[w]++
	}
	at := make([]uint32, c.words)
	sum := uint32(0)
	for w, n := range l.times {
		l.word[w] = uint32(w)
		at[w] = sum
		sum += n
	}
	for p, w := range c.tokens {
		c.ends[at[w]] = int32(p)
		at[w]++
		c.was[p] = w
	}
	return l
}

// next finds the sequences of k tokens and adjusts the counts of those of k−1.
func (c *counter) next(k int, prev *level) (level, error) {
	if err := memory.Room(4 * float64(len(prev.times))); err != nil {
		return level{}, err
	}
	starts := make([]uint32, len(prev.times))
	sum := uint32(0)
	for g, n := range prev.times {
		starts[g] = sum
		sum += n
	}
	c.free = slices.Clone(starts)
	for _, p := range c.ends {
		at := int(p) - k + 1
		if at < 0 || c.tokens[p] == begin || c.was[at] < 0 {
			continue
		}
		g := c.was[at]
		c.places[c.free[g]] = int32(at)
		c.free[g]++
	}
	return c.group(k, prev, starts)
}

// group makes sequences of the places.
func (c *counter) group(k int, prev *level, starts []uint32) (l level, err error) {
	n := 0
	for g, from := range starts {
		last := int32(-1)
		for _, at := range c.places[from:c.free[g]] {
			if w := c.tokens[int(at)+k-1]; w != last {
				n++
				last = w
			}
		}
	}
	if err := memory.Room(memory.Product(n, 16) + memory.Product(len(starts), 4)); err != nil {
		return l, err
	}
	l = level{prefix: make([]uint32, n), word: make([]uint32, n), suffix: make([]uint32, n), times: make([]uint32, n)}
	prev.before = make([]uint32, len(starts))
	for i := range c.is {
		c.is[i] = -1
	}
	n = -1
	for g, from := range starts {
		last := int32(-1)
		for _, at := range c.places[from:c.free[g]] {
			if w := c.tokens[int(at)+k-1]; w != last {
				n++
				last = w
				s := uint32(c.was[at+1])
				l.prefix[n], l.word[n], l.suffix[n] = uint32(g), uint32(w), s
				prev.before[s]++
			}
			l.times[n]++
			c.is[at] = int32(n)
		}
	}
	c.was, c.is = c.is, c.was
	l.begins = span{l.under(prev.begins.from), l.under(prev.begins.to)}
	if k > 2 { // nothing stands before what begins a sentence; and the begin itself is not predicted
		copy(prev.before[prev.begins.from:prev.begins.to], prev.times[prev.begins.from:])
	}
	return l, nil
}
