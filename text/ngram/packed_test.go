package ngram

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func trained(t testing.TB, order int) *Model {
	t.Helper()
	_, x := corpus(t, uint64(order), 60, 5)
	m, err := Train(context.Background(), x, Settings{Order: order, Backward: order == 2})
	if err != nil {
		t.Fatal(err)
	}
	return m.Model
}

func written(t testing.TB, m *Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m")
	if err := m.Write(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A model that is written and opened is the same, with all digits and with codes.
func TestPackedRoundTrip(t *testing.T) {
	for _, order := range []int{1, 2, 3, 5, MostOrder} {
		m := trained(t, order)
		q, err := m.Quantise()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Model{m, q} {
			path := filepath.Join(t.TempDir(), "m")
			if err := m.Write(path); err != nil {
				t.Fatal(err)
			}
			got, err := Open(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, m, got)
			if fmt.Sprint(m.books) != fmt.Sprint(got.books) {
				t.Error("other codes")
			}
			for w := range int32(m.Size()) {
				h := []int32{begin, 3, 4, w}
				if got.LogProb(h, w) != m.LogProb(h, w) {
					t.Errorf("another probability of %d", w)
				}
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
			if err := got.Close(); err != nil {
				t.Errorf("closed twice: %v", err)
			}
		}
	}
}

// No byte of a packed file can change, and none be missing, without an error.
func TestPackedDamage(t *testing.T) {
	whole := written(t, trained(t, 2))
	if _, err := unpack(whole); err != nil {
		t.Fatal(err)
	}
	for k := 0; k < len(whole); k += 1 + k/200 {
		b := bytes.Clone(whole)
		b[k] ^= 4
		if _, err := unpack(b); err == nil {
			t.Errorf("byte %d changed: no error", k)
		}
		if _, err := unpack(whole[:k]); err == nil {
			t.Errorf("cut to %d bytes: no error", k)
		}
	}
	dir := t.TempDir()
	for text, says := range map[string]string{"ergodic rbm 1\n": "is an ergodic rbm, not an ergodic language model", "ergodic language model 9\n": "is of version 9", "": "cut short"} {
		path := filepath.Join(dir, "m")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(context.Background(), path); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Open(context.Background(), filepath.Join(dir, "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// signed is a file of these bytes with the right checksum.
func signed(b []byte) []byte { return kind.EncodeBytes(b) }

// A file whose checksum is right and whose numbers are wrong is an error too, and whatever is none can be searched.
func TestPackedWrongNumbers(t *testing.T) {
	m := trained(t, 3)
	body := written(t, m)[len(kind.Line())+32:]
	refused := 0
	for k := 0; k < len(body); k += 1 + k/400 {
		for _, x := range []byte{1, 64, 255} {
			b := bytes.Clone(body)
			b[k] ^= x
			got, err := unpack(signed(b))
			if err != nil {
				refused++
				continue
			}
			walk(t, got)
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
}

// walk asks for probabilities that lead all over the tree.
func walk(t testing.TB, m *Model) {
	t.Helper()
	n := int32(m.Size())
	s := m.Start()
	for k := range int32(300) {
		var p float64
		if p, s = m.Next(s, (k*k+k/3)%n); math.IsNaN(p) {
			t.Fatal("not a number")
		}
	}
	for a, b := range m.Pairs() {
		m.LogProb([]int32{a, b, a}, b)
	}
}

func TestPackedHeader(t *testing.T) {
	words := []string{unknownWord, beginWord, endWord}
	for _, h := range []header{
		{}, {Counts: []int{3}}, {Counts: []int{2}, Words: words}, {Counts: make([]int, 9), Words: words}, {Counts: []int{3, -1}, Words: words},
		{Counts: []int{3, most, most, most}, Words: words}, {Counts: []int{3}, Words: words, Books: make([][]float32, 3)},
		{Counts: []int{3}, Words: words, Books: make([][]float32, 16)}, {Counts: []int{3, 1 << 30}, Words: words},
		{Counts: []int{3}, Words: []string{"a", "b", "c"}},
	} {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(&h); err != nil {
			t.Fatal(err)
		}
		b.Write(make([]byte, 76))
		if _, err := unpack(signed(b.Bytes())); err == nil {
			t.Errorf("%+v", h)
		}
	}
}

// Codes are the nearest of their values, a backoff of 0 stays, and 256 values or fewer stay all.
func TestQuantise(t *testing.T) {
	m := trained(t, 3)
	q, err := m.Quantise()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := q.Quantise(); err != nil || again != q {
		t.Error("quantised again")
	}
	for node := uint32(first); node < m.nodes(); node++ {
		if d := math.Abs(m.log10(node) - q.log10(node)); d > 0.02 && node != first+begin {
			t.Errorf("node %d: log10 p is off by %v", node, d)
		}
		if node < m.outer {
			a, b := m.backoff(m.inner(node), node), q.backoff(q.inner(node), node)
			if math.Abs(a-b) > 0.02 || a == 0 && b != 0 {
				t.Errorf("node %d: the backoff %v has become %v", node, a, b)
			}
		}
	}
	few := []float64{-3, -3, -2, -1}
	b := book(few, true)
	for _, x := range append(few, 0) {
		if got := b[nearest(b, x)]; float64(got) != x {
			t.Errorf("%v has become %v", x, got)
		}
	}
	var many []float64
	for k := range 10000 {
		many = append(many, -10+math.Sqrt(float64(k)/10000)*8)
	}
	b = book(many, false)
	for _, x := range many {
		k := nearest(b, x)
		for _, v := range b {
			if math.Abs(float64(v)-x) < math.Abs(float64(b[k])-x) {
				t.Fatalf("%v has become %v, and %v is nearer", x, b[k], v)
			}
		}
	}
}
