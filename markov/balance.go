package markov

import (
	"fmt"
	"math"
)

// Imbalance measures how far a chain is from detailed balance π_i p_ij = π_j p_ji.
type Imbalance struct {
	// Total is ½ Σ |π_i p_ij − π_j p_ji|: the net probability flow, between 0 and 1.
	Total float64
	// From and To are the pair with the largest difference, Largest, where From → To carries more than To → From.
	From, To int
	Largest  float64
	// Relative is the largest |π_i p_ij − π_j p_ji| / max(π_i p_ij, π_j p_ji): 1 where a transition has no reverse.
	Relative float64
}

// Balance measures the violation of detailed balance under pi.
func Balance(c Chain, pi []float64) (Imbalance, error) {
	var b Imbalance
	if err := checkDistribution(pi, c.Len()); err != nil {
		return b, err
	}
	s := AsSparse(c)
	for i := range s.Len() {
		to, p := s.row(i)
		for k, j := range to {
			there := float64(pi[i] * p[k])
			back := float64(pi[j] * s.at(int(j), int32(i)))
			d := there - back
			if d <= 0 {
				continue // counted for the pair (j, i)
			}
			b.Total += d
			b.Relative = max(b.Relative, d/there)
			if d > b.Largest {
				b.From, b.To, b.Largest = i, int(j), d
			}
		}
	}
	b.Total = min(b.Total, 1) // each pair was counted once, so this is the half
	return b, nil
}

// at is p_ij by binary search.
func (s *Sparse) at(i int, j int32) float64 {
	lo, hi := s.start[i], s.start[i+1]
	for lo < hi {
		if mid := (lo + hi) / 2; s.to[mid] < j {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < s.start[i+1] && s.to[lo] == j {
		return s.p[lo]
	}
	return 0
}

// positive says which state keeps a chain from being reversed under pi.
func positive(c Chain, pi []float64) error {
	if err := checkDistribution(pi, c.Len()); err != nil {
		return err
	}
	for i, v := range pi {
		if v == 0 {
			return fmt.Errorf("markov: state %s has stationary probability 0: what came before it is not defined; take the chain on a closed class", c.Name(i))
		}
	}
	return nil
}

// Reverse is the chain run backwards from its stationary distribution pi: p*_ij = π_j p_ji / π_i.
func Reverse(c Chain, pi []float64) (Chain, error) {
	if err := positive(c, pi); err != nil {
		return nil, err
	}
	s := AsSparse(c)
	t := s.transpose()
	t.labels = s.labels
	t.p = make([]float64, len(t.to))
	for i := range t.Len() {
		to, p := t.row(i)
		for k, j := range to {
			p[k] = pi[j] * s.at(int(j), int32(i)) / pi[i]
		}
	}
	return sameKind(c, t)
}

// sameKind stores a chain as another is stored, its rows divided by their sums.
func sameKind(as Chain, s *Sparse) (Chain, error) {
	for i := range s.Len() {
		_, p := s.row(i)
		if err := s.normalise(i, p, true); err != nil {
			return nil, err
		}
	}
	if _, ok := as.(*Dense); ok {
		return asDense(s), nil
	}
	return s, nil
}

// Additive is the additive reversibilisation (P + P*)/2, reversible under pi (Fill, 1991).
func Additive(c Chain, pi []float64) (Chain, error) {
	back, err := Reverse(c, pi)
	if err != nil {
		return nil, err
	}
	return combine(c, func(add func(j int, p float64), i int) {
		for j, v := range c.Row(i) {
			add(j, v/2)
		}
		for j, v := range back.Row(i) {
			add(j, v/2)
		}
	})
}

// Multiplicative is the multiplicative reversibilisation P P*, one step there and one back, reversible under pi and
// with no negative eigenvalue (Fill, 1991).
func Multiplicative(c Chain, pi []float64) (Chain, error) {
	back, err := Reverse(c, pi)
	if err != nil {
		return nil, err
	}
	return combine(c, func(add func(j int, p float64), i int) {
		for k, v := range c.Row(i) {
			for j, w := range back.Row(k) {
				add(j, float64(v*w))
			}
		}
	})
}

// combine builds a chain row by row from what fill adds up.
func combine(as Chain, fill func(add func(j int, p float64), i int)) (Chain, error) {
	n := as.Len()
	s := &Sparse{labels: labelsOf(as), start: make([]int, 1, n+1)}
	sum := make([]float64, n)
	var touched []int32
	add := func(j int, p float64) {
		if p == 0 {
			return
		}
		if sum[j] == 0 {
			touched = append(touched, int32(j))
		}
		sum[j] += p
	}
	for i := range n {
		touched = touched[:0]
		fill(add, i)
		sortStates(touched)
		for _, j := range touched {
			s.to, s.p = append(s.to, j), append(s.p, sum[j])
			sum[j] = 0
		}
		s.start = append(s.start, len(s.to))
	}
	return sameKind(as, s)
}

// Variance is the asymptotic variance of the mean of f along the chain, lim n Var(Σ f(X_t)/n): with f̄ = f − Σ π f and
// (I − P) g = f̄ it is Σ π f̄ (2g − f̄). The chain must be irreducible; the work grows with the cube of the states,
// and a matrix beyond 2 GiB is refused ([*SizeError]).
func Variance(c Chain, pi, f []float64) (float64, error) {
	n := c.Len()
	if err := checkDistribution(pi, n); err != nil {
		return 0, err
	}
	if len(f) != n {
		return 0, fmt.Errorf("markov: a function with %d values on %d states", len(f), n)
	}
	if !Classify(c).Irreducible() {
		return 0, fmt.Errorf("markov: asymptotic variances are computed for irreducible chains only")
	}
	mean := 0.0
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("markov: the function is %v at state %s; it must be finite", v, c.Name(i))
		}
		mean += float64(pi[i] * v)
	}
	if err := fits("asymptotic variances", n, "simulate the chain, and estimate the variance from its path"); err != nil {
		return 0, err
	}
	r := reduceClosed(c, allStates(n))
	if r.run() >= 0 {
		return 0, errUnderflow
	}
	g := make([]float64, n) // zero at the last state: a constant in g does not matter
	for i := range n - 1 {
		g[i] = f[i] - mean
	}
	r.forward(g)
	r.back(g)
	v := 0.0
	for i := range n {
		bar := f[i] - mean
		v += float64(pi[i] * bar * (float64(2*g[i]) - bar))
	}
	return max(v, 0), nil
}
