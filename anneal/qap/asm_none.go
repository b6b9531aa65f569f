//go:build !amd64 || noasm

package qap

func products[T entry](ai, aj, bi, bj []T) int64 { return productsGo(ai, aj, bi, bj) }
