package lda

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

func written(t *testing.T) *Model {
	t.Helper()
	c := &corpus.Corpus{Vocabulary: []string{"tree", "bird", "ship"}, Documents: []string{"a", "b"}, Words: 3,
		Starts: []int64{0, 3, 5}, Tokens: []int32{0, 1, 1, 2, 1}}
	m, err := New(c, Settings{Alpha: []float64{0.5, 1.5}, Beta: 0.1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetTopics([]uint16{0, 0, 1, 1, 0}); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestWrite(t *testing.T) {
	m := written(t)
	f := m.Fitted()
	const heading = "topic\talpha\ttokens\twords\tu_mass\tc_npmi\tc_v\texclusivity\teffective_words\trank1_documents\n"
	for name, c := range map[string]struct {
		write func(w io.Writer) error
		want  string
	}{
		"topics": {func(w io.Writer) error {
			return f.Rankings().WriteTopics(w, 1, []Diagnosis{{Coherence{-1, 0.25, 0.5}, 0.75, 1.93428, 1}, {Coherence{-2, math.NaN(), 0}, 1, 2.17695, 1}})
		}, heading + "1\t0.5\t3\tbird\t-1\t0.25\t0.5\t0.75\t1.93428\t1\n2\t1.5\t2\tbird\t-2\t\t0\t1\t2.17695\t1\n"},
		"all words": {func(w io.Writer) error { return f.Rankings().WriteTopics(w, 9, make([]Diagnosis, 2)) },
			heading + "1\t0.5\t3\tbird tree\t0\t0\t0\t0\t0\t0\n2\t1.5\t2\tbird ship\t0\t0\t0\t0\t0\t0\n"},
		"topic words": {m.WriteTopicWords, "topic\tword\ttokens\n1\ttree\t1\n1\tbird\t2\n2\tbird\t1\n2\tship\t1\n"},
		// (2 + 0.5)/5, (1 + 1.5)/5; (1 + 0.5)/4, (1 + 1.5)/4
		"documents": {m.WriteDocumentTopics, "document\ttopic\ttokens\tshare\na\t1\t2\t0.5\na\t2\t1\t0.5\nb\t1\t1\t0.375\nb\t2\t1\t0.625\n"},
	} {
		var b bytes.Buffer
		if err := c.write(&b); err != nil || b.String() != c.want {
			t.Errorf("%s: %v %q, not %q", name, err, b.String(), c.want)
		}
	}
}

func TestWriteState(t *testing.T) {
	var b bytes.Buffer
	if err := written(t).WriteState(&b); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	want := "#doc source pos typeindex type topic\n#alpha : 0.5 1.5\n#beta : 0.1\n0 a 0 0 tree 0\n0 a 1 1 bird 0\n0 a 2 1 bird 1\n1 b 0 2 ship 1\n1 b 1 1 bird 0\n"
	if err != nil || string(text) != want {
		t.Errorf("%v %q, not %q", err, text, want)
	}
}

// A full device is an error of every writer.
func TestWriteFails(t *testing.T) {
	m := written(t)
	for _, write := range []func(w io.Writer) error{func(w io.Writer) error { return m.Fitted().Rankings().WriteTopics(w, 3, make([]Diagnosis, m.K())) }, m.WriteTopicWords, m.WriteDocumentTopics, m.WriteState} {
		if err := write(failing{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%v", err)
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Words and names cannot end a field or a line of a table, nor command a terminal.
func TestHostileNames(t *testing.T) {
	c := &corpus.Corpus{Vocabulary: []string{"a\tb", "x y\x1b[2J"}, Documents: []string{"two\nlines\t1", "d e"}, Words: 2, Starts: []int64{0, 2, 3}, Tokens: []int32{0, 1, 1}}
	m, err := New(c, Settings{Alpha: Symmetric(1, 2), Beta: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := m.WriteTopicWords(&b); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteDocumentTopics(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := strings.Count(line, "\t"); n != 2 && n != 3 || strings.Contains(line, "\x1b") {
			t.Errorf("%q", line)
		}
	}
	var z bytes.Buffer
	if err := m.WriteState(&z); err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(&z)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[3:] {
		if len(strings.Fields(line)) != 6 {
			t.Errorf("%q", line)
		}
	}
}
