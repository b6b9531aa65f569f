package corpus

import (
	"fmt"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// uci reads docword files: three lines with the numbers of documents, of words and of entries; then an entry a line,
// document, word and count, of which the first two count from 1.
type uci struct {
	in      *input
	known   []string // the vocabulary; nil where there is none
	named   string   // its file
	ordered bool     // entries must stand by document
	bag     bag

	documents, words, entries int
	late                      []entry // those that follow a later document
	descended                 place
}

// entry says how often a document has a word, both from 0.
type entry struct {
	document int32
	wordCount
}

func (u *uci) sequence() bool { return false }
func (u *uci) names() bool    { return false }

func (u *uci) vocabulary() ([]string, int) { return u.known, u.words }

func (u *uci) warnings() []string {
	list := u.bag.warnings(u.in.name)
	if n := u.descended.times; n > 0 {
		list = append(list, fmt.Sprintf("%s:%d: the entries do not stand by document (%s); they are sorted", u.in.name, u.descended.line, wording.Count(n, "entry follows a later document", "entries follow a later document")))
	}
	return list
}

// each gives the documents in turn. Entries that follow a later document are kept in late.
func (u *uci) each(take func(name string, tokens []int32) error) error {
	in, err := u.in.lines()
	if err != nil {
		return err
	}
	defer in.close()
	if err := u.header(in); err != nil {
		return err
	}
	u.bag, u.late, u.descended = bag{tokens: u.bag.tokens}, nil, place{}
	at := 0 // the document at hand
	give := func(upTo int) error {
		for ; at < upTo; at++ {
			tokens, err := u.bag.take(in.Line)
			if err == nil {
				err = take("", tokens)
			}
			if err != nil {
				return in.full(err)
			}
		}
		return nil
	}
	if err := u.body(in, give, &at); err != nil {
		return err
	}
	return give(u.documents)
}

// body reads the entries, and gives the documents before that of the entry at hand.
func (u *uci) body(in *lines, give func(upTo int) error, at *int) error {
	read := 0
	for {
		ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if skip(in.Text, 0) == len(in.Text) {
			continue
		}
		e, err := u.entry(in)
		if err != nil {
			return err
		}
		if read++; read > u.entries {
			return in.fault(0, "the third line of the file announces %s, and this is one more", wording.Count(u.entries, "entry", "entries"))
		}
		if int(e.document) > *at {
			if err := give(int(e.document)); err != nil {
				return err
			}
		}
		if err := u.keep(in, e, *at); err != nil {
			return err
		}
	}
	if read < u.entries {
		return in.atEnd("the third line of the file announces %s, and it ends after %d: it is cut short, or the line is wrong", wording.Count(u.entries, "entry", "entries"), read)
	}
	return nil
}

// keep puts an entry into the document at hand, or with the late ones.
func (u *uci) keep(in *lines, e entry, at int) error {
	if int(e.document) == at {
		return in.full(u.bag.add(e.word, e.count))
	}
	if u.ordered {
		return in.fault(0, "document %d follows document %d; to be packed, entries must stand by document: sort those after the third line with sort -s -n -k1,1", e.document+1, at+1)
	}
	u.descended.note(in.Line)
	var err error
	u.late, err = memory.Append(u.late, e)
	return in.full(err)
}

// header reads the first three lines.
func (u *uci) header(in *lines) error {
	for k, what := range []string{"documents", "words", "entries"} {
		ok, err := in.next()
		if err != nil {
			return err
		}
		if !ok {
			return in.atEnd("the file ends before the number of %s; a docword file begins with three lines: the numbers of documents, of words and of entries", what)
		}
		from := skip(in.Text, 0)
		v, end := whole(in.Text, from)
		if rest := skip(in.Text, end); end == from || rest < len(in.Text) {
			return in.fault(from, "%s; the number of %s belongs alone in line %d", notWhole(in.Text[from:]), what, k+1)
		}
		*[]*int{&u.documents, &u.words, &u.entries}[k] = v
	}
	if u.documents == 0 || u.words == 0 {
		return in.atEnd("the first lines announce %s and %s; there must be one of each", wording.Count(u.documents, "document", "documents"), wording.Count(u.words, "word", "words"))
	}
	if u.known != nil && len(u.known) != u.words {
		return &Error{File: in.name, Line: 2, Msg: fmt.Sprintf("the second line announces %s, and the vocabulary %s has %d; they belong to different collections", wording.Count(u.words, "word", "words"), wording.Brief(u.named), len(u.known))}
	}
	if !u.ordered { // the first line may be all there is of these documents
		return in.full(memory.Room(8 * float64(u.documents)))
	}
	return nil
}

// entry parses the line.
func (u *uci) entry(in *lines) (entry, error) {
	text := in.Text
	from := skip(text, 0)
	d, end := whole(text, from)
	second := skip(text, end)
	w, end2 := whole(text, second)
	third := skip(text, end2)
	c, end3 := whole(text, third)
	if end > from && second > end && end2 > second && third > end2 && end3 > third && skip(text, end3) == len(text) &&
		d > 0 && d <= u.documents && w > 0 && w <= u.words && c > 0 {
		return entry{int32(d - 1), wordCount{int32(w - 1), int32(c)}}, nil
	}
	return entry{}, u.faulty(in)
}

// faulty says what is wrong with a line.
func (u *uci) faulty(in *lines) error {
	at := 0
	for k, what := range []string{"document", "word", "count"} {
		at = skip(in.Text, at)
		f := field(in.Text, at)
		v, end := whole(in.Text, at)
		limit := []int{u.documents, u.words, most}[k]
		switch {
		case len(f) == 0:
			return in.fault(len(in.Text), "the line ends before the %s; it should have three numbers: document, word, count", what)
		case end < at+len(f) || end == at:
			return in.fault(at, "%s; the %s belongs here", notWhole(f), what)
		case v == 0 && k < 2:
			return in.fault(at, "%s 0: documents and words count from 1", what)
		case v == 0:
			return in.fault(at, "the count is 0; leave out what a document does not have")
		case v > limit:
			return in.fault(at, "%s %d: line %d of the file announces %d", what, v, k+1, limit)
		}
		at += len(f)
	}
	at = skip(in.Text, at)
	return in.fault(at, "%s follows; the line should have three numbers: document, word, count", wording.Quote(in.Text[at:]))
}
