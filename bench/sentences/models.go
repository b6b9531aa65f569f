package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/text"
	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

const order = 5

// bench is the models and what is measured with them.
type bench struct {
	folder string
	steps  int

	writer, judge *ngram.Model // of texts that have no sentence in common, and none of the benchmarks
	lists         *text.Lists
	sizes         [2]int // sentences of each
	removed       int
	unseen        []string // sentences of the judge, in their order

	cases []keywordCase
	pairs [][]string // of the benchmark of paraphrases: the source, and the others
}

// keywordCase is a line of the benchmark of keywords.
type keywordCase struct {
	source    string
	keywords  []string
	reference string
}

func (b *bench) lines(names ...string) (all []string, err error) {
	for _, name := range names {
		file, err := os.ReadFile(filepath.Join(b.folder, name))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(file)) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, line)
			}
		}
	}
	return all, nil
}

// train reads the benchmarks, and divides the training texts without their sentences into one for the writer and one for the judge: in turns, but that a sentence
// with a keyword of the benchmark that the writer has not met goes to the writer.
func (b *bench) train(ctx context.Context) error {
	known, err := b.benchmarks()
	if err != nil {
		return err
	}
	lines, err := b.lines("gutenberg_train.txt", "tatoeba_train.txt", "masc_train.txt")
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, c := range b.cases {
		for _, w := range c.keywords {
			wanted[w] = true
		}
	}
	seen := map[string]bool{}
	var halves [2][]string
	left := lines[:0]
	for _, line := range lines {
		if known[line] || seen[line] {
			b.removed++
			continue
		}
		seen[line] = true
		left = append(left, line)
	}
	for i, line := range left {
		if i%2 == 0 {
			for w := range strings.FieldsSeq(line) {
				delete(wanted, w)
			}
		}
	}
	for i, line := range left {
		half := i % 2
		if half == 1 && slices.ContainsFunc(strings.Fields(line), func(w string) bool { return wanted[w] }) {
			half = 0
			for w := range strings.FieldsSeq(line) {
				delete(wanted, w)
			}
		}
		halves[half] = append(halves[half], line)
	}
	for i, to := range []**ngram.Model{&b.writer, &b.judge} {
		if *to, err = trained(ctx, halves[i], false); err != nil {
			return err
		}
		b.sizes[i] = len(halves[i])
	}
	b.unseen = halves[1]
	b.lists, err = text.NewLists(b.writer, 0)
	return err
}

// benchmarks reads both, and returns all their sentences.
func (b *bench) benchmarks() (known map[string]bool, err error) {
	known = map[string]bool{}
	lines, err := b.lines("keywords_bench.tsv")
	if err != nil {
		return nil, err
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("keywords_bench.tsv: %q", line)
		}
		b.cases = append(b.cases, keywordCase{f[0], strings.Fields(f[2]), f[3]})
		known[f[3]] = true
	}
	if lines, err = b.lines("paraphrase_bench.tsv"); err != nil {
		return nil, err
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		b.pairs = append(b.pairs, f)
		for _, s := range f {
			known[s] = true
		}
	}
	return known, nil
}

func trained(ctx context.Context, lines []string, letters bool) (*ngram.Model, error) {
	t := ngram.NewText()
	t.Characters = letters
	if err := t.Read(ctx, strings.NewReader(strings.Join(lines, "\n")+"\n"), "text"); err != nil {
		return nil, err
	}
	m, err := ngram.Train(ctx, t, ngram.Settings{Order: order})
	if err != nil {
		return nil, err
	}
	return m.Model, nil
}

func (b *bench) models() string {
	return fmt.Sprintf("writer: order %d, %d sentences, %d words\njudge:  order %d, %d sentences, %d words\n%d sentences of the benchmarks, or twice in the texts, were left out",
		order, b.sizes[0], b.writer.Size(), order, b.sizes[1], b.judge.Size(), b.removed)
}

// numbers are the words of a sentence in a model.
func numbers(m *ngram.Model, words []string) (all []int32) {
	for _, w := range words {
		n, ok := m.Number(w)
		if !ok {
			n = m.Unknown()
		}
		all = append(all, n)
	}
	return all
}

// perWord is the log probability of a sentence per word, the end counting as one; what the model does not know has the probability of the
// unknown word, or is left out.
func perWord(m *ngram.Model, sentence string, known bool) float64 {
	s := m.ScoreSentence(numbers(m, strings.Fields(sentence)))
	if known {
		return (s.LogProb - s.LogProbOOV) / float64(s.Tokens-s.OOV)
	}
	return s.LogProb / float64(s.Tokens)
}
