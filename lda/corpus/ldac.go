package corpus

import "github.com/ergodic-mcmc/ergodic/internal/wording"

// ldac reads files of LDA-C: a document a line, the number of its different words and as many word:count, of which
// words count from 0.
type ldac struct {
	in    *input
	known []string // the vocabulary; nil where there is none
	named string   // its file
	bag   bag
	words int // one more than the largest
}

func (l *ldac) sequence() bool { return false }
func (l *ldac) names() bool    { return false }

func (l *ldac) vocabulary() ([]string, int) {
	if l.known != nil {
		return l.known, len(l.known)
	}
	return nil, l.words
}

func (l *ldac) warnings() []string { return l.bag.warnings(l.in.name) }

func (l *ldac) each(take func(name string, tokens []int32) error) error {
	in, err := l.in.lines()
	if err != nil {
		return err
	}
	defer in.close()
	l.bag = bag{tokens: l.bag.tokens}
	empty := 0 // the first empty line, if only such follow
	for {
		ok, err := in.next()
		if err != nil || !ok {
			return err
		}
		switch blank := skip(in.Text, 0) == len(in.Text); {
		case blank && empty == 0:
			empty = in.Line
			continue
		case blank:
			continue
		case empty > 0:
			return &Error{File: in.name, Line: empty, Msg: "the line is empty, and documents follow; a document without words is written 0"}
		}
		if err := l.document(in); err != nil {
			return err
		}
		tokens, err := l.bag.take(in.Line)
		if err == nil {
			err = take("", tokens)
		}
		if err != nil {
			return in.full(err)
		}
	}
}

// document parses the line.
func (l *ldac) document(in *lines) error {
	at := skip(in.Text, 0)
	n, end := whole(in.Text, at)
	if f := field(in.Text, at); end == at || end < at+len(f) {
		return in.fault(at, "%s; a line begins with the number of its words", notWhole(f))
	}
	first, found := at, 0
	for at = skip(in.Text, end); at < len(in.Text); at = skip(in.Text, at) {
		w, c, end := pair(in.Text, at)
		if end < 0 || l.known != nil && w >= len(l.known) {
			return l.faulty(in, at)
		}
		l.words = max(l.words, w+1)
		if err := l.bag.add(int32(w), int32(c)); err != nil {
			return in.full(err)
		}
		at, found = end, found+1
	}
	if found != n {
		return in.fault(first, "the line announces %s, and %d follow as word:count", wording.Count(n, "different word", "different words"), found)
	}
	return nil
}

// pair parses word:count and returns where it ends, −1 if it is none.
func pair(text []byte, at int) (w, c, end int) {
	w, colon := whole(text, at)
	if colon == at || colon == len(text) || text[colon] != ':' {
		return 0, 0, -1
	}
	c, end = whole(text, colon+1)
	if end == colon+1 || c == 0 || end < len(text) && !blank(text[end]) {
		return 0, 0, -1
	}
	return w, c, end
}

// faulty says what is wrong with the pair at a place.
func (l *ldac) faulty(in *lines, at int) error {
	f := field(in.Text, at)
	w, colon := whole(f, 0)
	switch {
	case colon < len(f) && f[colon] != ':' || colon == 0 && f[0] != ':':
		end := 0
		for end < len(f) && f[end] != ':' {
			end++
		}
		if end == len(f) {
			return in.fault(at, "%s is not word:count, two whole numbers with a colon between them", wording.Quote(f))
		}
		return in.fault(at, "%s; the number of a word belongs before the colon", notWhole(f[:end]))
	case colon == 0 || colon == len(f):
		return in.fault(at, "%s is not word:count, two whole numbers with a colon between them", wording.Quote(f))
	case l.known != nil && w >= len(l.known):
		return in.fault(at, "word %d: the vocabulary %s has %s, and they count from 0", w, wording.Brief(l.named), wording.Count(len(l.known), "word", "words"))
	}
	count := f[colon+1:]
	if v, end := whole(count, 0); end == len(count) && end > 0 && v == 0 {
		return in.fault(at+colon+1, "the count is 0; leave out what a document does not have")
	}
	if len(count) == 0 {
		return in.fault(at+colon+1, "a count belongs after the colon")
	}
	return in.fault(at+colon+1, "%s; a count belongs here", notWhole(count))
}
