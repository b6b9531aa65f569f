package markov

import (
	"errors"
	"fmt"
)

// Kemeny is Kemeny's constant Σ_j π_j m_ij, the expected number of steps to a state drawn from the stationary
// distribution, with m_jj = 0: the same from every i (Kemeny, Snell, 1960). It is also Σ 1/(1−λ) over the eigenvalues
// other than 1. The chain must be irreducible; the work grows with the cube of the states, and a matrix beyond
// 2 GiB is refused ([*SizeError]).
//
// With T the chain without its last state, N = (I − T)⁻¹ and h = N 1, it is tr N − π h.
func Kemeny(c Chain) (float64, error) {
	if !Classify(c).Irreducible() {
		return 0, fmt.Errorf("markov: Kemeny's constant exists for irreducible chains only")
	}
	n := c.Len()
	if err := fits("Kemeny's constant", n, "no other way to it is offered: lump states together"); err != nil {
		return 0, err
	}
	r := reduceClosed(c, allStates(n))
	pi := make([]float64, n)
	if !r.visitsTo(pi) {
		return 0, errUnderflow
	}
	k := r.trace()
	for i, h := range r.expected(make([]float64, n)) {
		k -= float64(pi[i] * h)
	}
	return k, nil
}

var errUnderflow = errors.New("markov: parts of the chain exchange with probabilities below 1e-300")

func allStates(n int) []int32 {
	states := make([]int32, n)
	for i := range states {
		states[i] = int32(i)
	}
	return states
}

// trace is tr (S − U)⁻¹ (I − L)⁻¹, of which both factors have no negative entry.
func (r *reduction) trace() float64 {
	m := r.m
	x, y := make([]float64, m*m), make([]float64, m*m)
	for i := range m {
		row := x[i*m : (i+1)*m]
		row[i] = 1
		for k, l := range r.row(i)[:i] {
			axpy(row[:k+1], l, x[k*m:][:k+1])
		}
	}
	sum := 0.0
	for i := m - 1; i >= 0; i-- {
		row := y[i*m : (i+1)*m]
		row[i] = 1
		for k := i + 1; k < m; k++ {
			axpy(row[k:], r.row(i)[k], y[k*m+k:(k+1)*m])
		}
		for k := i; k < m; k++ {
			row[k] /= r.s[i]
			sum += float64(row[k] * x[k*m+i])
		}
	}
	return sum
}
