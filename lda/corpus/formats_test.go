package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name      string
		set       Settings
		text      string
		want      string
		documents string
	}{
		{"a.mallet", Settings{}, "d1 x The cat\n\nd2\ty\tA dog\nd3 z\n", "the cat|a dog|", "d1 d2 d3"},
		{"a.txt", Settings{}, "The cat\r\n\r\nA dog", "the cat||a dog", ""},
		{"a.txt", Settings{}, "\ufeffThe cat", "the cat", ""},
		{"a.csv", Settings{}, "\ufeffid,text\n1,\"The \"\"cat\"\"\n sat\"\n2,A dog\n", "the cat sat|a dog", ""},
		{"a.csv", Settings{NameColumn: "id"}, "text,id\nThe cat,x\nA dog,y\n", "the cat|a dog", "x y"},
		{"a.csv", Settings{TextColumn: "body"}, "text,body\nThe cat,x\nA dog,y\n", "x|y", ""},
		{"a.csv", Settings{}, "anything\nThe cat\nA dog\n", "the cat|a dog", ""},
		{"a.tsv.gz", Settings{}, "id\ttext\n1\tThe cat\n", "the cat", ""},
		{"a", Settings{Fixed: []string{"x", "y"}}, "2\n2\n2\n1 2 1\n2 1 2\n", "y|x x", ""},
		{"a", Settings{Fixed: []string{"x", "y"}}, "2 0:1 1:2\n0\n1 1:1\n", "x y y||y", ""},
		{"a.ldac", Settings{Fixed: []string{"x", "y"}}, "0\n1 1:1\n\n\n", "|y", ""},
		{"docword.a.txt", Settings{Fixed: []string{"x", "y"}}, "2\n 2 \n2\n\n1\t2  1\r\n2 1 2", "y|x x", ""},
	} {
		for _, text := range [][]byte{[]byte(c.text), squeeze(t, []byte(c.text))} {
			c.set.Name = c.name
			got, _, err := Read(bytes.NewReader(text), c.set)
			if err != nil {
				t.Errorf("%s of %q: %v", c.name, c.text, err)
				continue
			}
			if spell(got) != c.want || strings.Join(got.Documents, " ") != c.documents {
				t.Errorf("%s of %q: %q, called %q; want %q, %q", c.name, c.text, spell(got), got.Documents, c.want, c.documents)
			}
		}
	}
}

func TestFormatNames(t *testing.T) {
	for f := Auto; f <= Folder; f++ {
		var again Format
		if err := again.UnmarshalText([]byte(f.String())); err != nil || again != f {
			t.Errorf("%v: %v, %v", f, again, err)
		}
	}
	var f Format
	if err := f.UnmarshalText([]byte("malet")); err == nil || !strings.Contains(err.Error(), "did you mean mallet?") {
		t.Errorf("%v", err)
	}
}

// Entries in any order give the same collection, with a warning; packed, they have to stand by document.
func TestUnsortedUCI(t *testing.T) {
	const sorted = "4\n3\n5\n1 1 1\n1 3 2\n2 2 1\n4 1 1\n4 3 1\n"
	want, warnings := read(t, sorted, Settings{})
	if len(warnings) != 1 || warnings[0] != "1 of 4 documents has no words; they are kept, and say nothing of topics" {
		t.Errorf("%q", warnings)
	}
	for text, first := range map[string]string{
		"4\n3\n5\n1 3 2\n1 1 1\n2 2 1\n4 1 1\n4 3 1\n":      "f:6: the words of this document do not ascend",
		"4\n3\n5\n1 1 1\n2 2 1\n1 3 2\n4 1 1\n4 3 1\n":      "f:6: the entries do not stand by document (1 entry",
		"4\n3\n5\n4 1 1\n2 2 1\n1 1 1\n1 3 2\n4 3 1\n":      "f:5: the entries do not stand by document (3 entries",
		"4\n3\n6\n1 1 1\n1 3 1\n1 3 1\n2 2 1\n4 1 1\n4 3 1": "f:7: a word is there more than once in this document",
	} {
		c, warnings := read(t, text, Settings{Name: "f"})
		if !slices.Equal(c.Tokens, want.Tokens) || !slices.Equal(c.Starts, want.Starts) {
			t.Errorf("%q: %v %v", text, c.Starts, c.Tokens)
		}
		if len(warnings) != 2 || !strings.HasPrefix(warnings[0], first) {
			t.Errorf("%q: %q", text, warnings)
		}
	}
	path := filepath.Join(t.TempDir(), "docword.txt")
	put(t, path, "2\n2\n2\n2 1 1\n1 2 1\n")
	if _, err := Pack(path+".packed", path, Settings{}); err == nil || !strings.Contains(err.Error(), "docword.txt:5:1: document 1 follows document 2") {
		t.Errorf("%v", err)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "b.txt"), "the dog\nsat")
	put(t, filepath.Join(dir, "a.txt.gz"), string(squeeze(t, []byte("a cat"))))
	put(t, filepath.Join(dir, "sub", "c"), "")
	put(t, filepath.Join(dir, ".hidden"), "no\x00thing")
	c, warnings, err := ReadFile(dir, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if spell(c) != "a cat|the dog sat|" || strings.Join(c.Documents, " ") != "a.txt.gz b.txt sub/c" || len(warnings) != 1 {
		t.Errorf("%q, %q, %q", spell(c), c.Documents, warnings)
	}
	samePacked(t, dir, Settings{}, c)
	put(t, filepath.Join(dir, "z"), "x\x00")
	if _, _, err := ReadFile(dir, Settings{}); err == nil || !strings.Contains(err.Error(), "z:1:2: a zero byte") {
		t.Errorf("%v", err)
	}
}

func TestInvalidUTF8(t *testing.T) {
	c, warnings := read(t, "good\nna\xefve caf\xe9\nfa\xe7ade\n", Settings{Name: "f", Format: Lines})
	if spell(c) != "good|na ve caf|fa ade" || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "f:2:3: bytes here are not UTF-8 (2 lines in all)") {
		t.Errorf("%q, %q", spell(c), warnings)
	}
}

func TestVocabularyBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "docword.kos.txt.gz")
	put(t, path, string(squeeze(t, []byte("1\n2\n1\n1 2 1\n"))))
	put(t, filepath.Join(dir, "vocab.kos.txt"), "x\ny\n")
	c, _, err := ReadFile(path, Settings{})
	if err != nil || spell(c) != "y" {
		t.Errorf("%+v, %v", c, err)
	}
	put(t, filepath.Join(dir, "vocab.kos.txt"), "x\ny\nz\n")
	if _, _, err := ReadFile(path, Settings{}); err == nil || !strings.Contains(err.Error(), "docword.kos.txt.gz:2: the second line announces 2 words, and the vocabulary") {
		t.Errorf("%v", err)
	}
}

// A file of one column that is not called text may have no line of headings at all: that is said.
func TestCSVOfOneColumn(t *testing.T) {
	for text, warned := range map[string]bool{"first document\nsecond one\n": true, "text\nsecond one\n": false} {
		c, warnings, err := Read(strings.NewReader(text), Settings{Name: "a.csv", Format: CSV})
		if err != nil || c.Len() != 1 || (len(warnings) == 1 && strings.Contains(warnings[0], "a.csv:1: \"first document\" is taken for the heading")) != warned {
			t.Errorf("%q: %v %q", text, err, warnings)
		}
	}
}
