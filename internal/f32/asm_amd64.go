//go:build amd64 && !noasm

package f32

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C ../assembly run ./f32 -set AVX512 -out ../f32/avx512_amd64.s -stubs ../f32/avx512_amd64.go -pkg f32
//go:generate go -C ../assembly run ./f32 -set AVX2 -out ../f32/avx2_amd64.s -stubs ../f32/avx2_amd64.go -pkg f32

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

func (s set) sumPanel(all []batch, column int, start, panel []float32, wide bool) {
	switch {
	case s == plainGo:
		sumPanelGo(all, column, start, panel, wide)
	case s == avx512 && wide:
		sumPanelAVX512(&all[0].sums, len(all), column, at(start), at(panel))
	case s == avx512:
		sumHalfAVX512(&all[0].sums, len(all), column, at(start), at(panel))
	case wide:
		sumPanelAVX2(&all[0].sums, len(all), column, at(start), at(panel))
	default:
		sumHalfAVX2(&all[0].sums, len(all), column, at(start), at(panel))
	}
}

func (s set) distances(dst []uint16, list []int32, base, size uint32) int {
	if s == avx512 {
		return distancesAVX512(at(dst), at(list), len(list), base, size)
	}
	return distancesGo(dst, list, base, size)
}

func (s set) bernoulli(dst []int32, x []float32, c float32, l *Lanes) int {
	switch s {
	case avx512:
		return bernoulliAVX512(at(dst), at(x), len(x), c, l.words())
	case avx2:
		return bernoulliAVX2(at(dst), at(x), len(x), c, l.words())
	}
	return bernoulliGo(dst, x, c, l)
}

func (s set) bernoulliAlong(dst []int32, x, line []float32, c float32, l *Lanes) int {
	switch s {
	case avx512:
		return bernoulliAlongAVX512(at(dst), at(x), at(line), len(x), c, l.words())
	case avx2:
		return bernoulliAlongAVX2(at(dst), at(x), at(line), len(x), c, l.words())
	}
	return bernoulliAlongGo(dst, x, line, c, l)
}

func (s set) line(dst []float32, a float32, x []float32, b float32, y []float32) {
	switch s {
	case avx512:
		lineAVX512(at(dst), a, at(x), b, at(y), len(dst))
	case avx2:
		lineAVX2(at(dst), a, at(x), b, at(y), len(dst))
	default:
		lineGo(dst, a, x, b, y)
	}
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
