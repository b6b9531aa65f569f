package ngram

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// The special words and their numbers.
const (
	unknownWord = "<unk>"
	beginWord   = "<s>"
	endWord     = "</s>"

	unknown = 0
	begin   = 1
	end     = 2
	special = 3 // so many
)

// most words and most tokens there may be.
const most = math.MaxInt32 - 1

// vocabulary numbers words, the special ones first.
type vocabulary struct {
	words   []string
	numbers map[string]int32
	taken   float64 // bytes since memory was asked for
}

func newVocabulary() vocabulary {
	v := vocabulary{numbers: map[string]int32{}}
	for k, w := range []string{unknownWord, beginWord, endWord} {
		v.words = append(v.words, w)
		v.numbers[w] = int32(k)
	}
	return v
}

// add numbers a word that has no number yet.
func (v *vocabulary) add(word string) (int32, error) {
	const step, entries = 4 << 20, 80 // of the list and the map
	if len(v.words) == most {
		return 0, fmt.Errorf("there are more than %d different words", most)
	}
	if v.taken += float64(len(word) + entries); v.taken >= step {
		if err := memory.Room(v.taken + step); err != nil {
			return 0, err
		}
		v.taken = 0
	}
	n := int32(len(v.words))
	v.words = append(v.words, word)
	v.numbers[word] = n
	return n, nil
}

// Size is the number of words, the special ones among them.
func (v *vocabulary) Size() int { return len(v.words) }

// Word spells a word.
func (v *vocabulary) Word(number int32) string { return v.words[number] }

// Number finds a word.
func (v *vocabulary) Number(word string) (number int32, ok bool) {
	number, ok = v.numbers[word]
	return number, ok
}

// Begin is <s>, which stands before each sentence.
func (v *vocabulary) Begin() int32 { return begin }

// End is </s>, which ends each sentence.
func (v *vocabulary) End() int32 { return end }

// Unknown is <unk>, which stands for every word that is not in the vocabulary.
func (v *vocabulary) Unknown() int32 { return unknown }
