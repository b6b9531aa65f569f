package corpus

import (
	"errors"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// left stands for a word that is left out.
const left = -1

// dictionary numbers words in order of first appearance.
type dictionary struct {
	stop    map[string]bool
	minimum int                 // characters
	stem    func(string) string // nil where words stay as they are

	known map[string]int32 // of a word of the text its number, left where it is left out
	stems map[string]int32 // of a stem its number
	words []string

	taken float64 // bytes since memory was asked for
}

func newDictionary(r Rules) (*dictionary, error) {
	stem, err := stemmer(r.Stem)
	if err != nil {
		return nil, err
	}
	d := &dictionary{stop: without(r.StopWords), minimum: r.MinLength, stem: stem, known: map[string]int32{}}
	if stem != nil {
		d.stems = map[string]int32{}
	}
	return d, nil
}

// number is the number of a word, or left.
func (d *dictionary) number(word []byte) (int32, error) {
	if id, ok := d.known[string(word)]; ok {
		return id, nil
	}
	s := string(word)
	if err := d.room(s); err != nil {
		return left, err
	}
	if d.stop[s] || utf8.RuneCountInString(s) < d.minimum {
		d.known[s] = left
		return left, nil
	}
	id, err := d.add(s)
	d.known[s] = id
	return id, err
}

func (d *dictionary) add(s string) (id int32, err error) {
	if d.stem != nil {
		s = d.stem(s)
		if id, ok := d.stems[s]; ok {
			return id, nil
		}
	}
	if len(d.words) == most {
		return left, errors.New("corpus: the texts have more than 2147483646 different words")
	}
	id = int32(len(d.words))
	if d.words, err = memory.Append(d.words, s); err != nil {
		return left, err
	}
	if d.stem != nil {
		d.stems[s] = id
	}
	return id, nil
}

// room asks for memory some megabytes at a time: for the word, and its entries in two maps.
func (d *dictionary) room(word string) error {
	const step, entries = 4 << 20, 96
	d.taken += float64(2*len(word)) + entries
	if d.taken < step {
		return nil
	}
	err := memory.Room(d.taken + step)
	d.taken = 0
	return err
}
