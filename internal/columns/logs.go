package columns

import (
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

const (
	factors = 1008 // factors up to 2 that a lane holds without overflow
	one     = 1023 << 52
	ln2Hi   = 0.6931471805598903 // ln 2 to 42 fractional bits
	ln2Lo   = 5.497923018708371e-14
)

// Logs is a sum of logarithms, kept as the product of their arguments: one logarithm is taken at the end. Its absolute error is some 1e-16 for
// each factor. The zero value is the empty sum.
type Logs struct {
	product  [lanes]float64 // of the mantissas, each at least 1, once there are some
	exponent [lanes]int64
	filled   int // factors in a lane since its exponent was taken out
	odd      Sums
}

// Total is the sum of the logarithms.
func (l Logs) Total() float64 {
	if l.filled == 0 {
		return 0
	}
	l.takeExponents()
	k, p := int64(0), 1.0
	for i, v := range l.product {
		k += l.exponent[i]
		p = float64(p * v)
	}
	n := float64(k)
	return float64(n*ln2Hi) + (vec.Log(p) + float64(n*ln2Lo)) + l.odd.Total()
}

// Add adds log a[i].
func (l *Logs) Add(a []float64) {
	for len(a) > 0 {
		n := l.room(len(a), 1)
		best().addLogs(l, a[:n])
		a = a[n:]
	}
}

// room is how many of n rows, with so many factors each, may be multiplied into the product, which it counts.
func (l *Logs) room(n, each int) int {
	if l.filled == 0 {
		for i := range l.product {
			l.product[i] = 1
		}
	}
	if l.filled+each > factors {
		l.takeExponents()
	}
	n = min(n, (factors-l.filled)/each*lanes)
	l.filled += (n + lanes - 1) / lanes * each
	return n
}

func (l *Logs) takeExponents() {
	for i, v := range l.product {
		b := math.Float64bits(v)
		if b >= 0x7ff<<52 {
			continue // infinite or NaN, and stays it
		}
		l.exponent[i] += int64(b>>52) - 1023
		l.product[i] = math.Float64frombits(b&(1<<52-1) | one)
	}
	l.filled = 1
}

// addLogsGo begins at row i, which need not be a multiple of the lanes.
func addLogsGo(l *Logs, a []float64, i int) {
	for ; i < len(a); i++ {
		v, lane := a[i], i%lanes
		b := math.Float64bits(v)
		if b-1<<52 >= 0x7fe<<52 { // not positive, subnormal, infinite or NaN
			l.odd[lane] += vec.Log(v)
			continue
		}
		l.multiply(lane, v)
	}
}

// multiply multiplies the factor f into a lane, for positive f that are not subnormal.
func (l *Logs) multiply(lane int, f float64) {
	b := math.Float64bits(f)
	l.exponent[lane] += int64(b>>52) - 1023
	l.product[lane] = float64(l.product[lane] * math.Float64frombits(b&(1<<52-1)|one))
}
