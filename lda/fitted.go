package lda

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/checksummed"
)

// Fitted is what a training leaves: the priors, and how many tokens each word has in each topic, summed over samples of the
// topics. Tables, inference and evaluation need nothing else.
type Fitted struct {
	Vocabulary []string // nil where words have no names
	Words      int      // size of the vocabulary
	Stem       string   // language of the stemmer that the words of texts went through; "" for none
	Phrases    int      // rounds in which neighbours were joined
	Origin     string   // what the writer knows its run by; "" for nothing
	Alpha      []float64
	Beta       float64
	Samples    int     // states of the chain whose counts are summed
	Counts     *Counts // their sum
}

// Fitted is the model with its topics as the only sample.
func (m *Model) Fitted() *Fitted {
	return &Fitted{Vocabulary: m.corpus.Vocabulary, Words: m.corpus.Words, Alpha: slices.Clone(m.alpha), Beta: m.beta, Samples: 1, Counts: m.Counts()}
}

// Add takes the model's topics as one more sample, and the priors that the model has now. Topics keep their numbers along one
// chain as long as it does not exchange them; those of different chains have nothing in common.
func (f *Fitted) Add(m *Model) error {
	if m.K() != len(f.Alpha) || m.corpus.Words != f.Words {
		return fmt.Errorf("lda: a sample of %d topics and %d words is added to %d topics and %d words", m.K(), m.corpus.Words, len(f.Alpha), f.Words)
	}
	sum, err := f.Counts.plus(m.Counts())
	if err != nil {
		return err
	}
	f.Counts, f.Samples, f.Alpha, f.Beta = sum, f.Samples+1, slices.Clone(m.alpha), m.beta
	return nil
}

// K is the number of topics.
func (f *Fitted) K() int { return len(f.Alpha) }

// Word is the name of a word, or its number, from 1, where words have no names.
func (f *Fitted) Word(w int32) string { return wordName(f.Vocabulary, w) }

// Shares gives the expected share of each word in topic k,
//
//	φ_kw = (n_kw / S + β) / (n_k / S + Vβ)
//
// where n are the sums of S samples, by way of the share of a word without tokens and the factor of a count:
// φ_kw = none + factor·n_kw.
func (f *Fitted) Shares(k int) (none, factor float64) {
	samples := float64(f.Samples)
	weight := float64(f.Beta * samples)
	factor = 1 / (float64(f.Counts.Totals[k]) + float64(weight*float64(f.Words)))
	return float64(weight * factor), factor
}

// fittedFile is the content of a file. Entries are in columns: gob writes them in a quarter of the time.
type fittedFile struct {
	Vocabulary []string
	Words      int
	Stem       string
	Phrases    int
	Origin     string
	Alpha      []float64
	Beta       float64
	Samples    int
	Starts     []int64
	Topics     []uint16
	N          []uint32
}

func fittedKind() checksummed.Kind { return checksummed.Kind{Name: "topic model", Version: 1} }

// WriteFile replaces the file by one of f, with a checksum.
func (f *Fitted) WriteFile(path string) error {
	if err := f.check(); err != nil {
		return err
	}
	return fittedKind().Write(path, f.file())
}

func (f *Fitted) file() *fittedFile {
	n := len(f.Counts.Entries)
	g := &fittedFile{Vocabulary: f.Vocabulary, Words: f.Words, Stem: f.Stem, Phrases: f.Phrases, Origin: f.Origin, Alpha: f.Alpha, Beta: f.Beta, Samples: f.Samples,
		Starts: f.Counts.Starts, Topics: make([]uint16, n), N: make([]uint32, n)}
	for i, e := range f.Counts.Entries {
		g.Topics[i], g.N[i] = e.Topic, e.N
	}
	return g
}

// fitted is what the file holds, or what is wrong with it.
func (g *fittedFile) fitted() (*Fitted, error) {
	if len(g.Topics) != len(g.N) {
		return nil, fmt.Errorf("it has %d topics and %d counts of words", len(g.Topics), len(g.N))
	}
	c := &Counts{Starts: g.Starts, Entries: make([]Count, len(g.N)), Totals: make([]int64, len(g.Alpha))}
	for i, z := range g.Topics {
		c.Entries[i] = Count{z, g.N[i]}
		if int(z) < len(c.Totals) {
			c.Totals[z] += int64(g.N[i])
		}
	}
	f := &Fitted{Vocabulary: g.Vocabulary, Words: g.Words, Stem: g.Stem, Phrases: g.Phrases, Origin: g.Origin, Alpha: g.Alpha, Beta: g.Beta, Samples: g.Samples, Counts: c}
	return f, f.check()
}

// ReadFitted reads what WriteFile wrote. The error names the file.
func ReadFitted(path string) (*Fitted, error) {
	var g fittedFile
	if err := fittedKind().Read(path, &g); err != nil {
		return nil, err
	}
	f, err := g.fitted()
	if err != nil {
		return nil, fmt.Errorf("%s is not a topic model: %w", path, err)
	}
	return f, nil
}

// check tells what keeps f from being a fitted model.
func (f *Fitted) check() error {
	_, err := priorSum(f.Alpha, f.Beta)
	switch {
	case err != nil:
		return err
	case f.Samples < 1:
		return errors.New("lda: the counts of a fitted model are of no sample")
	case f.Vocabulary != nil && len(f.Vocabulary) != f.Words:
		return fmt.Errorf("lda: a fitted model has %d names for %d words", len(f.Vocabulary), f.Words)
	}
	return f.Counts.check(f.Words, len(f.Alpha))
}
