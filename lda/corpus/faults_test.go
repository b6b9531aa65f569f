package corpus

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

func squeeze(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every fault is an error that names place, value and way out, in gzip or not.
func TestFaults(t *testing.T) {
	wide := strings.Repeat("w", 300)
	three := []string{"a", "b", "c"}
	for _, c := range []struct {
		format     Format
		text, want string
		fixed      []string
	}{
		{UCI, "", "f: the file is empty", nil},
		{UCI, "2\n", "f:1: the file ends before the number of words", nil},
		{UCI, "2 3 4\n", `f:1:1: "2 3 4" is not a number; the number of documents belongs alone in line 1`, nil},
		{UCI, "2\nx\n1\n", `f:2:1: "x" is not a number`, nil},
		{UCI, "2\n-3\n1\n", `f:2:1: "-3" is negative`, nil},
		{UCI, "0\n3\n0\n", "announce 0 documents", nil},
		{UCI, "2\n99999999999999999999\n1\n", "f:2:1: \"99999999999999999999\" is above 2147483646", nil},
		{UCI, "2\n3\n2\n1 1 1\n", "f:4: the third line of the file announces 2 entries, and it ends after 1", nil},
		{UCI, "2\n3\n1\n1 1 1\n1 2 1\n", "f:5:1: the third line of the file announces 1 entry, and this is one more", nil},
		{UCI, "2\n3\n1\n0 1 1\n", "f:4:1: document 0: documents and words count from 1", nil},
		{UCI, "2\n3\n1\n1 0 1\n", "f:4:3: word 0: documents and words count from 1", nil},
		{UCI, "2\n3\n1\n3 1 1\n", "f:4:1: document 3: line 1 of the file announces 2", nil},
		{UCI, "2\n3\n1\n1 4 1\n", "f:4:3: word 4: line 2 of the file announces 3", nil},
		{UCI, "2\n3\n1\n1 3 0\n", "f:4:5: the count is 0", nil},
		{UCI, "2\n3\n1\n1 3 0.5\n", "f:4:5: \"0.5\" is not written as a whole number (topic models are for counts", nil},
		{UCI, "2\n3\n1\n1 3 NaN\n", "f:4:5: \"NaN\" is not a number", nil},
		{UCI, "2\n3\n1\n1 3\n", "f:4:4: the line ends before the count", nil},
		{UCI, "2\n3\n1\n1 3 1 7\n", "f:4:7: \"7\" follows", nil},
		{UCI, "2\n3\n1\n1 3 9999999999\n", "f:4:5: \"9999999999\" is above 2147483646", nil},
		{UCI, "2\n3\n1\n1 " + wide + " 1\n", "…", nil},
		{UCI, "2\n4\n1\n1 3 1\n", "f:2: the second line announces 4 words, and the vocabulary that is fixed has 3", three},
		{UCI, "2\n3\n1\n1 3\x00 1\n", "f:4:4: a zero byte stands here", nil},
		{LDAC, "x 1:1\n", `f:1:1: "x" is not a number`, nil},
		{LDAC, "2 1:1\n", "f:1:1: the line announces 2 different words, and 1 follow", nil},
		{LDAC, "1 1:1 2:1\n", "f:1:1: the line announces 1 different word, and 2 follow", nil},
		{LDAC, "1 1:1\n2 1:1 2\n", `f:2:7: "2" is not word:count`, nil},
		{LDAC, "1 a:1\n", `f:1:3: "a" is not a number; the number of a word`, nil},
		{LDAC, "1 -1:1\n", `f:1:3: "-1" is negative`, nil},
		{LDAC, "1 :1\n", `f:1:3: ":1" is not word:count`, nil},
		{LDAC, "1 1:\n", `f:1:5: a count belongs after the colon`, nil},
		{LDAC, "1 1:0\n", `f:1:5: the count is 0`, nil},
		{LDAC, "1 1:x\n", `f:1:5: "x" is not a number`, nil},
		{LDAC, "1 1:1.5\n", `f:1:5: "1.5" is not written as a whole number`, nil},
		{LDAC, "1 3:1\n", "f:1:3: word 3: the vocabulary that is fixed has 3 words", three},
		{LDAC, "1 1:1\n\n1 1:1\n", "f:2: the line is empty", nil},
		{Mallet, "name\n", `f:1:5: the line ends after "name"`, nil},
		{Mallet, "n\xffme l text\n", `f:1:2: "\xff" is not UTF-8`, nil},
		{Mallet, "\n\n", "the collection has no documents", nil},
		{Lines, "one\ntw\x00o\n", "f:2:3: a zero byte stands here", nil},
		{Lines, "\n\n", "the documents have no words", nil},
		{CSV, "id,txt\n1,a\n", `f:1: no column is called "text"; did you mean "txt"?`, nil},
		{CSV, "id,body,title\n1,a,b\n", `f:1: no column is called "text"; there are id, body, title`, nil},
		{CSV, "text,text\n1,a\n", `f:1: two columns are called "text"`, nil},
		{CSV, "id,text\n1,a,b\n", `f:2: this record has another number of fields than the headings`, nil},
		{CSV, "id,text\n1,\"a\n2,b\n", `f:2: the quotes of the record that begins here do not close`, nil},
		{CSV, "id,text\n1,a\"b\n", `f:2:4: a quote stands within a field`, nil},
		{CSV, "id,text\n1,a\x00b\n", `f:2:3: this field holds a zero byte`, nil},
		{CSV, "id,text\n", "the collection has no documents", nil},
	} {
		for _, text := range [][]byte{[]byte(c.text), squeeze(t, []byte(c.text))} {
			_, _, err := Read(bytes.NewReader(text), Settings{Name: "f", Format: c.format, Fixed: c.fixed})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v of %q: %v; want %s", c.format, c.text, err, c.want)
			}
			if err != nil && len(err.Error()) > 400 {
				t.Errorf("a message of %d bytes: %v", len(err.Error()), err)
			}
		}
	}
}

func TestBrokenGzip(t *testing.T) {
	var text strings.Builder
	text.WriteString("1\n5000\n5000\n")
	for k := range 5000 {
		text.WriteString("1 " + string(itoa(k+1)) + " 1\n")
	}
	whole := squeeze(t, []byte(text.String()))
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-6] ^= 1 // of the checksum
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"cut":     {whole[:len(whole)/2], "it is cut short"},
		"damaged": {damaged, "the gzip file is damaged here"},
		"magic":   {whole[:5], "it is cut short"},
		"longer":  {append(bytes.Clone(whole), "more than a header"...), "the gzip file is damaged here"},
	} {
		for f := UCI; f <= CSV; f++ {
			_, _, err := Read(bytes.NewReader(c.file), Settings{Name: "f", Format: f})
			if f == UCI && (err == nil || !strings.Contains(err.Error(), c.want)) || f != LDAC && err == nil {
				t.Errorf("%s as %v: %v; want %s", name, f, err, c.want)
			}
		}
	}
}

// What comes through a pipe is read once, which packing is not.
func TestPipe(t *testing.T) {
	for _, twice := range []bool{false, true} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Skip(err)
		}
		defer r.Close()
		path := fmt.Sprintf("/dev/fd/%d", r.Fd())
		if _, err := os.Stat(path); err != nil {
			t.Skip("no /dev/fd")
		}
		_, _ = w.WriteString("the cat\nthe dog\n")
		w.Close()
		if !twice {
			c, _, err := ReadFile(path, Settings{})
			if err != nil || spell(c) != "the cat|the dog" {
				t.Errorf("%+v, %v", c, err)
			}
			continue
		}
		if _, err := Pack(filepath.Join(t.TempDir(), "p"), path, Settings{}); err == nil || !strings.Contains(err.Error(), "would have to be read twice") {
			t.Errorf("%v", err)
		}
	}
}

func itoa(k int) []byte {
	var b []byte
	for ; k > 0; k /= 10 {
		b = append([]byte{byte('0' + k%10)}, b...)
	}
	return b
}

// What a small file claims or unpacks to is refused before it is taken.
func TestNoMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(200 << 20))
	zeros := squeeze(t, make([]byte, 1<<27))
	long := squeeze(t, bytes.Repeat([]byte("a"), 1<<27))
	empty := squeeze(t, bytes.Repeat([]byte("\n"), 1<<26))
	quoted := squeeze(t, append([]byte("text\n\""), bytes.Repeat([]byte("a\n"), 1<<26)...))
	for name, c := range map[string]struct {
		format Format
		text   []byte
		want   string
	}{
		"a count":               {UCI, []byte("1\n1\n1\n1 1 2000000000\n"), "f:4: the collection does not fit"},
		"documents":             {UCI, []byte("2000000000\n1\n1\n1 1 2\n"), "f:3: the collection does not fit"},
		"words":                 {UCI, []byte("1\n2000000000\n1\n1 1 2\n"), "memory"},
		"a word":                {LDAC, []byte("1 2000000000:2\n"), "memory"},
		"a count in LDA-C":      {LDAC, []byte("1 2:2000000000\n"), "f:1: the collection does not fit"},
		"zeros":                 {Lines, zeros, "f:1:1: a zero byte"},
		"a line":                {Lines, long, "f:1: the file cannot be read"},
		"empty documents":       {Lines, empty, "the collection does not fit"},
		"a quote that is open":  {CSV, quoted, "memory would be needed"},
		"a line that has holes": {UCI, zeros, "f:1:1: a zero byte"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, _, err := Read(bytes.NewReader(c.text), Settings{Name: "f", Format: c.format})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v; want %s", err, c.want)
			}
			var none *memory.Error
			if !strings.Contains(c.want, "zero byte") && !errors.As(err, &none) {
				t.Errorf("%v is no error of memory", err)
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := ReadFile(filepath.Join(dir, "nothing"), Settings{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, _, err := ReadFile(dir, Settings{}); err == nil || !strings.Contains(err.Error(), "the folder has no files") {
		t.Errorf("%v", err)
	}
	if _, _, err := ReadFile(dir, Settings{Format: UCI}); err == nil || !strings.Contains(err.Error(), "this is a folder") {
		t.Errorf("%v", err)
	}
	if _, _, err := ReadFile("/dev/null", Settings{}); err == nil {
		t.Error("a device was read")
	}
}

func TestVocabularyFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":             "v:1: the file is empty",
		"a\n\nb\n":     "v:2: the line is empty",
		"a\nb\xffc\n":  `v:2:2: "\xff" is not UTF-8`,
		"a\nb\x00c\n":  "v:2:2: a zero byte",
		"\x1f\x8b\x08": "gzip file ends before its end",
	} {
		if _, _, err := ReadVocabulary(strings.NewReader(text), "v"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	words, warnings, err := ReadVocabulary(strings.NewReader("\ufeffa\r\nb\r\na\r\n\n"), "v")
	if err != nil || len(words) != 3 || words[0] != "a" || len(warnings) != 1 || !strings.HasPrefix(warnings[0], `v:3: "a" is already the word of line 1`) {
		t.Errorf("%q, %q, %v", words, warnings, err)
	}
}
