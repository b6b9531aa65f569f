//go:build amd64 && !noasm

package qap

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C ../../internal/assembly run ./qap -out ../../anneal/qap/products_amd64.s -stubs ../../anneal/qap/products_amd64.go -pkg qap

var hasAVX2 = cpu.X86.HasAVX2

// products is productsGo, in assembly where entries are narrow.
func products[T entry](ai, aj, bi, bj []T) int64 {
	if unsafe.Sizeof(T(0)) > 2 || !hasAVX2 {
		return productsGo(ai, aj, bi, bj)
	}
	return int64(productsAVX2(first(ai), first(aj), first(bi), first(bj), len(ai)))
}

// differences is differencesGo, in assembly where entries are narrow.
func differences[T entry](to, a, b, c, d []T) {
	if unsafe.Sizeof(T(0)) > 2 || !hasAVX2 {
		differencesGo(to, a, b, c, d)
		return
	}
	differencesAVX2(first(to), first(a), first(b), first(c), first(d), len(a))
}

// addProducts is addProductsGo, in assembly where entries are narrow.
func addProducts[T entry, S sum](sums []S, x, y []T) {
	if unsafe.Sizeof(T(0)) > 2 || !hasAVX2 {
		addProductsGo(sums, x, y)
		return
	}
	addProductsAVX2((*int32)(unsafe.Pointer(unsafe.SliceData(sums))), first(x), first(y), len(x)/2, len(y)/2)
}

func first[T entry](x []T) *int16 { return (*int16)(unsafe.Pointer(unsafe.SliceData(x))) }
