package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Template asks for a sentence of a given form: words that are fixed, and blanks. In its text
//
//	_            is one word, whatever it is
//	_TONE        is one word that has this tone in a table
//	_/A          is one word that rhymes with the other ones of /A, and is not one of them
//	_TONE/A      is both
//	*            is any number of words, none too
//	any other    is the word itself
//
// Each line of the text is a sentence of its own where there are several: the model must then be [Verses].
type Template struct {
	parts  []part
	groups []group
	free   bool // there is a *
	name   string
	tones  [][]reading // of each word
}

// part is one place of a template.
type part struct {
	word int32 // of the model; blank or anything
	tone int32 // −1: any
}

const (
	blank    = -1
	anything = -2
)

// group is the places of words that rhyme, with the words that may stand there in each class of rhymes.
type group struct {
	name    string
	places  []int
	classes []class
}

type class struct {
	rhyme   int32
	members [][]int32 // of each place, in order
}

// NewTemplate reads a template. The table of tones may be nil where it asks for none.
func NewTemplate(m Model, text string, tones *Tones) (*Template, error) {
	t := &Template{name: "template " + wording.Quote(strings.Join(strings.Fields(text), " ")), tones: tones.of(m)}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i > 0 {
			t.parts = append(t.parts, part{m.Begin(), -1})
		}
		for _, field := range strings.Fields(line) {
			if err := t.add(m, field, tones); err != nil {
				return nil, fmt.Errorf("text: the template, %s: %w", wording.Quote(field), err)
			}
		}
	}
	if len(t.parts) == 0 || len(t.parts) > MostWords {
		return nil, fmt.Errorf("text: a template of %s; there must be from 1 to %d", wording.Count(len(t.parts), "word", "words"), MostWords)
	}
	if t.free && len(t.groups) > 0 {
		return nil, fmt.Errorf("text: the %s has rhymes and a *, so that the places of the rhymes are not known: write a _ for each word instead", t.name)
	}
	return t, t.classify(m)
}

// add reads one place.
func (t *Template) add(m Model, field string, tones *Tones) error {
	switch {
	case field == "*":
		t.free = true
		if n := len(t.parts); n == 0 || t.parts[n-1].word != anything { // two are one
			t.parts = append(t.parts, part{anything, -1})
		}
		return nil
	case !strings.HasPrefix(field, "_"):
		w, err := Find(m, field)
		t.parts = append(t.parts, part{w, -1})
		return err
	}
	p := part{blank, -1}
	tone, rhyme, rhymes := strings.Cut(field[1:], "/")
	if tones == nil && (tone != "" || rhymes) {
		return fmt.Errorf("tones and rhymes need a table of them")
	}
	if tone != "" {
		var err error
		if p.tone, err = tones.tone(tone); err != nil {
			return err
		}
		if !slices.ContainsFunc(t.tones, p.admits) {
			return fmt.Errorf("no word of the model has this tone in the table")
		}
	}
	if rhymes {
		i := slices.IndexFunc(t.groups, func(g group) bool { return g.name == rhyme })
		if i < 0 {
			i = len(t.groups)
			t.groups = append(t.groups, group{name: rhyme})
		}
		t.groups[i].places = append(t.groups[i].places, len(t.parts))
	}
	t.parts = append(t.parts, p)
	return nil
}

// admits tells whether one of the readings has the tone.
func (p part) admits(of []reading) bool {
	return slices.ContainsFunc(of, func(r reading) bool { return p.tone < 0 || r.tone == p.tone })
}

// fits tells whether a word may stand in a place, rhymes left aside.
func (t *Template) fits(p part, w int32) bool {
	return p.word == w || p.word == blank && (p.tone < 0 || p.admits(t.tones[w]))
}

// classify finds the words that rhyme, and refuses a rhyme that no class of them can make.
func (t *Template) classify(m Model) error {
	for g := range t.groups {
		group := &t.groups[g]
		if len(group.places) == 1 {
			return fmt.Errorf("text: the template has /%s only once, and a rhyme needs two", wording.Brief(group.name))
		}
		byRhyme := map[int32]int{}
		for w, readings := range t.tones {
			for _, r := range readings {
				if r.rhyme >= 0 {
					group.add(t, byRhyme, int32(w), r)
				}
			}
		}
		group.classes = slices.DeleteFunc(group.classes, func(c class) bool {
			return slices.ContainsFunc(c.members, func(words []int32) bool { return len(words) < len(group.places) })
		})
		if len(group.classes) == 0 {
			return fmt.Errorf("text: the template, /%s: no class of rhymes in the table has %s of the model with the tones asked for",
				wording.Brief(group.name), wording.Count(len(group.places), "word", "words"))
		}
	}
	return nil
}

// add puts a reading of a word where it may stand.
func (g *group) add(t *Template, byRhyme map[int32]int, w int32, r reading) {
	at, there := byRhyme[r.rhyme]
	if !there {
		at = len(g.classes)
		byRhyme[r.rhyme] = at
		g.classes = append(g.classes, class{r.rhyme, make([][]int32, len(g.places))})
	}
	for i, place := range g.places {
		members := &g.classes[at].members[i]
		tone := t.parts[place].tone
		if (tone < 0 || tone == r.tone) && (len(*members) == 0 || (*members)[len(*members)-1] != w) {
			*members = append(*members, w)
		}
	}
}

// Lacking counts the words that are not as the template has them, too many, or missing, and those that do not rhyme.
func (t *Template) Lacking(words []int32) float64 {
	if t.free {
		return float64(t.distance(words))
	}
	n := max(len(words)-len(t.parts), len(t.parts)-len(words))
	for i, p := range t.parts[:min(len(t.parts), len(words))] {
		if !t.fits(p, words[i]) {
			n++
		}
	}
	for i := range t.groups {
		n += t.rhymeless(&t.groups[i], words)
	}
	return float64(n)
}

// rhymeless counts the words of a group that do not rhyme with the others, and those that are there twice.
func (t *Template) rhymeless(g *group, words []int32) int {
	most, repeated := 0, 0
	for i, place := range g.places {
		if place >= len(words) {
			break
		}
		for _, before := range g.places[:i] {
			if words[before] == words[place] {
				repeated++
				break
			}
		}
		for _, r := range t.tones[words[place]] {
			if r.rhyme >= 0 {
				most = max(most, t.share(g, words, r.rhyme))
			}
		}
	}
	return len(g.places) - most + repeated
}

// share counts the words of a group in a class of rhymes.
func (t *Template) share(g *group, words []int32, rhyme int32) (n int) {
	for _, place := range g.places {
		if place >= len(words) {
			break
		}
		tone := t.parts[place].tone
		for _, r := range t.tones[words[place]] {
			if r.rhyme == rhyme && (tone < 0 || r.tone == tone) {
				n++
				break
			}
		}
	}
	return n
}

// distance is the fewest words to change, insert or delete until the template fits.
func (t *Template) distance(words []int32) int {
	var rows [2][MostWords + 2]int
	row, next := &rows[0], &rows[1]
	for j := range len(words) + 1 {
		row[j] = j
	}
	for _, p := range t.parts {
		next[0] = row[0]
		if p.word != anything {
			next[0]++
		}
		for j, w := range words {
			switch {
			case p.word == anything:
				next[j+1] = min(row[j+1], next[j])
			case t.fits(p, w):
				next[j+1] = min(row[j], row[j+1]+1, next[j]+1)
			default:
				next[j+1] = min(row[j], row[j+1], next[j]) + 1
			}
		}
		row, next = next, row
	}
	return row[len(words)]
}

// Holds tells of a word that the template fixes.
func (t *Template) Holds(words []int32, at int) bool {
	return !t.free && at < len(t.parts) && t.parts[at].word >= 0
}

func (t *Template) String() string { return t.name }

func (t *Template) bounds() (least, most int) {
	if !t.free {
		return len(t.parts), len(t.parts)
	}
	for _, p := range t.parts {
		if p.word != anything {
			least++
		}
	}
	return least, MostWords
}

func (t *Template) needs() (words []int32) {
	for _, p := range t.parts {
		if p.word >= 0 {
			words = append(words, p.word)
		}
	}
	return words
}

// allows gives each word a place of its own: a fixed one, or a blank as long as there are some.
func (t *Template) allows(words []int32) (refused int32, ok bool) {
	taken := make([]bool, len(t.parts))
	for _, w := range words {
		at := slices.IndexFunc(t.parts, func(p part) bool { return p.word == w })
		for at >= 0 && taken[at] {
			at++
			next := slices.IndexFunc(t.parts[at:], func(p part) bool { return p.word == w })
			if at += next; next < 0 {
				at = -1
			}
		}
		for i := 0; at < 0 && i < len(t.parts); i++ {
			if p := t.parts[i]; !taken[i] && p.word == blank && t.fits(p, w) {
				at = i
			}
		}
		if at < 0 {
			return w, t.free
		}
		taken[at] = true
	}
	return 0, true
}

// skeleton is the template with −1 for blanks.
func (t *Template) skeleton() (words []int32) {
	for _, p := range t.parts {
		if p.word != anything {
			words = append(words, p.word)
		}
	}
	return words
}

// rhyming is the template of a target that has rhymes.
func (t *Target) rhyming() *Template {
	for _, c := range t.conditions {
		if p, ok := c.Constraint.(*Template); ok && len(p.groups) > 0 {
			return p
		}
	}
	return nil
}
