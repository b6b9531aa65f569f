package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/text/ngram"
)

// seaModel is a model of the example that the README shows.
func seaModel(t *testing.T) string {
	t.Helper()
	lm := filepath.Join(t.TempDir(), "sea.lm")
	must(t, "text", "train", example("sea.txt"), "--out", lm)
	return lm
}

func example(name string) string { return filepath.Join("..", "..", "examples", name) }

type textLine struct {
	Case           string
	Text           string
	LogProb        float64 `json:"log_prob"`
	PerWord        float64 `json:"log_prob_per_word"`
	Penalty        float64
	Accept         float64
	ConstraintsMet int `json:"constraints_met"`
	Constraints    int
	Chain          int
}

// sentencesOf runs a job and reads its lines.
func sentencesOf(t *testing.T, args ...string) (all []textLine) {
	t.Helper()
	r := must(t, append([]string{"text", args[0], "--json", "--progress", "none", "--seed", "1", "--out", filepath.Join(t.TempDir(), "run")}, args[1:]...)...)
	for line := range strings.Lines(r.stdout) {
		var one textLine
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err, line)
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		t.Fatal("nothing was written")
	}
	return all
}

// What each task writes meets what was asked for, with the log probability that the model gives it by itself.
func TestTextTasks(t *testing.T) {
	lm := seaModel(t)
	m, err := ngram.Open(t.Context(), lm)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	dir := t.TempDir()
	cases := filepath.Join(dir, "cases.tsv")
	if err := os.WriteFile(cases, []byte("number\tkeywords\n1\tmoon boat\n2\tfire\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		good func(words []string) bool
	}{
		"generate": {[]string{"generate", "--lm", lm, "--keywords", "moon,boat", "--length", "5..9"},
			func(w []string) bool {
				return slices.Contains(w, "moon") && slices.Contains(w, "boat") && len(w) >= 5 && len(w) <= 9
			}},
		"in order": {[]string{"generate", "--lm", lm, "--keywords", "sea,moon", "--ordered", "--forbid", "the", "--samples", "3"},
			func(w []string) bool {
				return slices.Index(w, "sea") >= 0 && slices.Contains(w[slices.Index(w, "sea"):], "moon") && !slices.Contains(w, "the")
			}},
		"cases": {[]string{"generate", "--lm", lm, "--cases", cases, "--replicas", "3", "--steps", "2000"}, func(w []string) bool { return slices.Contains(w, "boat") || slices.Contains(w, "fire") }},
		"fill":  {[]string{"fill", "the _ was * .", "--lm", lm, "--best", "3"}, func(w []string) bool { return w[0] == "the" && w[2] == "was" && w[len(w)-1] == "." }},
		"paraphrase": {[]string{"paraphrase", "The moon was bright that night.", "--lm", lm, "--edits", "2..3"},
			func(w []string) bool { return !slices.Equal(w, strings.Fields("the moon was bright that night .")) }},
		"gibbs":      {[]string{"fill", "_ boat _ _", "--lm", lm, "--method", "gibbs", "--full", "--steps", "500"}, func(w []string) bool { return len(w) == 4 && w[1] == "boat" }},
		"importance": {[]string{"generate", "--lm", lm, "--keywords", "boat", "--method", "importance"}, func(w []string) bool { return slices.Contains(w, "boat") }},
		"rejection":  {[]string{"generate", "--lm", lm, "--keywords", "sea", "--method", "rejection", "--steps", "2000"}, func(w []string) bool { return slices.Contains(w, "sea") }},
	} {
		for _, line := range sentencesOf(t, c.args...) {
			words := strings.Fields(line.Text)
			var numbers []int32
			for _, w := range words {
				n, _ := m.Number(w)
				numbers = append(numbers, n)
			}
			if score := m.ScoreSentence(numbers); math.Abs(score.LogProb-line.LogProb) > 1e-9 || math.Abs(line.PerWord*float64(score.Tokens)-line.LogProb) > 1e-9 {
				t.Errorf("%s: %q has %v and %v a word, by the model %v", name, line.Text, line.LogProb, line.PerWord, score.LogProb)
			}
			if !c.good(words) || line.ConstraintsMet != line.Constraints {
				t.Errorf("%s: %+v", name, line)
			}
		}
	}
	if best := sentencesOf(t, "correct", "The moon waz over teh see.", "--lm", lm)[0]; best.Text != "the moon was over the sea ." || best.Penalty >= 0 {
		t.Errorf("corrected: %+v", best)
	}
	verse := sentencesOf(t, "compose", example("couplet.form"), "--tones", example("rhymes.txt"), "--lm", lm)
	for _, line := range verse {
		one, two, ok := strings.Cut(line.Text, "\n")
		a, b := strings.Fields(one), strings.Fields(two)
		if !ok || len(a) != 8 || len(b) != 8 || a[6] == b[6] || line.ConstraintsMet != 1 {
			t.Errorf("verse: %+v", line)
		}
	}
}

// A run that is killed or interrupted goes on to the same sentences, with any number of threads, and refuses other flags.
func TestTextResumes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	lm, dir := seaModel(t), t.TempDir()
	whole, cut, cases := filepath.Join(dir, "whole"), filepath.Join(dir, "cut"), filepath.Join(dir, "cases.tsv")
	args := func(out string, more ...string) []string {
		return append([]string{"text", "generate", "--lm", lm, "--keywords", "moon,boat", "--cases", cases, "--seed", "5", "--steps", "75000", "--progress", "none", "--out", out}, more...)
	}
	if err := os.WriteFile(cases, []byte("sea,fire\nnight\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	must(t, args(whole, "--threads", "1")...)
	killed := resumedAfterKills(t, cut, 5, time.Since(began)/4, args(cut, "--checkpoint", "2ms", "--threads", "3"), []string{"text", "generate", "--resume", cut, "--checkpoint", "2ms", "--progress", "none"})
	if killed == 0 {
		t.Error("the run was over before it was ever killed")
	}
	a, err := os.ReadFile(filepath.Join(whole, textLinesFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(cut, textLinesFile))
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
	if !strings.Contains(string(a), `"case":"cases.tsv:2"`) {
		t.Errorf("cases are not named after their file: %s", a)
	}
	refused(t, []string{"text", "generate", "--resume", cut}, map[string]string{
		"--steps 7": "--steps is 7, and the run was started with 75000", "--keywords sun": "--keywords is sun, and the run was started with moon,boat", "--seed 6": "--seed is 6",
	})
	if r := must(t, "summary", whole); !strings.Contains(r.stdout, "keywords moon, boat") {
		t.Error(r.stdout)
	}
}

// What cannot be is said at once, with what is at fault, and leaves no folder.
func TestTextRefuses(t *testing.T) {
	lm, dir := seaModel(t), t.TempDir()
	bad := filepath.Join(dir, "bad.tsv")
	if err := os.WriteFile(bad, []byte("moon\nsun boat\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	for _, c := range []struct {
		want   string
		status int
		args   []string
	}{
		{`the vocabulary has no "boot"; it has "boat"`, 1, []string{"generate", "--keywords", "moon,boot"}},
		{"needs 5 words, and the sentence may have 4 at most", 1, []string{"generate", "--keywords", "moon,boat,sea,hill,old", "--length", "2..4"}},
		{"needs 3 words, and the sentence may have 2 at most", 1, []string{"generate", "--keywords", "moon,boat,sea", "--length", "2"}},
		{"the keyword \"moon\" is forbidden", 1, []string{"generate", "--keywords", "moon", "--forbid", "moon"}},
		{"bad.tsv:2: text: the vocabulary has no \"sun\"", 1, []string{"generate", "--cases", bad}},
		{"it must be a number from 1 to 250", 2, []string{"generate", "--length", "9..3"}},
		{"there are mh, gibbs, importance, rejection", 2, []string{"generate", "--method", "hmc"}},
		{"tones and rhymes need a table", 1, []string{"compose", example("couplet.form")}},
		{"name a language model by --lm, and a sentence, or --cases", 2, []string{"paraphrase"}},
		{"the temperature falls from 1", 2, []string{"generate", "--anneal", "2"}},
		{"--similarity needs --vectors", 2, []string{"paraphrase", "the sea .", "--similarity", "0.5"}},
		{"give --length as one number", 2, []string{"generate", "--method", "gibbs"}},
		{"there is no word in --keywords", 2, []string{"generate", "--keywords", ",,"}},
		{`--cases and "the sea ." on the command line: choose one`, 2, []string{"paraphrase", "the sea .", "--cases", bad}},
		{"would be needed", 1, []string{"generate", "--method", "importance", "--steps", "100000000000"}},
		{"none of 50 sentences meets the conditions\n", 1, []string{"generate", "--keywords", "moon,boat,fire,house", "--method", "importance", "--steps", "50"}},
		{"none of 50 sentences", 1, []string{"generate", "--keywords", "moon,boat,fire,house", "--method", "rejection", "--steps", "50"}},
	} {
		r := execute(t, program(t, append([]string{"text", c.args[0], "--lm", lm, "--out", out, "--progress", "none"}, c.args[1:]...)...))
		if r.status != c.status || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: status %d, %s", c.args, r.status, r.stderr)
		}
		if exists(out) {
			t.Errorf("%v left a folder", c.args)
			os.RemoveAll(out)
		}
	}
}
