package lda

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A model whose topics are in a file has those of one that has them in memory, and leaves nothing in the folder.
func TestScratch(t *testing.T) {
	c := bars(5, 100, 20)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 3}
	for _, method := range Methods() {
		want := sampled(t, method, c, set, Options{}, 5)
		set := set
		set.Scratch = t.TempDir()
		got := sampled(t, method, c, set, Options{}, 5)
		if !slices.Equal(got.Topics(), want.Topics()) {
			t.Errorf("%s: other topics", method)
		}
		got.owner = nil
		if l := got.LogLikelihood(); l != want.LogLikelihood() {
			t.Errorf("%s: log likelihood %v, not %v", method, l, want.LogLikelihood())
		}
		if left, err := os.ReadDir(set.Scratch); err != nil || len(left) > 0 {
			t.Errorf("%v: %v is left", err, left)
		}
		got.Close()
	}
	set.Scratch = filepath.Join(t.TempDir(), "none")
	if _, err := New(c, set); err == nil {
		t.Error("a folder that is not there is taken")
	}
}
