package text

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Keywords asks for words to be in the sentence: each as often as it is listed, and with Ordered in this order, other words between them.
type Keywords struct {
	words   []int32
	ordered bool
	name    string
	kinds   []int32 // distinct words
	need    []int   // of each of them
}

// NewKeywords asks for these words of the model.
func NewKeywords(m Model, words []int32, ordered bool) *Keywords {
	k := &Keywords{words: slices.Clone(words), ordered: ordered, name: "keywords " + spelled(m, words)}
	if ordered {
		k.name += " in this order"
	}
	for _, w := range words {
		at := slices.Index(k.kinds, w)
		if at < 0 {
			at = len(k.kinds)
			k.kinds, k.need = append(k.kinds, w), append(k.need, 0)
		}
		k.need[at]++
	}
	return k
}

// spelled is a list of words for messages.
func spelled(m Model, words []int32) string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = m.Word(w)
	}
	return wording.Few(names, 8)
}

// Lacking counts the keywords that are missing; of ordered ones those after the first that does not follow the others.
func (k *Keywords) Lacking(words []int32) float64 {
	if k.ordered {
		found := 0
		for _, w := range words {
			if found < len(k.words) && w == k.words[found] {
				found++
			}
		}
		return float64(len(k.words) - found)
	}
	missing := 0
	for i, kind := range k.kinds {
		n := k.need[i]
		for _, w := range words {
			if w == kind {
				n--
			}
		}
		missing += max(n, 0)
	}
	return float64(missing)
}

// Holds tells of a keyword that is there no more often than it must be.
func (k *Keywords) Holds(words []int32, at int) bool {
	i := slices.Index(k.kinds, words[at])
	if i < 0 {
		return false
	}
	n := 0
	for _, w := range words {
		if w == words[at] {
			n++
		}
	}
	return n <= k.need[i]
}

func (k *Keywords) String() string { return k.name }

func (k *Keywords) bounds() (least, most int) { return len(k.words), MostWords }

func (k *Keywords) needs() []int32 { return k.words }

func (k *Keywords) skeleton() []int32 { return k.words }

// Forbidden asks for words not to be in the sentence.
type Forbidden struct {
	words []int32 // sorted
	name  string
}

// NewForbidden refuses these words of the model.
func NewForbidden(m Model, words []int32) *Forbidden {
	f := &Forbidden{slices.Clone(words), "forbidden words " + spelled(m, words)}
	slices.Sort(f.words)
	return f
}

// Lacking counts the words of the sentence that are refused.
func (f *Forbidden) Lacking(words []int32) float64 {
	n := 0
	for _, w := range words {
		if _, found := slices.BinarySearch(f.words, w); found {
			n++
		}
	}
	return float64(n)
}

func (f *Forbidden) String() string { return f.name }

func (f *Forbidden) allows(words []int32) (refused int32, ok bool) {
	for _, w := range words {
		if _, found := slices.BinarySearch(f.words, w); found {
			return w, false
		}
	}
	return 0, true
}

// Length asks for a number of words from Least to Most; as a soft condition, lengths beside it cost in proportion to the distance.
type Length struct{ Least, Most int }

// Lacking is the number of words too many or too few.
func (l Length) Lacking(words []int32) float64 {
	return float64(max(l.Least-len(words), len(words)-l.Most, 0))
}

func (l Length) String() string { return fmt.Sprintf("length from %d to %d", l.Least, l.Most) }

func (l Length) bounds() (least, most int) { return l.Least, l.Most }
