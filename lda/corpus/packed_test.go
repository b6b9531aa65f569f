package corpus

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// A text packed with every rule is what is read with it.
func TestPackTexts(t *testing.T) {
	text := strings.Repeat("d1 x New York times are the best of times\nd2 y a dog in new york, running\nd3 z the\n", 4)
	path := filepath.Join(t.TempDir(), "a.mallet.gz")
	put(t, path, string(squeeze(t, []byte(text))))
	for _, set := range []Settings{
		{},
		{Rules: Rules{StopWords: EnglishStopWords(), Stem: "english", MinLength: 2, Alphabetical: true}},
		{Rules: Rules{Phrases: Phrases{Rounds: 2, MinCount: 2}, MaxDocuments: Frequency{Share: .6}, RemoveTop: 1}},
		{Fixed: []string{"york", "new", "dog"}},
		{Fixed: []string{"new_york", "dog"}, Rules: Rules{Phrases: Phrases{Rounds: 1}}},
	} {
		c, warnings, err := ReadFile(path, set)
		if err != nil {
			t.Fatal(err)
		}
		samePacked(t, path, set, c)
		got, err := Pack(filepath.Join(t.TempDir(), "p"), path, set)
		if err != nil || !slices.Equal(got, warnings) {
			t.Errorf("%q, %v; want %q", got, err, warnings)
		}
	}
}

// A collection that memory has no room for is packed and opened within it.
func TestPackBeyondMemory(t *testing.T) {
	const documents, words, times = 2000, 10, 2000
	var text strings.Builder
	fmt.Fprintf(&text, "%d\n%d\n%d\n", documents, words, documents*words)
	for d := range documents {
		for w := range words {
			fmt.Fprintf(&text, "%d %d %d\n", d+1, w+1, times)
		}
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "docword"), filepath.Join(dir, "packed")
	put(t, from, text.String())
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(80 << 20))
	if _, _, err := ReadFile(from, Settings{}); err == nil || !strings.Contains(err.Error(), "the collection does not fit") {
		t.Errorf("%v", err)
	}
	if _, err := Pack(to, from, Settings{}); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPacked(to)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.Tokens) != documents*words*times || p.Tokens[len(p.Tokens)-1] != words-1 {
		t.Errorf("%d tokens", len(p.Tokens))
	}
	if _, err := Pack(from, from, Settings{}); err == nil {
		t.Error("a file was packed into itself")
	}
}

func packedBytes(t testing.TB, c *Corpus) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "packed")
	if err := c.Pack(path); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var tiny = &Corpus{Vocabulary: []string{"x", "", "y\n"}, Documents: []string{"one", "two"}, Words: 3, Starts: []int64{0, 2, 3}, Tokens: []int32{2, 0, 1}}

// No byte of a packed file can change, and none be missing, without an error.
func TestPackedDamage(t *testing.T) {
	whole := packedBytes(t, tiny)
	if _, err := unpack(whole); err != nil {
		t.Fatal(err)
	}
	for k := range whole {
		b := bytes.Clone(whole)
		b[k] ^= 4
		if p, err := unpack(b); err == nil {
			t.Errorf("byte %d changed: %+v", k, p)
		}
	}
	for k := range whole {
		if _, err := unpack(whole[:k]); err == nil {
			t.Errorf("cut to %d bytes: no error", k)
		}
	}
	dir := t.TempDir()
	for name, want := range map[string]string{"": "is cut short", "ergodic rbm 1\n": "is an ergodic rbm, not an ergodic corpus", "ergodic corpus 2\n": "is of version 2, and this program reads version 1",
		"text": "is not an ergodic corpus", string(whole) + "x": "is longer than its header says"} {
		path := filepath.Join(dir, "f")
		put(t, path, name)
		if _, err := OpenPacked(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", name, err, want)
		}
	}
	put(t, filepath.Join(dir, "p"), string(whole))
	put(t, filepath.Join(dir, "f"), "text")
	if !IsPacked(filepath.Join(dir, "p")) || IsPacked(filepath.Join(dir, "f")) || IsPacked(dir) {
		t.Error("IsPacked")
	}
	if _, _, err := ReadFile(filepath.Join(dir, "p"), Settings{}); err == nil || !strings.Contains(err.Error(), "is a packed collection already") {
		t.Errorf("%v", err)
	}
}

func TestPackedUnnamed(t *testing.T) {
	c := &Corpus{Words: 3, Starts: []int64{0, 0, 3}, Tokens: []int32{2, 0, 1}}
	p, err := unpack(packedBytes(t, c))
	if err != nil || p.Vocabulary != nil || p.Documents != nil || !slices.Equal(p.Tokens, c.Tokens) || p.Digest() != c.Digest() {
		t.Errorf("%+v, %v", p, err)
	}
	c.Bag = true
	if p, err := unpack(packedBytes(t, c)); err != nil || !p.Bag || p.Digest() != c.Digest() {
		t.Errorf("a bag: %+v, %v", p, err)
	}
	empty := &Corpus{Words: 3, Starts: []int64{0, 0}}
	if p, err := unpack(packedBytes(t, empty)); err != nil || p.Len() != 1 || p.Digest() != empty.Digest() {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "packed")
	if err := tiny.Pack(path); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPacked(path)
	if err != nil {
		t.Fatal(err)
	}
	words := p.Vocabulary
	if err := p.Close(); err != nil || p.Tokens != nil || words[2] != "y\n" {
		t.Errorf("%v, %q", err, words)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// Whatever a collection holds is in its digest.
func TestDigest(t *testing.T) {
	seen := map[string]string{tiny.Digest(): "the same"}
	for name, change := range map[string]func(c *Corpus){
		"a token":      func(c *Corpus) { c.Tokens = []int32{2, 0, 0} },
		"an end":       func(c *Corpus) { c.Starts = []int64{0, 1, 3} },
		"a word":       func(c *Corpus) { c.Vocabulary = []string{"x", "", "y"} },
		"no words":     func(c *Corpus) { c.Vocabulary = nil },
		"more words":   func(c *Corpus) { c.Words = 4 },
		"a name":       func(c *Corpus) { c.Documents = []string{"onet", "wo"} },
		"no names":     func(c *Corpus) { c.Documents = nil },
		"a bag":        func(c *Corpus) { c.Bag = true },
		"empty tables": func(c *Corpus) { c.Documents, c.Vocabulary = nil, nil },
	} {
		c := *tiny
		change(&c)
		if was, there := seen[c.Digest()]; there {
			t.Errorf("%s has the digest of %s", name, was)
		}
		seen[c.Digest()] = name
	}
}

// Numbers that no word of memory holds are copied.
func TestNumbersOffBoundary(t *testing.T) {
	b := make([]byte, 32)
	for k := range b {
		b[k] = byte(k)
	}
	parse := func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }
	for from := range 8 {
		got, err := numbers(b[from:from+16], parse)
		if err != nil || len(got) != 2 || got[0] != parse(b[from:]) || got[1] != parse(b[from+8:]) {
			t.Errorf("from byte %d: %x, %v", from, got, err)
		}
	}
}
