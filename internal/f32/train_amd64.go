//go:build amd64 && !noasm

package f32

//go:generate go -C ../assembly run ./f32 -train -set AVX512 -out ../f32/train_avx512_amd64.s -stubs ../f32/train_avx512_amd64.go -pkg f32
//go:generate go -C ../assembly run ./f32 -train -set AVX2 -out ../f32/train_avx2_amd64.s -stubs ../f32/train_avx2_amd64.go -pkg f32

func (s set) axpy2(dst []float32, a float32, x []float32, b float32, y []float32) {
	switch s {
	case avx512:
		axpy2AVX512(at(dst), a, at(x), b, at(y), len(x))
	case avx2:
		axpy2AVX2(at(dst), a, at(x), b, at(y), len(x))
	default:
		axpy2Go(dst, a, x, b, y)
	}
}

func (s set) dense(dst []float32, dstStride int, h []float32, hStride, lists int, w []float32, stride, rows, columns int) {
	if s == avx512 {
		denseAVX512(at(dst), dstStride, at(h), hStride, lists, at(w), stride, rows, columns)
		return
	}
	denseGo(dst, dstStride, h, hStride, lists, w, stride, rows, columns)
}

func (s set) transpose(dst []float32, dstStride int, x []float32, stride, rows, columns int) {
	r, c := rows&^7, columns&^7
	switch {
	case s == plainGo:
		transposeGo(dst, dstStride, x, stride, rows, columns)
		return
	case r == 0 || c == 0:
	case s == avx512:
		transposeAVX512(at(dst), dstStride, at(x), stride, r, c)
	default:
		transposeAVX2(at(dst), dstStride, at(x), stride, r, c)
	}
	transposeRest(dst, dstStride, x, stride, rows, columns)
}
