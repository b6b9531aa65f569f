package text

import (
	"fmt"
	"slices"
	"strings"

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
func Near(m Model, word string, most int) []int32 {
	type found struct {
		w        int32
		distance int
		log      float64
	}
	var all []found
	letters := []rune(strings.ToLower(word))
	limit := min(2, len(letters)/2)
	_, own := m.(Paired)
	var scratch [3][]int
	for w := range int32(m.Size()) {
		if !usable(m, w) {
			continue
		}
		if d := letterDistance([]rune(strings.ToLower(m.Word(w))), letters, limit, &scratch); d <= limit {
			f := found{w: w, distance: d}
			if own {
				f.log = m.LogProb(nil, w)
			}
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
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
	var out []int32
	for _, f := range all[:min(len(all), most)] {
		out = append(out, f.w)
	}
	return out
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
