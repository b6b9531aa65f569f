package corpus

import (
	"fmt"

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
		words, n := src.vocabulary()
		sel, err = settle(words, n, in.set.Fixed, fixed)
	} else {
		sel, err = choose(src, c, in.set.Rules)
	}
	return src, sel, c, err
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
