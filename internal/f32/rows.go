package f32

// AddRows adds rows of a matrix: acc[j] += Σₖ w[rows[k]·stride + j], summed in float32 in the order of k. The matrix
// is row-major, its rows stride apart and at least len(acc) long.
func AddRows(acc, w []float32, stride int, rows []int32) {
	checkRows(len(acc), len(w), stride, rows)
	addRows(acc, w, stride, rows)
}

// SubRows subtracts rows of a matrix, otherwise as AddRows.
func SubRows(acc, w []float32, stride int, rows []int32) {
	checkRows(len(acc), len(w), stride, rows)
	subRows(acc, w, stride, rows)
}

// SumRows sets dst[j] = Σₖ w[rows[k]·stride + j], otherwise as AddRows.
func SumRows(dst, w []float32, stride int, rows []int32) {
	checkRows(len(dst), len(w), stride, rows)
	clear(dst)
	addRows(dst, w, stride, rows)
}

func checkRows(width, size, stride int, rows []int32) {
	if width > stride {
		panic("f32: rows are longer than their stride")
	}
	for _, r := range rows {
		if r < 0 || int(r)*stride+width > size {
			panic("f32: no such row")
		}
	}
}

func addRows(acc, w []float32, stride int, rows []int32) {
	for _, r := range rows {
		row := w[int(r)*stride:][:len(acc)]
		for j, v := range row {
			acc[j] += v
		}
	}
}

func subRows(acc, w []float32, stride int, rows []int32) {
	for _, r := range rows {
		row := w[int(r)*stride:][:len(acc)]
		for j, v := range row {
			acc[j] -= v
		}
	}
}

// Axpy adds a multiple: dst[i] += a·x[i], product and sum each rounded.
func Axpy(dst []float32, a float32, x []float32) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] += float32(a * v)
	}
}

// Dot is Σ x[i]·y[i], each product rounded to float32 and the sum in float64.
func Dot(x, y []float32) float64 {
	y = y[:len(x)]
	var s sums
	for i, v := range x {
		s[i%block] += float64(float32(v * y[i]))
	}
	return s.total()
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
