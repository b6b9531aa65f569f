package markov

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Transition is one entry of a transition matrix.
type Transition struct {
	From, To int32
	P        float64
}

// Sparse is a chain that holds its positive probabilities only, in compressed rows.
type Sparse struct {
	labels
	start []int // row i is start[i]:start[i+1]
	to    []int32
	p     []float64
}

// NewSparse is the chain on n states with these transitions, in any order; those that are not listed have probability
// zero. Names are optional, one a state. It takes time and memory linear in the transitions, and leaves the list as
// it was. Two entries for the same transition are an error ([*DuplicateError]), as are entries that are no
// probabilities ([*EntryError]) and rows that do not sum to 1 ([*SumError]).
func NewSparse(n int, list []Transition, names ...string) (*Sparse, error) {
	return newSparse(n, list, names, false)
}

// NewSparseNormalised is NewSparse of rows that are first divided by their sums, as counts are.
func NewSparseNormalised(n int, list []Transition, names ...string) (*Sparse, error) {
	return newSparse(n, list, names, true)
}

// DuplicateError reports two entries for one transition.
type DuplicateError struct {
	First, Second    int // positions in the list
	FromName, ToName string
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("the transition from state %s to state %s is given twice; keep one, or add the two up", wording.Brief(e.FromName), wording.Brief(e.ToName))
}

func newSparse(n int, list []Transition, names []string, force bool) (*Sparse, error) {
	if err := checkStates(n); err != nil {
		return nil, err
	}
	l, err := newLabels(names, n)
	if err != nil {
		return nil, err
	}
	return compress(n, list, l, force)
}

// compress sorts transitions into rows by counting.
func compress(n int, list []Transition, l labels, force bool) (*Sparse, error) {
	s := &Sparse{labels: l, start: make([]int, n+1)}
	for k, t := range list {
		if t.From < 0 || t.To < 0 || int(t.From) >= n || int(t.To) >= n {
			return nil, fmt.Errorf("markov: transition %d goes from state %d to state %d; states are numbered 0 to %d", k+1, t.From, t.To, n-1)
		}
		if !(t.P >= 0) || math.IsInf(t.P, 1) {
			return nil, l.entry(int(t.From), int(t.To), t.P)
		}
		s.start[t.From+1]++
	}
	for i := range n {
		s.start[i+1] += s.start[i]
	}
	s.to, s.p = make([]int32, len(list)), make([]float64, len(list))
	for _, t := range list {
		k := s.start[t.From]
		s.to[k], s.p[k] = t.To, t.P
		s.start[t.From]++
	}
	copy(s.start[1:], s.start)
	s.start[0] = 0
	if err := s.sortRows(list); err != nil {
		return nil, err
	}
	for i := range n {
		if err := l.normalise(i, s.p[s.start[i]:s.start[i+1]], force); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// sortRows puts each row in ascending order, refuses duplicates and drops zeros.
func (s *Sparse) sortRows(list []Transition) error {
	kept := 0
	for i := range s.Len() {
		lo, hi := s.start[i], s.start[i+1]
		s.start[i] = kept
		row := byState{s.to[lo:hi], s.p[lo:hi]}
		if !slices.IsSorted(row.to) {
			sort.Sort(row)
		}
		for k, j := range row.to {
			if k > 0 && j == row.to[k-1] {
				return s.duplicate(list, int32(i), j)
			}
		}
		for k, v := range row.p {
			if v > 0 {
				s.to[kept], s.p[kept] = row.to[k], v
				kept++
			}
		}
	}
	s.start[s.Len()] = kept
	s.to, s.p = s.to[:kept], s.p[:kept]
	return nil
}

func (s *Sparse) duplicate(list []Transition, i, j int32) error {
	same := func(t Transition) bool { return t.From == i && t.To == j }
	first := slices.IndexFunc(list, same)
	second := first + 1 + slices.IndexFunc(list[first+1:], same)
	return &DuplicateError{First: first, Second: second, FromName: s.Name(int(i)), ToName: s.Name(int(j))}
}

type byState struct {
	to []int32
	p  []float64
}

func (r byState) Len() int           { return len(r.to) }
func (r byState) Less(a, b int) bool { return r.to[a] < r.to[b] }
func (r byState) Swap(a, b int) {
	r.to[a], r.to[b] = r.to[b], r.to[a]
	r.p[a], r.p[b] = r.p[b], r.p[a]
}

// Len is the number of states.
func (s *Sparse) Len() int { return len(s.start) - 1 }

// Transitions is the number of positive probabilities.
func (s *Sparse) Transitions() int { return len(s.to) }

// Row yields j and p_ij > 0 in ascending order of j.
func (s *Sparse) Row(i int) iter.Seq2[int, float64] {
	to, p := s.row(i)
	return func(yield func(int, float64) bool) {
		for k, j := range to {
			if !yield(int(j), p[k]) {
				return
			}
		}
	}
}

func (s *Sparse) row(i int) (to []int32, p []float64) {
	return s.to[s.start[i]:s.start[i+1]], s.p[s.start[i]:s.start[i+1]]
}

// Step writes x P to dst.
func (s *Sparse) Step(dst, x []float64) {
	clear(dst[:s.Len()])
	for i, w := range x[:s.Len()] {
		to, p := s.row(i)
		for k, j := range to {
			dst[j] += float64(w * p[k])
		}
	}
}

// Expect writes P f to dst.
func (s *Sparse) Expect(dst, f []float64) {
	for i := range s.Len() {
		sum := 0.0
		to, p := s.row(i)
		for k, j := range to {
			sum += float64(p[k] * f[j])
		}
		dst[i] = sum
	}
}

// AsSparse is the chain in compressed rows: c itself when it is [Sparse].
func AsSparse(c Chain) *Sparse {
	if s, ok := c.(*Sparse); ok {
		return s
	}
	s := &Sparse{labels: labelsOf(c), start: make([]int, 1, c.Len()+1)}
	if d, ok := c.(*Dense); ok {
		positive := 0
		for _, v := range d.p {
			if v > 0 {
				positive++
			}
		}
		s.to, s.p = make([]int32, 0, positive), make([]float64, 0, positive)
	}
	for i := range c.Len() {
		for j, v := range c.Row(i) {
			s.to, s.p = append(s.to, int32(j)), append(s.p, v)
		}
		s.start = append(s.start, len(s.to))
	}
	return s
}
