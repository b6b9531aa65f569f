package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ergodic-mcmc/ergodic/text/ngram"
	"github.com/ergodic-mcmc/ergodic/text/remote"
)

// A model on a server has the perplexity of its file, and sentences are written by it; a server that fails ends the run with its words.
func TestTextRemote(t *testing.T) {
	lm, dir := seaModel(t), t.TempDir()
	m, err := ngram.Open(t.Context(), lm)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var left atomic.Int64
	left.Store(1 << 40)
	whole := remote.Handler(m)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if left.Add(-1) < 0 {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		whole.ServeHTTP(w, r)
	}))
	defer server.Close()

	scores := []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	a := must(t, "text", "perplexity", example("sea.txt"), "--lm", lm, "--json", "--out", scores[0]).stdout
	if b := must(t, "text", "perplexity", example("sea.txt"), "--lm", server.URL, "--json", "--out", scores[1]).stdout; a != b {
		t.Errorf("%s of a file and %s of a server", a, b)
	}
	one, _ := os.ReadFile(scores[0])
	if two, err := os.ReadFile(scores[1]); err != nil || string(one) != string(two) {
		t.Errorf("the scores of sentences differ, %v", err)
	}
	for _, args := range [][]string{
		{"generate", "--keywords", "moon,boat"}, {"paraphrase", "The moon was bright that night."},
		{"generate", "--keywords", "sea", "--method", "importance"}, {"compose", example("couplet.form"), "--tones", example("rhymes.txt")},
	} {
		for _, line := range sentencesOf(t, append(args, "--lm", server.URL, "--steps", "200", "--best", "1")...) {
			if line.ConstraintsMet != line.Constraints {
				t.Errorf("%v: %+v", args, line)
			}
		}
	}
	for _, c := range []struct {
		after  int64 // requests: for the vocabulary, for lists of candidates, for sentences
		method string
	}{{0, "mh"}, {50, "mh"}, {10_000, "mh"}, {10_000, "importance"}} {
		left.Store(c.after)
		r := execute(t, program(t, "text", "generate", "--keywords", "sea", "--method", c.method, "--lm", server.URL, "--steps", "100000", "--progress", "none", "--out", filepath.Join(t.TempDir(), "run")))
		if r.status != 1 || !strings.Contains(r.stderr, "out of order") || strings.Contains(r.stderr, "panic") || strings.Contains(r.stderr, "goroutine") {
			t.Errorf("%+v: status %d, %s", c, r.status, r.stderr)
		}
	}
	left.Store(10_000)
	run := filepath.Join(dir, "run")
	execute(t, program(t, "text", "generate", "--keywords", "sea", "--lm", server.URL, "--steps", "1000", "--checkpoint", "1ms", "--progress", "none", "--out", run))
	left.Store(1 << 40)
	if end := must(t, "text", "generate", "--resume", run, "--progress", "none"); !strings.Contains(end.stdout, "order 3, 90 words; 4000 steps") {
		t.Errorf("resumed with the server back: %s", end.stdout)
	}
	left.Store(3)
	out := filepath.Join(dir, "none")
	if r := execute(t, program(t, "text", "perplexity", example("sea.txt"), "--lm", server.URL, "--out", out)); r.status != 1 || !strings.Contains(r.stderr, "sea.txt:3: the sentence has no score: the model at http") || exists(out) {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	if r := execute(t, program(t, "text", "perplexity", example("sea.txt"), "--lm", server.URL, "--backward")); r.status != 2 {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}
