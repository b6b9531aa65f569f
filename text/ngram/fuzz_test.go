package ngram

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"errors"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// What is read from anything is an error with a place, or a model that is written and read again as the same.
func FuzzARPA(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(strings.ReplaceAll(small, "\t", " ")))
	f.Add([]byte("\\data\\\nngram 1=3\n\n\\1-grams:\n-1 <unk>\n0 <s>\n-0.5 </s>\n\\end\\\n"))
	f.Add([]byte("\\data\\\nngram 1=4000000000\n\\1-grams:\n"))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := DecodeARPA(context.Background(), bytes.NewReader(b), "x")
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if !m.sound() {
			t.Fatal("the tree is none")
		}
		walk(t, m)
		var out bytes.Buffer
		if err := m.EncodeARPA(&out); err != nil {
			t.Fatal(err)
		}
		again, err := DecodeARPA(context.Background(), &out, "again")
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, again)
	})
}

// A packed file with the right checksum is an error, or a model in which every search ends.
func FuzzPacked(f *testing.F) {
	for _, order := range []int{1, 2, 3} {
		m := trained(f, order)
		q, err := m.Quantise()
		if err != nil {
			f.Fatal(err)
		}
		for _, m := range []*Model{m, q} {
			f.Add(written(f, m)[len(kind.Line())+32:])
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&header{Counts: []int{most, most}, Words: []string{unknownWord}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := unpack(signed(b))
		if err != nil {
			return
		}
		walk(t, m)
		if err := m.EncodeARPA(&bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
	})
}

// A text is an error with a place, or sentences whose models give probabilities that sum to 1.
func FuzzText(f *testing.F) {
	f.Add([]byte("the cat sat\nthe dog sat\n\na b a b\n"), 3, false, true)
	f.Add([]byte("明月光\r\n地上霜"), 2, true, false)
	f.Add([]byte("a <s> b"), 2, false, false)
	f.Add([]byte("000\n01100"), 3, true, false) // whose bigrams of count 2 would have a discount of 0
	f.Add([]byte("\ufeffa\x00\xff"), 1, false, false)
	f.Add([]byte("\x1f\x8b\x08\x00"), 1, false, false)
	f.Fuzz(func(t *testing.T, b []byte, order int, chars, backward bool) {
		x := NewText()
		x.Characters = chars
		if err := x.Read(context.Background(), bytes.NewReader(b), "x"); err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		m, err := Train(context.Background(), x, Settings{Order: order, Backward: backward})
		if err != nil {
			if order >= 1 && order <= MostOrder && x.Sentences() > 0 {
				t.Fatal(err)
			}
			return
		}
		if !m.sound() {
			t.Fatal("the tree is none")
		}
		s := m.Start()
		for k, w := range x.tokens[1:min(len(x.tokens), 20)] {
			if w == begin {
				s = m.Start()
				continue
			}
			sum := 0.0
			for v := range int32(m.Size()) {
				if v != begin {
					p, _ := m.Next(s, v)
					sum += math.Exp(p)
				}
			}
			if math.Abs(sum-1) > 1e-4 {
				t.Fatalf("the probabilities at token %d sum to %v", k, sum)
			}
			_, s = m.Next(s, w)
		}
		back := slices.Clone(x.tokens)
		x.turn()
		x.turn()
		if !slices.Equal(back, x.tokens) {
			t.Error("turned round twice the text is another")
		}
	})
}

// A line that does not fit into memory is an error with its number, however small the file is.
func TestLongLine(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte("a b\n")); err != nil {
		t.Fatal(err)
	}
	blanks := bytes.Repeat([]byte(" "), 1<<20)
	for range 200 {
		if _, err := z.Write(blanks); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(100 << 20))
	var full *memory.Error
	if err := NewText().Read(context.Background(), &b, "long.gz"); !errors.As(err, &full) || !strings.HasPrefix(err.Error(), "long.gz:2: ") {
		t.Errorf("%v", err)
	}
}
