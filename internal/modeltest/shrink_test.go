package modeltest

import (
	"strings"
	"testing"
)

// Shrinking keeps what makes a program fail and drops the rest: here the failure is that
// the text has a Dirichlet node.
func TestShrink(t *testing.T) {
	found := false
	for seed := range uint64(100) {
		p := Random(seed)
		fails := func(p *Program) bool { return strings.Contains(p.String(), "ddirch") }
		if !fails(p) || len(p.Rels) < 4 {
			continue
		}
		found = true
		q := Shrink(p, 10_000, fails)
		if !fails(q) || len(q.Rels) != 1 {
			t.Errorf("seed %d: %d relations are left of %d:\n%s", seed, len(q.Rels), len(p.Rels), q)
		}
	}
	if !found {
		t.Error("no program has a Dirichlet node")
	}
}

// Every program of the grammar parses back to itself under the seed: it is a function of it.
func TestRandomIsAFunctionOfItsSeed(t *testing.T) {
	for seed := range uint64(50) {
		if a, b := Random(seed).String(), Random(seed).String(); a != b {
			t.Fatalf("seed %d gives\n%s\nand\n%s", seed, a, b)
		}
	}
}
