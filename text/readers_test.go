package text

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// Bad lines of tables are named, with what is wrong.
func TestReadTones(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "t.txt: there is no word in it",
		"# only\n\n":                "t.txt: there is no word in it",
		"a level x\nb\n":            `t.txt:2: "b" has 1 field`,
		"a level x y\n":             `t.txt:1: "a level x y" has 4 fields`,
		"a level\n\xff\xfe level\n": "t.txt:2: the line",
	} {
		if _, err := ReadTones("t.txt", []byte(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	got, err := ReadTones("t.txt", []byte("\ufeff# a comment\na level\na level\na oblique 7\n"))
	if err != nil || len(got.readings["a"]) != 2 || got.readings["a"][1] != (reading{1, 0}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Bad templates are errors that name the place; good ones have the distance of the enumerated closest sentence.
func TestTemplate(t *testing.T) {
	m := newTable(5, 1, false)
	tones, err := ReadTones("t", []byte("a level x\nb oblique x\nc level y\n"))
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"":                        "a template of 0 words",
		"_ house":                 `"house": text: the vocabulary has no "house"`,
		"_levl":                   `did you mean "level"?`,
		"_x":                      "there are level, oblique",
		"_/A _":                   "only once",
		"_/A * _/A":               "has rhymes and a *",
		"_level/A _level/A":       "no class of rhymes in the table has 2 words",
		strings.Repeat("_ ", 251): "a template of 251 words",
	} {
		if _, err := NewTemplate(m, in, tones); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v, want %s", in, err, want)
		}
	}
	if _, err := NewTemplate(m, "_level", nil); err == nil || !strings.Contains(err.Error(), "need a table") {
		t.Error(err)
	}
	for _, in := range []string{"* b *", "a * _level", "_ * _ c", "* *"} {
		p, err := NewTemplate(m, in, tones)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range sentences(3, 4) {
			least := 100
			for _, y := range sentences(3, 4) {
				if matches(p, p.parts, y) {
					least = min(least, editDistance(x, y))
				}
			}
			if got := p.Lacking(x); got != float64(least) {
				t.Errorf("%s of %v: %v, by enumeration %d", in, x, got, least)
			}
		}
	}
}

// matches tries all ways to fit words to parts, by the definition.
func matches(t *Template, parts []part, words []int32) bool {
	switch {
	case len(parts) == 0:
		return len(words) == 0
	case parts[0].word == anything:
		return matches(t, parts[1:], words) || len(words) > 0 && matches(t, parts, words[1:])
	}
	return len(words) > 0 && t.fits(parts[0], words[0]) && matches(t, parts[1:], words[1:])
}

// The formats of word2vec and of GloVe, and what is wrong in damaged files.
func TestReadVectors(t *testing.T) {
	m := newTable(3, 1, false)
	for _, in := range []string{"2 2\na 3 4\nb 1 0\n", "a 3 4\nzzz 1 1\nb 1 0\na 9 9\n"} {
		v, err := ReadVectors("v.txt", strings.NewReader(in), m)
		if err != nil {
			t.Fatal(err)
		}
		if c := v.Cosine(0, 1); v.Words() != 2 || v.Dimension != 2 || math.Abs(c-0.6) > 1e-7 || v.Cosine(0, 2) != 0 || v.Cosine(2, 2) != 1 {
			t.Errorf("%d words, %d numbers, cosine %v", v.Words(), v.Dimension, c)
		}
		s, err := NewSimilar([]int32{0, 1}, v, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		// a is itself, b is at most 0.6 like a: (1 + 0.6)/2.
		if got := s.Lacking([]int32{0, 2}); math.Abs(got-0.1) > 1e-7 {
			t.Errorf("lacks %v, not 0.1", got)
		}
	}
	for in, want := range map[string]string{
		"":             "v.txt: none of its words",
		"zzz 1 2\n":    "v.txt: none of its words",
		"3 2\na 1 2\n": "v.txt:2: the file has 1 word, and its first line says 3",
		"a 1 2\nb 1\n": `v.txt:2: "b" has 1 number`,
		"a 1 x\n":      `v.txt:1: "a": "x" is no number`,
		"a 1 NaN\n":    `v.txt:1: "a": "NaN" is no number`,
		"a\n":          `v.txt:1: "a" has 0 numbers`,
	} {
		if _, err := ReadVectors("v.txt", strings.NewReader(in), m); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestNear(t *testing.T) {
	m := spelledModel{newTable(5, 2, false), []string{"house", "horse", "mouse", "time", "a"}}
	if got := Join(m, Near(m, "huose", 3)); got != "house mouse horse" { // one exchange; then two edits, by probability
		t.Errorf("near huose: %s", got)
	}
	if _, err := FindAll(m, []string{"time", "tiem", "xyzzy"}); err == nil || err.Error() != `text: the vocabulary has no "tiem", "xyzzy"; it has "time"` {
		t.Error(err)
	}
	c, err := NewCorrection(m, []string{"huose", "time"})
	if err != nil {
		t.Fatal(err)
	}
	// huose → house: one exchange of five letters costs 1/5; a word more costs 1.
	if got := c.Lacking([]int32{0, 3, 4}); math.Abs(got-1.2) > 1e-12 || Join(m, c.skeleton()) != "house time" {
		t.Errorf("distance %v, start %s", got, Join(m, c.skeleton()))
	}
}

// spelledModel has words of its own spelling.
type spelledModel struct {
	*table
	names []string
}

func (m spelledModel) Word(w int32) string { return m.names[w] }

func (m spelledModel) Number(word string) (int32, bool) {
	for i, n := range m.names {
		if n == word {
			return int32(i), true
		}
	}
	return m.Unknown(), false
}

func FuzzReadTones(f *testing.F) {
	f.Add([]byte("a level x\nb oblique\n# c\n"))
	f.Add([]byte("\xff\x00 a\t\tb"))
	f.Fuzz(func(t *testing.T, in []byte) {
		tones, err := ReadTones("t", in)
		if err != nil {
			checkMessage(t, err)
			return
		}
		if len(tones.readings) == 0 || len(tones.tones) == 0 {
			t.Errorf("%d words, %d tones", len(tones.readings), len(tones.tones))
		}
	})
}

func FuzzReadVectors(f *testing.F) {
	f.Add([]byte("2 2\na 3 4\nb 1 0\n"))
	f.Add([]byte("a 1e39 2\n"))
	f.Add([]byte("9999999999999999999 1\n\na"))
	m := newTable(3, 1, false)
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := ReadVectors("v", bytes.NewReader(in), m)
		if err != nil {
			checkMessage(t, err)
			return
		}
		for a := range int32(3) {
			for b := range int32(3) {
				if c := v.Cosine(a, b); !(c > -1.001 && c < 1.001) {
					t.Errorf("cosine %v", c)
				}
			}
		}
	})
}

func FuzzTemplate(f *testing.F) {
	f.Add("a _ *\n_level/A _/A")
	f.Add("_/ _/ * *\n\n_")
	m := newTable(5, 1, false)
	tones, err := ReadTones("tones", []byte("a level x\nb level x\nb oblique y\nc oblique y\nd level y\nd level x\ne oblique x\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := NewTemplate(m, in, tones)
		if err != nil {
			checkMessage(t, err)
			return
		}
		least, most := p.bounds()
		for _, x := range sentences(5, 2) {
			lack := p.Lacking(x)
			if lack < 0 || lack == 0 && (len(x) < least || len(x) > most) {
				t.Errorf("%q lacks %v of %v", in, lack, x)
			}
		}
		if _, err := NewTarget(m, 0, MostWords, Hard(p)); err != nil {
			checkMessage(t, err)
		}
	})
}

func checkMessage(t *testing.T, err error) {
	t.Helper()
	if s := err.Error(); len(s) > 2000 || !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\x1b") {
		t.Errorf("the message %q", s)
	}
}
