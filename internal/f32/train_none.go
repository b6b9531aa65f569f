//go:build !amd64 || noasm

package f32

func (set) blend(dst []float32, a float32, x []float32, b float32) { blendGo(dst, a, x, b) }

func (set) transpose(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	transposeGo(dst, dstStride, x, stride, rows, columns)
}
