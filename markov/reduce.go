package markov

// block is how many states are eliminated before the rest of the matrix is brought up to date: their rows, packed,
// stay in the second level of the cache.
const block = 24

// reduction is state reduction without subtraction (Grassmann, Taksar, Heyman, 1985; Sheskin, 1985). Eliminating state
// k leaves the chain censored to the other states: a transition i→j gains p_ik p_kj/s_k, where s_k is the sum of
// p_kj over the states j that are left, in place of 1 − p_kk. All operations are sums, products and quotients of
// numbers that are not negative, so every result is accurate to some n·ε of itself (O'Cinneide, 1993).
//
// The first m states are eliminated. Rows and columns beyond m are states that stay: rows may be fewer (nothing is asked
// about what follows them) and columns may stand for sets of states. Afterwards a holds, of I − T = (I − L)(S − U) for
// the eliminated part T: the multipliers L below the diagonal, U above it; s holds S. The diagonal is not used.
type reduction struct {
	rows, cols, m int
	a             []float64
	s             []float64
}

func newReduction(rows, cols, m int) *reduction {
	return &reduction{rows: rows, cols: cols, m: m, a: make([]float64, rows*cols), s: make([]float64, m)}
}

func (r *reduction) row(i int) []float64 { return r.a[i*r.cols : (i+1)*r.cols : (i+1)*r.cols] }

// run eliminates the states block by block. It returns the first state that can no longer leave, −1 if there is none:
// then some eliminated state cannot reach one that stays.
func (r *reduction) run() int {
	packed := make([]float64, block*(r.cols+strip))
	for k0 := 0; k0 < r.m; k0 += block {
		k1 := min(k0+block, r.m)
		if k := r.upper(k0, k1); k >= 0 {
			return k
		}
		r.lower(k0, k1)
		r.trailing(k0, k1, packed)
	}
	return -1
}

// upper eliminates states k0 … k1−1 within their own rows.
func (r *reduction) upper(k0, k1 int) int {
	for k := k0; k < k1; k++ {
		from := r.row(k)[k+1:]
		s := 0.0
		for _, v := range from {
			s += v
		}
		if s == 0 {
			return k
		}
		r.s[k] = s
		for i := k + 1; i < k1; i++ {
			row := r.row(i)
			l := row[k] / s
			row[k] = l
			if l != 0 {
				axpy(row[k+1:], l, from)
			}
		}
	}
	return -1
}

// axpy adds l times x to dst.
func axpy(dst []float64, l float64, x []float64) {
	x = x[:len(dst)]
	for j := range dst {
		dst[j] += float64(l * x[j])
	}
}

// lower finds the multipliers of the rows below the block.
func (r *reduction) lower(k0, k1 int) {
	for i := k1; i < r.rows; i++ {
		row := r.row(i)
		for k := k0; k < k1; k++ {
			l := row[k] / r.s[k]
			row[k] = l
			if l != 0 {
				axpy(row[k+1:k1], l, r.row(k)[k+1:k1])
			}
		}
	}
}

// trailing adds multipliers times the block's rows to the rest of the matrix: nearly all of the work. Each element is
// summed in the order of k, whatever the kernel.
func (r *reduction) trailing(k0, k1 int, packed []float64) {
	wide := k1 + (r.cols-k1)/strip*strip
	for j := k1; j < wide; j += strip {
		for k := k0; k < k1; k++ {
			copy(packed[((j-k1)/strip*(k1-k0)+k-k0)*strip:][:strip], r.row(k)[j:])
		}
	}
	high := k1 + max(r.rows-k1, 0)/4*4
	for i := k1; i < high; i += 4 {
		b := packed
		for j := k1; j < wide; j += strip {
			addProduct(r.a[i*r.cols+j:], r.cols, r.a[i*r.cols+k0:], b, k1-k0)
			b = b[(k1-k0)*strip:]
		}
	}
	for i := k1; i < r.rows; i++ {
		from := k1
		if i < high {
			from = wide
		}
		row := r.row(i)
		for k := k0; k < k1; k++ {
			axpy(row[from:], row[k], r.row(k)[from:])
		}
	}
}

// strip is the number of columns that addProduct treats at once, beside 4 rows.
const strip = 8

// addProductGo adds to each c_ij, of 4 rows with distance ld and 8 columns, the sum over k of a_ik b_kj, in the order of
// k. Rows of a have distance ld, b is packed.
func addProductGo(c []float64, ld int, a, b []float64, depth int) {
	for i := 0; i < 4; i += 2 {
		a0, a1 := a[i*ld:][:depth], a[(i+1)*ld:][:depth]
		for j := 0; j < strip; j += 4 {
			c0, c1 := c[i*ld+j:][:4:4], c[(i+1)*ld+j:][:4:4]
			x0, x1, x2, x3 := c0[0], c0[1], c0[2], c0[3]
			y0, y1, y2, y3 := c1[0], c1[1], c1[2], c1[3]
			p := b[j:]
			for k, l := range a0 {
				q, m := p[k*strip:][:4:4], a1[k]
				x0 += float64(l * q[0])
				x1 += float64(l * q[1])
				x2 += float64(l * q[2])
				x3 += float64(l * q[3])
				y0 += float64(m * q[0])
				y1 += float64(m * q[1])
				y2 += float64(m * q[2])
				y3 += float64(m * q[3])
			}
			c0[0], c0[1], c0[2], c0[3] = x0, x1, x2, x3
			c1[0], c1[1], c1[2], c1[3] = y0, y1, y2, y3
		}
	}
}

// visits gives the stationary distribution of the first last+1 states, not normalised: v_k = Σ v_i l_ik over the states
// i after k. Numbers that grow too large are scaled down together, by a power of two.
func (r *reduction) visits(v []float64, last int) {
	const huge, down = 0x1p400, 0x1p-400
	clear(v)
	v[last] = 1
	for k := last; k >= 0; k-- {
		if v[k] > huge {
			for i := range v[:last+1] {
				v[i] *= down
			}
		}
		axpy(v[:k], v[k], r.row(k)[:k])
	}
}

// back solves (S − U) x = b, with the columns that stay on the right: on entry x holds b in its first m entries and
// values of x for the columns after them.
func (r *reduction) back(x []float64) {
	for k := r.m - 1; k >= 0; k-- {
		sum := x[k]
		for j, v := range r.row(k)[k+1:] {
			sum += float64(v * x[k+1+j])
		}
		x[k] = sum / r.s[k]
	}
}

// forward solves (I − L) x = b in place.
func (r *reduction) forward(x []float64) {
	for i := 1; i < r.m; i++ {
		sum := x[i]
		for k, l := range r.row(i)[:i] {
			sum += float64(l * x[k])
		}
		x[i] = sum
	}
}
