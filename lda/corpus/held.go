package corpus

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// held is a collection in memory, as it was read.
type held struct {
	source
	Corpus
	reading blocks // the tokens, until all are there
}

func (h *held) sequence() bool { return h.source.sequence() && !h.Bag }

func (h *held) fill() error {
	h.Starts = []int64{0}
	err := h.source.each(h.add)
	if err == nil {
		h.Tokens, err = h.reading.take()
	}
	if err != nil {
		return err
	}
	if h.Len() == 0 {
		return fmt.Errorf("corpus: the collection has no documents")
	}
	if u, ok := h.source.(*uci); ok && len(u.late) > 0 {
		return h.sortIn(u.late)
	}
	return nil
}

func (h *held) add(name string, tokens []int32) (err error) {
	if h.Len() == most {
		return fmt.Errorf("corpus: more than 2147483646 documents")
	}
	if err = h.reading.add(tokens); err != nil {
		return err
	}
	if h.Starts, err = memory.Append(h.Starts, int64(h.reading.n)); err != nil {
		return err
	}
	if h.names() {
		h.Documents, err = memory.Append(h.Documents, name)
	}
	return err
}

// each gives the documents again. take may change what it was given, and where the document ends.
func (h *held) each(take func(name string, tokens []int32) error) error {
	from := h.Starts[0]
	for d := range h.Len() {
		to := h.Starts[d+1]
		name := ""
		if h.Documents != nil {
			name = h.Documents[d]
		}
		if err := take(name, h.Tokens[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// sortIn adds entries that came after later documents.
func (h *held) sortIn(late []entry) error {
	slices.SortStableFunc(late, func(a, b entry) int { return int(a.document) - int(b.document) })
	was := h.Corpus
	h.Corpus = Corpus{Starts: []int64{0}}
	var b bag
	for d := range was.Len() {
		for _, w := range was.Document(d) {
			if err := b.add(w, 1); err != nil {
				return err
			}
		}
		for ; len(late) > 0 && int(late[0].document) == d; late = late[1:] {
			if err := b.add(late[0].word, late[0].count); err != nil {
				return err
			}
		}
		tokens, err := b.take(0)
		if err != nil {
			return err
		}
		if err := h.add("", tokens); err != nil {
			return err
		}
	}
	var err error
	h.Tokens, err = h.reading.take()
	return err
}

// reduce makes the corpus of what src gives of it, in the same memory: no document becomes longer.
func (h *held) reduce(src source, sel *selection) (*Corpus, emptied, error) {
	c := &Corpus{Vocabulary: sel.words, Documents: h.Documents, Words: sel.n, Starts: h.Starts, Bag: !src.sequence()}
	var e emptied
	at, d := 0, 0
	err := src.each(func(_ string, tokens []int32) error {
		from := at
		for _, w := range tokens {
			switch to := sel.of(w); {
			case to != left:
				h.Tokens[at] = to
				at++
			case w != left:
				c.LeftOut++
			}
		}
		e.note(len(tokens), at-from)
		d++
		h.Starts[d] = int64(at)
		return nil
	})
	c.Tokens = h.Tokens[:at]
	return c, e, err
}
