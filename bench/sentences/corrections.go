package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/text"
)

// corrections damages sentences that the writer has not seen, and counts which come back: those of Tatoeba's training text that went to the judge by weights of an
// error, those of its test text with the default.
func (b *bench) corrections(ctx context.Context) (string, error) {
	lines, err := b.lines("tatoeba_train.txt")
	if err != nil {
		return "", err
	}
	tatoeba := map[string]bool{}
	for _, line := range lines {
		tatoeba[line] = true
	}
	lines = lines[:0]
	for _, line := range b.unseen {
		if tatoeba[line] {
			lines = append(lines, line)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-26s %8s %20s %10s %8s\n", "", "damaged", "whole again", "undamaged", "changed")
	for _, weight := range []float64{4, 6, 8, 10, 15, 25} {
		row, _, err := b.correct(ctx, lines, "damage to choose by", weight)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%-26s %s\n", fmt.Sprintf("training text, weight %v", weight), row)
	}
	if lines, err = b.lines("tatoeba_test.txt"); err != nil {
		return "", err
	}
	row, shown, err := b.correct(ctx, lines, "damage", 0)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&out, "%-26s %s\n\n%s\n", fmt.Sprintf("test text, weight %v", text.Correct(nil).Errors), row, strings.Join(shown, "\n"))
	return out.String(), nil
}

// correct damages two hundred sentences of 5 to 12 words: two letters exchanged, in up to two words. The weight 0 is the default.
func (b *bench) correct(ctx context.Context, lines []string, stream string, weight float64) (row string, shown []string, err error) {
	r := rng.New(1, stream).Rand
	var originals, damaged []string
	var tasks []text.Task
	for _, line := range lines {
		words := strings.Fields(line)
		if len(words) < 5 || len(words) > 12 || len(tasks) == 200 {
			continue
		}
		if _, err := text.FindAll(b.writer, words); err != nil {
			continue
		}
		bad := append([]string{}, words...)
		for range 2 {
			if i := r.IntN(len(bad)); len(bad[i]) > 2 {
				letters := []byte(bad[i])
				at := r.IntN(len(letters) - 1)
				letters[at], letters[at+1] = letters[at+1], letters[at]
				bad[i] = string(letters)
			}
		}
		t := text.Correct(bad)
		if weight > 0 {
			t.Errors = weight
		}
		originals, damaged, tasks = append(originals, line), append(damaged, strings.Join(bad, " ")), append(tasks, t)
	}
	results, of, err := b.run(ctx, tasks, text.Settings{Cold: 0.2})
	if err != nil {
		return "", nil, err
	}
	wrong, whole, hurt := 0, 0, 0
	for i, res := range results {
		s := text.Join(b.writer, res.Best[0].Words)
		switch k := of[i]; {
		case damaged[k] == originals[k]:
			if s != originals[k] {
				hurt++
			}
			continue
		case s == originals[k]:
			whole++
		}
		if wrong++; wrong%20 == 1 {
			shown = append(shown, fmt.Sprintf("%-52s %s", damaged[of[i]], s))
		}
	}
	return fmt.Sprintf("%8d %20s %10d %8d", wrong, fmt.Sprintf("%d (%.0f%%)", whole, 100*float64(whole)/float64(wrong)), len(results)-wrong, hurt), shown, nil
}
