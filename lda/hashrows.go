package lda

import (
	"fmt"
	"math/bits"
)

// hashRows is topic–word counts that are looked up in O(1), in memory for what is not zero: a hash table for each word, with
// linear probing; a plain array for words with so many tokens that it is no larger. An entry has a topic, in its upper 16
// bits, and two counts of 24 bits: that of all tokens, which is never zero, and that of the tokens outside the
// block under way.
type hashRows struct {
	start   []int64 // the table of word w is entries[start[w]:start[w+1]]; its length is a power of two, or K
	entries []uint64
	topics  int
}

const (
	inAll    = 1 << 24 // one token in the count of all
	outside  = 1       // one token in the count outside the block
	maxCount = 1<<24 - 1
)

func countAll(e uint64) float64     { return float64(uint32(e>>24) & maxCount) }
func countOutside(e uint64) float64 { return float64(uint32(e) & maxCount) }

// newHashRows makes room for words with these numbers of tokens.
func newHashRows(topics int, tokens []int64) (*hashRows, error) {
	h := &hashRows{start: make([]int64, len(tokens)+1), topics: topics}
	for w, n := range tokens {
		if n > maxCount {
			return nil, fmt.Errorf("lda: word %d has %d tokens; alias counts up to %d: drop the word, or use another sampler", w+1, n, maxCount)
		}
		h.start[w+1] = h.start[w] + int64(roomFor(int(min(n, int64(topics))), topics))
	}
	h.entries = make([]uint64, h.start[len(tokens)])
	return h, nil
}

// roomFor is the length of a table of up to n topics: at least a quarter stays free, so that a search ends.
func roomFor(n, topics int) int {
	if n == 0 {
		return 0
	}
	room := 1 << bits.Len(uint(n+n/3))
	return min(room, topics)
}

// table is the entries of word w.
func (h *hashRows) table(w int32) []uint64 { return h.entries[h.start[w]:h.start[w+1]] }

// place is where topic z is in a table, or where it would go.
func (h *hashRows) place(table []uint64, z uint16) int {
	if len(table) == h.topics {
		return int(z)
	}
	mask := len(table) - 1
	i := home(z) & mask
	for table[i] != 0 && uint16(table[i]>>48) != z {
		i = (i + 1) & mask
	}
	return i
}

// home is where a search for a topic begins, but for a mask.
func home(z uint16) int { return int(uint32(z) * 0x9e3779b1 >> 12) }

// get is the entry of topic z, 0 where there is none.
func (h *hashRows) get(table []uint64, z uint16) uint64 { return table[h.place(table, z)] }

// add counts one more token, in what the units say.
func (h *hashRows) add(table []uint64, z uint16, units uint64) {
	i := h.place(table, z)
	if table[i] == 0 {
		table[i] = uint64(z) << 48
	}
	table[i] += units
}

// drop counts one token less in all, and takes out an entry that comes to 0.
func (h *hashRows) drop(table []uint64, z uint16) {
	i := h.place(table, z)
	if table[i] -= inAll; table[i]<<16 != 0 {
		return
	}
	table[i] = 0
	if len(table) == h.topics {
		return
	}
	// Entries behind the gap that a search would no longer reach move into it (Knuth, 1998, algorithm 6.4R).
	mask := len(table) - 1
	for j := (i + 1) & mask; table[j] != 0; j = (j + 1) & mask {
		if (j-home(uint16(table[j]>>48)))&mask >= (j-i)&mask {
			table[i], table[j] = table[j], 0
			i = j
		}
	}
}
