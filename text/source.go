package text

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Overlap asks for the words of a source to be in the sentence, each as often as in the source: for a share of Least or more of their information, which is
// −log p(word) for each by the words' own probabilities where the model tells them, and the same for all where it does not.
type Overlap struct {
	source Keywords
	weight []float64 // of each kind of word, as often as it is in the source: a share of the whole
	least  float64
}

// NewOverlap asks for a share of the source from 0 to 1.
func NewOverlap(m Model, source []int32, least float64) (*Overlap, error) {
	if len(source) == 0 || !(least >= 0 && least <= 1) {
		return nil, fmt.Errorf("text: an overlap of %v with a source of %s; it must be from 0 to 1, of one word or more", least, wording.Count(len(source), "word", "words"))
	}
	o := &Overlap{source: *NewKeywords(m, source, false), least: least}
	sum := 0.0
	for i, w := range o.source.kinds {
		x := 1.0
		if _, own := m.(Paired); own {
			x = max(-m.LogProb(nil, w), leastInformation)
		}
		o.weight = append(o.weight, x)
		sum += float64(x * float64(o.source.need[i]))
	}
	for i := range o.weight {
		o.weight[i] /= sum
	}
	return o, nil
}

// leastInformation keeps the share of a word above 0.
const leastInformation = 1e-3

// Lacking is what the share is below the one asked for.
func (o *Overlap) Lacking(words []int32) float64 {
	lost := 0.0
	for i, kind := range o.source.kinds {
		n := o.source.need[i]
		for _, w := range words {
			if w == kind {
				n--
			}
		}
		if n > 0 {
			lost += float64(float64(n) * o.weight[i])
		}
	}
	return max(0, lost-(1-o.least)-1e-12) // a share that is reached exactly is enough
}

func (o *Overlap) String() string {
	return fmt.Sprintf("overlap with the source of %v at least", o.least)
}

func (o *Overlap) skeleton() []int32 { return o.source.words }

// Edits asks for a number of words that must be inserted, deleted or changed to make the sentence of a source: from Least to Most.
type Edits struct {
	source      []int32
	least, most int
}

// NewEdits asks for a distance from the source.
func NewEdits(source []int32, least, most int) (*Edits, error) {
	if least < 0 || most < least || len(source) > MostWords {
		return nil, fmt.Errorf("text: %d to %d edits of a source of %d words; the first must be 0 or more and not more than the second, the source of %d words at most", least, most, len(source), MostWords)
	}
	return &Edits{slices.Clone(source), least, most}, nil
}

// Lacking is how many edits are too many or too few.
func (e *Edits) Lacking(words []int32) float64 {
	d := editDistance(e.source, words)
	return float64(max(d-e.most, e.least-d, 0))
}

func (e *Edits) String() string {
	if e.most >= MostWords {
		return wording.Count(e.least, "edit", "edits") + " of the source at least"
	}
	return fmt.Sprintf("%d to %d edits of the source", e.least, e.most)
}

func (e *Edits) skeleton() []int32 { return e.source }

// editDistance is that of Levenshtein, over words.
func editDistance(a, b []int32) int {
	var row [MostWords + 2]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i, w := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, v := range b {
			d := diagonal
			if v != w {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// Correction measures how far a sentence is from a source that may be misspelt or wrong: a Levenshtein distance in which a word
// inserted, deleted or changed counts 1, and one changed to a word that is spelled nearly so less: the letters to change, two at most, over the
// letters of the longer one. As a soft condition, its weight is the logarithm of how much less probable one more error is.
type Correction struct {
	words []int32      // of the source; −1: not in the vocabulary
	near  [][]misspelt // of each, sorted
	start []int32
}

type misspelt struct {
	word int32
	cost float64
}

// NewCorrection takes the words of a source as they are spelled.
func NewCorrection(m Model, source []string) (*Correction, error) {
	if len(source) == 0 || len(source) > MostWords {
		return nil, fmt.Errorf("text: a source of %d words; there must be from 1 to %d", len(source), MostWords)
	}
	c := new(Correction)
	for _, text := range source {
		w, ok := m.Number(text)
		if !ok || !usable(m, w) {
			w = -1
		}
		like := likely(m, text, w)
		switch {
		case w >= 0:
			c.start = append(c.start, w)
		case len(like) > 0:
			c.start = append(c.start, like[0].word)
		}
		slices.SortFunc(like, func(a, b misspelt) int { return int(a.word) - int(b.word) })
		c.words, c.near = append(c.words, w), append(c.near, like)
	}
	return c, nil
}

// likely are the words for which another one may stand, the cheapest first, of these the most probable; w is not among them.
func likely(m Model, text string, w int32) (all []misspelt) {
	letters := utf8.RuneCountInString(text)
	for _, n := range near(m, text, min(2, letters)) {
		cost := float64(n.distance) / float64(max(letters, utf8.RuneCountInString(m.Word(n.word))))
		if n.word != w && cost < 1 {
			all = append(all, misspelt{n.word, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b misspelt) int { return cmp.Compare(a.cost, b.cost) })
	return all[:min(len(all), nearest)]
}

// nearest is how many words a misspelt one may stand for.
const nearest = 200

// Words are those of the vocabulary that may stand in a correction: those of the source, and those that are spelled nearly so.
func (c *Correction) Words() (words []int32) {
	for i, w := range c.words {
		if w >= 0 {
			words = append(words, w)
		}
		for _, n := range c.near[i] {
			words = append(words, n.word)
		}
	}
	return words
}

// Lacking is the distance.
func (c *Correction) Lacking(words []int32) float64 {
	var row [MostWords + 2]float64
	for j := range len(words) + 1 {
		row[j] = float64(j)
	}
	for i, w := range c.words {
		diagonal := row[0]
		row[0] = float64(i + 1)
		for j, v := range words {
			d := diagonal
			if v != w {
				d += c.cost(i, v)
			}
			diagonal = row[j+1]
			row[j+1] = min(d, diagonal+1, row[j]+1)
		}
	}
	return row[len(words)]
}

func (c *Correction) cost(i int, w int32) float64 {
	at, found := slices.BinarySearchFunc(c.near[i], w, func(n misspelt, w int32) int { return int(n.word) - int(w) })
	if !found {
		return 1
	}
	return c.near[i][at].cost
}

func (c *Correction) String() string { return "distance from the source" }

// skeleton is the source, with the nearest word in place of one that the vocabulary has not.
func (c *Correction) skeleton() []int32 { return c.start }
