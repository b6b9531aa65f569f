package ngram

import (
	"encoding/binary"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

const (
	root  = 0 // the node of no words
	first = 1 // the node of the word 0
)

// tree is the nodes of a model, numbered by length and then in the order of their words' numbers, so that the children of a node
// lie beside each other, in order. Searches look at words alone, the last word of each node. A node's record is its suffix and its log10 probability; between
// these, where it may have children, stands the first of them, and the record of the next node ends them; behind stands its log10 backoff. The suffix is the state
// that is left when the first word is forgotten. Numbers are uint32, logarithms float32 or codes of a byte.
type tree struct {
	counts    []int
	starts    [MostOrder + 2]uint32 // the first node of each length, and the first that is none
	quantised bool
	books     [2 * MostOrder][]float32 // what codes stand for: of each length the probabilities, then the backoffs
	outer     uint32                   // the first node without a place for children
	words     []byte
	inners    []byte // records of nodes with such a place, and one more to end the last one's children
	outers    []byte
	wide      int // bytes of a record of inners
	narrow    int // bytes of a record of outers
}

const (
	childrenAt  = 4
	innerProbAt = 8
	outerProbAt = 4
)

// newTree says where the records of so many sequences are.
func newTree(counts []int, quantised bool) tree {
	t := tree{counts: counts, quantised: quantised, wide: innerProbAt + 8, narrow: outerProbAt + 4}
	if quantised {
		t.wide, t.narrow = innerProbAt+2, outerProbAt+1
	}
	at := uint32(first)
	t.starts[0] = root
	for k := range t.starts[1:] {
		t.starts[k+1] = at
		if k < len(counts) {
			at += uint32(counts[k])
		}
	}
	t.outer = t.starts[len(counts)]
	return t
}

// sizes are the bytes of words, inners and outers.
func (t *tree) sizes() (words, inners, outers int) {
	return 4 * int(t.nodes()), t.wide * (int(t.outer) + 1), t.narrow * t.counts[len(t.counts)-1]
}

// room makes them, if there is memory for so many bytes more.
func (t *tree) room(more float64) error {
	words, inners, outers := t.sizes()
	if err := memory.Room(float64(words) + float64(inners) + float64(outers) + more); err != nil {
		return err
	}
	t.words, t.inners, t.outers = memory.Large[byte](words), memory.Large[byte](inners), memory.Large[byte](outers)
	return nil
}

// nodes is how many there are.
func (t *tree) nodes() uint32 { return t.starts[MostOrder+1] }

// length is how many words a node has.
func (t *tree) length(node uint32) int {
	k := 0
	for node >= t.starts[k+1] {
		k++
	}
	return k
}

func (t *tree) inner(node uint32) []byte { return t.inners[t.wide*int(node):][:t.wide] }

func (t *tree) outerAt(node uint32) []byte {
	return t.outers[t.narrow*int(node-t.outer):][:t.narrow]
}

func suffix(record []byte) uint32 { return binary.LittleEndian.Uint32(record) }

// word is the last of a node's.
func (t *tree) word(node uint32) uint32 { return binary.LittleEndian.Uint32(t.words[4*int(node):]) }

func float(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) }

// first is a node's first child, if it has one.
func (t *tree) first(node uint32) uint32 {
	return binary.LittleEndian.Uint32(t.inners[t.wide*int(node)+childrenAt:])
}

// log10 is that of a node's probability.
func (t *tree) log10(node uint32) float64 {
	var at []byte
	if node < t.outer {
		at = t.inner(node)[innerProbAt:]
	} else {
		at = t.outerAt(node)[outerProbAt:]
	}
	if t.quantised {
		return float64(t.books[2*t.length(node)-2][at[0]])
	}
	return float(at)
}

// backoff is log10 of the backoff in a node's record.
func (t *tree) backoff(record []byte, node uint32) float64 {
	if t.quantised {
		return float64(t.books[2*t.length(node)-1][record[innerProbAt+1]])
	}
	return float(record[innerProbAt+4:])
}

// family is a node's first child, and the first node behind its children.
func (t *tree) family(node uint32) (from, to uint32) {
	at := t.wide*int(node) + childrenAt
	return binary.LittleEndian.Uint32(t.inners[at:]), binary.LittleEndian.Uint32(t.inners[at+t.wide:])
}

// useful tells whether to be in a node makes a difference from being in its suffix.
func (t *tree) useful(node uint32) bool {
	from, to := t.family(node)
	return from < to || node != root && t.backoff(t.inner(node), node) != 0
}

// state is that after a node's words.
func (t *tree) state(node uint32) State {
	if node >= t.outer {
		return suffix(t.outerAt(node))
	}
	if t.useful(node) {
		return node
	}
	return suffix(t.inner(node))
}

// near is the length of a list that is searched from one end to the other.
const near = 8

// child finds the node of a node's words and one more.
func (t *tree) child(node, w uint32) (uint32, bool) {
	lo, hi := t.family(node)
	for hi-lo > near {
		middle := lo + (hi-lo)/2
		if t.word(middle) <= w {
			lo = middle
		} else {
			hi = middle
		}
	}
	for ; lo < hi; lo++ {
		if got := t.word(lo); got >= w {
			return lo, got == w
		}
	}
	return 0, false
}

// next is log10 of the probability of a word in a state, and the state after it.
func (t *tree) next(node, w uint32) (log10 float64, next uint32) {
	for node != root {
		if child, ok := t.child(node, w); ok {
			return log10 + t.log10(child), t.state(child)
		}
		r := t.inner(node)
		log10 += t.backoff(r, node)
		node = suffix(r)
	}
	return log10 + t.log10(first+w), t.state(first + w)
}
