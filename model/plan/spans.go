package plan

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

// same tells whether the cells have these values.
func (a spans) same(v, values []float64) bool {
	for _, s := range a {
		n := int(s.hi - s.lo)
		if !equal(v[s.lo:s.hi], values[:n]) {
			return false
		}
		values = values[n:]
	}
	return true
}

// equal is slices.Equal for two of one length, eight numbers at a time.
func equal(x, y []float64) bool {
	y = y[:len(x)]
	for ; len(x) >= 8; x, y = x[8:], y[8:] {
		a, b := (*[8]float64)(x), (*[8]float64)(y)
		if a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[3] != b[3] || a[4] != b[4] || a[5] != b[5] || a[6] != b[6] || a[7] != b[7] {
			return false
		}
	}
	for i, u := range x {
		if u != y[i] {
			return false
		}
	}
	return true
}
