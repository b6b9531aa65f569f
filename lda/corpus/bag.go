package corpus

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// bag is one document of a bag of words.
type bag struct {
	counts    []wordCount
	tokens    []int32
	descended bool // the words at hand do not ascend

	unsorted, twice place // documents whose words do not ascend, words that a document has twice
}

type wordCount struct{ word, count int32 }

// place counts faults, and knows where the first one is.
type place struct{ times, line int }

func (p *place) note(line int) {
	if p.times == 0 {
		p.line = line
	}
	p.times++
}

// add puts a word into the document.
func (b *bag) add(word, count int32) error {
	if k := len(b.counts); k > 0 && b.counts[k-1].word >= word {
		b.descended = true
	}
	if len(b.counts) == cap(b.counts) {
		var err error
		if b.counts, err = memory.Grow(b.counts, 1); err != nil {
			return err
		}
	}
	b.counts = append(b.counts, wordCount{word, count})
	return nil
}

// take gives the tokens of the document in the order of their words, and begins another one. line is where the
// document ends. The memory is used again.
func (b *bag) take(line int) ([]int32, error) {
	if b.descended {
		b.sort(line)
	}
	total := 0
	for _, w := range b.counts {
		total += int(w.count)
	}
	var err error
	if b.tokens, err = memory.Grow(b.tokens[:0], total); err != nil {
		return nil, err
	}
	for _, w := range b.counts {
		for range w.count {
			b.tokens = append(b.tokens, w.word)
		}
	}
	b.counts, b.descended = b.counts[:0], false
	return b.tokens, nil
}

func (b *bag) sort(line int) {
	order := func(x, y wordCount) int { return cmp.Compare(x.word, y.word) }
	if !slices.IsSortedFunc(b.counts, order) {
		b.unsorted.note(line)
		slices.SortStableFunc(b.counts, order)
	}
	for k := range b.counts[1:] {
		if b.counts[k].word == b.counts[k+1].word {
			b.twice.note(line)
			return
		}
	}
}

// warnings says what was mended.
func (b *bag) warnings(name string) (list []string) {
	if n := b.unsorted.times; n > 0 {
		list = append(list, fmt.Sprintf("%s:%d: the words of %s do not ascend; they are sorted", name, b.unsorted.line, these(n)))
	}
	if n := b.twice.times; n > 0 {
		list = append(list, fmt.Sprintf("%s:%d: a word is there more than once in %s; its counts are added up", name, b.twice.line, these(n)))
	}
	return list
}

// these are documents of which the first has been named.
func these(n int) string {
	if n == 1 {
		return "this document"
	}
	return "this document and " + wording.Count(n-1, "other", "others")
}
