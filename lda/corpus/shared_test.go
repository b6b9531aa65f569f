package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared finds the corpora: in $ERGODIC_SHARED, or in ../shared beside the module.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "lda", name, "docword.txt.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	return path
}

// The counts are those of shared/lda/REFERENCE.md, the numbers of words those of the headers.
func TestSharedCounts(t *testing.T) {
	for _, want := range []struct {
		name                     string
		documents, words, tokens int
	}{
		{"reuters", 395, 4258, 84010}, {"ap", 2246, 10473, 435838}, {"kos", 3430, 6906, 467714},
		{"20news", 18235, 33559, 2008247}, {"win32", 45525, 28866, 7867237},
	} {
		t.Run(want.name, func(t *testing.T) {
			path := shared(t, want.name)
			c, warnings, err := ReadFile(path, Settings{})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil || c.Len() != want.documents || c.Words != want.words || len(c.Tokens) != want.tokens || len(c.Vocabulary) != want.words {
				t.Errorf("%d documents, %d words of which %d are named, %d tokens; want %d, %d, %d (%v)", c.Len(), c.Words, len(c.Vocabulary), len(c.Tokens), want.documents, want.words, want.tokens, err)
			}
			if len(warnings) > 0 {
				t.Log(warnings)
			}
			samePacked(t, path, Settings{}, c)
		})
	}
}

// samePacked packs a file and compares what is opened with what was read.
func samePacked(t *testing.T, from string, set Settings, want *Corpus) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "packed")
	if _, err := Pack(to, from, set); err != nil {
		t.Fatal(err)
	}
	p, err := OpenPacked(to)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if !slices.Equal(p.Tokens, want.Tokens) || !slices.Equal(p.Starts, want.Starts) || !slices.Equal(p.Vocabulary, want.Vocabulary) || !slices.Equal(p.Documents, want.Documents) || p.Words != want.Words {
		t.Errorf("packed %d documents, %d tokens, %d words; read %d, %d, %d", p.Len(), len(p.Tokens), p.Words, want.Len(), len(want.Tokens), want.Words)
	}
	if p.Digest() != want.Digest() || p.Corpus.Digest() != want.Digest() {
		t.Errorf("digest %s, and %s of what is mapped; want %s", p.Digest(), p.Corpus.Digest(), want.Digest())
	}
}

func BenchmarkReadUCI(b *testing.B) {
	path := shared(b, "win32")
	in := &input{name: path, path: path}
	o, err := in.open()
	if err != nil {
		b.Fatal(err)
	}
	n, err := o.WriteTo(discard{})
	if err != nil {
		b.Fatal(err)
	}
	o.close()
	b.SetBytes(n)
	for b.Loop() {
		if _, _, err := ReadFile(path, Settings{}); err != nil {
			b.Fatal(err)
		}
	}
}

// discard is io.Discard without its way around the buffer.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkReadLines reads the texts that 20news might have been.
func BenchmarkReadLines(b *testing.B) {
	c, _, err := ReadFile(shared(b, "20news"), Settings{})
	if err != nil {
		b.Fatal(err)
	}
	text := []byte(strings.ReplaceAll(spell(c), "|", "\n"))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := Read(bytes.NewReader(text), Settings{Format: Lines, Rules: Rules{StopWords: EnglishStopWords()}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpenPacked(b *testing.B) {
	to := filepath.Join(b.TempDir(), "packed")
	if _, err := Pack(to, shared(b, "win32"), Settings{}); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(to)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		p, err := OpenPacked(to)
		if err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}
