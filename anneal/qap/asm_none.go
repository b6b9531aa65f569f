//go:build !amd64 || noasm

package qap

func products[T entry](ai, aj, bi, bj []T) int64 { return productsGo(ai, aj, bi, bj) }

func differences[T entry](to, a, b, c, d []T) { differencesGo(to, a, b, c, d) }

func addProducts[T entry, S sum](sums []S, x, y []T) { addProductsGo(sums, x, y) }
