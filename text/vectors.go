package text

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Vectors are vectors of unit length for the words of a model.
type Vectors struct {
	Dimension int
	of        [][]float32 // by word; nil: none
	words     int
}

const (
	mostDimensions = 10_000
	longestLine    = 1 << 20
)

// ReadVectors reads the text format of word2vec and of GloVe: a line for each word, the word and its numbers, after a first line with the number of
// words and of dimensions in word2vec's. Words that the model has not are left out; of a word that is there twice, the first is kept. The name is for errors.
func ReadVectors(name string, r io.Reader, m Model) (*Vectors, error) {
	v := &Vectors{of: make([][]float32, m.Size())}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	number, claimed, seen := 0, -1, 0
	for lines.Scan() {
		number++
		fields := strings.Fields(lines.Text())
		if number == 1 && len(fields) == 2 {
			n, err1 := strconv.Atoi(fields[0])
			d, err2 := strconv.Atoi(fields[1])
			if err1 == nil && err2 == nil && n >= 0 && d > 0 && d <= mostDimensions {
				claimed, v.Dimension = n, d
				continue
			}
		}
		if len(fields) == 0 {
			continue
		}
		seen++
		if err := v.add(m, fields); err != nil {
			return nil, tableError(name, number, "%v", err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, tableError(name, number+1, "the line is longer than %s; a line is a word and its numbers", wording.Bytes(longestLine))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case claimed >= 0 && seen != claimed:
		return nil, tableError(name, number, "the file has %s, and its first line says %d: it is cut short or damaged", wording.Count(seen, "word", "words"), claimed)
	case v.words == 0:
		return nil, tableError(name, 0, "none of its words is in the vocabulary of the model")
	}
	return v, nil
}

// add takes one line.
func (v *Vectors) add(m Model, fields []string) error {
	if v.Dimension == 0 {
		v.Dimension = len(fields) - 1
	}
	if n := len(fields) - 1; n != v.Dimension || n < 1 || n > mostDimensions {
		return fmt.Errorf("%s has %s, and there must be as many as before, %d, from 1 to %d", wording.Quote(fields[0]), wording.Count(len(fields)-1, "number", "numbers"), v.Dimension, mostDimensions)
	}
	w, ok := m.Number(fields[0])
	if !ok || !usable(m, w) || v.of[w] != nil {
		return nil
	}
	if err := memory.Room(4 * float64(v.Dimension)); err != nil {
		return err
	}
	x, sum := make([]float32, v.Dimension), 0.0
	for i, text := range fields[1:] {
		f, err := strconv.ParseFloat(text, 32)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
			return fmt.Errorf("%s: %s is no number", wording.Quote(fields[0]), wording.Quote(text))
		}
		x[i] = float32(f)
		sum += float64(f * f)
	}
	if !(sum > 0) {
		return nil // has no direction
	}
	length := math.Sqrt(sum)
	for i := range x {
		x[i] = float32(float64(x[i]) / length)
	}
	v.of[w] = x
	v.words++
	return nil
}

// Words is the number of words that have a vector.
func (v *Vectors) Words() int { return v.words }

// Cosine is that of the angle between the vectors of two words; 0 where one has none, 1 of a word with itself.
func (v *Vectors) Cosine(a, b int32) float64 {
	if a == b {
		return 1
	}
	return cosine(v.of[a], v.of[b])
}

func cosine(x, y []float32) float64 {
	if len(x) != len(y) {
		return 0
	}
	sum := 0.0
	for i, a := range x {
		sum += float64(float64(a) * float64(y[i]))
	}
	return sum
}

// Similar asks for a sentence that says what a source says, by vectors of words: the mean over the words of the source of the largest cosine with
// a word of the sentence, Least or more.
type Similar struct {
	source  []int32
	vectors *Vectors
	least   float64
}

// NewSimilar asks for a similarity from −1 to 1 with the words of a source, of which those without a vector count only as themselves.
func NewSimilar(source []int32, v *Vectors, least float64) (*Similar, error) {
	if len(source) == 0 || !(least >= -1 && least <= 1) {
		return nil, fmt.Errorf("text: a similarity of %v with a source of %s; it must be from -1 to 1, with one word or more", least, wording.Count(len(source), "word", "words"))
	}
	return &Similar{source, v, least}, nil
}

// Similarity is that of the words with the source.
func (s *Similar) Similarity(words []int32) float64 {
	if len(words) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range s.source {
		best := -1.0
		for _, x := range words {
			best = max(best, s.vectors.Cosine(w, x))
		}
		sum += best
	}
	return sum / float64(len(s.source))
}

// Lacking is what the similarity is below the one asked for.
func (s *Similar) Lacking(words []int32) float64 { return max(0, s.least-s.Similarity(words)) }

func (s *Similar) String() string {
	return fmt.Sprintf("similarity to the source of %v at least", s.least)
}

func (s *Similar) skeleton() []int32 { return s.source }
