package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/text"
)

// verse fills the form of a couplet of Tang poetry around two given characters, and compares with couplets that were held out.
func (b *bench) verse(ctx context.Context) (string, error) {
	lines, err := b.lines("tang_lines_train.txt")
	if err != nil {
		return "", err
	}
	held, err := b.lines("tang_lines_test.txt")
	if err != nil {
		return "", err
	}
	m, err := trained(ctx, lines, false)
	if err != nil {
		return "", err
	}
	lists, err := text.NewLists(m, 0)
	if err != nil {
		return "", err
	}
	const form = "_ _ _ _ _ ， _ _ _ _ _ 。"
	var tasks []text.Task
	var originals []float64
	for _, line := range held {
		words := strings.Fields(line)
		if len(words) != 12 || words[5] != "，" || words[11] != "。" || len(tasks) == 100 {
			continue
		}
		if _, err := text.FindAll(m, words); err != nil {
			continue
		}
		tasks = append(tasks, text.Task{Form: form, Keywords: []string{words[1], words[8]}})
		originals = append(originals, perWord(m, line, false))
	}
	var cases []text.Case
	for i := range tasks {
		c, err := tasks[i].Case(m)
		if err != nil {
			return "", err
		}
		cases = append(cases, c)
	}
	results, err := text.Run(ctx, lists, cases, text.Settings{Seed: 1, Chains: 2, Steps: b.steps, Cold: 0.2, Threads: runtime.GOMAXPROCS(0)})
	if err != nil {
		return "", err
	}
	var written []float64
	var shown []string
	for i, r := range results {
		s := text.Join(m, r.Best[0].Words)
		written = append(written, perWord(m, s, false))
		if i%20 == 0 {
			shown = append(shown, strings.Join(tasks[i].Keywords, " ")+"   "+strings.ReplaceAll(s, " ", ""))
		}
	}
	return fmt.Sprintf("order %d, %d characters; %d couplets: log probability per character, median: held out %.3f, written %.3f\n\n%s\n", m.Order(), m.Size(), len(results), run.Median(originals), run.Median(written), strings.Join(shown, "\n")), nil
}
