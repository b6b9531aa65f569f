package model

import (
	"math"
	"slices"

	"github.com/ergodic-mcmc/ergodic/dist"
	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

func sumOf(reg []float64, args []int32) float64 {
	s := 0.0
	for _, a := range args {
		s += reg[a]
	}
	return s
}

func meanOf(reg []float64, args []int32) float64 { return sumOf(reg, args) / float64(len(args)) }

func prodOf(reg []float64, args []int32) float64 {
	s := 1.0
	for _, a := range args {
		s *= reg[a]
	}
	return s
}

func maxOf(reg []float64, args []int32) float64 {
	s := math.Inf(-1)
	for _, a := range args {
		s = max(s, reg[a])
	}
	return s
}

func minOf(reg []float64, args []int32) float64 {
	s := math.Inf(1)
	for _, a := range args {
		s = min(s, reg[a])
	}
	return s
}

func dotOf(reg []float64, args []int32) float64 {
	h := len(args) / 2
	s := 0.0
	for k, a := range args[:h] {
		s += float64(reg[a] * reg[args[h+k]])
	}
	return s
}

// toOne makes a row's list of a function to one number.
func toOne(f func(x []float64, sc *scratch) float64) func(out, x []float64, _ *DistFn, sc *scratch) {
	return func(out, x []float64, _ *DistFn, sc *scratch) { out[0] = f(x, sc) }
}

// toBlock makes it of a function to as many numbers as it is given.
func toBlock(f func(out, x []float64, sc *scratch)) func(out, x []float64, _ *DistFn, sc *scratch) {
	return func(out, x []float64, _ *DistFn, sc *scratch) { f(out, x, sc) }
}

func distFn(out, x []float64, fn *DistFn, sc *scratch) { out[0] = fn.eval(x, sc) }

func intervalAt(x []float64, _ *scratch) float64 { return dist.Interval(x[0], x[1:]) }

// ranked is the k-th smallest of the numbers before k, the last; NaN where there is none.
func ranked(x []float64, sc *scratch) float64 {
	at := rankedAt(x, sc)
	if at < 0 {
		return math.NaN()
	}
	return x[at]
}

func rankedAt(x []float64, sc *scratch) int {
	n := len(x) - 1
	k := x[n]
	if !(k >= 1 && k <= float64(n)) || k != math.Trunc(k) {
		return -1
	}
	return sc.sorted(x[:n])[int(k)-1]
}

func rankedSlopes(dx, x []float64, _ float64, _ *DistFn, sc *scratch) {
	clear(dx)
	if at := rankedAt(x, sc); at >= 0 {
		dx[at] = 1
	}
}

// restaurant is the log probability of labels 1 … n of n customers in a Chinese restaurant with a
// concentration, the last number, where each new table has any of the labels that are left:
//
//	α^K Π (n_k − 1)! / Π_{i<n} (α + i) · (n − K)!/n!
//
// for K tables (Antoniak, 1974, equation 3.3). It does not depend on the order of the customers.
func restaurant(x []float64, sc *scratch) float64 {
	n := len(x) - 1
	alpha := x[n]
	if !(alpha > 0) || n == 0 {
		return math.NaN()
	}
	count := sc.more(n)
	clear(count)
	for _, v := range x[:n] {
		if !(v >= 1 && v <= float64(n)) || v != math.Trunc(v) {
			return math.Inf(-1)
		}
		count[int(v)-1]++
	}
	l, tables := vec.Lgamma(alpha)-vec.Lgamma(alpha+float64(n)), 0
	for _, k := range count {
		if k > 0 {
			l += vec.Lgamma(k)
			tables++
		}
	}
	return l + float64(float64(tables)*vec.Log(alpha)) + vec.Lgamma(float64(n-tables)+1) - vec.Lgamma(float64(n)+1)
}

// restaurantWord is what the operation is called in the language.
const restaurantWord = "logdensity.CRP"

// Restaurant gives the cells of the labels and of the concentration of a logical row that is logdensity.CRP and perhaps a constant more, and that constant's; −1
// without one.
func (t *Template) Restaurant(i int) (labels []int32, concentration, more int32, ok bool) {
	p := t.Prog
	if p == nil || len(p.Code) == 0 || len(p.Code) > 2 || !slices.Contains(operations[p.Code[0].Op].words, restaurantWord) {
		return nil, 0, 0, false
	}
	in, first := t.Operands(i), p.Code[0]
	args := p.Args[first.A : first.A+first.B]
	more = -1
	if len(p.Code) == 2 {
		add := p.Code[1]
		other := add.A
		if other == first.Dst {
			other = add.B
		}
		if add.Op != OpAdd || add.A != first.Dst && add.B != first.Dst || int(other) >= p.NIn {
			return nil, 0, 0, false
		}
		more = in[other]
	}
	for _, a := range args {
		labels = append(labels, in[a])
	}
	n := len(labels) - 1
	return labels[:n], labels[n], more, n > 0
}

func restaurantSlopes(dx, x []float64, _ float64, _ *DistFn, sc *scratch) {
	clear(dx)
	n := len(x) - 1
	count := sc.more(n)
	clear(count)
	tables := 0
	for _, v := range x[:n] {
		if !(v >= 1 && v <= float64(n)) {
			return
		}
		if count[int(v)-1] == 0 {
			tables++
		}
		count[int(v)-1]++
	}
	dx[n] = float64(tables)/x[n] + vec.Digamma(x[n]) - vec.Digamma(x[n]+float64(n))
}
