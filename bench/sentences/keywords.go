package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/text"
)

// run runs tasks; what cannot be a case is left out, with its number.
func (b *bench) run(ctx context.Context, tasks []text.Task, set text.Settings) (results []text.Result, of []int, err error) {
	var cases []text.Case
	for i := range tasks {
		c, err := tasks[i].Case(b.writer)
		if err != nil {
			continue
		}
		cases, of = append(cases, c), append(of, i)
	}
	set.Seed, set.Chains, set.Steps, set.Threads = 1, 2, b.steps, runtime.GOMAXPROCS(0)
	results, err = text.Run(ctx, b.lists, cases, set)
	return results, of, err
}

// keywords writes sentences for all cases, short ones and such as are as long as the reference.
func (b *bench) keywords(ctx context.Context) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%-28s %5s %10s %8s %9s %9s %9s %9s %9s\n", "", "cases", "sentences", "all met", "writer", "judge", "known", "words", "CPU s")
	var references []string
	for _, c := range b.cases {
		references = append(references, c.reference)
	}
	fmt.Fprintf(&out, "%-28s %5d %10d %8s %s\n", "references", len(b.cases), len(references), "", b.judged(references))
	var shown []string
	for _, way := range []struct {
		name    string
		perWord bool
		long    bool
	}{{"5 to 15 words", false, false}, {"5 to 15 words, best per word", true, false}, {"as long as the reference", false, true}} {
		var tasks []text.Task
		for _, c := range b.cases {
			t := text.Task{Keywords: c.keywords}
			if n := len(strings.Fields(c.reference)); way.long {
				t.Least, t.Most = n, n
			}
			tasks = append(tasks, t)
		}
		cpu := cputime.Process()
		results, of, err := b.run(ctx, tasks, text.Settings{Cold: 0.2, PerWord: way.perWord})
		if err != nil {
			return "", err
		}
		cpu = cputime.Process() - cpu
		var first []string
		all, met := 0, 0
		for i, r := range results {
			for k, f := range r.Best {
				s := text.Join(b.writer, f.Words)
				if all++; holds(s, b.cases[of[i]].keywords) {
					met++
				}
				if k == 0 {
					first = append(first, s)
				}
			}
		}
		fmt.Fprintf(&out, "%-28s %5d %10d %7.4g%% %s %9.0f\n", way.name, len(results), all, 100*float64(met)/float64(all), b.judged(first), cpu)
		if !way.perWord {
			shown = append(shown, b.examples(of, first)...)
		}
	}
	return out.String() + "\n" + strings.TrimSpace(strings.Join(shown, "\n")) + "\n", nil
}

// judged are the medians of the log probability per word, under the writer, the judge, and the judge for words that it knows; and of the length.
func (b *bench) judged(sentences []string) string {
	var writer, judge, known, words []float64
	for _, s := range sentences {
		writer, judge, known = append(writer, perWord(b.writer, s, false)), append(judge, perWord(b.judge, s, false)), append(known, perWord(b.judge, s, true))
		words = append(words, float64(len(strings.Fields(s))))
	}
	known = slices.DeleteFunc(known, math.IsNaN)
	return fmt.Sprintf("%9.3f %9.3f %9.3f %9.0f", run.Median(writer), run.Median(judge), run.Median(known), run.Median(words))
}

// examples are every fiftieth case, of each number of keywords.
func (b *bench) examples(of []int, first []string) (lines []string) {
	for i := 0; i < len(first); i += 37 {
		lines = append(lines, fmt.Sprintf("%-34s %s", strings.Join(b.cases[of[i]].keywords, " "), first[i]))
	}
	return append(lines, "")
}

// holds tells whether each keyword is a word of the sentence, each as often as it is asked for.
func holds(sentence string, keywords []string) bool {
	words := strings.Fields(sentence)
	for _, k := range keywords {
		i := slices.Index(words, k)
		if i < 0 {
			return false
		}
		words = slices.Delete(words, i, i+1)
	}
	return true
}

// baselines counts what independent draws find of the first cases of each number of keywords.
func (b *bench) baselines(ctx context.Context) (string, error) {
	const draws, rejections, most = 100_000, 50, 3
	var out strings.Builder
	fmt.Fprintf(&out, "%-9s %5s %34s %34s\n", "keywords", "cases", fmt.Sprintf("importance: found, ESS of %d", draws), fmt.Sprintf("rejection: found of %d", rejections))
	for k := 1; k <= 4; k++ {
		var found, ess, kept []float64
		for _, c := range b.cases {
			if len(c.keywords) != k || len(found) == most {
				continue
			}
			t := text.Task{Keywords: c.keywords}
			of, err := t.Case(b.writer)
			if err != nil {
				continue
			}
			n, size := 0, 0.0
			if s, err := text.Importance(ctx, of.Target, b.lists, 1, draws, runtime.GOMAXPROCS(0)); err == nil {
				for _, w := range s.Weights() {
					if w > 0 {
						n++
					}
				}
				size = s.ESS()
			}
			r, err := text.Rejection(ctx, of.Target, b.lists, 1, rejections, runtime.GOMAXPROCS(0))
			if err != nil {
				return "", err
			}
			found, ess, kept = append(found, float64(n)), append(ess, size), append(kept, float64(len(r)))
		}
		fmt.Fprintf(&out, "%-9d %5d %20.0f %13.1f %34.0f\n", k, len(found), run.Median(found), run.Median(ess), run.Median(kept))
	}
	return out.String(), nil
}
