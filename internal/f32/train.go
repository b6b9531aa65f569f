package f32

// Blend sets dst[i] = a·dst[i] + b·x[i], both products and the sum each rounded.
func Blend(dst []float32, a float32, x []float32, b float32) {
	best().blend(dst, a, x[:len(dst):len(x)], b)
}

func blendGo(dst []float32, a float32, x []float32, b float32) {
	for i, v := range x {
		dst[i] = float32(a*dst[i]) + float32(b*v)
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
