package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ergodic-mcmc/ergodic/model"
)

// statistic is a bounded function of a point: the product of one or two elements, each
// taken to (−1, 1) by t/(1+|t|), t = (x − centre)/width. Bounded statistics have all moments
// whatever the program's tails are.
type statistic struct {
	a, b int // places in the list of elements; b = −1: none
	name string
}

// scale takes elements to (−1, 1).
type scale struct{ centre, width []float64 }

const rounding = 1e-10

// newScale measures medians and interquartile ranges of draws: rows of one draw each.
func newScale(draws [][]float64, n int) scale {
	s := scale{make([]float64, n), make([]float64, n)}
	col := make([]float64, len(draws))
	for e := range n {
		for k, d := range draws {
			col[k] = d[e]
		}
		slices.Sort(col)
		q := func(p float64) float64 { return col[int(p*float64(len(col)-1))] }
		s.centre[e] = q(0.5)
		s.width[e] = q(0.75) - q(0.25)
		if s.width[e] == 0 {
			s.width[e] = q(0.99) - q(0.01)
		}
		if !(s.width[e] > rounding*(1+math.Abs(s.centre[e]))) { // it does not move but for rounding
			s.width[e] = 1
		}
	}
	return s
}

func (s *scale) bounded(e int, x float64) float64 {
	t := (x - s.centre[e]) / s.width[e]
	switch {
	case s.width[e] == 1 && math.Abs(t) < rounding*(1+math.Abs(s.centre[e])):
		return 0
	case math.IsInf(t, 0):
		return math.Copysign(1, t)
	case math.IsNaN(t): // an overflow, in a tail that trials did not meet
		return 1
	}
	return t / (1 + math.Abs(t))
}

// maxPairs bounds the number of products of two elements.
const maxPairs = 40

// statistics lists what is compared for n elements: each, its square, and products.
func statistics(names []string, r *rand.Rand) []statistic {
	var out []statistic
	n := len(names)
	for e := range n {
		out = append(out, statistic{e, -1, names[e]}, statistic{e, e, names[e] + "²"})
	}
	var pairs []statistic
	for a := range n {
		for b := range a {
			pairs = append(pairs, statistic{b, a, names[b] + " × " + names[a]})
		}
	}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return append(out, pairs[:min(len(pairs), maxPairs)]...)
}

// values evaluates statistics; u are the elements, bounded.
func values(dst []float64, list []statistic, u []float64) {
	for k, s := range list {
		dst[k] = u[s.a]
		if s.b >= 0 {
			dst[k] *= u[s.b]
		}
	}
}

// moments are running sums of statistics.
type moments struct {
	n        float64
	sum, sqs []float64
}

func newMoments(n int) moments { return moments{sum: make([]float64, n), sqs: make([]float64, n)} }

func (m *moments) add(v []float64) {
	m.n++
	for k, x := range v {
		m.sum[k] += x
		m.sqs[k] += x * x
	}
}

func (m *moments) mean(k int) float64 { return m.sum[k] / m.n }

// variance is the unbiased one, of a single value.
func (m *moments) variance(k int) float64 {
	if m.n < 2 {
		return math.Inf(1)
	}
	return max(0, (m.sqs[k]-m.sum[k]*m.sum[k]/m.n)/(m.n-1))
}

// moving lists the elements that sampling moves: informed nodes and live logical cells
// that have names, and observed ones where data is set.
func (c *Case) moving(data bool) (elements []int, names []string) {
	m := c.comp.Model
	for e, cell := range c.cell {
		if cell < 0 || !c.takesPart(m, cell, data) {
			continue
		}
		elements = append(elements, e)
		names = append(names, c.name(e))
	}
	return elements, names
}

func (c *Case) takesPart(m *model.Model, cell int32, data bool) bool {
	row := m.DefRow(cell)
	switch m.Kinds[cell] {
	case model.Unobserved:
		return m.Informed(row)
	case model.Logical:
		return m.Live(row)
	case model.Observed:
		return data && row >= 0
	}
	return false
}
