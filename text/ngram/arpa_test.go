package ngram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// The two numbers are those of shared/text/KENLM_REFERENCE.md, by KenLM's query.
func TestKenLMsModel(t *testing.T) {
	m, err := ReadARPA(context.Background(), shared(t, "tatoeba3.arpa.gz"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.ScoreFile(context.Background(), shared(t, "tatoeba_test.txt"), nil)
	if err != nil {
		t.Fatal(err)
	}
	near1e4(t, "perplexity", s.Perplexity(), 38.725668001557665)
	near1e4(t, "without what is not known", s.PerplexityWithoutOOV(), 34.25602447393465)
	t.Log(s.Perplexity(), s.PerplexityWithoutOOV())

	text := NewText()
	if err := text.ReadFile(context.Background(), shared(t, "tatoeba_train.txt")); err != nil {
		t.Fatal(err)
	}
	own, err := Train(context.Background(), text, Settings{Order: 3})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(own.Counts()) != fmt.Sprint(m.Counts()) {
		t.Fatalf("%d sequences, not %d", own.Counts(), m.Counts())
	}
	// KenLM's model of the same text: all probabilities and backoffs, to what is left of float32 sums.
	for node := uint32(first); node < m.nodes(); node++ {
		if m.Word(int32(m.word(node))) != own.Word(int32(own.word(node))) {
			t.Fatalf("node %d ends with %s, not %s", node, own.Word(int32(own.word(node))), m.Word(int32(m.word(node))))
		}
		if a, b := own.log10(node), m.log10(node); math.Abs(a-b) > 5e-6 {
			t.Fatalf("node %d: log10 p %v, not %v", node, a, b)
		}
		if node < m.outer && math.Abs(own.backoff(own.inner(node), node)-m.backoff(m.inner(node), node)) > 5e-6 {
			t.Fatalf("node %d: another backoff", node)
		}
	}
}

// A model that is written and read is the same.
func TestARPARoundTrip(t *testing.T) {
	for _, order := range []int{1, 2, 3, 5} {
		_, x := corpus(t, 7, 80, 6)
		m, err := Train(context.Background(), x, Settings{Order: order, MinCounts: []int{1, 1, 2}})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"m.arpa", "m.arpa.gz"} {
			path := filepath.Join(t.TempDir(), name)
			if err := m.WriteARPA(path); err != nil {
				t.Fatal(err)
			}
			got, err := ReadARPA(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, m.Model, got)
		}
	}
}

func same(t *testing.T, a, b *Model) {
	t.Helper()
	if fmt.Sprint(a.Counts(), a.vocabulary.words, a.Backward, a.Characters) != fmt.Sprint(b.Counts(), b.vocabulary.words, b.Backward, b.Characters) {
		t.Fatal("other sequences or words")
	}
	if !bytes.Equal(a.tree.words, b.tree.words) || !bytes.Equal(a.inners, b.inners) || !bytes.Equal(a.outers, b.outers) {
		t.Error("other records")
	}
}

const small = `
\data\
ngram 1=5
ngram 2=4
ngram 3=2

\1-grams:
-1	<unk>
-99	<s>	-0.5
-0.9	</s>
-0.3 a -0.25
-0.8	b	0.125

\2-grams:
-0.4	<s> a	-0.1
-0.2	a b
-0.7	b </s>
-0.6	a a	-0.75

\3-grams:
-0.05	<s> a a
-0.15	a a b

\end\
`

func decode(text string) (*Model, error) {
	return DecodeARPA(context.Background(), strings.NewReader(text), "x.arpa")
}

// By hand, after the definition: what is not there is the backoff's and the shorter context's.
func TestARPASums(t *testing.T) {
	m, err := decode(small)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{
		"<s> a": -0.4, "<s> a a": -0.05, "<s> a b": -0.1 - 0.2, "<s> b": -0.5 - 0.8, "<s> b b": 0.125 - 0.8, "a a b": -0.15, "a a a": -0.75 - 0.6,
		"a a </s>": -0.75 - 0.25 - 0.9, "<s> zebra": -0.5 - 1, "zebra a": -0.3, "b </s>": -0.7, "b b a b": -0.2, "<s> a a b": -0.15, "a b a": 0.125 - 0.3,
	} {
		var words []int32
		for _, w := range strings.Fields(text) {
			n, _ := m.Number(w)
			words = append(words, n)
		}
		last := len(words) - 1
		if got := m.LogProb(words[:last], words[last]) / math.Ln10; math.Abs(got-want) > 1e-6 {
			t.Errorf("log10 p of the last in %q is %v, not %v", text, got, want)
		}
	}
}

// A sequence whose end is not there as a sequence falls back on what is.
func TestARPAWithoutSuffix(t *testing.T) {
	m, err := decode(strings.NewReplacer("ngram 2=4", "ngram 2=3", "-0.2	a b\n", "").Replace(small))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := m.Number("a")
	b, _ := m.Number("b")
	if got, want := m.LogProb([]int32{a, a, b}, m.End())/math.Ln10, -0.7; math.Abs(got-want) > 1e-6 {
		t.Errorf("%v, not %v", got, want)
	}
	if _, s := m.Next(m.After([]int32{a, a}), b); s != m.After([]int32{b}) {
		t.Errorf("state %d", s)
	}
}

// Each fault is told with its line.
func TestARPAFaults(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{`\data\`, `data`, `x.arpa:2: "data" stands where a model in the ARPA format begins`},
		{"ngram 1=5\n", "", `:3: "ngram 2=4": the numbers of sequences go by their length, and 1 is next`},
		{"ngram 1=5", "ngram 1=-5", ":3:"},
		{"ngram 1=5", "ngram 1=99999999999999999999", ":3:"},
		{"ngram 1=5", "ngram 1=4", ":12: the header says that there are 4 sequences of 1 word, and here is one more"},
		{"ngram 1=5", "ngram 1=6", ":14: the header says that there are 6 sequences of 1 word, and only 5 are here"},
		{"ngram 3=2", "ngram 3=3", `:24: the header says that there are 3 sequences of 3 words, and only 2 are here`},
		{"ngram 3=2\n", "", `:14: "-0.4\t<s> a\t-0.1": a line of the longest sequences has`},
		{`\2-grams:`, `\4-grams:`, `:14: "\\4-grams:" stands where \2-grams: should`},
		{"\\end\\\n", "", `:24: the file ends here, and another sequence, a section or \end\ should follow: it is cut short`},
		{"\\end\\\n", "\\end\\\nmore", `:25: there is more behind \end\`},
		{"-0.2	a b", "nan	a b", `:16: "nan" is no log10 of a probability`},
		{"-0.2	a b", "-inf	a b", `:16: "-inf" is no log10 of a probability`},
		{"-0.2	a b", "0.2	a b", `:16: "0.2" is no log10 of a probability`},
		{"-0.2	a b", "x	a b", `:16: "x" is no log10 of a probability`},
		{"-0.2	a b", "-0.2	a b	nan", `:16: "nan" is no log10 of a backoff`},
		{"-0.2	a b", "-0.2	a", `:16: "-0.2\ta": a line here has`},
		{"-0.2	a b", "-0.2	a b 0 0", ":16:"},
		{"-0.2	a b", "-0.2	a c", `:16: the word "c" is not among the sequences of one word`},
		{"-0.2	a b", "-0.2	a a", `:18: this sequence is here for the second time; the first is in line 16`},
		{"-0.2	a b\n", "-0.2	a b\n\n", `:18: an empty line stands between`},
		{"-0.05	<s> a a", "-0.05	<s> b a", `:21: the sequence "<s> b", with which this one begins, is not among those of 2 words`},
		{"-0.05	<s> a a", "-0.05	<s> a a 0", `:21:`},
		{"-1	<unk>", "-1	unk", `:14: the word "<unk>" is not among those before this line`},
		{"-0.9	</s>", "-0.9	<s>", `:10: the word "<s>" is here for the second time`},
		{"	b	0.125", "	a	0.125", `:12: the word "a" is here for the second time`},
		{"-0.2	a b", "-0.2	a \xff", `:16:8: "\xff" is not UTF-8`},
		{"-0.2	a b", "-0.2	a \x00", `:16:8: a zero byte`},
	} {
		if !strings.Contains(small, c.old) {
			t.Fatalf("%q is not there", c.old)
		}
		_, err := decode(strings.Replace(small, c.old, c.new, 1))
		var at *Error
		if err == nil || !errors.As(err, &at) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: %v; want %s", c.new, c.old, err, c.says)
		}
	}
	for n := range len(small) - 2 {
		if _, err := decode(small[:n]); err == nil {
			t.Errorf("cut to %d bytes: no error", n)
		}
	}
}
