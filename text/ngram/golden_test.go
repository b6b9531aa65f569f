package ngram

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
)

// The records of a model of drawn sentences, which sentences that are sampled from it depend on, are the same on every machine.
func TestGoldenModel(t *testing.T) {
	_, x := corpus(t, 14, 400, 30)
	m, err := Train(context.Background(), x, Settings{Order: 4, MinCounts: []int{1, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.Quantise()
	if err != nil {
		t.Fatal(err)
	}
	for k, m := range []*Model{m.Model, q} {
		sum := sha256.New()
		sum.Write(m.tree.words)
		sum.Write(m.inners)
		sum.Write(m.outers)
		fmt.Fprint(sum, m.books)
		want := []string{"a6f054fc000bd8eb", "62f0e24f410c6949"}[k]
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want {
			t.Errorf("model %d has become %s, not %s", k, got, want)
		}
	}
}
