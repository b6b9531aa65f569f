package lda

import (
	"math/bits"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// packed is a topic and its count in one number, the count above, so that entries are ordered by count.
type packed interface{ uint32 | uint64 }

// rows is topic–word counts in memory for what is not zero: for each word its topics with their counts. A word that occurs n
// times has room for min(n, K) of them, of four bytes; of eight where it occurs too often. Entries stand at the end of the
// room, in the ascending order that sort gave them; what comes later is in front, and counts change where they are.
type rows[E packed] struct {
	end     []int64 // of the room of word w: from end[w−1]
	used    []int32
	entries []E
	shift   uint // of the count
	mask    E
}

// topicBits is the binary digits of a topic.
func topicBits(topics int) uint { return uint(bits.Len(uint(topics - 1))) }

func newRows[E packed](words, topics int, room []int64) *rows[E] {
	r := &rows[E]{end: make([]int64, words), used: make([]int32, words), shift: topicBits(topics)}
	r.mask = 1<<r.shift - 1
	sum := int64(0)
	for w := range words {
		sum += min(room[w], int64(topics))
		r.end[w] = sum
	}
	r.entries = memory.Large[E](int(sum))
	return r
}

// row is the entries of word w.
func (r *rows[E]) row(w int32) []E {
	return r.entries[r.end[w]-int64(r.used[w]) : r.end[w]]
}

// sort puts all rows in ascending order. Between sweeps the order within a row follows from the history; sums in it, and
// draws from it, must not.
func (r *rows[E]) sort() {
	for w := range r.used {
		slices.Sort(r.row(int32(w)))
	}
}

// count takes the counts of the model's topics, in the memory of the rows: a row with room for all topics has the count of
// each at its place first, the others a token an entry.
func (r *rows[E]) count(m *Model) {
	clear(r.entries)
	clear(r.used)
	for i, w := range m.corpus.Tokens {
		z := E(m.topics[i])
		if room := r.room(int(w)); len(room) == m.K() {
			room[z] = room[z]&^r.mask + 1<<r.shift | z
			continue
		}
		r.used[w]++
		r.row(w)[0] = 1<<r.shift | z
	}
	for w := range r.used {
		room := r.room(w)
		if len(room) < m.K() {
			room = r.row(int32(w))
			slices.Sort(room)
		}
		r.used[w] = r.gather(room)
	}
}

// room is the memory of the entries of word w.
func (r *rows[E]) room(w int) []E {
	if w == 0 {
		return r.entries[:r.end[0]]
	}
	return r.entries[r.end[w-1]:r.end[w]]
}

// gather joins entries of the same topic that are side by side, leaves out those of none, and moves what is left to the end.
func (r *rows[E]) gather(row []E) (used int32) {
	at := len(row)
	for i := len(row) - 1; i >= 0; i-- {
		switch e := row[i]; {
		case e>>r.shift == 0:
		case at < len(row) && row[at]&r.mask == e&r.mask:
			row[at] += e &^ r.mask
		default:
			at--
			row[at] = e
		}
	}
	return int32(len(row) - at)
}

func (s *sparse[E]) wordCounts(w int, row []Count, _ []uint32) []Count {
	for _, e := range s.rows.row(int32(w)) {
		row = append(row, Count{uint16(e & s.rows.mask), uint32(e >> s.rows.shift)})
	}
	return row
}
