package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// accepted reads what a fuzzer wrote within little memory, and holds what is accepted to Check. It is nil for a fault, whose
// message must be short.
func accepted(t *testing.T, text []byte, set Settings) *Corpus {
	t.Helper()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 28))
	c, warnings, err := Read(bytes.NewReader(text), set)
	for _, w := range warnings {
		if len(w) > 2000 {
			t.Fatalf("a warning of %d bytes", len(w))
		}
	}
	if err != nil {
		if len(err.Error()) > 2000 {
			t.Fatalf("a message of %d bytes", len(err.Error()))
		}
		return nil
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// small tells whether what was read is small enough to be written by a fuzzer.
func small(c *Corpus) bool { return c != nil && c.Len() < 1<<12 && len(c.Tokens) < 1<<14 }

func FuzzUCI(f *testing.F) {
	for _, s := range []string{"2\n3\n2\n1 1 1\n2 3 2\n", "2\n3\n3\n2 1 1\n1 3 2\n2 1 1\n", "1\n1\n0\n", "2\r\n 3\n2\n\n1\t1 1\n2 3 2", "2147483646\n1\n0\n", "1\n1\n1\n1 1 2147483646"} {
		f.Add([]byte(s))
	}
	f.Add(squeeze(f, []byte("2\n3\n2\n1 1 1\n2 3 2\n")))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := accepted(t, text, Settings{Format: UCI})
		if !small(c) {
			return
		}
		var b bytes.Buffer
		if err := c.WriteUCI(&b); err != nil {
			t.Fatal(err)
		}
		again := accepted(t, b.Bytes(), Settings{Format: UCI})
		if again == nil || again.Digest() != c.Digest() {
			t.Fatalf("%+v is written as %q and read as %+v", c, b.String(), again)
		}
		packs(t, c)
	})
}

func FuzzLDAC(f *testing.F) {
	for _, s := range []string{"2 0:1 3:2\n0\n1 1:1\n", "1 2147483646:1\n", "2 3:1 1:1", "2 1:1 1:1\n\n", "1 1:2147483646"} {
		f.Add([]byte(s))
	}
	f.Add(squeeze(f, []byte("2 0:1 3:2\n0\n1 1:1\n")))
	f.Fuzz(func(t *testing.T, text []byte) {
		c := accepted(t, text, Settings{Format: LDAC})
		if !small(c) {
			return
		}
		var b bytes.Buffer
		if err := c.WriteLDAC(&b); err != nil {
			t.Fatal(err)
		}
		again := accepted(t, b.Bytes(), Settings{Format: LDAC})
		if again == nil || again.Digest() != c.Digest() {
			t.Fatalf("%+v is written as %q and read as %+v", c, b.String(), again)
		}
	})
}

// packs packs a collection and opens it again.
func packs(t *testing.T, c *Corpus) {
	t.Helper()
	p, err := unpack(packedBytes(t, c))
	if err != nil || p.Digest() != c.Digest() || p.Corpus.Digest() != c.Digest() {
		t.Fatalf("%+v is packed as %+v (%v)", c, p, err)
	}
}

var everyRule = Rules{StopWords: []string{"the"}, MinLength: 2, Stem: "english", Phrases: Phrases{Rounds: 2, MinCount: 2, MinNPMI: -1},
	MinDocuments: Frequency{Documents: 1}, MaxDocuments: Frequency{Share: .9}, RemoveTop: 1, Alphabetical: true}

// fuzzTexts reads a text as it is and with every rule.
func fuzzTexts(t *testing.T, text []byte, set Settings) {
	c := accepted(t, text, set)
	if c != nil && slices.Contains(c.Vocabulary, "") {
		t.Fatal("an empty word")
	}
	if small(c) && len(text)%16 == 0 {
		packs(t, c)
	}
	set.Rules = everyRule
	accepted(t, text, set)
}

func FuzzMallet(f *testing.F) {
	for _, s := range []string{"d1 x the cat\nd2 y the dog sat\n\nd3 z", "a b new york new york new york", "d\n", "d l \xff\xfe t"} {
		f.Add([]byte(s))
	}
	f.Add(squeeze(f, []byte("d1 x the cat\nd2 y the dog sat\n")))
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzTexts(t, text, Settings{Format: Mallet})
		fuzzTexts(t, text, Settings{Format: Lines})
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"id,text\n1,the cat\n2,\"a \"\"dog\"\"\nsat\"\n", "text\na\nb\n", "\ufefftext,id\na,b", "text,id\n\"a,b\n", "id,text\n1\n", "text\n\x00"} {
		f.Add([]byte(s))
	}
	whole := squeeze(f, []byte("id,text\n1,the cat\n2,a dog\n"))
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add(whole[:12])
	f.Fuzz(func(t *testing.T, text []byte) {
		fuzzTexts(t, text, Settings{Format: CSV})
		fuzzTexts(t, text, Settings{Format: CSV, NameColumn: "id"})
		fuzzTexts(t, text, Settings{Name: "f.tsv"})
	})
}

// FuzzTokenise holds words to their definition: they are their own only word, and stems of them are no longer empty.
func FuzzTokenise(f *testing.F) {
	for _, s := range []string{"The quick brown fox", "don’t e\u0301te\u0301 İ", "a\xffb -c- d'", "नमस्ते 가각 ﬁ K", "ΣΊΣΥΦΟΣ ſ ǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range Tokenise(text) {
			if again := Tokenise(w); len(again) != 1 || again[0] != w || !utf8.ValidString(w) {
				t.Fatalf("%q gives the word %q, which gives %q", text, w, again)
			}
			for _, language := range Stemmers() {
				stem, err := stemmer(language)
				if err != nil || stem(w) == "" {
					t.Fatalf("%s: the stem of %q is empty (%v)", language, w, err)
				}
			}
		}
		if strings.TrimSpace(text) == "" && len(Tokenise(text)) > 0 {
			t.Fatalf("%q has words", text)
		}
	})
}

func FuzzVocabulary(f *testing.F) {
	f.Add([]byte("a\nb\na\n"))
	f.Add([]byte("\ufeffa\r\n\n"))
	f.Add([]byte("\ufeff\ufeff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		words, _, err := ReadVocabulary(bytes.NewReader(text), "v")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := (&Corpus{Vocabulary: words}).WriteVocabulary(&b); err != nil {
			if strings.HasPrefix(words[0], "\ufeff") {
				return
			}
			t.Fatal(err)
		}
		again, _, err := ReadVocabulary(&b, "v")
		if err != nil || !slices.Equal(again, words) {
			t.Fatalf("%q, written and read, is %q (%v)", words, again, err)
		}
	})
}

func FuzzPacked(f *testing.F) {
	f.Add(packedBytes(f, tiny))
	f.Add(packedBytes(f, &Corpus{Words: 3, Starts: []int64{0, 0, 3}, Tokens: []int32{2, 0, 1}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for range 2 { // as it is, and with the checksum that its content should have
			p, err := unpack(b)
			if err == nil && (p.Check() != nil || p.Corpus.Digest() != p.Digest()) {
				t.Fatalf("%+v: %v", p, p.Check())
			}
			b = bytes.Clone(b)
			if !sealed(b) {
				return
			}
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if p, err := OpenPacked(path); err == nil {
			p.Close()
		}
	})
}

// sealed gives a file that has the form of one the checksum of its content.
func sealed(b []byte) bool {
	if len(b) < headerBytes || !bytes.HasPrefix(b, []byte(kind.Line())) {
		return false
	}
	h := parseHeader(b)
	if h.check(uint64(len(b))) != nil {
		return false
	}
	at, s := h.places(), newSums()
	s[0].Write(b[at[0]:at[1]])
	s[1].Write(b[at[1] : at[1]+4*int64(h.tokens)])
	s[2].Write(b[at[2]:at[3]])
	s[3].Write(b[at[3]:at[4]])
	sum := s.digest(&h)
	copy(b[digestAt:], sum[:])
	return true
}
