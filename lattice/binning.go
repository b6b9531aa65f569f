package lattice

import "math"

// blocking is the variance of means of blocks of one size.
type blocking struct {
	size, count int // measurements of a block, blocks of all chains
	se          float64
	plateau     bool
}

// leastBlocks is the fewest blocks from which an error is told: theirs is known to a sixth.
const leastBlocks = 16

// plateau doubles blocks and takes the smallest size b with b³ ≥ 2 n (σ_b/σ_1)⁴, where n is the number of measurements and σ_b
// the error by blocks of that size (Lee, Conduit, Nemec, López Ríos and Drummond 2011, "Strategies for improving the efficiency of
// quantum Monte Carlo calculations", section II): there the bias of σ_b, which falls with b, is as large as its noise, which
// rises. Where no size with [leastBlocks] blocks is enough, the largest error is taken, which is too low.
func (x *expansion) plateau() blocking {
	var best blocking
	single, total := 0.0, float64(x.n*len(x.y))
	for size := 1; x.n/size > 0 && len(x.y)*(x.n/size) >= leastBlocks; size *= 2 {
		b := x.blocked(size)
		if size == 1 {
			single = b.se
		}
		if b.se >= best.se {
			best = b
		}
		ratio := b.se / single
		ratio *= ratio
		if b3 := float64(size) * float64(size) * float64(size); b3 >= 2*total*ratio*ratio {
			b.plateau = true
			return b
		}
	}
	return best
}

// blocked is the standard error of the mean of y by blocks. Measurements after the last whole block of a chain are left out.
func (x *expansion) blocked(size int) blocking {
	means := x.blocks[:0]
	sum := 0.0
	for _, y := range x.y {
		for ; len(y) >= size; y = y[size:] {
			mean := 0.0
			for _, v := range y[:size] {
				mean += v
			}
			mean /= float64(size)
			sum += mean
			means = append(means, mean)
		}
	}
	n := float64(len(means))
	squares := 0.0
	for _, v := range means {
		d := v - sum/n
		squares += float64(d * d)
	}
	return blocking{size: size, count: len(means), se: math.Sqrt(squares / (n * (n - 1)))}
}

// jackknife is the standard error of a quantity from its values without each block in turn (Quenouille 1956; Tukey 1958).
func (x *expansion) jackknife(q Quantity, size int) float64 {
	var all moments
	var parts []moments
	for c := range x.y {
		for from := 0; from+size <= x.n; from += size {
			var part moments
			for t := from; t < from+size; t++ {
				part.add(x.at(&x.of, c, t), 1)
			}
			all.add(part, 1)
			parts = append(parts, part)
		}
	}
	without := make([]float64, len(parts))
	for i, part := range parts {
		rest := all
		rest.add(part, -1)
		rest.divide(float64(size * (len(parts) - 1)))
		without[i] = x.of.value(q, &rest)
	}
	return jackknifeSE(without)
}

// jackknifeSE is √((n−1)/n Σ (x_i − x̄)²).
func jackknifeSE(x []float64) float64 {
	n := float64(len(x))
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(squares * (n - 1) / n)
}
