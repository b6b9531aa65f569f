package qap

import "unsafe"

// A walker keeps a table once it makes fewer exchanges a sweep than these, and until it makes twice as many. An exchange that is made costs n² more
// with it, in assembly or not, and one that is proposed, 4n less.
const (
	tableNarrow = 2
	tableWide   = 0.5
	tableSpan   = 32 // sweeps of the running mean
)

// table makes the differences of all exchanges cheap where few are made: entry i of row j of sums is
//
//	s_ij = Σ_k a_ik b_jk   with b_jk for b_{p(j) p(k)},
//
// and without symmetry Σ_k (a_ik b_jk + a_ki b_kj). The exchange of i and j then adds s_ij + s_ji − s_ii − s_jj and what does not depend on
// k. With P the matrix that exchanges u and v, S = A Bᵀ becomes A P Bᵀ P = (S + x yᵀ) P, x_i = a_iu − a_iv, y_j = b_jv − b_ju: that is all
// there is to update, where the table of the differences themselves (Taillard, 1991) takes those of u and v anew.
type table[T entry, S sum] struct {
	kept   bool    // follows the walker
	recent float64 // exchanges of a sweep
	few    float64 // are fewer
	sums   []S
	x, y   []T // of both terms in turn
	row    []S
	zero   []T
}

// sum is a type that holds sums of products of entries.
type sum interface{ int32 | int64 }

func (t *table[T, S]) init(n, stride int) {
	t.sums, t.row = make([]S, n*stride), make([]S, stride)
	if t.few = tableWide; unsafe.Sizeof(S(0)) == 4 {
		t.few = tableNarrow
	}
	t.x, t.y, t.zero = make([]T, 2*stride), make([]T, 2*stride), make([]T, stride)
}

// forget lets the next sweeps do without, as in a new state.
func (t *table[T, S]) forget(n int) {
	t.kept, t.recent = false, float64(n)
}

// tabulate keeps the table, or no longer does, by how many exchanges the last sweeps made. What is drawn does not depend on it.
func (w *walker[T, S]) tabulate() {
	switch recent := w.table.recent; {
	case w.table.kept && recent > 2*w.table.few:
		w.table.kept = false
	case !w.table.kept && recent < w.table.few:
		w.fillTable()
	}
}

// observe counts a sweep's exchanges.
func (t *table[T, S]) observe(accepted int64) {
	t.recent += float64((float64(accepted) - t.recent) / tableSpan)
}

// fillTable computes the table from the walker's rows.
func (w *walker[T, S]) fillTable() {
	t, n := &w.table, w.m.stride
	for j := range w.p.n {
		row := t.sums[j*n:][:n]
		for i := range w.p.n {
			s := products(w.m.left[i*n:][:n], t.zero, t.zero, w.right[j*n:][:n])
			if len(w.rightT) > 0 {
				s += products(w.m.leftT[i*n:][:n], t.zero, t.zero, w.rightT[j*n:][:n])
			}
			row[i] = S(s)
		}
	}
	t.kept = true
}

// follow updates the table for the exchange of u and v, which the walker has not made yet.
func (w *walker[T, S]) follow(u, v int) {
	t, n := &w.table, w.m.stride
	au, av, bu, bv := w.m.left[u*n:][:n], w.m.left[v*n:][:n], w.right[u*n:][:n], w.right[v*n:][:n]
	if len(w.rightT) == 0 {
		differences(t.x, au, av, t.zero, t.zero)
		differences(t.y, bv, bu, t.zero, t.zero)
	} else {
		differences(t.x, au, av, w.m.leftT[u*n:][:n], w.m.leftT[v*n:][:n])
		differences(t.y, bv, bu, w.rightT[v*n:][:n], w.rightT[u*n:][:n])
	}
	addProducts(t.sums, t.x, t.y[:2*w.p.n])
	su, sv := t.sums[u*n:][:n], t.sums[v*n:][:n]
	copy(t.row, su)
	copy(su, sv)
	copy(sv, t.row)
}

// difference is what delta is, from the table.
func (w *walker[T, S]) difference(i, j int) int64 {
	n := w.m.stride
	ij, ji := i*n+j, j*n+i
	s := w.table.sums
	d := int64(s[ij]) + int64(s[ji]) - int64(s[i*n+i]) - int64(s[j*n+j])
	if len(w.rightT) == 0 {
		return d + 2*int64(w.m.left[ij])*int64(w.right[ij]) + w.onDiagonal(i, j)
	}
	return d + (int64(w.m.left[ij])+int64(w.m.left[ji]))*(int64(w.right[ij])+int64(w.right[ji])) + w.onDiagonal(i, j)
}

// differencesGo fills to with a_k − b_k and c_k − d_k in turn.
func differencesGo[T entry](to, a, b, c, d []T) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for k, x := range a {
		to[2*k], to[2*k+1] = x-b[k], c[k]-d[k]
	}
}

// addProductsGo adds x_2i y_2j + x_2i+1 y_2j+1 to entry i of row j.
func addProductsGo[T entry, S sum](sums []S, x, y []T) {
	n := len(x) / 2
	for j := 0; j < len(y); j += 2 {
		y0, y1 := S(y[j]), S(y[j+1])
		if y0|y1 == 0 {
			continue
		}
		row := sums[j/2*n:][:n]
		for i := range row {
			row[i] += S(x[2*i])*y0 + S(x[2*i+1])*y1
		}
	}
}
