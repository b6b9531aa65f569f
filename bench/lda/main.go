// Command lda measures the samplers of topic models beside MALLET (Java, 2.0.8), tomotopy and gensim (PyPI) in one run, with
// alpha = 50/K and beta = 0.01: tokens per CPU second, CPU seconds to a likelihood, what a second thread gains, and memory.
//
// All start from the same topics, those after -warm sweeps of warp, but for tomotopy, which cannot, and whose sweeps take
// the same time from any; they take turns. Likelihoods are computed by Ergodic from everyone's topics.
//
// It installs nothing. MALLET's jars are in $ERGODIC_MALLET, or ergodic-bench/mallet in the user's cache, where
// mvn dependency:copy-dependencies with a pom that has cc.mallet:mallet:2.0.8 puts them; $ERGODIC_PYTHON has the other two.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/bench/internal/run"
	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

const beta = 0.01

// settings are the flags.
type settings struct {
	sweeps, warm, repeat int
	samplers             *regexp.Regexp // of ours, in speed
}

// part is a table of the result.
type part struct {
	name    string
	measure func(b *bench, ctx context.Context) error
}

// bench is what the parts share.
type bench struct {
	settings
	dir         string // for files
	collections []*collection
	mallet      []string // nil: missing
}

func main() {
	only := flag.String("only", "", "regular expression of parts: memory, speed, target, threads, large, and packed if it is given, which may take an hour and 20 GB of disk")
	corpora := flag.String("corpora", "20news:100,20news:1000,win32:1000", "collections with their numbers of topics")
	var set settings
	flag.IntVar(&set.sweeps, "sweeps", 5, "sweeps a repetition")
	flag.IntVar(&set.warm, "warm", 100, "sweeps of warp before")
	flag.IntVar(&set.repeat, "repeat", 3, "repetitions, in turns; medians are printed")
	samplers := flag.String("samplers", "", "regular expression of our samplers in speed")
	file := flag.String("generate", "", "write this packed file of generated documents, and nothing else")
	tokens := flag.Int("tokens", 1e8, "of -generate")
	flag.Parse()
	if *file != "" {
		run.Main("lda", func(context.Context, string) error {
			c, _, err := generate(*tokens)
			if err != nil {
				return err
			}
			return c.Pack(*file)
		})
		return
	}
	run.Main("lda", func(ctx context.Context, dir string) error { return measure(ctx, dir, *only, *corpora, *samplers, set) })
}

func measure(ctx context.Context, dir, only, corpora, samplers string, set settings) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if set.samplers, err = regexp.Compile(samplers); err != nil {
		return err
	}
	b := &bench{settings: set, dir: dir}
	for _, name := range strings.Split(corpora, ",") {
		c, err := newCollection(name)
		if err != nil {
			return err
		}
		b.collections = append(b.collections, c)
	}
	fmt.Println(run.Machine())
	fmt.Println(strings.Join(os.Args[1:], " "))
	if b.mallet, err = compile(ctx, dir); errors.Is(err, run.ErrMissing) {
		fmt.Println("SKIPPED: MALLET:", err)
	} else if err != nil {
		return err
	}
	for _, p := range []part{{"memory", (*bench).memory}, {"speed", (*bench).speed}, {"target", (*bench).target}, {"threads", (*bench).threads}, {"large", (*bench).large}, {"packed", (*bench).packed}} {
		if !chosen.MatchString(p.name) || p.name == "packed" && only == "" {
			continue
		}
		for _, c := range b.collections {
			if p.name == "memory" || p.name == "large" || p.name == "packed" {
				break
			}
			if err := c.read(); err != nil {
				return err
			}
		}
		if err := p.measure(b, ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// collection is a corpus of the test material with a number of topics.
type collection struct {
	name   string
	file   string
	topics int
	corpus *corpus.Corpus
}

// newCollection finds one that is named like 20news:1000.
func newCollection(name string) (*collection, error) {
	short, k, _ := strings.Cut(name, ":")
	topics, err := strconv.Atoi(k)
	if err != nil {
		return nil, fmt.Errorf("%q is not like 20news:1000: %w", name, err)
	}
	dir, err := run.Shared("lda", short)
	if err != nil {
		return nil, err
	}
	return &collection{name: name, file: filepath.Join(dir, "docword.txt.gz"), topics: topics}, nil
}

// read reads the collection, after the part that measures memory: a child's peak begins with what its parent has.
func (c *collection) read() (err error) {
	if c.corpus == nil {
		c.corpus, _, err = corpus.ReadFile(c.file, corpus.Settings{})
	}
	return err
}

func (c *collection) model(seed uint64) (*lda.Model, error) {
	return lda.New(c.corpus, lda.Settings{Alpha: lda.Symmetric(50, c.topics), Beta: beta, Seed: seed})
}

// million is tokens of so many sweeps in millions.
func (c *collection) million(sweeps int) float64 {
	return float64(sweeps) * float64(len(c.corpus.Tokens)) / 1e6
}

// writeTopics writes two bytes a token.
func writeTopics(file string, topics []uint16) error {
	b := make([]byte, 0, 2*len(topics))
	for _, z := range topics {
		b = binary.LittleEndian.AppendUint16(b, z)
	}
	return os.WriteFile(file, b, 0o644)
}

// readTopics gives the model the topics in a file.
func readTopics(file string, m *lda.Model) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	topics := make([]uint16, len(b)/2)
	if err := binary.Read(bytes.NewReader(b), binary.LittleEndian, topics); err != nil {
		return err
	}
	return m.SetTopics(topics)
}
