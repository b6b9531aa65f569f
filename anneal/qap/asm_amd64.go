//go:build amd64 && !noasm

package qap

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C gen run . -out ../products_amd64.s -stubs ../products_amd64.go -pkg qap

var hasAVX2 = cpu.X86.HasAVX2

// products is productsGo, in assembly where entries are narrow.
func products[T entry](ai, aj, bi, bj []T) int64 {
	if unsafe.Sizeof(T(0)) > 2 || !hasAVX2 {
		return productsGo(ai, aj, bi, bj)
	}
	return int64(productsAVX2(first(ai), first(aj), first(bi), first(bj), len(ai)))
}

func first[T entry](x []T) *int16 { return (*int16)(unsafe.Pointer(unsafe.SliceData(x))) }
