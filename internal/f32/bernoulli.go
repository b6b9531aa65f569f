package f32

import "math"

// Bernoulli draws independent bits, bit i being one with probability 1/(1 + exp(−x[i])), and writes the indices of the
// ones to dst in ascending order; it returns their number. The capacity of dst is at least len(x) + 16, and what
// lies beyond the indices is overwritten. All lanes advance by one for every sixteen elements, begun or full.
//
// A probability is met to 2⁻²³ in absolute terms and, where it is small, to some units in its last place.
func Bernoulli(dst []int32, x []float32, l *Lanes) int {
	return best().bernoulli(checkDst(dst, len(x)), x, l)
}

// BernoulliScaled is Bernoulli with the logits (1−β)·bias0[i] + β·(bias1[i] + x[i]), without the first term if bias0
// is nil.
func BernoulliScaled(dst []int32, x, bias0, bias1 []float32, beta float64, l *Lanes) int {
	dst = checkDst(dst, len(x))
	if len(bias1) != len(x) || bias0 != nil && len(bias0) != len(x) {
		panic("f32: there are not as many biases as activations")
	}
	c1 := float32(-beta * math.Log2E)
	if bias0 == nil {
		return best().bernoulliScaled(dst, x, bias1, c1, l)
	}
	return best().bernoulliBetween(dst, x, bias0, bias1, float32(-(1-beta)*math.Log2E), c1, l)
}

func checkDst(dst []int32, n int) []int32 {
	if cap(dst) < n+block {
		panic("f32: the list of indices needs a capacity of the number of logits and 16")
	}
	return dst[:n+block]
}

func bernoulliGo(dst []int32, x []float32, l *Lanes) int {
	n := 0
	var u [block]uint32
	for i, v := range x {
		if i%block == 0 {
			u = l.next()
		}
		dst[n] = int32(i)
		n += one(float32(v*-log2e), u[i%block])
	}
	return n
}

func bernoulliScaledGo(dst []int32, x, bias1 []float32, c1 float32, l *Lanes) int {
	n := 0
	var u [block]uint32
	for i, v := range x {
		if i%block == 0 {
			u = l.next()
		}
		dst[n] = int32(i)
		n += one(float32(c1*(bias1[i]+v)), u[i%block])
	}
	return n
}

func bernoulliBetweenGo(dst []int32, x, bias0, bias1 []float32, c0, c1 float32, l *Lanes) int {
	n := 0
	var u [block]uint32
	for i, v := range x {
		if i%block == 0 {
			u = l.next()
		}
		dst[n] = int32(i)
		n += one(float32(c1*(bias1[i]+v))+float32(c0*bias0[i]), u[i%block])
	}
	return n
}

// one is one with probability 1/(1 + 2ʸ): where |k|·(1 + 2ʸ) < 2³¹, with the 32 bits k as a signed number.
func one(y float32, bits uint32) int {
	k := float32(int32(bits))
	if k < 0 {
		k = -k
	}
	if float32(k*(1+exp2(y))) < 1<<31 {
		return 1
	}
	return 0
}
