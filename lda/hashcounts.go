package lda

import (
	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/prefetch"
)

// hashCounts is topic–word counts that are looked up in O(1), in memory for what is not zero: for each word a hash table with
// linear probing, of four bytes an entry as in rows, or eight; a plain array for words with so many tokens that it
// is no larger.
type hashCounts[E packed] struct {
	start   []int64 // the table of word w is entries[start[w]:start[w+1]]
	entries []E     // 0: none
	topics  int
	shift   uint // of the count
	mask    E
}

// newHashCounts makes room for words whose tokens begin there when they are sorted by word.
func newHashCounts[E packed](topics int, starts []int64) *hashCounts[E] {
	h := &hashCounts[E]{start: make([]int64, len(starts)), topics: topics, shift: topicBits(topics)}
	h.mask = 1<<h.shift - 1
	for w := range len(starts) - 1 {
		n := starts[w+1] - starts[w]
		if n > 0 { // one entry in four stays free, so that a search ends
			n = min(n+n/3+1, int64(topics))
		}
		h.start[w+1] = h.start[w] + n
	}
	h.entries = memory.Large[E](int(h.start[len(starts)-1]))
	return h
}

// table is the entries of word w.
func (h *hashCounts[E]) table(w int32) []E { return h.entries[h.start[w]:h.start[w+1]] }

// home is where a search for a topic begins.
func (h *hashCounts[E]) home(table []E, z uint16) int {
	if len(table) == h.topics {
		return int(z)
	}
	return hashed(uint32(z), len(table))
}

// hashed spreads topics evenly over a table of any length.
func hashed(z uint32, length int) int {
	return int(uint64(z*0x9e3779b1) * uint64(length) >> 32)
}

// place is where topic z is in a table, or where it would go.
func (h *hashCounts[E]) place(table []E, z uint16) int {
	if len(table) == h.topics {
		return int(z)
	}
	i := hashed(uint32(z), len(table))
	for table[i] != 0 && table[i]&h.mask != E(z) {
		if i++; i == len(table) {
			i = 0
		}
	}
	return i
}

// prefetch asks for the entry where the search for a topic begins.
func (h *hashCounts[E]) prefetch(table []E, z uint16) {
	i := h.home(table, z)
	prefetch.Slice(table[i : i+1])
}

// get is the count of topic z.
func (h *hashCounts[E]) get(table []E, z uint16) float64 {
	return float64(table[h.place(table, z)] >> h.shift)
}

// add counts one token more.
func (h *hashCounts[E]) add(table []E, z uint16) {
	i := h.place(table, z)
	table[i] = table[i]&^h.mask + 1<<h.shift | E(z)
}

// drop counts one token less, and takes out an entry that comes to 0.
func (h *hashCounts[E]) drop(table []E, z uint16) {
	i := h.place(table, z)
	if table[i] -= 1 << h.shift; table[i]>>h.shift > 0 {
		return
	}
	table[i] = 0
	n := len(table)
	if n == h.topics {
		return
	}
	// Entries behind the gap that a search would no longer reach move into it (Knuth, 1998, algorithm 6.4R).
	for j, gap := i+1, 1; ; j, gap = j+1, gap+1 {
		if j == n {
			j = 0
		}
		if table[j] == 0 {
			return
		}
		back := j - hashed(uint32(table[j]&h.mask), n)
		if back < 0 {
			back += n
		}
		if back >= gap {
			table[i], table[j] = table[j], 0
			i, gap = j, 0
		}
	}
}

// wordCounts appends the counts of word w.
func (h *hashCounts[E]) wordCounts(w int, row []Count) []Count {
	for _, e := range h.table(int32(w)) {
		if e>>h.shift > 0 {
			row = append(row, Count{uint16(e & h.mask), uint32(e >> h.shift)})
		}
	}
	return row
}
