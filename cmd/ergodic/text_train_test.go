package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verses is a text of a few sentences.
func verses(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "verses.txt")
	if err := os.WriteFile(path, []byte(strings.Repeat("the cat sat on the mat .\nthe dog sat on the cat .\na dog sat .\n", 3)+"the mat .\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A model as a packed file, with codes, and in the ARPA format has the same perplexity, and a backward one another.
func TestTextTrain(t *testing.T) {
	file, dir := verses(t), t.TempDir()
	lm, arpa, coded, back := filepath.Join(dir, "lm"), filepath.Join(dir, "lm.arpa.gz"), filepath.Join(dir, "coded"), filepath.Join(dir, "back")
	end := must(t, "text", "train", file, "--out", lm, "--arpa", arpa)
	for _, says := range []string{"10 sentences, 57 words, a vocabulary of 11", "wrote " + lm, "wrote " + arpa} {
		if !strings.Contains(end.stdout, says) {
			t.Errorf("%q is not in %s", says, end.stdout)
		}
	}
	if !strings.Contains(end.stderr, "warning: the text is too small to give discounts for sequences of 3 words") {
		t.Error(end.stderr)
	}
	must(t, "text", "train", file, "--out", coded, "--quantise", "8")
	must(t, "text", "train", file, "--out", back, "--backward")
	var r struct {
		Tokens, OOV int
		Perplexity  float64
		Without     float64 `json:"perplexity_without_oov"`
	}
	test := filepath.Join(dir, "test.txt")
	if err := os.WriteFile(test, []byte("the dog sat on the zebra .\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, lm := range []string{lm, arpa, coded, back} {
		if err := json.Unmarshal([]byte(must(t, "text", "perplexity", test, "--lm", lm, "--json").stdout), &r); err != nil {
			t.Fatal(err)
		}
		if r.Tokens != 9 || r.OOV != 1 || !(r.Without < r.Perplexity) {
			t.Errorf("%s: %+v", lm, r)
		}
		all = append(all, r.Perplexity)
	}
	if all[0] != all[1] || math.Abs(all[2]/all[0]-1) > 0.01 || all[3] == all[0] {
		t.Errorf("perplexities %v", all)
	}
	scores := filepath.Join(dir, "scores.tsv")
	if end := must(t, "text", "perplexity", test, "--lm", lm, "--out", scores); !strings.Contains(end.stdout, "2 sentences, 9 tokens with the ends of sentences, 1 of them not in the vocabulary") {
		t.Error(end.stdout)
	}
	if b, err := os.ReadFile(scores); err != nil || strings.Count(string(b), "\n") != 3 || !strings.Contains(string(b), "\tthe dog sat on the zebra .\n") {
		t.Errorf("%s, %v", b, err)
	}
}

// Chinese verse: every character is a word.
func TestTextCharacters(t *testing.T) {
	dir := t.TempDir()
	file, lm := filepath.Join(dir, "verse.txt"), filepath.Join(dir, "lm")
	if err := os.WriteFile(file, []byte("牀前明月光\n疑是地上霜\n舉頭望明月\n低頭思故鄉\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := must(t, "text", "train", file, "--chars", "--order", "2", "--out", lm); !strings.Contains(end.stdout, "4 sentences, 20 words, a vocabulary of 20") {
		t.Error(end.stdout)
	}
	if end := must(t, "text", "perplexity", file, "--lm", lm); !strings.Contains(end.stdout, "24 tokens with the ends of sentences, 0 of them") {
		t.Error(end.stdout)
	}
}

func TestTextFaults(t *testing.T) {
	file, dir := verses(t), t.TempDir()
	lm := filepath.Join(dir, "lm")
	must(t, "text", "train", file, "--out", lm)
	reserved, empty, latin := filepath.Join(dir, "reserved"), filepath.Join(dir, "empty"), filepath.Join(dir, "latin")
	for path, text := range map[string]string{reserved: "a\nb </s> c\n", empty: "", latin: "caf\xe9\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	if end := must(t, "text", "train", reserved, "--skip-special", "--out", filepath.Join(dir, "skipped")); !strings.Contains(end.stdout, "2 sentences, 3 words") {
		t.Error(end.stdout)
	}
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"train " + file, 2, "give --out FILE, --arpa FILE or both"},
		{"train " + file + " --out " + lm, 1, "--force"},
		{"train " + file + " --out " + out + " --arpa " + out, 2, "the same file"},
		{"train " + file + " --out " + out + " --order 0", 2, "--order 0"},
		{"train " + file + " --out " + out + " --order 9", 2, "from 1 to 8"},
		{"train " + file + " --out " + out + " --quantise 4", 2, "--quantise 4"},
		{"train " + file + " --out " + out + " --min-count 3,2", 2, "--min-count 2"},
		{"train " + file + " --out " + out + " --min-count 1,2,3", 2, "2 to 3 words"},
		{"train " + filepath.Join(dir, "none") + " --out " + out, 1, "none"},
		{"train " + reserved + " --out " + out, 1, reserved + `:2: "</s>" stands in the text`},
		{"train " + reserved + " --out " + out, 1, "have it skipped with --skip-special"},
		{"train " + empty + " --out " + out, 1, "there is no line"},
		{"train " + latin + " --out " + out, 1, latin + ":1:4:"},
		{"train " + file + " --out " + filepath.Join(dir, "no", "lm"), 1, "there is no folder"},
		{"perplexity " + file, 2, "--lm"},
		{"perplexity " + file + " --lm " + file, 1, `begins with \data\`},
		{"perplexity " + empty + " --lm " + lm, 1, "there is no line"},
		{"perplexity " + file + " --lm " + lm + " --out " + lm, 1, "--force"},
	} {
		end := execute(t, program(t, append([]string{"text"}, strings.Fields(c.args)...)...))
		if end.status != c.status || !strings.Contains(end.stderr, c.says) {
			t.Errorf("%s: status %d, %s", c.args, end.status, end.stderr)
		}
		if exists(out) {
			t.Fatalf("%s leaves a file", c.args)
		}
	}
}
