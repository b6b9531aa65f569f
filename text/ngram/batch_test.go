package ngram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Sentences scored side by side have the scores that each has alone, to the last bit, and come in their order: models of all kinds, lines without words, with words
// that are not known, and more words than are gathered at a time.
func TestSideBySide(t *testing.T) {
	sentences, x := corpus(t, 5, 400, 30)
	var b strings.Builder
	for len(strings.Fields(b.String())) < 3*batchWords {
		for i, s := range sentences {
			for k, w := range s {
				if fmt.Fprint(&b, x.Word(w), " "); (i+k)%17 == 0 {
					b.WriteString("unheard ")
				}
			}
			b.WriteString("\n")
			if i%40 == 0 {
				b.WriteString("\n")
			}
		}
	}
	for order := 1; order <= 4; order++ {
		for _, backward := range []bool{false, true} {
			trained, err := Train(context.Background(), x, Settings{Order: order, Backward: backward})
			if err != nil {
				t.Fatal(err)
			}
			codes, err := trained.Quantise()
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range []*Model{trained.Model, codes} {
				alone(t, m, b.String())
			}
		}
	}
}

// alone compares with scores of single sentences.
func alone(t *testing.T, m *Model, text string) {
	t.Helper()
	var sum Score
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	got, err := m.Score(context.Background(), strings.NewReader(text), "text", func(line []byte, s Score) error {
		i := sum.Sentences
		var words []int32
		for w := range strings.FieldsSeq(lines[i]) {
			n, _ := m.Number(w)
			words = append(words, n)
		}
		if !bytes.Equal(line, []byte(lines[i])) || s != m.ScoreSentence(words) {
			t.Fatalf("order %d, backward %v: line %d is %q with %+v, not %q with %+v", m.Order(), m.Backward, i+1, line, s, lines[i], m.ScoreSentence(words))
		}
		sum.Add(s)
		return nil
	})
	if err != nil || got != sum || sum.Sentences != len(lines) {
		t.Fatalf("%+v, %v, not %+v of %d lines", got, err, sum, len(lines))
	}
}

// A text that ends in a fault has been scored up to there.
func TestScoreUntilFault(t *testing.T) {
	m := trained(t, 2)
	seen := 0
	s, err := m.Score(context.Background(), strings.NewReader("a b\nb\n\xff\nc\n"), "text", func([]byte, Score) error { seen++; return nil })
	var fault *Error
	if !errors.As(err, &fault) || fault.Line != 3 || s.Sentences != 2 || seen != 2 {
		t.Fatalf("%+v after %d, %v", s, seen, err)
	}
	enough := errors.New("enough")
	if s, err := m.Score(context.Background(), strings.NewReader("a b\nb\n"), "text", func([]byte, Score) error { return enough }); !errors.Is(err, enough) || s.Sentences != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
}
