package gibbs

import (
	"math"
	"math/rand/v2"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
	"github.com/ergodic-mcmc/ergodic/kerneltest"
	"github.com/ergodic-mcmc/ergodic/mcmc"
)

// table is a joint distribution of a few nodes with few values, written out.
type table struct {
	levels []int
	logw   []float64 // first node fastest
}

// newTable has random weights, some of them zero.
func newTable(r *rand.Rand, zeros bool, levels ...int) *table {
	n := 1
	for _, l := range levels {
		n *= l
	}
	t := &table{levels, make([]float64, n)}
	for k := range t.logw {
		t.logw[k] = 2 * r.NormFloat64()
		if zeros && r.IntN(5) == 0 {
			t.logw[k] = math.Inf(-1)
		}
	}
	return t
}

func (t *table) state(k int) []int32 {
	s := make([]int32, len(t.levels))
	for i, l := range t.levels {
		s[i] = int32(k % l)
		k /= l
	}
	return s
}

func (t *table) index(s []int32) int {
	k := 0
	for i := len(s) - 1; i >= 0; i-- {
		k = k*t.levels[i] + int(s[i])
	}
	return k
}

// conditional is the law of node i given the others, straight from the joint distribution.
func (t *table) conditional(s []int32, i int) []float64 {
	p, sum, own := make([]float64, t.levels[i]), 0.0, s[i]
	for v := range p {
		s[i] = int32(v)
		p[v] = math.Exp(t.logw[t.index(s)])
		sum += p[v]
	}
	s[i] = own
	for v := range p {
		p[v] /= sum
	}
	return p
}

func (t *table) Draw(s []int32, i int, r *rand.Rand) {
	u := r.Float64()
	for v, p := range t.conditional(s, i) {
		if p > 0 {
			s[i] = int32(v)
		}
		if u -= p; u < 0 {
			return
		}
	}
}

// finite is the table as a target of the conformance suite, with some nodes as they are
// in state 0.
func (t *table) finite(k mcmc.Kernel[[]int32], observed ...int) kerneltest.Finite[[]int32] {
	logw := append([]float64(nil), t.logw...)
	for j := range logw {
		for _, i := range observed {
			if t.state(j)[i] != 0 {
				logw[j] = math.Inf(-1)
			}
		}
	}
	return kerneltest.Finite[[]int32]{LogWeight: logw, State: t.state, Index: t.index, Kernel: k}
}

// ising is a field of spins −1 and +1 that want to agree with the nodes of their blanket.
type ising struct {
	b        *Blankets
	strength float64
}

func (m ising) Draw(s []int8, i int, r *rand.Rand) {
	sum := 0
	for _, j := range m.b.Of(i) {
		sum += int(s[j])
	}
	s[i] = -1
	if r.Float64() < 1/(1+vec.Exp(-2*m.strength*float64(sum))) {
		s[i] = 1
	}
}

func (m ising) logWeight(s []int8) float64 {
	w := 0.0
	for i := range s {
		for _, j := range m.b.Of(i) {
			w += m.strength / 2 * float64(s[i]*s[j])
		}
	}
	return w
}

// grid joins each node to the one on its right and the one below.
func grid(rows, columns int) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		for i := range rows * columns {
			if i%columns+1 < columns && !yield(i, i+1) {
				return
			}
			if i+columns < rows*columns && !yield(i, i+columns) {
				return
			}
		}
	}
}

// pairs is a list of edges.
func pairs(list ...[2]int) func(yield func(i, j int) bool) {
	return func(yield func(i, j int) bool) {
		for _, e := range list {
			if !yield(e[0], e[1]) {
				return
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
