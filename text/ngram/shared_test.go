package ngram

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// shared finds the corpora: in $ERGODIC_SHARED, or in ../shared beside the module.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "text", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	return path
}

// reference is the text of shared/text/KENLM_REFERENCE.md.
func reference(t testing.TB) *Text {
	t.Helper()
	text := NewText()
	for _, name := range []string{"gutenberg_train.txt", "tatoeba_train.txt", "masc_train.txt"} {
		if err := text.ReadFile(context.Background(), shared(t, name)); err != nil {
			t.Fatal(err)
		}
	}
	return text
}

// near1e4 is the bar of the reference: within 1e-4 relative.
func near1e4(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-4*want) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// The numbers are those of shared/text/KENLM_REFERENCE.md: KenLM's lmplz and query.
func TestAgainstKenLM(t *testing.T) {
	text := reference(t)
	if text.Tokens() != 2188951 {
		t.Errorf("%d tokens", text.Tokens())
	}
	type file struct {
		name          string
		with, without float64
		oov, tokens   int
	}
	for _, c := range []struct {
		counts    []int
		discounts [][3]float64
		files     []file
	}{
		{[]int{41877, 503956, 1244519}, [][3]float64{{0.573744, 1.01597, 1.49706}, {0.743253, 1.08821, 1.41814}, {0.829476, 1.12966, 1.3824}}, []file{
			{"gutenberg_test.txt", 118.55816705, 112.63333972, 176, 34560},
			{"tatoeba_test.txt", 48.40626042, 47.53050089, 19, 11954},
			{"masc_test.txt", 265.82404054, 227.98653654, 379, 22375}}},
		{[]int{41877, 503956, 1244519, 1691891, 1783064}, nil, []file{
			{"gutenberg_test.txt", 114.60960270, 108.87141736, 176, 34560},
			{"tatoeba_test.txt", 44.57634630, 43.76142602, 19, 11954},
			{"masc_test.txt", 256.17874977, 219.65740497, 379, 22375}}},
	} {
		m, err := Train(context.Background(), text, Settings{Order: len(c.counts)})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.Counts(), c.counts) {
			t.Errorf("%d sequences, not %d", m.Counts(), c.counts)
		}
		for k, d := range c.discounts {
			for j := range d {
				if got := m.Discounts[k].D[j]; math.Abs(got-d[j]) > 1e-5 { // it has six digits
					t.Errorf("discount %d of length %d: %v, not %v", j+1, k+1, got, d[j])
				}
			}
		}
		for _, f := range c.files {
			s, err := m.ScoreFile(context.Background(), shared(t, f.name), nil)
			if err != nil {
				t.Fatal(err)
			}
			if s.OOV != f.oov || s.Tokens != f.tokens {
				t.Errorf("%s: %d of %d tokens are not known", f.name, s.OOV, s.Tokens)
			}
			near1e4(t, f.name, s.Perplexity(), f.with)
			near1e4(t, f.name+" without what is not known", s.PerplexityWithoutOOV(), f.without)
			t.Logf("order %d %s: %.8f %.8f, KenLM %.8f %.8f", len(c.counts), f.name, s.Perplexity(), s.PerplexityWithoutOOV(), f.with, f.without)
		}
	}
}

// The numbers are those of lmplz -o 4 --discount_fallback --prune 0 1 2 2 and query, of the package kenlm 0.3.0 of PyPI, on the same text.
func TestPrunedAgainstKenLM(t *testing.T) {
	m, err := Train(context.Background(), reference(t), Settings{Order: 4, MinCounts: []int{2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{41877, 160284, 103644, 52123}; !slices.Equal(m.Counts(), want) {
		t.Errorf("%d sequences, not %d", m.Counts(), want)
	}
	if want := []int{41877, 503956, 1244519, 1691891}; !slices.Equal(m.Seen, want) {
		t.Errorf("%d sequences seen, not %d", m.Seen, want)
	}
	for name, want := range map[string][2]float64{"gutenberg_test.txt": {130.5921504742851, 124.35904235758083}, "masc_test.txt": {312.40197351454606, 270.1305093818701}} {
		s, err := m.ScoreFile(context.Background(), shared(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		near1e4(t, name, s.Perplexity(), want[0])
		near1e4(t, name+" without what is not known", s.PerplexityWithoutOOV(), want[1])
	}
}
