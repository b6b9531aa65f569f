package lda

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// smallModel has two documents over three words.
func smallModel(t *testing.T) *Model {
	t.Helper()
	c := &corpus.Corpus{Vocabulary: []string{"a", "b", "c"}, Words: 3, Starts: []int64{0, 3, 5}, Tokens: []int32{0, 1, 1, 1, 0}}
	m, err := New(c, Settings{Alpha: []float64{1, 2}, Beta: 0.5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetTopics([]uint16{0, 1, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	return m
}

// Two samples: words a, b, c have 2+1, 1+2, 0 tokens in topic 1, so with β = ½ the shares of the mean are (1.5+.5)/4.5 and so on.
func TestFittedShares(t *testing.T) {
	m := smallModel(t)
	f := m.Fitted()
	if err := m.SetTopics([]uint16{1, 0, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := f.Add(m); err != nil {
		t.Fatal(err)
	}
	none, factor := f.Shares(0)
	got := []float64{none, none, none}
	for w := range got {
		for _, e := range f.Counts.Word(w) {
			if e.Topic == 0 {
				got[w] += factor * float64(e.N)
			}
		}
	}
	for w, want := range []float64{2 / 4.5, 2 / 4.5, .5 / 4.5} {
		if d := got[w] - want; d > 1e-15 || d < -1e-15 {
			t.Errorf("share of word %d = %v, want %v", w, got[w], want)
		}
	}
	if f.Samples != 2 || f.Counts.Totals[0] != 6 || f.Counts.Totals[1] != 4 {
		t.Errorf("%d samples, totals %v", f.Samples, f.Counts.Totals)
	}
}

func TestFittedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	f := smallModel(t).Fitted()
	f.Stem, f.Phrases, f.Origin = "english", 2, "run"
	if err := f.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFitted(path)
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("%+v, %v, want %+v", got, err, f)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range b {
		bad := []byte(string(b))
		bad[at] ^= 1
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFitted(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("byte %d changed: %v", at, err)
		}
	}
	f.Counts.Totals[0]++
	if err := f.WriteFile(path); err == nil {
		t.Error("totals that are not sums are written")
	}
}
