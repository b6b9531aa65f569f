package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/text"
)

// paraphrases writes one for each source whose words the writer knows.
func (b *bench) paraphrases(ctx context.Context) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-32s %6s %12s %15s %12s %12s %12s %12s\n", "overlap kept", "cases", "BLEU source", "BLEU reference", "writer", "judge", "better", "better, judge")
	var lines []string
	for _, keep := range []float64{0.5, 0.6, 0.75} {
		var tasks []text.Task
		for _, p := range b.pairs {
			t := text.Paraphrase(strings.Fields(p[0]))
			t.Overlap = keep
			tasks = append(tasks, t)
		}
		results, of, err := b.run(ctx, tasks, text.Settings{Cold: 0.2, PerWord: true})
		if err != nil {
			return "", err
		}
		var toSource, toReference overlaps
		var writer, judge []float64
		better, agreed := 0, 0
		for i, r := range results {
			source, s := b.pairs[of[i]][0], text.Join(b.writer, r.Best[0].Words)
			var references [][]string
			for _, r := range b.pairs[of[i]][1:] {
				references = append(references, strings.Fields(r))
			}
			toSource.add(strings.Fields(s), strings.Fields(source))
			toReference.add(strings.Fields(s), references...)
			w, j := perWord(b.writer, s, false)-perWord(b.writer, source, false), perWord(b.judge, s, false)-perWord(b.judge, source, false)
			writer, judge = append(writer, w), append(judge, j)
			if w >= 0 {
				better++
			}
			if j >= 0 {
				agreed++
			}
			if keep == 0.6 && i%45 == 0 {
				lines = append(lines, fmt.Sprintf("%-62s %s", source, s))
			}
		}
		n := float64(len(results))
		fmt.Fprintf(&out, "%-32v %6d %12.1f %15.1f %+12.3f %+12.3f %11.1f%% %11.1f%%\n", keep, len(results), toSource.bleu(), toReference.bleu(), median(writer), median(judge), 100*float64(better)/n, 100*float64(agreed)/n)
	}
	var between overlaps
	for _, p := range b.pairs {
		for _, r := range p[1:] {
			between.add(strings.Fields(r), strings.Fields(p[0]))
		}
	}
	fmt.Fprintf(&out, "references: BLEU against the source %.1f\n\n%s\n", between.bleu(), strings.Join(lines, "\n"))
	return out.String(), nil
}

// corrections damages sentences that the writer has not seen, one letter in each of two words or one word left out, and counts which come back.
func (b *bench) corrections(ctx context.Context) (string, error) {
	lines, err := b.lines("tatoeba_test.txt")
	if err != nil {
		return "", err
	}
	r := rng.New(1, "damage").Rand
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
		originals, damaged = append(originals, line), append(damaged, strings.Join(bad, " "))
		tasks = append(tasks, text.Correct(bad))
	}
	results, of, err := b.run(ctx, tasks, text.Settings{Cold: 0.2})
	if err != nil {
		return "", err
	}
	wrong, whole, hurt := 0, 0, 0
	var shown []string
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
	return fmt.Sprintf("damaged %d, corrected to the letter %d (%.0f %%); undamaged %d, changed %d\n\n%s\n", wrong, whole, 100*float64(whole)/float64(wrong), len(results)-wrong, hurt, strings.Join(shown, "\n")), nil
}
