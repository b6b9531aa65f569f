package ngram

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadARPA reads a model from a file in the ARPA format, gzip or not. The file must be whole: as many sequences as its
// header says, each once, its beginning among the shorter ones, its words among those of length one, <unk>, <s> and </s> among these;
// log10 probabilities that are 0 or less, and backoffs that are numbers.
func ReadARPA(ctx context.Context, path string) (*Model, error) {
	in, close, err := openLines(path)
	if err != nil {
		return nil, err
	}
	defer close()
	return readARPA(ctx, in)
}

// DecodeARPA is ReadARPA from a stream, which messages call name.
func DecodeARPA(ctx context.Context, r io.Reader, name string) (*Model, error) {
	in, err := newLines(r, name)
	if err != nil {
		return nil, err
	}
	return readARPA(ctx, in)
}

// arpa reads a file.
type arpa struct {
	*lines
	vocabulary
	counts []int // of the header
	levels []level
	values []logs
	firsts [][]uint32 // of each level but the last where the children of its sequences begin in the next

	fields [][]byte
	keys   []key // of the sequences of the level at hand
}

// key puts a sequence in order: its prefix, then its last word.
type key struct {
	prefix, word uint32
	at           uint32 // in the file
}

func readARPA(ctx context.Context, in *lines) (*Model, error) {
	a := &arpa{lines: in, vocabulary: newVocabulary()}
	if err := a.header(); err != nil {
		return nil, err
	}
	for k := range a.counts {
		if err := a.section(ctx, k+1); err != nil {
			return nil, err
		}
	}
	if err := a.finish(); err != nil {
		return nil, err
	}
	m, err := build(a.levels, a.values)
	if err != nil {
		return nil, in.caused("the model cannot be built", err)
	}
	m.vocabulary = a.vocabulary
	return m, nil
}

// line goes to the next line that is not empty, which must be there.
func (a *arpa) line(wants string) error {
	for {
		ok, err := a.next()
		if err != nil {
			return err
		}
		if !ok {
			a.Line++
			return a.fault("the file ends here, and %s should follow: it is cut short", wants)
		}
		a.Text = bytes.TrimFunc(a.Text, func(r rune) bool { return r < 128 && white(byte(r)) })
		if len(a.Text) > 0 {
			return nil
		}
	}
}

// header reads up to the first section, whose title it leaves as the line at hand.
func (a *arpa) header() error {
	if err := a.line(`\data\`); err != nil {
		return err
	}
	if string(a.Text) != `\data\` {
		return a.fault(`%s stands where a model in the ARPA format begins with \data\`, wording.Quote(a.Text))
	}
	for {
		if err := a.line(`the number of sequences of a length, such as "ngram 1=1000", or \1-grams:`); err != nil {
			return err
		}
		rest, ok := bytes.CutPrefix(a.Text, []byte("ngram"))
		if !ok {
			break
		}
		length, n, _ := bytes.Cut(rest, []byte("="))
		k, err := strconv.Atoi(string(bytes.TrimSpace(length)))
		if err != nil || k != len(a.counts)+1 {
			return a.fault("%s: the numbers of sequences go by their length, and %d is next, as in ngram %d=1000", wording.Quote(a.Text), len(a.counts)+1, len(a.counts)+1)
		}
		if k > MostOrder {
			return a.fault("the model has sequences of %d words; this program reads up to %d", k, MostOrder)
		}
		count, err := strconv.ParseUint(string(bytes.TrimSpace(n)), 10, 32)
		if err != nil || count > most {
			return a.fault("%s: the number of sequences must be a whole number up to %d", wording.Quote(a.Text), most)
		}
		a.counts = append(a.counts, int(count))
	}
	if len(a.counts) == 0 {
		return a.fault("%s: the numbers of sequences are missing, as in ngram 1=1000", wording.Quote(a.Text))
	}
	return nil
}

// section reads the sequences of so many words. Its title is the line at hand.
func (a *arpa) section(ctx context.Context, words int) error {
	if want := fmt.Sprintf(`\%d-grams:`, words); string(a.Text) != want {
		return a.fault("%s stands where %s should: the header says that there are sequences of up to %d words", wording.Quote(a.Text), want, len(a.counts))
	}
	a.levels, a.values, a.keys = append(a.levels, level{}), append(a.values, logs{}), a.keys[:0]
	from := a.Line
	n := 0
	for ; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := a.line(`another sequence, a section or \end\`); err != nil {
			return err
		}
		if a.Text[0] == '\\' && !bytes.ContainsAny(a.Text, " \t") {
			break
		}
		if n == a.counts[words-1] {
			return a.fault("the header says that there are %s of %s, and here is one more", wording.Count(n, "sequence", "sequences"), wording.Count(words, "word", "words"))
		}
		if a.Line != from+n+1 {
			return a.fault("an empty line stands between the sequences of %s", wording.Count(words, "word", "words"))
		}
		if err := a.sequence(words); err != nil {
			return err
		}
	}
	if n < a.counts[words-1] {
		return a.fault("the header says that there are %s of %s, and only %d are here", wording.Count(a.counts[words-1], "sequence", "sequences"), wording.Count(words, "word", "words"), n)
	}
	if words == 1 {
		return a.specials()
	}
	return a.sort(words, from)
}

// sequence reads a line: a log10 probability, the words, and where they are not the longest a log10 backoff.
func (a *arpa) sequence(words int) error {
	a.fields = a.fields[:0]
	for s := (scanner{text: a.Text}); s.next(); {
		a.fields = append(a.fields, s.word)
	}
	longest := words == len(a.counts)
	switch n := len(a.fields); {
	case longest && n != words+1:
		return a.fault("%s: a line of the longest sequences has a log10 probability and %s, and this one has %s", wording.Quote(a.Text), wording.Count(words, "word", "words"), wording.Count(n, "part", "parts"))
	case n != words+1 && n != words+2:
		return a.fault("%s: a line here has a log10 probability, %s and a log10 backoff or none, and this one has %s", wording.Quote(a.Text), wording.Count(words, "word", "words"), wording.Count(n, "part", "parts"))
	}
	p, ok := logarithm(a.fields[0])
	if !ok || p > 0 {
		return a.fault("%s is no log10 of a probability: that is a finite number, 0 or less", wording.Quote(a.fields[0]))
	}
	backoff := float32(0)
	if len(a.fields) == words+2 {
		if backoff, ok = logarithm(a.fields[words+1]); !ok {
			return a.fault("%s is no log10 of a backoff: that is a finite number", wording.Quote(a.fields[words+1]))
		}
	}
	v := &a.values[words-1]
	var err error
	if v.prob, err = memory.Append(v.prob, p); err == nil && !longest {
		v.backoff, err = memory.Append(v.backoff, backoff)
	}
	if err != nil {
		return a.caused("the model does not fit", err)
	}
	if words == 1 {
		return a.word(a.fields[1])
	}
	return a.key(a.fields[1 : words+1])
}

func logarithm(text []byte) (float32, bool) {
	x, err := strconv.ParseFloat(string(text), 32)
	return float32(x) + 0, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// word numbers a word.
func (a *arpa) word(text []byte) error {
	n, known := a.numbers[string(text)]
	l := &a.levels[0]
	if known && (n >= special || slices.Contains(l.word, uint32(n))) {
		return a.fault("the word %s is here for the second time", wording.Quote(text))
	}
	var err error
	if !known {
		if n, err = a.add(string(text)); err != nil {
			return a.caused("the vocabulary does not fit", err)
		}
	}
	if l.word, err = memory.Append(l.word, uint32(n)); err != nil {
		return a.caused("the model does not fit", err)
	}
	return nil
}

// specials puts the words in the order of their numbers, when the special ones have been found.
func (a *arpa) specials() error {
	l, v := &a.levels[0], &a.values[0]
	for n, w := range a.words[:special] {
		if !slices.Contains(l.word, uint32(n)) {
			return a.fault("the word %s is not among those before this line; every model must have %s, %s and %s", wording.Quote(w), unknownWord, beginWord, endWord)
		}
	}
	if err := memory.Room(12 * float64(len(l.word))); err != nil {
		return a.caused("the model does not fit", err)
	}
	v.prob = permuted(v.prob, l.word)
	v.backoff = permuted(v.backoff, l.word)
	for n := range l.word {
		l.word[n] = uint32(n)
	}
	return nil
}

// permuted puts the element that is at k at the place to[k].
func permuted(s []float32, to []uint32) []float32 {
	out := make([]float32, len(s))
	for k, x := range s {
		out[to[k]] = x
	}
	return out
}

// key finds the words of a sequence, and the sequence that it begins with.
func (a *arpa) key(words [][]byte) error {
	prefix := uint32(0)
	for k, text := range words {
		n, known := a.numbers[string(text)]
		if !known {
			return a.fault("the word %s is not among the sequences of one word", wording.Quote(text))
		}
		switch {
		case k == 0:
			prefix = uint32(n)
			continue
		case k < len(words)-1:
			next, there := a.child(k, prefix, uint32(n))
			if !there {
				return a.fault("the sequence %s, with which this one begins, is not among those of %s", wording.Quote(bytes.Join(words[:len(words)-1], []byte(" "))), wording.Count(len(words)-1, "word", "words"))
			}
			prefix = next
			continue
		}
		var err error
		if a.keys, err = memory.Append(a.keys, key{prefix, uint32(n), uint32(len(a.keys))}); err != nil {
			return a.caused("the model does not fit", err)
		}
	}
	return nil
}

// child finds the sequence of k+1 words that has this prefix and this last word.
func (a *arpa) child(k int, prefix, word uint32) (uint32, bool) {
	from := a.firsts[k-1][prefix]
	at, there := slices.BinarySearch(a.levels[k].word[from:a.firsts[k-1][prefix+1]], word)
	return from + uint32(at), there
}

// sort puts the sequences of the level in order. The first of them stands in the line behind from.
func (a *arpa) sort(words, from int) error {
	l, v, before := &a.levels[words-1], &a.values[words-1], len(a.levels[words-2].word)
	n := len(a.keys)
	if err := memory.Room(memory.Product(n, 20) + memory.Product(before, 4)); err != nil {
		return a.caused("the model does not fit", err)
	}
	order := func(x, y key) int { return cmp.Or(cmp.Compare(x.prefix, y.prefix), cmp.Compare(x.word, y.word)) }
	if !slices.IsSortedFunc(a.keys, order) {
		slices.SortFunc(a.keys, func(x, y key) int { return cmp.Or(order(x, y), cmp.Compare(x.at, y.at)) })
	}
	l.prefix, l.word = make([]uint32, n), make([]uint32, n)
	to := make([]uint32, n)
	firsts := make([]uint32, before+1)
	for k, one := range a.keys {
		if k > 0 && order(a.keys[k-1], one) == 0 {
			err := a.fault("this sequence is here for the second time; the first is in line %d", from+1+int(a.keys[k-1].at))
			err.Line = from + 1 + int(one.at)
			return err
		}
		l.prefix[k], l.word[k], to[one.at] = one.prefix, one.word, uint32(k)
		firsts[one.prefix+1]++
	}
	for k := range before {
		firsts[k+1] += firsts[k]
	}
	a.firsts = append(a.firsts, firsts)
	v.prob = permuted(v.prob, to)
	if v.backoff != nil {
		v.backoff = permuted(v.backoff, to)
	}
	return nil
}

// finish reads what stands behind the last section, whose end is the line at hand.
func (a *arpa) finish() error {
	if string(a.Text) != `\end\` {
		return a.fault(`%s stands where the model should end with \end\: its header has sequences of up to %s`, wording.Quote(a.Text), wording.Count(len(a.counts), "word", "words"))
	}
	for {
		ok, err := a.next()
		if err != nil || !ok {
			return err
		}
		if len(bytes.TrimSpace(a.Text)) > 0 {
			return a.fault(`there is more behind \end\`)
		}
	}
}
