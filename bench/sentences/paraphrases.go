package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/text"
)

// chosen is how many sources settings are chosen by; the others report.
const chosen = 100

// paraphrases writes one for each source whose words the writer knows: with other settings and the default for the first, with the default for the others.
func (b *bench) paraphrases(ctx context.Context) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-36s %6s %12s %15s %9s %9s %9s %14s\n", "", "cases", "BLEU source", "BLEU reference", "writer", "judge", "better", "better, judge")
	for _, way := range []struct {
		name   string
		change func(t *text.Task)
	}{
		{"first 100: overlap 0.6", func(t *text.Task) { t.Overlap, t.EditsWeight = 0.6, 0 }},
		{"overlap 0.75", func(t *text.Task) { t.EditsWeight = 0 }},
		{"overlap 0.6, an edit 2", func(t *text.Task) { t.Overlap = 0.6 }},
		{"overlap 0.75, an edit 2 (default)", func(*text.Task) {}},
		{"overlap 0.75, an edit 4", func(t *text.Task) { t.EditsWeight = 4 }},
		{"overlap 0.85, an edit 2", func(t *text.Task) { t.Overlap = 0.85 }},
	} {
		row, _, err := b.paraphrase(ctx, b.pairs[:chosen], way.change)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "%-36s %s\n", way.name, row)
	}
	row, lines, err := b.paraphrase(ctx, b.pairs[chosen:], func(*text.Task) {})
	if err != nil {
		return "", err
	}
	var between overlaps
	for _, p := range b.pairs[chosen:] {
		for _, r := range p[1:] {
			between.add(strings.Fields(r), strings.Fields(p[0]))
		}
	}
	fmt.Fprintf(&out, "%-36s %s\nthese references: BLEU against the source %.1f\n\n%s\n", "the others: default", row, between.bleu(), strings.Join(lines, "\n"))
	return out.String(), nil
}

// paraphrase measures one setting, and shows some of what it writes.
func (b *bench) paraphrase(ctx context.Context, pairs [][]string, change func(t *text.Task)) (row string, lines []string, err error) {
	var tasks []text.Task
	for _, p := range pairs {
		t := text.Paraphrase(strings.Fields(p[0]))
		change(&t)
		tasks = append(tasks, t)
	}
	results, of, err := b.run(ctx, tasks, text.Settings{Cold: 0.2})
	if err != nil {
		return "", nil, err
	}
	var toSource, toReference overlaps
	var writer, judge []float64
	better, agreed := 0, 0
	for i, r := range results {
		source, s := pairs[of[i]][0], text.Join(b.writer, r.Best[0].Words)
		var references [][]string
		for _, r := range pairs[of[i]][1:] {
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
		if i%30 == 0 {
			lines = append(lines, fmt.Sprintf("%-62s %s", source, s))
		}
	}
	n := float64(len(results))
	return fmt.Sprintf("%6d %12.1f %15.1f %+9.3f %+9.3f %8.1f%% %13.1f%%", len(results), toSource.bleu(), toReference.bleu(), run.Median(writer), run.Median(judge), 100*float64(better)/n, 100*float64(agreed)/n), lines, nil
}
