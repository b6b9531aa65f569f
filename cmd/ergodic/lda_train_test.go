package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ergodic-mcmc/ergodic/lda"
)

// documents is a file of n documents, each of words of one of two subjects.
func documents(t *testing.T, n int) string {
	t.Helper()
	subjects := [2][]string{{"apple", "pear", "plum", "cherry", "quince"}, {"bolt", "nut", "screw", "washer", "rivet"}}
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for d := range n {
		for range 30 {
			b.WriteString(subjects[d%2][r.IntN(5)] + " ")
		}
		b.WriteString("\n")
	}
	file := filepath.Join(t.TempDir(), "orchard.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// outputs are the files of a run that its topics determine.
func outputs(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range []string{"topics.tsv", "topic_words.tsv", "document_topics.tsv", "state.gz", ldaModelFile, "topics.html"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s\n%s\n", name, b)
	}
	return all.String()
}

// Two subjects without a word in common are two topics, exactly.
func TestLDATrain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := must(t, "lda", "train", documents(t, 60), "--topics", "2", "--alpha", "0.5", "--sweeps", "200", "--seed", "2", "--out", dir, "--progress", "none", "--json")
	var got struct {
		Documents, Tokens, Vocabulary, Topics, Sweeps int
		Log                                           float64 `json:"log_likelihood_per_token"`
		Alpha                                         []float64
		Trace                                         []struct{ Sweep int }
		Top                                           []struct {
			Tokens int
			Words  []string
		} `json:"top_words"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatal(err)
	}
	if got.Documents != 60 || got.Tokens != 1800 || got.Vocabulary != 10 || got.Topics != 2 || got.Sweeps != 200 || len(got.Trace) != 20 || len(got.Alpha) != 2 {
		t.Errorf("%+v", got)
	}
	for _, topic := range got.Top {
		fruit := 0
		for _, w := range topic.Words {
			if strings.Contains("apple pear plum cherry quince", w) {
				fruit++
			}
		}
		if topic.Tokens != 900 || len(topic.Words) != 5 || fruit%5 != 0 {
			t.Errorf("%+v", topic)
		}
	}
	for _, file := range []string{"topics.tsv", "topic_words.tsv", "document_topics.tsv", "state.gz", "topics.html", "summary.json", "log.jsonl", "run.json"} {
		if !exists(filepath.Join(dir, file)) {
			t.Errorf("there is no %s", file)
		}
	}
	if s := must(t, "summary", dir); !strings.Contains(s.stdout, "2 topics after 200 sweeps of sparse") {
		t.Errorf("summary says %q", s.stdout)
	}
}

// A training that is killed goes on to the files of an undisturbed one; it is extended, and refuses what differs.
func TestLDATrainIsResumed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file is not removed while a killed process lets go of it")
	}
	file := documents(t, 2000)
	args := []string{"lda", "train", file, "--topics", "8", "--sweeps", "300", "--seed", "4", "--progress", "none"}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	began := time.Now()
	must(t, append(args, "--out", whole)...)
	took := time.Since(began)
	killed := resumedAfterKills(t, cut, 4, took/4, append(args, "--out", cut, "--checkpoint", "1ms"),
		[]string{"lda", "train", "--resume", cut, "--checkpoint", "1ms", "--progress", "none"})
	if killed == 0 || outputs(t, cut) != outputs(t, whole) {
		t.Errorf("killed %d times: other files", killed)
	}
	longer := filepath.Join(t.TempDir(), "longer")
	must(t, append(args, "--sweeps", "310", "--out", longer)...)
	must(t, "lda", "train", "--resume", cut, "--sweeps", "310", "--progress", "none")
	if outputs(t, cut) != outputs(t, longer) {
		t.Error("an extended run is another than one of as many sweeps")
	}
	refused(t, []string{"lda", "train", "--resume", cut}, map[string]string{"--topics 9": "--topics is 9, and the run was started with 8", "--sweeps 5": "which may only grow", "--seed 5": "--seed is 5"})
	if err := os.WriteFile(file, []byte("apple bolt\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := execute(t, program(t, "lda", "train", "--resume", cut)); end.status != 1 || !strings.Contains(end.stderr, "is not what the run was started with") {
		t.Errorf("another collection: status %d, %s", end.status, end.stderr)
	}
}

func TestLDATrainRefuses(t *testing.T) {
	file := documents(t, 4)
	for args, want := range map[string]struct {
		status int
		says   string
	}{
		"--sweeps 3":                         {2, "Give --topics"},
		"--topics 0":                         {2, "--topics 0: it must be from 1 to 65536"},
		"--topics 2 --sampler magic":         {2, "there are gibbs"},
		"--topics 2 --alpha -1":              {2, "--alpha -1: it must be a number above 0"},
		"--topics 2 --beta 0":                {2, "--beta 0: it must be more than 0"},
		"--topics 2 --finish-sweeps 3":       {2, "--finish-sweeps needs --finish"},
		"--topics 2 --format uci":            {1, "orchard.txt:1"},
		"--topics 2 --checkpoint 0s":         {2, "--checkpoint"},
		"--topics 2 --min-documents 0.5.5":   {2, "a number of documents such as 20"},
		"--topics 2 --stop-words nofile.txt": {1, "nofile.txt"},
	} {
		end := execute(t, program(t, append([]string{"lda", "train", file, "--out", filepath.Join(t.TempDir(), "r")}, strings.Fields(args)...)...))
		if end.status != want.status || !strings.Contains(end.stderr, want.says) {
			t.Errorf("%s: status %d, not %d, with %q: %s", args, end.status, want.status, want.says, end.stderr)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty.txt")
	if err := os.WriteFile(empty, []byte("\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := execute(t, program(t, "lda", "train", empty, "--topics", "2")); end.status != 1 || !strings.Contains(end.stderr, "empty.txt") {
		t.Errorf("no words: status %d, %s", end.status, end.stderr)
	}
	if end := execute(t, program(t, "lda", "train", filepath.Join(t.TempDir(), "none"), "--topics", "2")); end.status != 1 || !strings.Contains(end.stderr, "none") {
		t.Errorf("no file: status %d, %s", end.status, end.stderr)
	}
}

// A run that is put over another has none of its files before it has its own.
func TestForceOverTopics(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "lda", "train", documents(t, 40), "--topics", "3", "--sweeps", "5", "--seed", "1", "--out", dir, "--progress", "none")
	must(t, "lattice", "ising", "--size", "4", "--beta", "0.3", "--sweeps", "100", "--seed", "1", "--out", dir, "--force", "--progress", "none")
	for _, name := range []string{"topics.tsv", "topic_words.tsv", "document_topics.tsv", "topics.html", ldaStateFile, ldaModelFile} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("the earlier run's %s is there", name)
		}
	}
}

// A packed collection gives the topics of what it was packed from.
func TestLDAPack(t *testing.T) {
	file, dir := documents(t, 40), t.TempDir()
	packed := filepath.Join(dir, "orchard.pack")
	must(t, "lda", "pack", file, "--out", packed)
	for name, from := range map[string]string{"a": file, "b": packed} {
		must(t, "lda", "train", from, "--topics", "3", "--sweeps", "20", "--seed", "1", "--out", filepath.Join(dir, name), "--progress", "none")
	}
	if outputs(t, filepath.Join(dir, "a")) != outputs(t, filepath.Join(dir, "b")) {
		t.Error("other topics")
	}
	if end := execute(t, program(t, "lda", "pack", file, "--out", packed)); end.status != 1 || !strings.Contains(end.stderr, "--force") {
		t.Errorf("overwritten: %d %s", end.status, end.stderr)
	}
	if end := execute(t, program(t, "lda", "train", packed, "--topics", "2", "--min-length", "3")); end.status != 2 || !strings.Contains(end.stderr, "is packed") {
		t.Errorf("flags of a packed collection: %d %s", end.status, end.stderr)
	}
}

// Priors are fitted, chains compared, states averaged; and a run that is resumed or has other threads has the same files.
func TestLDATrainChains(t *testing.T) {
	file := documents(t, 60)
	args := []string{"--topics", "3", "--alpha", "0.3", "--chains", "3", "--optimize-interval", "5", "--optimize-burn-in", "20", "--average-from", "50",
		"--seed", "4", "--progress", "none", "--json"}
	var want string
	for _, threads := range []string{"1", "3"} {
		dir := filepath.Join(t.TempDir(), "run")
		r := must(t, append([]string{"lda", "train", file, "--out", dir, "--threads", threads, "--sweeps", "100"}, args...)...)
		var got struct {
			Beta      float64
			Likeliest int
			Rhat      *float64 `json:"r_hat"`
			Log       float64  `json:"log_likelihood_per_token"`
			Chains    []struct {
				Log   float64 `json:"log_likelihood_per_token"`
				Trace []struct{ Sweep int }
			}
		}
		if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Chains) != 3 || got.Likeliest < 1 || got.Chains[got.Likeliest-1].Log != got.Log || got.Beta == 0.01 || got.Rhat == nil {
			t.Errorf("%+v", got)
		}
		for _, c := range got.Chains {
			if len(c.Trace) != 10 || c.Log > got.Log {
				t.Errorf("%+v", c)
			}
		}
		f, err := lda.ReadFitted(filepath.Join(dir, ldaModelFile))
		if err != nil || f.Samples != 5 {
			t.Errorf("%v: %+v", err, f)
		}
		switch all := outputs(t, dir); {
		case want == "":
			want = all
		case all != want:
			t.Errorf("%s threads: other files", threads)
		}
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, append([]string{"lda", "train", file, "--out", dir, "--sweeps", "60"}, args...)...)
	must(t, "lda", "train", "--resume", dir, "--sweeps", "100", "--progress", "none", "--json")
	if outputs(t, dir) != want {
		t.Error("a run that was extended has other files than one that was not")
	}
}

func TestLDATrainRefusesFlags(t *testing.T) {
	file := documents(t, 4)
	for flags, want := range map[string]string{
		"--symmetric-alpha":                   "need --optimize-interval",
		"--parts 2 --sampler gibbs":           "--parts is for sparse",
		"--steps 2":                           "--steps is for light and alias",
		"--finish warp":                       "must be an exact sampler",
		"--optimize-interval 10 --sweeps 100": "never comes in 100 sweeps",
		"--average-from 20 --sweeps 20":       "no state of the 20 sweeps is averaged",
		"--phrase-count 3":                    "need --phrases",
		"--average-every 5":                   "needs --average-from",
		"--chains 0":                          "--chains 0: it must be from 1",
		"--alpha Inf":                         "--alpha Inf",
		"--optimize-interval -1":              "--optimize-interval",
	} {
		r := execute(t, program(t, append([]string{"lda", "train", file, "--topics", "2", "--progress", "none"}, strings.Fields(flags)...)...))
		if r.status != 2 || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: %d %s", flags, r.status, r.stderr)
		}
	}
}

// Runs of one collection are compared; others are refused.
func TestLDASummary(t *testing.T) {
	file, base := documents(t, 60), t.TempDir()
	train := func(name, file, seed, sweeps string) string {
		dir := filepath.Join(base, name)
		must(t, "lda", "train", file, "--topics", "3", "--alpha", "0.5", "--sweeps", sweeps, "--seed", seed, "--out", dir, "--progress", "none")
		return dir
	}
	a, b, long := train("a", file, "1", "80"), train("b", file, "2", "80"), train("long", file, "3", "90")
	other := train("other", documents(t, 20), "1", "80")
	if one := must(t, "lda", "summary", a).stdout; !strings.Contains(one, "3 topics after 80 sweeps of sparse") {
		t.Error(one)
	}
	if both := must(t, "lda", "summary", a, b).stdout; !strings.Contains(both, "R-hat of the log likelihood") || strings.Count(both, "sparse") != 2 {
		t.Error(both)
	}
	var got struct {
		Runs []struct{ Dir string }
		Rhat float64 `json:"r_hat"`
	}
	if err := json.Unmarshal([]byte(must(t, "lda", "summary", a, b, "--json").stdout), &got); err != nil || len(got.Runs) != 2 || got.Runs[1].Dir != b || !(got.Rhat > 0.9) {
		t.Errorf("%v %+v", err, got)
	}
	for _, c := range []struct{ dir, want string }{{other, "different collections"}, {long, "90 and 9"}, {base, "is not the folder of a run"}} {
		if r := execute(t, program(t, "lda", "summary", a, c.dir)); r.status != 1 || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%d %s", r.status, r.stderr)
		}
	}
}

// Neighbours that always occur together are a word.
func TestLDATrainPhrases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cities.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("new york is far\nnew haven is near york\n", 10)), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "lda", "train", file, "--topics", "2", "--sweeps", "5", "--phrases", "1", "--phrase-npmi", "0.3", "--seed", "1", "--out", dir, "--progress", "none")
	f, err := lda.ReadFitted(filepath.Join(dir, ldaModelFile))
	if err != nil || f.Phrases != 1 || !strings.Contains(strings.Join(f.Vocabulary, " "), "new_haven") {
		t.Errorf("%v %+v", err, f)
	}
	if r := execute(t, program(t, "lda", "train", file, "--topics", "2", "--phrases", "1", "--phrase-npmi", "2")); r.status == 0 || !strings.Contains(r.stderr, "mutual information") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}

func TestLDATrainOfFewTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "few.txt")
	if err := os.WriteFile(file, []byte("a b c\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := must(t, "lda", "train", file, "--topics", "5", "--sweeps", "5", "--seed", "1", "--out", filepath.Join(t.TempDir(), "run"), "--progress", "none")
	if !strings.Contains(r.stderr, "few.txt has 3 tokens, fewer than the 5 topics") || !strings.Contains(r.stdout, "1 document, 3 tokens of 3 words: 5 topics after 5 sweeps") {
		t.Errorf("%s%s", r.stderr, r.stdout)
	}
}

// A finished run whose checkpoint cannot be read stays as it was when it cannot be extended.
func TestLDATrainExtendsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "lda", "train", documents(t, 20), "--topics", "2", "--sweeps", "20", "--seed", "1", "--out", dir, "--progress", "none")
	file := filepath.Join(dir, "checkpoint", "training")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)-9], 0o666); err != nil {
		t.Fatal(err)
	}
	before := filesBelow(t, dir)
	if r := execute(t, program(t, "lda", "train", "--resume", dir, "--sweeps", "40", "--progress", "none")); r.status != 1 || !strings.Contains(r.stderr, "training") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
	for name, content := range filesBelow(t, dir) {
		if before[name] != content && name != "log.jsonl" {
			t.Errorf("%s changed", name)
		}
	}
	if text := must(t, "lda", "topics", dir).stdout; !strings.Contains(text, "topic") {
		t.Error(text)
	}
}

// A collection from a pipe is read from its first byte.
func TestLDATrainReadsAPipe(t *testing.T) {
	text := "apple pear plum\nbolt nut screw\n"
	cmd := program(t, "lda", "train", "/dev/stdin", "--topics", "2", "--sweeps", "5", "--seed", "1", "--out", filepath.Join(t.TempDir(), "run"), "--progress", "none", "--json")
	cmd.Stdin = strings.NewReader(text)
	r := execute(t, cmd)
	var got struct{ Documents, Tokens, Vocabulary int }
	if err := json.Unmarshal([]byte(r.stdout), &got); runtime.GOOS == "linux" && (err != nil || got.Documents != 2 || got.Tokens != 6 || got.Vocabulary != 6) {
		t.Errorf("%v %+v %s", err, got, r.stderr)
	}
}

// The state of another run, or a damaged one, is not exported.
func TestLDAExportOfAnotherState(t *testing.T) {
	file, base := documents(t, 20), t.TempDir()
	for _, seed := range []string{"1", "2"} {
		must(t, "lda", "train", file, "--topics", "3", "--sweeps", "5", "--seed", seed, "--out", filepath.Join(base, seed), "--progress", "none")
	}
	state := filepath.Join(base, "1", ldaStateFile)
	if err := os.Rename(filepath.Join(base, "2", ldaStateFile), state); err != nil {
		t.Fatal(err)
	}
	r := execute(t, program(t, "export", filepath.Join(base, "1"), "--format", "pyldavis"))
	if r.status != 1 || !strings.Contains(r.stderr, "of another run than") || r.stdout != "" {
		t.Errorf("%d %s", r.status, r.stderr)
	}
	must(t, "lda", "train", "--resume", filepath.Join(base, "1"), "--progress", "none")
	must(t, "export", filepath.Join(base, "1"), "--format", "pyldavis")
	if r := execute(t, program(t, "export", filepath.Join(base, "1"), "--format", "csv")); r.status != 2 || !strings.Contains(r.stderr, "--format npy or pyldavis") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	if r := execute(t, program(t, "export", filepath.Join(base, "1"), "--format", "pyldavis")); r.status != 1 || !strings.Contains(r.stderr, "go on with") {
		t.Errorf("%d %s", r.status, r.stderr)
	}
}
