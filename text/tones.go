package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Tones are the tones and rhymes of words, for verse: what the user gives as a table. A word may have several readings.
type Tones struct {
	readings map[string][]reading
	tones    []string // names, in the order of their first occurrence
	rhymes   []string
}

type reading struct{ tone, rhyme int32 } // −1: none

// ReadTones reads a table: a line for each reading of a word, with the word, its tone and, where it has one, its rhyme, separated by tabs or
// blanks. Lines that begin with # are comments. The name is for errors.
func ReadTones(name string, text []byte) (*Tones, error) {
	t := &Tones{readings: map[string][]reading{}}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		number++
		fields := strings.Fields(string(line))
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if !utf8.Valid(line) {
			return nil, tableError(name, number, "the line %s is not in UTF-8", wording.Quote(string(line)))
		}
		if len(fields) < 2 || len(fields) > 3 {
			return nil, tableError(name, number, "%s has %s; a line is a word, its tone and, if it has one, its rhyme", wording.Quote(strings.TrimSpace(string(line))), wording.Count(len(fields), "field", "fields"))
		}
		r := reading{tone: numbered(&t.tones, fields[1]), rhyme: -1}
		if len(fields) == 3 {
			r.rhyme = numbered(&t.rhymes, fields[2])
		}
		if !slices.Contains(t.readings[fields[0]], r) {
			t.readings[fields[0]] = append(t.readings[fields[0]], r)
		}
		if len(t.tones) > mostClasses || len(t.rhymes) > mostClasses {
			return nil, tableError(name, number, "more than %d tones or rhymes; the columns are a word, its tone and its rhyme", mostClasses)
		}
	}
	if len(t.readings) == 0 {
		return nil, tableError(name, 0, "there is no word in it; a line is a word, its tone and, if it has one, its rhyme")
	}
	return t, nil
}

// mostClasses is far more than there are rhymes in a language.
const mostClasses = 20_000

func tableError(name string, line int, format string, args ...any) error {
	return fmt.Errorf("%s", wording.At(name, line, 0, fmt.Sprintf(format, args...)))
}

// numbered is the number of a name, a new one at the end.
func numbered(names *[]string, name string) int32 {
	if i := slices.Index(*names, name); i >= 0 {
		return int32(i)
	}
	*names = append(*names, name)
	return int32(len(*names) - 1)
}

// tone is the number of a name.
func (t *Tones) tone(name string) (int32, error) {
	if i := slices.Index(t.tones, name); i >= 0 {
		return int32(i), nil
	}
	near := wording.Nearest(name, t.tones)
	if near != "" {
		return 0, fmt.Errorf("the table has no tone %s; did you mean %s?", wording.Quote(name), wording.Quote(near))
	}
	return 0, fmt.Errorf("the table has no tone %s; there are %s", wording.Quote(name), wording.Few(t.tones, 8))
}

// of gives the readings of each word of a model.
func (t *Tones) of(m Model) [][]reading {
	all := make([][]reading, m.Size())
	if t == nil {
		return all
	}
	for w := range int32(m.Size()) {
		if usable(m, w) {
			all[w] = t.readings[m.Word(w)]
		}
	}
	return all
}
