package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// evaluation is what lda evaluate prints as JSON.
type evaluation struct {
	LogLikelihood float64 `json:"log_likelihood_per_token"`
	Perplexity    float64
	SE            float64
}

// priors trains on nine tenths of ap, with alpha and beta as they are and fitted, and evaluates the rest. The second text is of
// topics with fitted priors.
func (b *bench) priors(ctx context.Context) (table, topics string, err error) {
	train, test, err := b.split("ap")
	if err != nil {
		return "", "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%-28s %14s %10s %7s %22s %11s\n", "priors", "log likelihood", "sum alpha", "beta", "held out, per token", "perplexity")
	for _, c := range []struct {
		name  string
		flags []string
	}{
		{"50/K and 0.01", nil},
		{"0.1 and 0.01", []string{"--alpha", "0.1"}},
		{"fitted, one alpha", []string{"--optimize-interval", "10", "--optimize-burn-in", "50", "--symmetric-alpha"}},
		{"fitted", []string{"--optimize-interval", "10", "--optimize-burn-in", "50"}},
	} {
		dir := "ap" + strconv.Itoa(len(c.flags))
		t, err := b.train(ctx, train, dir, 1000, append(c.flags, "--topics", "50", "--average-from", strconv.Itoa(900/b.share))...)
		if err != nil {
			return "", "", err
		}
		var e evaluation
		if err := b.call(ctx, &e, "lda", "evaluate", filepath.Join(b.dir, dir), test, "--seed", "1", "--progress", "none", "--json"); err != nil {
			return "", "", err
		}
		fmt.Fprintf(&out, "%-28s %14.3f %10.3g %7.3g %22s %11.0f\n", c.name, t.LogLikelihood, floats.Sum(t.Alpha), t.Beta,
			fmt.Sprintf("%.4f ± %.4f", e.LogLikelihood, e.SE), e.Perplexity)
		if topics, err = b.largest(filepath.Join(b.dir, dir, "topics.tsv"), 12); err != nil {
			return "", "", err
		}
	}
	return out.String(), topics, nil
}

// split writes nine of ten documents to one file and the tenth to another.
func (b *bench) split(name string) (train, test string, err error) {
	c, _, err := corpus.ReadFile(filepath.Join(b.corpora, name, "docword.txt.gz"), corpus.Settings{})
	if err != nil {
		return "", "", err
	}
	files := [2]string{filepath.Join(b.dir, name+"-train", "docword.txt"), filepath.Join(b.dir, name+"-test", "docword.txt")}
	for i, file := range files {
		part := *c
		part.Documents, part.Starts, part.Tokens = nil, []int64{0}, nil
		for d := range c.Len() {
			if (d%10 == 9) == (i == 1) {
				part.Tokens = append(part.Tokens, c.Document(d)...)
				part.Starts = append(part.Starts, int64(len(part.Tokens)))
			}
		}
		if err := writeUCI(file, &part); err != nil {
			return "", "", err
		}
	}
	return files[0], files[1], nil
}

// writeUCI writes a collection and its vocabulary beside it.
func writeUCI(file string, c *corpus.Corpus) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	for name, write := range map[string]func(f *os.File) error{
		file: func(f *os.File) error { return c.WriteUCI(f) },
		filepath.Join(filepath.Dir(file), "vocab.txt"): func(f *os.File) error { return c.WriteVocabulary(f) },
	} {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// largest are lines of the topics with most tokens: alpha, tokens and words.
func (b *bench) largest(file string, n int) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	head := strings.Split(lines[0], "\t")
	alpha, tokens, words := slices.Index(head, "alpha"), slices.Index(head, "tokens"), slices.Index(head, "words")
	if alpha < 0 || tokens < 0 || words < 0 {
		return "", fmt.Errorf("%s has columns %v", file, head)
	}
	type topic struct {
		tokens      int
		alpha, text string
	}
	var all []topic
	for _, l := range lines[1:] {
		f := strings.Split(l, "\t")
		count, err := strconv.Atoi(f[tokens])
		if err != nil {
			return "", err
		}
		w := strings.Fields(f[words])
		all = append(all, topic{count, f[alpha], strings.Join(w[:min(len(w), 12)], " ")})
	}
	slices.SortStableFunc(all, func(a, b topic) int { return b.tokens - a.tokens })
	var out strings.Builder
	for _, t := range all[:min(n, len(all))] {
		fmt.Fprintf(&out, "%6s %7d  %s\n", t.alpha[:min(len(t.alpha), 6)], t.tokens, t.text)
	}
	return out.String(), nil
}
