package markov

import "golang.org/x/sys/cpu"

// addProduct is addProductGo, with the same bits: the processor's vector instructions multiply, round and add as the
// plain loop does.
func addProduct(c []float64, ld int, a, b []float64, depth int) {
	if !cpu.X86.HasAVX2 || depth == 0 {
		addProductGo(c, ld, a, b, depth)
		return
	}
	_, _, _ = c[3*ld+strip-1], a[3*ld+depth-1], b[depth*strip-1]
	addProductAVX(&c[0], ld, &a[0], &b[0], depth)
}

//go:noescape
func addProductAVX(c *float64, ld int, a, b *float64, depth int)
