package corpus

import (
	"bytes"
	"fmt"
	"strconv"
)

// Settings say how a collection is read; the zero value is ready to use.
type Settings struct {
	Name   string // of the input, for messages and to tell its format; that of the file if it is one
	Format Format

	// Vocabulary is the file of a bag of words' vocabulary. Without it, UCI's docword files have the one beside them that
	// is called alike, with vocab for docword; and if there is none, words have no names.
	Vocabulary string

	TextColumn string // of a CSV file; "" is text, or the one column there is
	NameColumn string // of a CSV file; "" if documents have no names

	// Fixed is a vocabulary to keep to, such as that of a trained model: words that it does not have are left out,
	// phrases are those that it has, and of the Rules those that choose words do not apply, nor to a bag of words those of
	// stems and phrases. A bag of words whose own vocabulary is not known has the numbers of this one.
	Fixed []string

	Rules Rules
}

// Rules say what counts as a word; the zero value keeps all. Stem and Phrases are for texts alone. They are applied in
// the order of the fields.
type Rules struct {
	StopWords []string // words that are left out
	MinLength int      // characters that a word must have
	Stem      string   // language of the Snowball stemmer, see [Stemmers]; "" for none
	Phrases   Phrases

	MinDocuments, MaxDocuments Frequency // how many documents a word must and may be in
	RemoveTop                  int       // as many of the words that are left, those with the most tokens, are left out

	// Alphabetical has the words of texts in the order of their bytes; without it they have that of first appearance. A
	// bag of words keeps the order of its vocabulary.
	Alphabetical bool
}

// Frequency is a number of documents, or a share of them. The zero value is no limit.
type Frequency struct {
	Documents int
	Share     float64 // if it is above 0, Documents is not looked at
}

// UnmarshalText reads a number of documents such as 20, or a share such as 0.5 or 50%.
func (f *Frequency) UnmarshalText(text []byte) error {
	if n, err := strconv.Atoi(string(text)); err == nil && n >= 0 {
		*f = Frequency{Documents: n}
		return nil
	}
	number, percent := bytes.CutSuffix(text, []byte("%"))
	share, err := strconv.ParseFloat(string(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share > 0 && share <= 1) {
		return fmt.Errorf("a number of documents such as 20, or a share of them such as 0.5 or 50%%, belongs here")
	}
	*f = Frequency{Share: share}
	return nil
}

// String is how UnmarshalText reads it.
func (f Frequency) String() string {
	if f.Share > 0 {
		return strconv.FormatFloat(100*f.Share, 'g', -1, 64) + "%"
	}
	return strconv.Itoa(f.Documents)
}

// least is the fewest documents that reach the limit.
func (f Frequency) least(documents int) int { return f.of(documents, true) }

// most is the largest number of documents within the limit.
func (f Frequency) most(documents int) int {
	if f == (Frequency{}) {
		return documents
	}
	return f.of(documents, false)
}

// of is the limit in documents; a share of them is rounded up or down to within 10⁻⁹ of a document.
func (f Frequency) of(documents int, up bool) int {
	if f.Share <= 0 {
		return f.Documents
	}
	x := float64(f.Share * float64(documents))
	n := int(x + 0.5)
	switch {
	case x-float64(n) > 1e-9 && up:
		return n + 1
	case float64(n)-x > 1e-9 && !up:
		return n - 1
	}
	return n
}

// check tells which rules have no meaning.
func (r Rules) check() error {
	switch f := [...]Frequency{r.MinDocuments, r.MaxDocuments}; {
	case r.MinLength < 0, r.RemoveTop < 0, f[0].Documents < 0, f[1].Documents < 0:
		return fmt.Errorf("corpus: a rule for words is negative: at least %d characters, %v to %v documents, without the top %d", r.MinLength, f[0], f[1], r.RemoveTop)
	case !(f[0].Share >= 0 && f[0].Share <= 1) || !(f[1].Share >= 0 && f[1].Share <= 1):
		return fmt.Errorf("corpus: the shares of documents that a word must and may be in, %v and %v, must be from 0 to 1", f[0].Share, f[1].Share)
	}
	return r.Phrases.check()
}

// chooses tells whether the rules leave out words by what the whole collection has.
func (r Rules) chooses() bool {
	return r.MinDocuments != (Frequency{}) || r.MaxDocuments != (Frequency{}) || r.RemoveTop > 0
}
