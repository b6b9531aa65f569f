package lda

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.Bytes()
}

// What WriteState wrote comes back, names with blanks and empty documents included.
func TestReadState(t *testing.T) {
	c := &corpus.Corpus{Documents: []string{"none", "two words", "c", "none", "e"}, Words: 3, Starts: []int64{0, 0, 3, 5, 5, 6}, Tokens: []int32{0, 1, 1, 2, 1, 0}}
	m, err := New(c, Settings{Alpha: Symmetric(1, 4), Beta: 1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := m.WriteState(&b); err != nil {
		t.Fatal(err)
	}
	var got []uint16
	var documents []int
	err = ReadState(&b, 5, 4, func(d int, topics []uint16) error {
		documents, got = append(documents, d), append(got, topics...)
		if !slices.Equal(topics, m.Document(d)) {
			t.Errorf("document %d has %v", d, topics)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, m.Topics()) || !slices.Equal(documents, []int{1, 2, 4}) {
		t.Errorf("%v: %v of %v", err, got, documents)
	}
}

func TestReadStateRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"0 a 0 0 w 0\n0 a 1 0 w 2\n":               "line 2",
		"1 a 0 0 w 0\n0 a 1 0 w 1\n":               "line 2",
		"2 a 0 0 w 0\n":                            "line 1",
		"-1 a 0 0 w 0\n":                           "line 1",
		"0 a 0 0\n":                                "line 1",
		"0 a 0 0 w x\n":                            "line 1",
		"#\n" + strings.Repeat("x", longestLine+1): "line 2 of the state has more than 4194304 bytes",
	} {
		err := ReadState(bytes.NewReader(zipped(text)), 2, 2, func(int, []uint16) error { return nil })
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	whole := zipped(strings.Repeat("0 a 0 0 w 0\n", 1000))
	for _, b := range [][]byte{whole[:len(whole)-9], []byte("0 a 0 0 w 0\n")} {
		if err := ReadState(bytes.NewReader(b), 2, 2, func(int, []uint16) error { return nil }); err == nil || !strings.Contains(err.Error(), "state") {
			t.Errorf("damaged: %v", err)
		}
	}
}

// Whatever the bytes are, documents ascend and topics are in range.
func FuzzReadState(f *testing.F) {
	f.Add([]byte("#alpha : 1\n0 a 0 0 w 0\n1 NA 0 0 two words 1\n"))
	f.Add([]byte("0 a 0 0 w 99999999999999999999\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		before := -1
		err := ReadState(bytes.NewReader(zipped(string(text))), 3, 2, func(d int, topics []uint16) error {
			if d <= before || d >= 3 || len(topics) == 0 || slices.Max(topics) > 1 {
				t.Errorf("document %d has topics %v", d, topics)
			}
			before = d
			return nil
		})
		_ = err
		_ = ReadState(bytes.NewReader(text), 3, 2, func(int, []uint16) error { return nil })
	})
}
