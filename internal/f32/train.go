package f32

// Blend sets dst[i] = a·dst[i] + b·x[i], both products and the sum each rounded.
func Blend(dst []float32, a float32, x []float32, b float32) {
	best().line(dst, a, dst, b, x[:len(dst):len(x)])
}

// Axpy2 adds two multiples: dst[i] = (dst[i] + a·x[i]) + b·y[i], every product and sum rounded.
func Axpy2(dst []float32, a float32, x []float32, b float32, y []float32) {
	best().axpy2(dst, a, x[:len(dst):len(x)], b, y[:len(dst):len(y)])
}

func axpy2Go(dst []float32, a float32, x []float32, b float32, y []float32) {
	for i, v := range x {
		dst[i] = dst[i] + float32(a*v) + float32(b*y[i])
	}
}

// Dense reports whether this machine has a fast SumDense for so many columns.
func Dense(columns int) bool { return best() == avx512 && columns > Narrow }

// SumDense is SumRows for several lists, which are rows of h with a one for each matrix row in the list and zeros for
// others: dst[c·dstStride + j] = Σₖ h[c·hStride + k]·w[k·stride + j], for k below rows, in order. Columns, of which there are more
// than Narrow, are a multiple of 16.
func SumDense(dst []float32, dstStride int, h []float32, hStride, lists int, w []float32, stride, rows, columns int) {
	if rows < 1 || lists < 1 || columns <= Narrow || columns%block != 0 || columns > stride || columns > dstStride || rows > hStride ||
		len(dst) < (lists-1)*dstStride+columns || len(h) < (lists-1)*hStride+rows || len(w) < (rows-1)*stride+columns {
		panic("f32: dense sums do not fit in their slices")
	}
	best().dense(dst, dstStride, h, hStride, lists, w, stride, rows, columns)
}

func denseGo(dst []float32, dstStride int, h []float32, hStride, lists int, w []float32, stride, rows, columns int) {
	for c := range lists {
		sum := dst[c*dstStride : c*dstStride+columns]
		clear(sum)
		for k, on := range h[c*hStride : c*hStride+rows] {
			if on != 0 {
				addTo(sum, w[k*stride:])
			}
		}
	}
}

// Transpose sets dst[j·dstStride + i] = x[i·stride + j] for i below rows and j below columns.
func Transpose(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	if rows == 0 || columns == 0 {
		return
	}
	if columns > stride || rows > dstStride || len(x) < (rows-1)*stride+columns || len(dst) < (columns-1)*dstStride+rows {
		panic("f32: a matrix does not fit in its slice")
	}
	best().transpose(dst, dstStride, x, stride, rows, columns)
}

func transposeGo(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	for i := range rows {
		for j, v := range x[i*stride : i*stride+columns] {
			dst[j*dstStride+i] = v
		}
	}
}

// transposeRest moves what lies beyond the whole squares of 8 by 8.
func transposeRest(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	r, c := rows&^7, columns&^7
	if c < columns && r > 0 {
		transposeGo(dst[c*dstStride:], dstStride, x[c:], stride, r, columns-c)
	}
	if r < rows {
		transposeGo(dst[r:], dstStride, x[r*stride:], stride, rows-r, columns)
	}
}
