package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Find is the number of a word. Where the model has it not, the error offers one that is spelled nearly so; where there are several
// words at fault, ask for all of them by [FindAll].
func Find(m Model, word string) (int32, error) {
	words, err := FindAll(m, []string{word})
	if err != nil {
		return 0, err
	}
	return words[0], nil
}

// FindAll is Find for several words; the error names all that are not in the vocabulary.
func FindAll(m Model, words []string) (numbers []int32, err error) {
	var missing []string
	for _, w := range words {
		n, ok := m.Number(w)
		if !ok || !usable(m, n) {
			missing = append(missing, w)
		}
		numbers = append(numbers, n)
	}
	if len(missing) == 0 {
		return numbers, nil
	}
	var offered []string
	for _, w := range missing[:min(len(missing), 3)] {
		for _, near := range Near(m, w, 3) {
			offered = append(offered, wording.Quote(m.Word(near)))
		}
	}
	names := make([]string, len(missing))
	for i, w := range missing {
		names[i] = wording.Quote(w)
	}
	text := fmt.Sprintf("text: the vocabulary has no %s", wording.Few(names, 8))
	if len(offered) > 0 {
		text += "; it has " + strings.Join(slices.Compact(offered), ", ")
	}
	return nil, fmt.Errorf("%s", text)
}

// Near are the words of the model that are spelled most like a word, at most so many: those of the fewest letters inserted, deleted, changed or
// exchanged with their neighbours, two at most and one for every two letters. Of equals the more probable ones come first, where the
// model tells the words' own probabilities.
func Near(m Model, word string, most int) (words []int32) {
	all := near(m, word, min(2, utf8.RuneCountInString(word)/2))
	for _, f := range all[:min(len(all), most)] {
		words = append(words, f.word)
	}
	return words
}

// nearWord is a word with its distance from another in letters.
type nearWord struct {
	word     int32
	distance int
	log      float64 // probability, if the model tells it
}

// near are all words at a distance up to the limit, in the order of Near.
func near(m Model, word string, limit int) (all []nearWord) {
	letters := []rune(strings.ToLower(word))
	_, own := m.(Paired)
	var scratch [3][]int
	for w := range int32(m.Size()) {
		if !usable(m, w) {
			continue
		}
		if d := letterDistance([]rune(strings.ToLower(m.Word(w))), letters, limit, &scratch); d <= limit {
			f := nearWord{word: w, distance: d}
			if own {
				f.log = m.LogProb(nil, w)
			}
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b nearWord) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		switch {
		case a.log > b.log:
			return -1
		case a.log < b.log:
			return 1
		}
		return 0
	})
	return all
}

// letterDistance is the number of letters to insert, delete, change or exchange with their neighbours, each in one edit at most; more than
// limit is limit+1.
func letterDistance(a, b []rune, limit int, scratch *[3][]int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	for i := range scratch {
		if len(scratch[i]) <= len(b) {
			scratch[i] = make([]int, len(b)+16)
		}
	}
	before, row, next := scratch[0], scratch[1], scratch[2]
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range a {
		next[0] = i + 1
		least := next[0]
		for j := range b {
			d := min(row[j+1], next[j]) + 1
			if a[i] == b[j] {
				d = min(d, row[j])
			} else {
				d = min(d, row[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			next[j+1] = d
			least = min(least, d)
		}
		if least > limit { // an exchange looks one row back, and cannot be less
			return limit + 1
		}
		before, row, next = row, next, before
	}
	return min(row[len(b)], limit+1)
}

// Tokens splits a text into the words of a model, as far as it can: at blanks; what the vocabulary has not is tried in small letters,
// and marks at its ends are split off where they are words of the vocabulary. With letters each letter is a word.
func Tokens(m Model, s string, letters bool) (words []string) {
	for _, field := range strings.Fields(s) {
		if letters {
			for _, r := range field {
				words = append(words, string(r))
			}
			continue
		}
		words = append(words, token(m, field)...)
	}
	return words
}

func token(m Model, field string) (words []string) {
	has := func(s string) bool { n, ok := m.Number(s); return ok && usable(m, n) }
	if has(field) {
		return []string{field}
	}
	if small := strings.ToLower(field); has(small) {
		return []string{small}
	}
	r := []rune(field)
	if len(r) < 2 {
		return []string{field}
	}
	if first, last := string(r[:1]), string(r[len(r)-1:]); mark(r[len(r)-1]) && has(last) {
		return append(token(m, string(r[:len(r)-1])), last)
	} else if mark(r[0]) && has(first) {
		return append([]string{first}, token(m, string(r[1:]))...)
	}
	return []string{strings.ToLower(field)}
}

func mark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
