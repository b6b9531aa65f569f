package corpus

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// load reads the collection into memory, in one pass over the input.
func (in *collection) load() (*Corpus, []string, error) {
	raw := &held{source: in.source}
	if err := raw.fill(); err != nil {
		return nil, nil, err
	}
	warned := append(in.warned, in.source.warnings()...)
	src, sel, _, err := in.chosen(raw)
	if err != nil {
		return nil, nil, err
	}
	c, e, err := raw.reduce(src, sel)
	if err != nil {
		return nil, nil, err
	}
	return c, append(warned, e.warnings()...), nil
}

// chosen finds the phrases and the words to keep.
func (in *collection) chosen(src source) (source, *selection, *counts, error) {
	fixed := numbered(in.set.Fixed)
	var err error
	if in.set.Rules.Phrases.Rounds > 0 {
		if src, err = join(src, in.set.Rules.Phrases, fixed); err != nil {
			return nil, nil, nil, err
		}
	}
	c, err := count(src)
	if err != nil {
		return nil, nil, nil, err
	}
	var sel *selection
	if fixed != nil {
		sel, err = settle(src, in.set.Fixed, fixed)
	} else {
		sel, err = choose(src, c, in.set.Rules)
	}
	return src, sel, c, err
}

// held is a collection in memory, as it was read.
type held struct {
	source
	Corpus
}

func (h *held) fill() error {
	h.Starts = []int64{0}
	err := h.source.each(h.add)
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
	if h.Tokens, err = push(h.Tokens, tokens...); err != nil {
		return err
	}
	if h.Starts, err = push(h.Starts, int64(len(h.Tokens))); err != nil {
		return err
	}
	if h.names() {
		h.Documents, err = push(h.Documents, name)
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
	return nil
}

// reduce makes the corpus of what src gives of it, in the same memory: no document becomes longer.
func (h *held) reduce(src source, sel *selection) (*Corpus, emptied, error) {
	c := &Corpus{Vocabulary: sel.words, Documents: h.Documents, Words: sel.n, Starts: h.Starts}
	var e emptied
	at, d := 0, 0
	err := src.each(func(_ string, tokens []int32) error {
		from := at
		for _, w := range tokens {
			if w = sel.of(w); w != left {
				h.Tokens[at] = w
				at++
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

// emptied counts documents without words.
type emptied struct{ documents, empty, before int }

// note counts a document that had some tokens, and has some left.
func (e *emptied) note(had, has int) {
	e.documents++
	if has == 0 {
		e.empty++
	}
	if had == 0 {
		e.before++
	}
}

func (e *emptied) warnings() []string {
	if e.empty == 0 {
		return nil
	}
	msg := fmt.Sprintf("%d of %s %s no words", e.empty, wording.Count(e.documents, "document", "documents"), wording.Word(e.empty, "has", "have"))
	if n := e.empty - e.before; n > 0 {
		msg += fmt.Sprintf(", %d of them because the vocabulary leaves out those they had", n)
	}
	return []string{msg + "; they are kept, and say nothing of topics"}
}
