package f32

import "math"

// Bernoulli draws independent bits, bit i being one with probability 1/(1 + exp(−β·x[i])), and writes the indices of
// the ones to dst in ascending order; it returns their number. The capacity of dst is at least len(x) + 16, and what
// lies beyond the indices is overwritten. All lanes advance by one for every sixteen elements, begun or full.
//
// A probability is met to 2⁻²³ in absolute terms and, where it is small, to some units in its last place.
func Bernoulli(dst []int32, x []float32, beta float64, l *Lanes) int {
	return best().bernoulli(checkDst(dst, len(x)), x, float32(-beta*math.Log2E), l)
}

// Line is what BernoulliAlong adds to its logits: a·x + b·y, in units of its own.
func Line(dst []float32, a float64, x []float32, b float64, y []float32) {
	best().line(dst, float32(-a*math.Log2E), x[:len(dst):len(x)], float32(-b*math.Log2E), y[:len(dst):len(y)])
}

// BernoulliAlong is Bernoulli with the logits β·x[i] and what Line has made of others added.
func BernoulliAlong(dst []int32, x []float32, beta float64, line []float32, l *Lanes) int {
	return best().bernoulliAlong(checkDst(dst, len(x)), x, line[:len(x):len(line)], float32(-beta*math.Log2E), l)
}

func checkDst(dst []int32, n int) []int32 {
	if cap(dst) < n+block {
		panic("f32: the list of indices needs a capacity of the number of logits and 16")
	}
	return dst[:n+block]
}

func bernoulliGo(dst []int32, x []float32, c float32, l *Lanes) int {
	n := 0
	var u [block]uint32
	for i, v := range x {
		if i%block == 0 {
			u = l.next()
		}
		dst[n] = int32(i)
		n += one(float32(c*v), u[i%block])
	}
	return n
}

func bernoulliAlongGo(dst []int32, x, line []float32, c float32, l *Lanes) int {
	n := 0
	var u [block]uint32
	for i, v := range x {
		if i%block == 0 {
			u = l.next()
		}
		dst[n] = int32(i)
		n += one(float32(c*v)+line[i], u[i%block])
	}
	return n
}

func lineGo(dst []float32, a float32, x []float32, b float32, y []float32) {
	for i, v := range x {
		dst[i] = float32(a*v) + float32(b*y[i])
	}
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
