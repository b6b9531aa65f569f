//go:build !amd64

package markov

func addProduct(c []float64, ld int, a, b []float64, depth int) { addProductGo(c, ld, a, b, depth) }
