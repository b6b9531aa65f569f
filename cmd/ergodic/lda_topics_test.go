package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// topicsRun is a finished run of two subjects and an empty document.
func topicsRun(t *testing.T) string {
	t.Helper()
	file := documents(t, 60)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append([]byte("\n"), text...), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "lda", "train", file, "--topics", "2", "--alpha", "0.5", "--beta", "0.01", "--sweeps", "200", "--seed", "2", "--out", dir, "--progress", "none")
	return dir
}

// Each topic has one subject's five words, which no other topic has: coherence is that of words which are in the same windows, and exclusivity is nearly 1.
func TestLDATopics(t *testing.T) {
	dir := topicsRun(t)
	table := must(t, "lda", "topics", dir, "--words", "5").stdout
	if strings.Count(table, "\n") != 3 || !strings.Contains(table, "exclusivity") || strings.Count(table, "50.0 %") != 2 || strings.Count(table, "1.00") != 2 {
		t.Errorf("%s", table)
	}
	for args, n := range map[string]int{"--words 3": 3, "--by relevance": 5, "--by relevance --lambda 0 --words 4": 4} {
		var topics []struct {
			Topic, Tokens int
			Share         float64
			Words         []string
			Exclusivity   float64
			NPMI          float64 `json:"c_npmi"`
			First         int     `json:"rank1_documents"`
		}
		end := must(t, append([]string{"lda", "topics", dir, "--json"}, strings.Fields(args)...)...)
		if err := json.Unmarshal([]byte(end.stdout), &topics); err != nil {
			t.Fatal(err)
		}
		for k, x := range topics {
			if len(topics) != 2 || x.Topic != k+1 || x.Tokens != 900 || x.Share != 0.5 || len(x.Words) != n || x.First != 30 || x.Exclusivity < 0.99 || x.NPMI < 0.5 {
				t.Errorf("%s: %+v", args, x)
			}
		}
	}
	for args, says := range map[string]string{"--words 0": "--words 0", "--lambda 0.5": "needs --by relevance", "--by relevance --lambda 2": "from 0 to 1"} {
		if end := execute(t, program(t, append([]string{"lda", "topics", dir}, strings.Fields(args)...)...)); end.status != 2 || !strings.Contains(end.stderr, says) {
			t.Errorf("%s: status %d, %s", args, end.status, end.stderr)
		}
	}
	if end := execute(t, program(t, "lda", "topics", filepath.Join(dir, "none"))); end.status != 1 || !strings.Contains(end.stderr, "there is no folder") {
		t.Errorf("status %d, %s", end.status, end.stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "topics.model"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := execute(t, program(t, "lda", "topics", dir)); end.status != 1 || !strings.Contains(end.stderr, "topics.model") {
		t.Errorf("status %d, %s", end.status, end.stderr)
	}
}

// A damaged model is told, and written again.
func TestLDADamagedModel(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	file := documents(t, 20)
	must(t, "lda", "train", file, "--topics", "2", "--sweeps", "5", "--seed", "1", "--out", dir, "--progress", "none")
	path := filepath.Join(dir, ldaModelFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	if err := os.WriteFile(path, damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"lda", "topics", dir}, {"lda", "infer", dir, file, "--out", dir + ".tsv"}, {"export", dir, "--format", "npy", "--out", dir + ".npy"}} {
		if end := execute(t, program(t, args...)); end.status != 1 || !strings.Contains(end.stderr, "damaged") || !strings.Contains(end.stderr, "--resume "+dir+" writes it again") {
			t.Errorf("%q: status %d, %s", args, end.status, end.stderr)
		}
	}
	must(t, "lda", "train", "--resume", dir, "--progress", "none")
	if again, err := os.ReadFile(path); err != nil || !slices.Equal(again, whole) {
		t.Errorf("%v, or another model", err)
	}
}

// The arrays have rows that sum to 1, of every topic and of every document, the empty one included; the JSON is an object as pyLDAvis wants it.
func TestExportTopics(t *testing.T) {
	dir := topicsRun(t)
	must(t, "export", dir, "--format", "npy")
	for name, rows := range map[string]int{"topic_words.npy": 2, "document_topics.npy": 61} {
		b, err := os.ReadFile(filepath.Join(dir, "npy", name))
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := bytes.Cut(b, []byte("\n"))
		columns := len(body) / 4 / rows
		if columns*rows*4 != len(body) || columns != map[int]int{2: 10, 61: 2}[rows] {
			t.Fatalf("%s has %d bytes", name, len(body))
		}
		for r := range rows {
			sum := 0.0
			for c := range columns {
				sum += float64(math.Float32frombits(binary.LittleEndian.Uint32(body[4*(r*columns+c):])))
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("%s: row %d sums to %v", name, r, sum)
			}
		}
		// The first document is empty and has the shares of α; the next is of one subject: (30 + 0.5)/31.
		if first := math.Float32frombits(binary.LittleEndian.Uint32(body)); rows == 61 && first != 0.5 {
			t.Errorf("the empty document has %v", first)
		}
		if x := math.Float32frombits(binary.LittleEndian.Uint32(body[8:])); rows == 61 && x != float32(30.5/31) && x != float32(0.5/31) {
			t.Errorf("the next document has %v", x)
		}
	}
	if words, err := os.ReadFile(filepath.Join(dir, "npy", "vocabulary.txt")); err != nil || len(strings.Fields(string(words))) != 10 {
		t.Errorf("%s %v", words, err)
	}
	var drawn map[string]any
	if err := json.Unmarshal([]byte(must(t, "export", dir, "--format", "pyldavis").stdout), &drawn); err != nil || len(drawn) != 7 || drawn["R"] != 10.0 {
		t.Errorf("%v %v", drawn, err)
	}
	if end := execute(t, program(t, "export", dir, "--format", "npy")); end.status != 1 || !strings.Contains(end.stderr, "--force") {
		t.Errorf("written over: %d %s", end.status, end.stderr)
	}
	if end := execute(t, program(t, "export", dir, "--format", "npy", "--monitor", "a")); end.status != 2 || !strings.Contains(end.stderr, "--monitor") {
		t.Errorf("--monitor: %d %s", end.status, end.stderr)
	}
	if err := os.WriteFile(filepath.Join(dir, "state.gz"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if end := execute(t, program(t, "export", dir, "--format", "pyldavis", "--out", filepath.Join(dir, "p.json"))); end.status != 1 || !strings.Contains(end.stderr, "state.gz") || exists(filepath.Join(dir, "p.json")) {
		t.Errorf("a damaged state: %d %s", end.status, end.stderr)
	}
}
