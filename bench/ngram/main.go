// Command ngram compares the training and the querying of n-gram language models with KenLM (Heafield et al. 2013) in turns, whole processes on
// one core: tokens per CPU second, memory, size of files, and the perplexity of texts that no model has seen.
//
// It installs nothing. KenLM's lmplz, build_binary and query are in $ERGODIC_KENLM, or ergodic-bench/kenlm in the user's cache; its source
// is in the package kenlm of PyPI. Without them only Ergodic is measured.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
)

func main() {
	repeat := flag.Int("repeat", 3, "turns")
	program := flag.String("ergodic", "", "a program that is already built")
	flag.Parse()
	run.Main("ngram", func(ctx context.Context, dir string) error {
		b := &bench{ctx: ctx, dir: dir, ergodic: *program, repeat: *repeat}
		return b.measure()
	})
}

type bench struct {
	ctx          context.Context
	dir          string
	ergodic      string
	kenlm        string // the folder of its programs, "" where they are missing
	repeat       int
	words, lines int // of the training text
}

func (b *bench) measure() (err error) {
	if b.ergodic, err = run.Program(b.dir, b.ergodic); err != nil {
		return err
	}
	if b.kenlm, err = findKenLM(); err != nil && !errors.Is(err, run.ErrMissing) {
		return err
	}
	if err := b.gather(); err != nil {
		return err
	}
	fmt.Println(run.Machine())
	fmt.Printf("%d words of %d sentences; tokens that are scored include the ends of sentences. Medians of %d turns; CPU is user and system time of whole processes.\n", b.words, b.lines, b.repeat)
	for _, order := range []int{3, 5} {
		if err := b.compare(order); err != nil {
			return err
		}
	}
	return nil
}

func findKenLM() (string, error) {
	dir := os.Getenv("ERGODIC_KENLM")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(cache, "ergodic-bench", "kenlm")
	}
	if _, err := os.Stat(filepath.Join(dir, "lmplz")); err != nil {
		fmt.Printf("KenLM is left out: %v\n", err)
		return "", fmt.Errorf("%w: %w", run.ErrMissing, err)
	}
	return dir, nil
}

// gather writes the text of KENLM_REFERENCE.md.
func (b *bench) gather() error {
	var text []byte
	for _, name := range []string{"gutenberg_train.txt", "tatoeba_train.txt", "masc_train.txt"} {
		path, err := run.Shared("text", name)
		if err != nil {
			return err
		}
		part, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text = append(text, part...)
	}
	b.words, b.lines = len(strings.Fields(string(text))), strings.Count(string(text), "\n")
	return os.WriteFile(b.path("text"), text, 0o666)
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// step is a program that is measured. tokens is what its CPU time is counted by, size the file that it writes.
type step struct {
	name    string
	program string
	args    []string
	tokens  int
	size    string
	cpu     []float64
	mb      int64
}

func (b *bench) compare(order int) error {
	n := strconv.Itoa(order)
	scored := b.words + b.lines
	steps := []*step{
		{name: "train, packed", program: b.ergodic, args: []string{"text", "train", "text", "--order", n, "--out", "lm", "--force"}, tokens: b.words, size: "lm"},
		{name: "train, ARPA", program: b.ergodic, args: []string{"text", "train", "text", "--order", n, "--arpa", "lm.arpa", "--force"}, tokens: b.words, size: "lm.arpa"},
		{name: "train, 8 bits", program: b.ergodic, args: []string{"text", "train", "text", "--order", n, "--out", "lm8", "--quantise", "8", "--force"}, tokens: b.words, size: "lm8"},
		{name: "query, packed", program: b.ergodic, args: []string{"text", "perplexity", "text", "--lm", "lm"}, tokens: scored},
		{name: "query, 8 bits", program: b.ergodic, args: []string{"text", "perplexity", "text", "--lm", "lm8"}, tokens: scored},
	}
	if b.kenlm != "" {
		k := func(name string) string { return filepath.Join(b.kenlm, name) }
		steps = append(steps,
			&step{name: "lmplz, ARPA", program: k("lmplz"), args: []string{"-o", n, "--discount_fallback", "-S", "1G", "-T", b.path("tmp"), "--text", "text", "--arpa", "k.arpa"}, tokens: b.words, size: "k.arpa"},
			&step{name: "build_binary probing", program: k("build_binary"), args: []string{"probing", "k.arpa", "k.probing"}, tokens: b.words, size: "k.probing"},
			&step{name: "build_binary trie", program: k("build_binary"), args: []string{"trie", "k.arpa", "k.trie"}, tokens: b.words, size: "k.trie"},
			&step{name: "query probing", program: "sh", args: []string{"-c", k("query") + " -v summary k.probing < text"}, tokens: scored},
			&step{name: "query trie", program: "sh", args: []string{"-c", k("query") + " -v summary k.trie < text"}, tokens: scored})
	}
	for range b.repeat {
		for _, s := range steps {
			if err := b.turn(s); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\norder %d                     CPU s   million tokens a CPU s    peak MB    file MB\n", order)
	for _, s := range steps {
		cpu, size := run.Median(s.cpu), ""
		if info, err := os.Stat(b.path(s.size)); err == nil && s.size != "" {
			size = fmt.Sprintf("%.1f", float64(info.Size())/1e6)
		}
		fmt.Printf("  %-22s %8.2f   %22.2f   %8d   %8s\n", s.name, cpu, float64(s.tokens)/cpu/1e6, s.mb, size)
	}
	return b.perplexities()
}

func (b *bench) turn(s *step) error {
	p, err := run.Execute(b.ctx, b.dir, s.program, s.args...)
	if err == nil && p.Status != 0 {
		err = fmt.Errorf("status %d: %s", p.Status, p.Stderr)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	s.cpu, s.mb = append(s.cpu, p.CPU.Seconds()), max(s.mb, p.PeakMB)
	return nil
}

var including = regexp.MustCompile(`(?:in|ex)cluding OOVs:\s+(\S+)`)

// perplexities compares those of texts that were not trained on.
func (b *bench) perplexities() error {
	fmt.Println("  perplexity with and without unknown words, in float32 and 8 bits; KenLM's, and the largest relative difference from it of float32")
	for _, name := range []string{"gutenberg_test.txt", "tatoeba_test.txt", "masc_test.txt"} {
		path, err := run.Shared("text", name)
		if err != nil {
			return err
		}
		if path, err = filepath.Abs(path); err != nil {
			return err
		}
		var own [2][2]float64
		for k, lm := range []string{"lm", "lm8"} {
			if own[k], err = b.own(path, lm); err != nil {
				return err
			}
		}
		fmt.Printf("  %-20s %.5f %.5f   %.5f %.5f", name, own[0][0], own[0][1], own[1][0], own[1][1])
		if b.kenlm != "" {
			p, err := run.Execute(b.ctx, b.dir, "sh", "-c", filepath.Join(b.kenlm, "query")+" -v summary k.probing < "+path)
			if err != nil {
				return err
			}
			found := including.FindAllStringSubmatch(p.Stdout+p.Stderr, 2)
			if len(found) < 2 {
				return fmt.Errorf("query says %q", p.Stdout)
			}
			worst := 0.0
			for k := range found {
				x, err := strconv.ParseFloat(found[k][1], 64)
				if err != nil {
					return err
				}
				fmt.Printf("   %.5f", x)
				worst = max(worst, math.Abs(own[0][k]/x-1))
			}
			fmt.Printf("   %.1e", worst)
		}
		fmt.Println()
	}
	return nil
}

func (b *bench) own(path, lm string) (out [2]float64, err error) {
	p, err := run.Execute(b.ctx, b.dir, b.ergodic, "text", "perplexity", path, "--lm", lm, "--json")
	if err != nil {
		return out, err
	}
	var r struct {
		Perplexity float64
		Without    float64 `json:"perplexity_without_oov"`
	}
	if err := json.Unmarshal([]byte(p.Stdout), &r); err != nil {
		return out, fmt.Errorf("text perplexity: %w: %s", err, p.Stderr)
	}
	return [2]float64{r.Perplexity, r.Without}, nil
}
