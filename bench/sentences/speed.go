package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/cputime"
	"github.com/ergodic-mcmc/ergodic/rng"
	"github.com/ergodic-mcmc/ergodic/text"
)

// speed measures steps of one chain at a time on one thread, with a model of a vocabulary of 10⁵ words: all training texts as they are and in capitals, two of them with capital
// first letters too, and WikiText-2.
func (b *bench) speed(ctx context.Context) (string, error) {
	lines, err := b.lines("gutenberg_train.txt", "tatoeba_train.txt", "masc_train.txt")
	if err != nil {
		return "", err
	}
	for _, line := range lines[:len(lines):len(lines)] {
		lines = append(lines, strings.ToUpper(line))
	}
	capitals, err := b.lines("masc_train.txt", "tatoeba_train.txt")
	if err != nil {
		return "", err
	}
	for _, line := range capitals {
		words := strings.Fields(line)
		for i, w := range words {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
		lines = append(lines, strings.Join(words, " "))
	}
	more, err := b.lines("wikitext2_valid.txt", "wikitext2_test.txt")
	if err != nil {
		return "", err
	}
	for _, line := range more {
		if !strings.Contains(line, "<unk>") && !strings.Contains(line, "<s>") && !strings.Contains(line, "</s>") {
			lines = append(lines, line)
		} else {
			lines = append(lines, strings.NewReplacer("<unk>", "unk", "<s>", "s", "</s>", "s").Replace(line))
		}
	}
	m, err := trained(ctx, lines, false)
	if err != nil {
		return "", err
	}
	before := cputime.Process()
	lists, err := text.NewLists(m, 0)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "order %d, %d words, %d n-grams; lists of candidates made in %.1f CPU s\n\n%-34s %12s %10s %12s\n", m.Order(), m.Size(), total(m.Counts()), cputime.Process()-before, "moves", "steps/CPU s", "accepted", "bytes a step")
	for _, way := range []struct {
		name  string
		moves text.Moves
	}{{"default", text.Sentences()}, {"replace, insert, delete", text.Moves{Replace: 2, Insert: 1, Delete: 1}}, {"gibbs", text.Moves{Gibbs: 1}}} {
		steps, accepted, cpu, bytes := 0, 0, 0.0, uint64(0)
		for i := 0; i < len(b.cases); i += 15 {
			t := text.Task{Keywords: b.cases[i].keywords}
			c, err := t.Case(m)
			if err != nil {
				return "", err
			}
			w, err := text.NewWalk(c.Target, lists, c.Hints, way.moves)
			if err != nil {
				return "", err
			}
			r := rng.New(uint64(i), "speed").Rand
			words, err := c.Target.Start(lists, c.Hints, r)
			if err != nil {
				return "", err
			}
			s := c.Target.NewSentence(words)
			for range 1000 {
				w.Step(s, r)
			}
			var one, two runtime.MemStats
			runtime.ReadMemStats(&one)
			began := cputime.Process()
			for range 50_000 {
				if w.Step(s, r).Accepted {
					accepted++
				}
			}
			cpu += cputime.Process() - began
			runtime.ReadMemStats(&two)
			steps, bytes = steps+50_000, bytes+two.TotalAlloc-one.TotalAlloc
		}
		fmt.Fprintf(&out, "%-34s %12.0f %10.3f %12d\n", way.name, float64(steps)/cpu, float64(accepted)/float64(steps), bytes/uint64(steps))
	}
	return out.String(), nil
}

func total(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}
