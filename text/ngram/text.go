package ngram

import (
	"context"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Text is sentences to train a model on: a sentence a line, its words parted by white space.
type Text struct {
	// Characters makes a word of every Unicode character that is no white space.
	Characters bool
	// SkipSpecial takes the words <unk>, <s> and </s> in a text as white space; otherwise they are an error.
	SkipSpecial bool

	vocabulary
	tokens    []int32 // for each sentence <s>, its words, </s>
	sentences int
}

// NewText begins a text.
func NewText() *Text { return &Text{vocabulary: newVocabulary()} }

// Sentences and Tokens are how many there are; words are tokens, and the end of each sentence is none.
func (t *Text) Sentences() int { return t.sentences }

// Tokens is the number of words of all sentences.
func (t *Text) Tokens() int { return len(t.tokens) - 2*t.sentences }

// ReadFile adds the sentences of a file, gzip or not. An empty line is a sentence without words.
func (t *Text) ReadFile(ctx context.Context, path string) error {
	in, close, err := openLines(path)
	if err != nil {
		return err
	}
	defer close()
	return t.read(ctx, in)
}

// Read is ReadFile from a stream, which messages call name.
func (t *Text) Read(ctx context.Context, r io.Reader, name string) error {
	in, err := newLines(r, name)
	if err != nil {
		return err
	}
	return t.read(ctx, in)
}

func (t *Text) read(ctx context.Context, in *lines) error {
	for {
		if in.Line%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ok, err := in.next()
		if err != nil || !ok {
			return err
		}
		if t.tokens, err = memory.Grow(t.tokens, len(in.Text)+2); err != nil { // a line of so many bytes has no more words
			return in.caused("the text does not fit", err)
		}
		if err := t.sentence(in); err != nil {
			return err
		}
	}
}

func (t *Text) sentence(in *lines) error {
	t.tokens = append(t.tokens, begin)
	for s := (scanner{text: in.Text, characters: t.Characters}); s.next(); {
		n, known := t.numbers[string(s.word)]
		if !known {
			var err error
			if n, err = t.add(string(s.word)); err != nil {
				return in.caused("the vocabulary ends", err)
			}
		}
		if n < special && t.SkipSpecial {
			continue
		}
		if n < special {
			return in.fault("%s stands in the text, and is kept for what a sentence begins with, ends with or does not know; write it another way, leave it out, or have it skipped with Text.SkipSpecial", wording.Quote(s.word))
		}
		t.tokens = append(t.tokens, n)
	}
	if len(t.tokens) > most {
		return in.fault("the text has more than %d words", most)
	}
	t.tokens = append(t.tokens, end)
	t.sentences++
	return nil
}

// scanner goes through the words of a line.
type scanner struct {
	text       []byte
	characters bool
	word       []byte
	at         int
}

func (s *scanner) next() bool {
	if s.characters {
		return s.character()
	}
	text, k := s.text, s.at
	for k < len(text) && white(text[k]) {
		k++
	}
	from := k
	for k < len(text) && !white(text[k]) {
		k++
	}
	s.word, s.at = text[from:k], k
	return k > from
}

func (s *scanner) character() bool {
	for s.at < len(s.text) {
		r, n := utf8.DecodeRune(s.text[s.at:])
		s.word = s.text[s.at : s.at+n]
		s.at += n
		if !unicode.IsSpace(r) {
			return true
		}
	}
	return false
}

// white is the white space of ASCII: other kinds may be parts of words.
func white(b byte) bool { return b <= ' ' && (b == ' ' || b >= '\t' && b <= '\r') }
