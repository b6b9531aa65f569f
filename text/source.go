package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Overlap asks for a share of the words of a source to be in the sentence: of Least or more, each as often as in the source.
type Overlap struct {
	source Keywords
	least  float64
}

// NewOverlap asks for a share of the source from 0 to 1.
func NewOverlap(m Model, source []int32, least float64) (*Overlap, error) {
	if len(source) == 0 || !(least >= 0 && least <= 1) {
		return nil, fmt.Errorf("text: an overlap of %v with a source of %s; it must be from 0 to 1, of one word or more", least, wording.Count(len(source), "word", "words"))
	}
	return &Overlap{*NewKeywords(m, source, false), least}, nil
}

// Lacking is what the share of the source's words is below the one asked for.
func (o *Overlap) Lacking(words []int32) float64 {
	return max(0, o.least-(1-o.source.Lacking(words)/float64(len(o.source.words))))
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
		return fmt.Sprintf("%d edits of the source at least", e.least)
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
// inserted, deleted or changed counts 1, and one changed to a word that is spelled nearly so less: twice the letters to change over the
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
		var near []misspelt
		for _, v := range Near(m, text, nearest) {
			if cost := spelling(text, m.Word(v)); v != w && cost < 1 {
				near = append(near, misspelt{v, cost})
			}
		}
		switch {
		case w >= 0:
			c.start = append(c.start, w)
		case len(near) > 0: // the nearest first, of these the most probable
			c.start = append(c.start, near[0].word)
		}
		slices.SortFunc(near, func(a, b misspelt) int { return int(a.word) - int(b.word) })
		c.words, c.near = append(c.words, w), append(c.near, near)
	}
	return c, nil
}

// nearest is how many words a misspelt one may stand for.
const nearest = 50

func spelling(a, b string) float64 {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	var scratch [3][]int
	return 2 * float64(letterDistance(x, y, max(len(x), len(y)), &scratch)) / float64(max(len(x), len(y), 1))
}

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
