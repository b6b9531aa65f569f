package lda

import (
	"slices"
	"testing"
)

// Entries of four bytes and of eight give the same topics, and the counts that come with moves are those of the topics.
func TestSparseRows(t *testing.T) {
	c := bars(5, 100, 20)
	set := Settings{Alpha: Symmetric(2, 10), Beta: 0.05, Seed: 1}
	narrow, _ := New(c, set)
	wide, _ := New(c, set)
	room := make([]int64, c.Words)
	for _, w := range c.Tokens {
		room[w]++
	}
	a, b := makeSparse[uint32](narrow, room), makeSparse[uint64](wide, room)
	for range 5 {
		a.Sweep()
		b.Sweep()
	}
	if !slices.Equal(narrow.Topics(), wide.Topics()) {
		t.Error("other topics")
	}
	fresh := newRows[uint32](c.Words, 10, room)
	fresh.count(narrow)
	fresh.sort()
	a.rows.sort()
	for w := range int32(c.Words) {
		if !slices.Equal(fresh.row(w), a.rows.row(w)) {
			t.Errorf("word %d: %v, want %v", w+1, a.rows.row(w), fresh.row(w))
		}
	}
}
