package plan

import "github.com/ergodic-mcmc/ergodic/internal/columns"

// span is a run of cells.
type span struct{ lo, hi int32 }

// spans are cells, in their order, as runs: copies of these are quicker than cell by cell.
type spans []span

func spansOf(cells []int32) (all spans) {
	for _, c := range cells {
		if n := len(all); n > 0 && all[n-1].hi == c {
			all[n-1].hi++
			continue
		}
		all = append(all, span{c, c + 1})
	}
	return all
}

// gather copies the values of the cells to dst.
func (a spans) gather(dst, v []float64) {
	for _, s := range a {
		if s.hi == s.lo+1 {
			dst[0] = v[s.lo]
			dst = dst[1:]
			continue
		}
		dst = dst[copy(dst, v[s.lo:s.hi]):]
	}
}

// scatter copies src to the cells.
func (a spans) scatter(v, src []float64) {
	for _, s := range a {
		if s.hi == s.lo+1 {
			v[s.lo] = src[0]
			src = src[1:]
			continue
		}
		src = src[copy(v[s.lo:s.hi], src):]
	}
}

// same tells whether the cells have these values, in the same bits.
func (a spans) same(v, values []float64) bool {
	for _, s := range a {
		n := int(s.hi - s.lo)
		if !columns.Equal(v[s.lo:s.hi], values[:n]) {
			return false
		}
		values = values[n:]
	}
	return true
}
