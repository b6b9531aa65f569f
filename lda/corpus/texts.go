package corpus

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// texts turns texts into documents. What the formats of texts have in common is here; read goes through a collection
// in one of them.
type texts struct {
	read    func(t *texts) error
	named   bool // documents have names
	pairs   bool // neighbours matter: left stands between words that are none
	numbers *dictionary

	tokens []int32
	parted bool // something other than white space follows the last token
	give   func(name string, tokens []int32) error

	assumed  string // what was taken for granted, where that could be wrong
	mistaken struct {
		places int
		first  string
	}
}

func (t *texts) sequence() bool { return true }
func (t *texts) names() bool    { return t.named }

func (t *texts) vocabulary() ([]string, int) { return t.numbers.words, len(t.numbers.words) }

func (t *texts) warnings() []string {
	var all []string
	if t.assumed != "" {
		all = append(all, t.assumed)
	}
	n := t.mistaken.places
	if n == 0 {
		return all
	}
	return append(all, fmt.Sprintf("%s: bytes here are not UTF-8 (%s in all); they count as white space, which may cut words in two; convert what is in another encoding with iconv", t.mistaken.first, wording.Count(n, "line", "lines")))
}

func (t *texts) each(take func(name string, tokens []int32) error) error {
	t.give = take
	t.tokens = t.tokens[:0]
	t.mistaken.places = 0
	return t.read(t)
}

// add puts a part of a text, whole lines of it, into the document at hand. at is the byte of the line where it begins,
// −1 where that is not known.
func (t *texts) add(in *lines, text []byte, at int) error {
	if k := invalid(text); k >= 0 {
		if t.mistaken.places == 0 {
			t.mistaken.first = fmt.Sprintf("%s:%d", in.name, in.Line)
			if at >= 0 {
				t.mistaken.first += fmt.Sprintf(":%d", column(in.Text, at+k))
			}
		}
		t.mistaken.places++
	}
	s := scanner{text: text}
	for s.next() {
		id, err := t.numbers.number(s.word)
		if err != nil {
			return in.full(err)
		}
		t.parted = t.parted || !s.near
		if err := t.keep(id); err != nil {
			return in.full(err)
		}
	}
	t.parted = t.parted || !s.near
	return nil
}

// keep appends a word, and what parts it from the one before where that matters.
func (t *texts) keep(id int32) (err error) {
	if id == left {
		t.parted = true
		return nil
	}
	if t.tokens, err = memory.Grow(t.tokens, 2); err != nil {
		return err
	}
	if t.pairs && t.parted && len(t.tokens) > 0 {
		t.tokens = append(t.tokens, left)
	}
	t.tokens = append(t.tokens, id)
	t.parted = false
	return nil
}

// end ends the document.
func (t *texts) end(in *lines, name string) error {
	err := t.give(name, t.tokens)
	t.tokens, t.parted = t.tokens[:0], false
	return in.full(err)
}
