package multispin

import "math"

// Row is a run of words of one colour, a whole number of vectors, and the words of the other colour around it.
type Row struct {
	Self   []uint64    // the words to update
	Live   []uint64    // their bits that are spins
	Beside []uint64    // from one word before the row to one after it: the neighbour in the same word, and the one in the word before or after
	Across [4][]uint64 // the other neighbours: two in the square lattice, four in the cubic one
	Before uint64      // bits whose second neighbour beside them is in the word before
}

// Update updates the row.
func (r *Row) Update(rule *Rule, l *Lanes) {
	r.check(rule.neighbours)
	best().update(r, rule, l)
}

// Unequal counts the pairs of neighbours, one in the row and one around it, that differ.
func (r *Row) Unequal(neighbours int) int {
	r.check(neighbours)
	return best().unequal(r, neighbours)
}

func (r *Row) check(neighbours int) {
	n := len(r.Self)
	fits := n%Vector == 0 && len(r.Live) == n && len(r.Beside) == n+2
	for i := range neighbours - 2 {
		fits = fits && len(r.Across[i]) == n
	}
	if !fits {
		panic("multispin: the words around a row do not fit it")
	}
}

// Turn writes the low bits of each word of src, turned by one place towards the higher ones, or the lower ones, to dst: a whole number
// of vectors.
func Turn(dst, src []uint64, bits int, up bool) {
	if len(dst)%Vector != 0 || len(src) != len(dst) || bits < 1 || bits > 64 {
		panic("multispin: words to turn do not fit")
	}
	left, right := 1, bits-1
	if !up {
		left, right = right, left
	}
	best().turn(dst, src, left, right, math.MaxUint64>>(64-bits))
}

func turnGo(dst, src []uint64, left, right int, mask uint64) {
	src = src[:len(dst)]
	for i, w := range src {
		dst[i] = (w<<(left&63) | w>>(right&63)) & mask
	}
}
