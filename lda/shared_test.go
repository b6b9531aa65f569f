package lda

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ergodic-mcmc/ergodic/lda/corpus"
)

// sharedCorpus reads a bag of words in UCI's form from the test material: $ERGODIC_SHARED, or ../shared beside the module.
func sharedCorpus(t testing.TB, name string) *corpus.Corpus {
	t.Helper()
	root := os.Getenv("ERGODIC_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(root, "lda", name, "docword.txt.gz"))
	if err != nil {
		t.Skipf("the test material in ../shared is missing; ERGODIC_SHARED may name another place: %v", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	c, err := readBags(bufio.NewReader(z))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func readBags(r *bufio.Reader) (*corpus.Corpus, error) {
	next := func() (n int) {
		b, err := r.ReadByte()
		for err == nil && b <= ' ' {
			b, err = r.ReadByte()
		}
		for err == nil && b > ' ' {
			n = 10*n + int(b-'0')
			b, err = r.ReadByte()
		}
		return n
	}
	documents, words, entries := next(), next(), next()
	c := &corpus.Corpus{Words: words, Starts: make([]int64, 1, documents+1)}
	for range entries {
		d, w, n := next(), next(), next()
		if d < len(c.Starts)-1 || d > documents {
			return nil, fmt.Errorf("document %d after %d", d, len(c.Starts))
		}
		for len(c.Starts) < d {
			c.Starts = append(c.Starts, int64(len(c.Tokens)))
		}
		for range n {
			c.Tokens = append(c.Tokens, int32(w-1))
		}
	}
	for len(c.Starts) <= documents {
		c.Starts = append(c.Starts, int64(len(c.Tokens)))
	}
	return c, c.Check()
}
