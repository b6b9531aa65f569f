package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda"
	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// orchard is the folder of a training on two subjects without a word in common, whose topics are these, and the number of that
// of the fruit.
func orchard(t *testing.T) (dir, fruit string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "orchard")
	must(t, "lda", "train", documents(t, 60), "--topics", "2", "--alpha", "0.5", "--sweeps", "100", "--seed", "2", "--out", dir, "--progress", "none")
	b, err := os.ReadFile(filepath.Join(dir, "topics.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if first := strings.Split(string(b), "\n")[1]; strings.Contains(first, "plum") {
		return dir, "1"
	}
	return dir, "2"
}

// write puts a file into a folder of its own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// Two subjects without a word in common have topics that tell a document's tokens for certain, but for β.
func TestLDAInfer(t *testing.T) {
	dir, fruit := orchard(t)
	file := write(t, "new.txt", "plum pear plum cherry apple quince plum pear\nspanner\nbolt and nut and nut and washer rivet screw bolt\n")
	out := filepath.Join(t.TempDir(), "shares.tsv")
	var got ldaInferResult
	r := must(t, "lda", "infer", dir, file, "--out", out, "--seed", "1", "--json", "--progress", "none")
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatal(err)
	}
	if got.Documents != 3 || got.Tokens != 15 || got.Unknown != 4 || got.Empty != 1 || got.Topics != 2 || got.File != out || got.Seed != 1 {
		t.Errorf("%+v", got)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		f := strings.Split(line, "\t")
		if share, err := strconv.ParseFloat(f[3], 64); err != nil || share > 0.8 {
			most[f[0]] = f[1]
		}
	}
	other := map[string]string{"1": "2", "2": "1"}[fruit]
	if len(most) != 2 || most["1"] != fruit || most["3"] != other {
		t.Errorf("fruit is topic %s: %v of\n%s", fruit, most, b)
	}
	if lines := strings.Count(string(b), "\n"); lines != 3 {
		t.Errorf("%d lines: a topic of which less than half a token is expected has one", lines)
	}
	if most := must(t, "lda", "infer", dir, file, "--least", "7.5", "--seed", "1", "--progress", "none").stdout; strings.Count(most, "\n") != 2 {
		t.Errorf("the fruit alone has 8 tokens of a topic: %q", most)
	}
	for _, args := range [][]string{{dir, "--threads", "1"}, {dir, "--threads", "3"}, {filepath.Join(dir, "topics.model")}} {
		r := must(t, append([]string{"lda", "infer", args[0], file, "--seed", "1", "--progress", "none"}, args[1:]...)...)
		if r.stdout != string(b) || !strings.Contains(r.stderr, "does not know the words of 4 more (21.1 %), those that its training left out among them; 1 document has no word that it knows") {
			t.Errorf("%v: %q, %s", args, r.stdout, r.stderr)
		}
	}
}

// A bag of words is mapped by its words; one without a vocabulary has the numbers of the model's; so has a packed one.
func TestLDAInferOfBags(t *testing.T) {
	dir, _ := orchard(t)
	f, err := lda.ReadFitted(filepath.Join(dir, "topics.model"))
	if err != nil {
		t.Fatal(err)
	}
	text := write(t, "one.txt", "pear pear bolt\nnut\n")
	want := must(t, "lda", "infer", dir, text, "--seed", "3", "--progress", "none").stdout
	folder := t.TempDir()
	bag := func(name string, vocabulary []string) string {
		c, _, err := corpus.ReadFile(text, corpus.Settings{Fixed: vocabulary})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := c.WriteUCI(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	// Tokens of a bag stand in the order of the vocabulary; this one is that of the text.
	mine := []string{"pear", "kiwi", "bolt", "nut"}
	numbered := bag("docword.numbers.txt", f.Vocabulary)
	named, vocab := bag("docword.names.txt", mine), write(t, "v", strings.Join(mine, "\n")+"\n")
	packed := filepath.Join(folder, "p.pack")
	must(t, "lda", "pack", text, "--out", packed)
	shares := map[string]string{}
	for name, args := range map[string][]string{"names": {named, "--vocab", vocab}, "numbers": {numbered}, "packed": {packed}} {
		shares[name] = must(t, append([]string{"lda", "infer", dir, "--seed", "3", "--progress", "none"}, args...)...).stdout
	}
	if shares["names"] != want || shares["packed"] != want {
		t.Errorf("%q, want %q", shares, want)
	}
	if got := shares["numbers"]; len(strings.Split(got, "\n")) != len(strings.Split(want, "\n")) {
		t.Errorf("numbers: %q", got)
	}
	// A model of numbers takes numbers alone.
	f.Vocabulary = nil
	nameless := filepath.Join(folder, "nameless.model")
	if err := f.WriteFile(nameless); err != nil {
		t.Fatal(err)
	}
	if got := must(t, "lda", "infer", nameless, numbered, "--seed", "3", "--progress", "none").stdout; got != shares["numbers"] {
		t.Errorf("without names: %q", got)
	}
	for _, file := range []string{text, packed} {
		if end := execute(t, program(t, "lda", "infer", nameless, file)); end.status != 1 || !strings.Contains(end.stderr, "without a vocabulary") || !strings.Contains(end.stderr, file) {
			t.Errorf("%s: status %d, %s", file, end.status, end.stderr)
		}
	}
}

func TestLDAInferRefuses(t *testing.T) {
	dir, _ := orchard(t)
	file := write(t, "new.txt", "plum\n")
	other, unfinished, cut := t.TempDir(), t.TempDir(), write(t, "cut.model", "ergodic topic model 1\n")
	for folder, spec := range map[string]string{other: "sample", unfinished: "lda train"} {
		b, err := os.ReadFile(filepath.Join(dir, "run.json"))
		if err != nil {
			t.Fatal(err)
		}
		if spec == "sample" {
			run, _ := reference(t)
			if b, err = os.ReadFile(filepath.Join(run, "run.json")); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, "run.json"), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mixed := t.TempDir()
	fitted, err := lda.ReadFitted(filepath.Join(dir, ldaModelFile))
	if err != nil {
		t.Fatal(err)
	}
	fitted.Origin = "another"
	if err := errors.Join(fitted.WriteFile(filepath.Join(mixed, ldaModelFile)), os.Link(filepath.Join(unfinished, "run.json"), filepath.Join(mixed, "run.json"))); err != nil {
		t.Fatal(err)
	}
	bag := write(t, "docword.txt", "1\n3\n1\n1 1 1\n")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{filepath.Join(other, "none"), file}, 1, "there is no run and no file"},
		{[]string{t.TempDir(), file}, 1, "is not the folder of a run of lda train: it has no run.json"},
		{[]string{other, file}, 1, "is the folder of a run of sample; a run of lda train belongs here"},
		{[]string{unfinished, file}, 1, "is not finished, or lacks a file that its end writes; go on with\n  ergodic lda train --resume"},
		{[]string{mixed, file}, 1, "is of another run than"},
		{[]string{file, file}, 1, "new.txt"},
		{[]string{cut, file}, 1, "cut short"},
		{[]string{dir, filepath.Join(other, "none.txt")}, 1, "none.txt"},
		{[]string{dir, write(t, "kiwi.txt", "kiwi\n")}, 1, "none of 1 word is in the vocabulary to keep to"},
		{[]string{dir, bag}, 1, "announces 3 words, and the vocabulary that is fixed has 10"},
		{[]string{dir, file, "--chains", "0"}, 2, "--chains 0: it must be from 1"},
		{[]string{dir, file, "--sweeps", "5"}, 2, "--burn-in 10: it must be from 0 to below the 5 of --sweeps"},
		{[]string{dir, file, "--sweeps", "0"}, 2, "--sweeps 0"},
		{[]string{dir, file, "--burn-in", "-1"}, 2, "--burn-in -1"},
		{[]string{dir, file, "--least", "-1"}, 2, "--least -1: it must be 0 or more"},
		{[]string{dir, file, "--threads", "-1"}, 2, "--threads -1"},
		{[]string{dir, file, "--json"}, 2, "name one with --out"},
		{[]string{dir, file, "--stem", "english"}, 2, "unknown flag --stem"},
		{[]string{dir, file, "--out", file}, 1, "overwrite it with --force"},
		{[]string{dir, file, "--out", filepath.Join(other, "no", "x")}, 1, "there is no folder"},
	} {
		end := execute(t, program(t, append([]string{"lda", "infer"}, c.args...)...))
		if end.status != c.status || !strings.Contains(end.stderr, c.says) {
			t.Errorf("%v: status %d, not %d, with %q: %s", c.args, end.status, c.status, c.says, end.stderr)
		}
	}
}
