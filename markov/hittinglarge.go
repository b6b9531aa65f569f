package markov

import (
	"fmt"
	"math"
)

// Hit is the expected number of steps from each state to the first visit to a target.
type Hit struct {
	Steps []float64 // 0 at the targets
	// Error bounds the relative error of each number, rounding aside.
	Error float64
}

// HittingLarge is Hitting for irreducible chains of any size, in memory linear in the transitions, to a relative error of
// 1e-6 in each number.
//
// With T the chain outside the targets, the times h = 1 + T h times the stationary distribution π are visits: g_i = π_i h_i
// solves g = π + g T*, where T* is the reversed chain, so g are its expected visits to each state before a target when it
// starts in π. The renewal chain, which restarts there, has these visits as its stationary distribution, found by
// iteration; sweeps over h then reduce the error where π is small. If |1 + T h − h| ≤ ρ everywhere, h is within ρ/(1−ρ) of the
// solution, relative to itself, since the solution of (I − T) e = ρ 1 is ρ times it.
func (s Solver) HittingLarge(c Chain, pi []float64, targets ...int) (*Hit, error) {
	if len(targets) == 0 {
		return nil, errNoTarget
	}
	for _, t := range targets {
		if err := checkState(t, c.Len()); err != nil {
			return nil, err
		}
	}
	if !Classify(c).Irreducible() {
		return nil, fmt.Errorf("markov: hitting times are found by iteration for irreducible chains only")
	}
	sparse := AsSparse(c)
	back, err := Reverse(sparse, pi)
	if err != nil {
		return nil, err
	}
	h, err := s.visitsBefore(AsSparse(back), pi, targets)
	if err != nil {
		return nil, err
	}
	for i, v := range pi {
		h[i] /= v
	}
	return polish(sparse, h, pi, targets)
}

// visitsBefore gives the expected visits to each state before a target from the start pi; zero at targets.
func (s Solver) visitsBefore(back *Sparse, pi []float64, targets []int) ([]float64, error) {
	// The targets are absorbing, the others transient: those from which no target is reached directly, too.
	cl := &Classes{Of: make([]int32, back.Len()), List: []Class{{}, {Closed: true}}}
	for _, t := range targets {
		cl.Of[t] = 1
	}
	begin, moves := make([]float64, len(pi)), 0.0
	for i, v := range pi {
		if cl.Of[i] == 0 {
			begin[i] = v
			moves += v
		}
	}
	g := make([]float64, len(pi))
	if moves == 0 {
		return g, nil
	}
	renewed, states := renewal(back, cl, begin, moves)
	st, err := s.Solve(renewed)
	if err != nil {
		return nil, err
	}
	origin := st.Pi[len(states)]
	for k, i := range states {
		g[i] = moves * st.Pi[k] / origin
	}
	return g, nil
}

const (
	polishError  = 1e-6
	polishSweeps = 1000
)

// polish improves hitting times by Gauss–Seidel sweeps until their error bound is small enough.
func polish(s *Sparse, h, pi []float64, targets []int) (*Hit, error) {
	stop := make([]bool, s.Len())
	for _, t := range targets {
		stop[t], h[t] = true, 0
	}
	worst := math.Inf(1)
	for sweep := range polishSweeps {
		rescale(s, h, pi, stop)
		for t := range h {
			i := t
			if sweep&1 == 1 {
				i = len(h) - 1 - t
			}
			if stop[i] {
				continue
			}
			to, p := s.row(i)
			sum, leave := 1.0, 0.0
			for k, j := range to {
				if int(j) != i {
					sum += float64(p[k] * h[j])
					leave += p[k]
				}
			}
			h[i] = sum / leave
		}
		if worst = residualOf(s, h, stop); worst <= polishError {
			return &Hit{Steps: h, Error: worst / (1 - worst)}, nil
		}
	}
	return nil, fmt.Errorf("markov: the hitting times are not found after %d sweeps: some miss their equation by %.2g steps", polishSweeps, worst)
}

// rescale multiplies h by the factor for which the equations hold on average under pi, to which sweeps converge slowly.
func rescale(s *Sparse, h, pi []float64, stop []bool) {
	want, got := 0.0, 0.0
	for i, v := range pi {
		if !stop[i] {
			want += v
			got += float64(v * s.fall(i, h))
		}
	}
	if !(got > 0) {
		return
	}
	for i := range h {
		h[i] *= want / got
	}
}

// residualOf is the largest |1 + T h − h|.
func residualOf(s *Sparse, h []float64, stop []bool) float64 {
	worst := 0.0
	for i := range h {
		if !stop[i] {
			worst = max(worst, math.Abs(1-s.fall(i, h)))
		}
	}
	return worst
}

// fall is h_i − Σ p_ij h_j as a sum of differences, so that rounding is relative to these.
func (s *Sparse) fall(i int, h []float64) float64 {
	to, p := s.row(i)
	sum := 0.0
	for k, j := range to {
		sum += float64(p[k] * (h[i] - h[j]))
	}
	return sum
}
