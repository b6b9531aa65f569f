package f32

// AddRows adds rows of a matrix: acc[j] += Σₖ w[rows[k]·stride + j]. The matrix is row-major, its rows stride apart
// and at least len(acc) long.
//
// The sum is in float32 and in the order of k; up to 16 columns it is (s₀+s₁) + (s₂+s₃), sᵢ the sum over the k with
// k mod 4 = i, and s₀ begins with acc.
func AddRows(acc, w []float32, stride int, rows []int32) {
	addRows(best(), acc, acc, w, stride, rows)
}

// Stride is the stride at which rows of so many columns are summed fastest: it is a multiple of a cache line.
func Stride(columns int) int { return (columns + block - 1) / block * block }

// SumRows sets dst[j] = Σₖ w[rows[k]·stride + j], otherwise as AddRows.
func SumRows(dst, w []float32, stride int, rows []int32) {
	addRows(best(), dst, nil, w, stride, rows)
}

// Narrow is the greatest number of columns that have four sums each, so that a sum need not wait for the one before.
const Narrow = block

func sumRowsGo(dst, from, w []float32, stride int, rows []int32, limit int) bool {
	for _, r := range rows {
		if r < 0 || int(r) >= limit {
			return false
		}
	}
	if from == nil {
		clear(dst)
	} else {
		copy(dst, from)
	}
	if len(dst) > Narrow {
		for _, r := range rows {
			addTo(dst, w[int(r)*stride:])
		}
		return true
	}
	var s [3][Narrow]float32
	for k, r := range rows {
		to := dst
		if k%4 > 0 {
			to = s[k%4-1][:len(dst)]
		}
		addTo(to, w[int(r)*stride:])
	}
	for j := range dst {
		dst[j] = (dst[j] + s[0][j]) + (s[1][j] + s[2][j])
	}
	return true
}

func addTo(dst, row []float32) {
	row = row[:len(dst)]
	for j, v := range row {
		dst[j] += v
	}
}

func addRows(set set, dst, from, w []float32, stride int, rows []int32) {
	if len(dst) > stride {
		panic("f32: rows are longer than their stride")
	}
	limit := 0 // of the rows' numbers; the last row may be as short as dst
	if len(w) >= len(dst) && stride > 0 {
		limit = (len(w)-len(dst))/stride + 1
	}
	if !set.sumRows(dst, from, w, stride, rows, limit) {
		panic("f32: no such row")
	}
}

// Axpy adds a multiple: dst[i] += a·x[i], product and sum each rounded.
func Axpy(dst []float32, a float32, x []float32) {
	best().axpy(dst, a, x[:len(dst):len(x)])
}

func axpyGo(dst []float32, a float32, x []float32) {
	for i, v := range x {
		dst[i] += float32(a * v)
	}
}

// Dot is Σ x[i]·y[i], each product rounded to float32 and the sum in float64.
func Dot(x, y []float32) float64 {
	var s sums
	best().dot(&s, x, y[:len(x):len(y)])
	return s.total()
}

func dotGo(s *sums, x, y []float32) {
	for i, v := range x {
		s[i%block] += float64(float32(v * y[i]))
	}
}

// sums are the partial sums of sixteen residues.
type sums [block]float64

func (s *sums) total() float64 {
	for n := block / 2; n > 0; n /= 2 {
		for i := range n {
			s[i] += s[i+n]
		}
	}
	return s[0]
}
