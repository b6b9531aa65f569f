package corpus

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTokenise(t *testing.T) {
	for text, want := range map[string]string{
		"The quick, brown FOX.":           "the quick brown fox",
		"don't stop: rock-n-roll":         "don't stop rock-n-roll",
		"o’clock ‘quoted’ well‐known":     "o'clock quoted well-known",
		"dogs' -5 --flag a--b 'tis x-":    "dogs 5 flag a b tis x",
		"3.14 10,000 B2B snake_case":      "3 14 10 000 b2b snake case",
		"Ärger ÉTÉ ΣΊΣΥΦΟΣ Москва":        "ärger été σίσυφοσ москва",
		"e\u0301te\u0301":                 "été",
		"\u0301alone İstanbul":            "alone istanbul",
		"नमस्ते दुनिया":                   "नमस्ते दुनिया",
		"bad\xffbyte \xc3":                "bad byte",
		"":                                "",
		"a\u00a0b\tc\nd":                  "a b c d",
		"https://example.org/a?b=c e@x.y": "https example org a b c e x y",
	} {
		if got := strings.Join(Tokenise(text), " "); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

func read(t *testing.T, text string, set Settings) (*Corpus, []string) {
	t.Helper()
	c, warnings, err := Read(strings.NewReader(text), set)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c, warnings
}

// spell is the documents in words, with a bar between.
func spell(c *Corpus) string {
	var docs []string
	for d := range c.Len() {
		var words []string
		for _, w := range c.Document(d) {
			words = append(words, c.Vocabulary[w])
		}
		docs = append(docs, strings.Join(words, " "))
	}
	return strings.Join(docs, "|")
}

func TestRules(t *testing.T) {
	const text = "the cat sat on the mat\nthe dog sat\na cat and a dog\nthe end"
	for _, c := range []struct {
		rules      Rules
		want       string
		vocabulary string
	}{
		{Rules{}, "the cat sat on the mat|the dog sat|a cat and a dog|the end", "the cat sat on mat dog a and end"},
		{Rules{Alphabetical: true}, "the cat sat on the mat|the dog sat|a cat and a dog|the end", "a and cat dog end mat on sat the"},
		{Rules{StopWords: []string{"The", "a", "AND"}}, "cat sat on mat|dog sat|cat dog|end", "cat sat on mat dog end"},
		{Rules{MinLength: 3}, "the cat sat the mat|the dog sat|cat and dog|the end", "the cat sat mat dog and end"},
		{Rules{MinDocuments: Frequency{Documents: 2}}, "the cat sat the|the dog sat|cat dog|the", "the cat sat dog"},
		{Rules{MinDocuments: Frequency{Share: .5}}, "the cat sat the|the dog sat|cat dog|the", "the cat sat dog"},
		{Rules{MaxDocuments: Frequency{Share: .5}}, "cat sat on mat|dog sat|a cat and a dog|end", "cat sat on mat dog a and end"},
		{Rules{MaxDocuments: Frequency{Documents: 1}}, "on mat||a and a|end", "on mat a and end"},
		{Rules{RemoveTop: 1}, "cat sat on mat|dog sat|a cat and a dog|end", "cat sat on mat dog a and end"},
		{Rules{RemoveTop: 2}, "sat on mat|dog sat|a and a dog|end", "sat on mat dog a and end"},
	} {
		got, _ := read(t, text, Settings{Format: Lines, Rules: c.rules})
		if spell(got) != c.want || strings.Join(got.Vocabulary, " ") != c.vocabulary {
			t.Errorf("%+v: %q of %q; want %q of %q", c.rules, spell(got), got.Vocabulary, c.want, c.vocabulary)
		}
	}
}

func TestRulesOfBags(t *testing.T) {
	const text = "3\n4\n5\n1 1 2\n1 2 1\n2 1 1\n2 4 1\n3 4 3\n"
	fixed := []string{"The", "cat", "unused", "dog"}
	c, warnings := read(t, text, Settings{Format: UCI, Fixed: fixed})
	if spell(c) != "The The cat|The dog|dog dog dog" || c.Words != 4 || len(warnings) > 0 {
		t.Errorf("%q, %d words, %q", spell(c), c.Words, warnings)
	}
	c, warnings = read(t, text, Settings{Rules: Rules{MinDocuments: Frequency{Documents: 2}, RemoveTop: 1}})
	if c.Words != 1 || c.Vocabulary != nil || !slices.Equal(c.Starts, []int64{0, 2, 3, 3}) {
		t.Errorf("%+v", c)
	}
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], "1 of 3 documents has no words, 1 of them because the vocabulary leaves out") {
		t.Errorf("%q", warnings)
	}
	for _, r := range []Rules{{StopWords: []string{"the"}}, {MinLength: 2}, {Stem: "english"}, {Phrases: Phrases{Rounds: 1}}, {RemoveTop: -1}, {RemoveTop: 4}, {MinDocuments: Frequency{Share: 2}}} {
		if _, _, err := Read(strings.NewReader(text), Settings{Rules: r}); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
}

func TestStem(t *testing.T) {
	c, _ := read(t, "Running runs the RUNNER\nrun being", Settings{Format: Lines, Rules: Rules{Stem: "english", StopWords: []string{"being"}}})
	if got := spell(c); got != "run run the runner|run" {
		t.Errorf("%q", got)
	}
	if _, _, err := Read(strings.NewReader("a"), Settings{Rules: Rules{Stem: "englsh"}}); err == nil || !strings.Contains(err.Error(), "did you mean english?") {
		t.Errorf("%v", err)
	}
	for _, language := range Stemmers() {
		c, _ := read(t, "eins two trois quatro пять", Settings{Format: Lines, Rules: Rules{Stem: language}})
		if len(c.Tokens) != 5 {
			t.Errorf("%s: %q", language, spell(c))
		}
	}
}

// In these texts new york stands three times and times square twice, but not across punctuation or a word that is left out.
func TestPhrases(t *testing.T) {
	const text = "new york times square\nin new york, times square\nthe new york\nnew the york\nnew. york"
	set := Settings{Format: Lines, Rules: Rules{StopWords: []string{"the"}, Phrases: Phrases{Rounds: 1, MinCount: 2}}}
	c, _ := read(t, text, set)
	if got := spell(c); got != "new_york times_square|in new_york times_square|new_york|new york|new york" {
		t.Errorf("%q", got)
	}
	set.Rules.Phrases.MinCount = 3
	c, _ = read(t, text, set)
	if got := spell(c); got != "new_york times square|in new_york times square|new_york|new york|new york" {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("a b c d\ne f\n", 10)
	set.Rules.Phrases = Phrases{Rounds: 2, MinCount: 5, MinNPMI: .5}
	c, _ = read(t, long, set)
	if got, want := spell(c), strings.TrimSuffix(strings.Repeat("a_b_c_d|e_f|", 10), "|"); got != want {
		t.Errorf("%q", got)
	}
	if len(c.Vocabulary) != 2 {
		t.Errorf("%q", c.Vocabulary)
	}
}

// Of a pair that is there 2 times among 8 tokens, and its words 2 and 4 times: ln((1/4)/(1/4·1/2))/−ln(1/4) = 1/2.
func TestNPMI(t *testing.T) {
	if got := npmi(2, 2, 4, 8); math.Abs(got-.5) > 1e-14 {
		t.Errorf("%v", got)
	}
	if got := npmi(3, 3, 3, 9); math.Abs(got-1) > 1e-14 {
		t.Errorf("%v", got)
	}
}

// A vocabulary to keep to has the last word on words, phrases and their numbers.
func TestFixed(t *testing.T) {
	set := Settings{Format: Lines, Fixed: []string{"square", "new_york", "cat"}, Rules: Rules{Phrases: Phrases{Rounds: 1}, MinDocuments: Frequency{Documents: 9}}}
	c, warnings := read(t, "new york square\ndogs\nnew cat york", set)
	if got := spell(c); got != "new_york square||cat" || !slices.Equal(c.Tokens, []int32{1, 0, 2}) || len(warnings) != 1 {
		t.Errorf("%q, %v, %q", got, c.Tokens, warnings)
	}
	if c.LeftOut != 3 {
		t.Errorf("%d tokens are left out", c.LeftOut)
	}
	if _, _, err := Read(strings.NewReader("dogs"), set); err == nil || !strings.Contains(err.Error(), "none of 1 word is in the vocabulary to keep to") {
		t.Errorf("%v", err)
	}
}

func TestFrequency(t *testing.T) {
	for text, want := range map[string]Frequency{"20": {Documents: 20}, "0.5": {Share: .5}, "50%": {Share: .5}, "0": {}, "1.0": {Share: 1}} {
		var f, again Frequency
		if err := f.UnmarshalText([]byte(text)); err != nil || f != want {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
		if err := again.UnmarshalText([]byte(f.String())); err != nil || again != f {
			t.Errorf("%v: %+v, %v", f, again, err)
		}
	}
	for _, text := range []string{"-1", "x", "1.5", "150%", "", "NaN", "0.0"} {
		var f Frequency
		if err := f.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, f)
		}
	}
	share := Frequency{Share: .3}
	if share.least(10) != 3 || share.most(10) != 3 || share.least(11) != 4 || share.most(11) != 3 || (Frequency{}).most(7) != 7 {
		t.Error("shares of documents")
	}
}

// The list is written as the tokeniser writes words, so that each of them is found, and has no word twice.
func TestEnglishStopWords(t *testing.T) {
	list := EnglishStopWords()
	seen := map[string]bool{}
	for _, w := range list {
		if got := Tokenise(w); len(got) != 1 || got[0] != w || !utf8.ValidString(w) {
			t.Errorf("%q is %q to the tokeniser", w, got)
		}
		if seen[w] {
			t.Errorf("%q is there twice", w)
		}
		seen[w] = true
	}
	if len(list) < 200 {
		t.Errorf("%d words", len(list))
	}
}

// KeepTo gives what reading with Fixed gives.
func TestKeepTo(t *testing.T) {
	const text = "cat square dog cat\n\ndog\nsquare square"
	fixed := []string{"square", "mouse", "cat"}
	want, _ := read(t, text, Settings{Format: Lines, Fixed: fixed})
	whole, _ := read(t, text, Settings{Format: Lines})
	tokens := slices.Clone(whole.Tokens)
	got, err := whole.KeepTo(fixed)
	if err != nil || !reflect.DeepEqual(got, want) || got.LeftOut != 2 || !slices.Equal(whole.Tokens, tokens) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	bag := Corpus{Words: 3, Starts: []int64{0, 2}, Tokens: []int32{2, 0}}
	if got, err := bag.KeepTo(fixed); err != nil || spell(got) != "cat square" {
		t.Errorf("numbers: %+v, %v", got, err)
	}
	if _, err := bag.KeepTo(fixed[:2]); err == nil || !strings.Contains(err.Error(), "there are 3 of them") {
		t.Errorf("other numbers: %v", err)
	}
	if _, err := whole.KeepTo([]string{"mouse"}); err == nil || !strings.Contains(err.Error(), "none of 3 words") {
		t.Errorf("other words: %v", err)
	}
	// Stems and phrases of the model are in the words of its vocabulary; a bag has no texts to find them in.
	set := Settings{Format: UCI, Fixed: fixed, Rules: Rules{Stem: "english", Phrases: Phrases{Rounds: 1}}}
	if c, _ := read(t, "1\n3\n1\n1 3 2\n", set); spell(c) != "cat cat" {
		t.Errorf("a bag: %q", spell(c))
	}
}
