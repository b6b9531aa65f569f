//go:build !amd64 || noasm

package f32

func (set) axpy2(dst []float32, a float32, x []float32, b float32, y []float32) {
	axpy2Go(dst, a, x, b, y)
}

func (set) dense(dst []float32, dstStride int, h []float32, hStride, lists int, w []float32, stride, rows, columns int) {
	denseGo(dst, dstStride, h, hStride, lists, w, stride, rows, columns)
}

func (set) transpose(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	transposeGo(dst, dstStride, x, stride, rows, columns)
}
