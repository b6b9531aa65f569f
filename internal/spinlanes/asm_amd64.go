//go:build amd64 && !noasm

package spinlanes

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C ../assembly run ./spinlanes -set AVX512 -out ../spinlanes/avx512_amd64.s -stubs ../spinlanes/avx512_amd64.go -pkg spinlanes
//go:generate go -C ../assembly run ./spinlanes -set AVX2 -out ../spinlanes/avx2_amd64.s -stubs ../spinlanes/avx2_amd64.go -pkg spinlanes

// best is the widest instruction set that processor and operating system have.
func best() set {
	switch {
	case cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		return avx512
	case cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT:
		return avx2
	}
	return plainGo
}

func (s set) update16(st *State, from, to int, t *Thresholds, gen *Generator, sum *[Lanes]int16) int64 {
	g := st.graph
	f, up, ends, at, weight := unsafe.SliceData(st.f16), unsafe.SliceData(st.Up), unsafe.SliceData(g.ends), unsafe.SliceData(g.at), unsafe.SliceData(g.weight)
	planes, limit, state := &t.planes[0], int(t.limit), &gen.s[0][0]
	switch {
	case s == plainGo:
		return updateGo(g, st.Up, st.f16, from, to, t, gen, sum)
	case s == avx512 && g.unit:
		return updateUnit16AVX512(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
	case s == avx512:
		return update16AVX512(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
	case g.unit:
		return updateUnit16AVX2(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
	}
	return update16AVX2(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
}

func (s set) update32(st *State, from, to int, t *Thresholds, gen *Generator, sum *[Lanes]int32) int64 {
	g := st.graph
	f, up, ends, at, weight := unsafe.SliceData(st.f32), unsafe.SliceData(st.Up), unsafe.SliceData(g.ends), unsafe.SliceData(g.at), unsafe.SliceData(g.weight)
	planes, limit, state := &t.planes[0], int(t.limit), &gen.s[0][0]
	switch s {
	case avx512:
		return update32AVX512(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
	case avx2:
		return update32AVX2(f, up, ends, at, weight, from, to, planes, t.digits, limit, state, &sum[0])
	}
	return updateGo(g, st.Up, st.f32, from, to, t, gen, sum)
}
