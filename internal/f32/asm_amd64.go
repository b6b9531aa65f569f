//go:build amd64 && !noasm

package f32

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C gen run . -set AVX512 -out ../avx512_amd64.s -stubs ../avx512_amd64.go -pkg f32
//go:generate go -C gen run . -set AVX2 -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg f32

// best is the widest instruction set that processor and operating system have.
func best() set {
	switch {
	case cpu.X86.HasAVX512F:
		return avx512
	case cpu.X86.HasAVX2:
		return avx2
	}
	return plainGo
}

func at[T any](x []T) *T { return unsafe.SliceData(x) }

func (l *Lanes) words() *uint32 { return &l.s[0][0] }

func (s set) sumRows(dst, from, w []float32, stride int, rows []int32, limit int) bool {
	switch s {
	case avx512:
		return sumRowsAVX512(at(dst), at(from), len(dst), at(w), stride, at(rows), len(rows), limit)
	case avx2:
		return sumRowsAVX2(at(dst), at(from), len(dst), at(w), stride, at(rows), len(rows), limit)
	}
	return sumRowsGo(dst, from, w, stride, rows, limit)
}

func (s set) sumPanel(to *party, panel []float32, from int) {
	switch s {
	case avx512:
		sumPanelAVX512(&to.acc, &to.lists, at(panel), from, to.count)
	case avx2:
		sumPanelAVX2(&to.acc, &to.lists, at(panel), from, to.count)
	default:
		sumPanelGo(to, panel, from)
	}
}

func (s set) bernoulli(dst []int32, x []float32, l *Lanes) int {
	switch s {
	case avx512:
		return bernoulliAVX512(at(dst), at(x), len(x), l.words())
	case avx2:
		return bernoulliAVX2(at(dst), at(x), len(x), l.words())
	}
	return bernoulliGo(dst, x, l)
}

func (s set) bernoulliScaled(dst []int32, x, bias1 []float32, c1 float32, l *Lanes) int {
	switch s {
	case avx512:
		return bernoulliScaledAVX512(at(dst), at(x), at(bias1), len(x), c1, l.words())
	case avx2:
		return bernoulliScaledAVX2(at(dst), at(x), at(bias1), len(x), c1, l.words())
	}
	return bernoulliScaledGo(dst, x, bias1, c1, l)
}

func (s set) bernoulliBetween(dst []int32, x, bias0, bias1 []float32, c0, c1 float32, l *Lanes) int {
	switch s {
	case avx512:
		return bernoulliBetweenAVX512(at(dst), at(x), at(bias0), at(bias1), len(x), c0, c1, l.words())
	case avx2:
		return bernoulliBetweenAVX2(at(dst), at(x), at(bias0), at(bias1), len(x), c0, c1, l.words())
	}
	return bernoulliBetweenGo(dst, x, bias0, bias1, c0, c1, l)
}

func (s set) sigmoid(dst, x []float32) {
	switch s {
	case avx512:
		sigmoidAVX512(at(dst), at(x), len(x))
	case avx2:
		sigmoidAVX2(at(dst), at(x), len(x))
	default:
		sigmoidGo(dst, x)
	}
}

func (s set) softplus(dst, x []float32) {
	switch s {
	case avx512:
		softplusAVX512(at(dst), at(x), len(x))
	case avx2:
		softplusAVX2(at(dst), at(x), len(x))
	default:
		softplusGo(dst, x)
	}
}

func (s set) sumSoftplus(to *sums, x []float32, scale float32) {
	switch s {
	case avx512:
		sumSoftplusAVX512((*[block]float64)(to), at(x), len(x), scale)
	case avx2:
		sumSoftplusAVX2((*[block]float64)(to), at(x), len(x), scale)
	default:
		sumSoftplusGo(to, x, scale)
	}
}

// sumSteps adds the small steps of whole blocks, up to the first block with a large one, and returns their number.
func (s set) sumSteps(to *sums, x []float32, f, d float32) int {
	switch s {
	case avx512:
		return sumStepAVX512((*[block]float64)(to), at(x), len(x), -f, d)
	case avx2:
		return sumStepAVX2((*[block]float64)(to), at(x), len(x), -f, d)
	}
	return 0
}

func (s set) dot(to *sums, x, y []float32) {
	switch s {
	case avx512:
		dotAVX512((*[block]float64)(to), at(x), at(y), len(x))
	case avx2:
		dotAVX2((*[block]float64)(to), at(x), at(y), len(x))
	default:
		dotGo(to, x, y)
	}
}

func (s set) axpy(dst []float32, a float32, x []float32) {
	switch s {
	case avx512:
		axpyAVX512(at(dst), a, at(x), len(x))
	case avx2:
		axpyAVX2(at(dst), a, at(x), len(x))
	default:
		axpyGo(dst, a, x)
	}
}
