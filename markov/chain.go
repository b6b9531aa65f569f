package markov

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Chain is a Markov chain on the states 0 … Len()−1 with transition probabilities p_ij.
type Chain interface {
	// Len is the number of states.
	Len() int
	// Name is the label of state i: its number from 1 where no names were given.
	Name(i int) string
	// Row yields j and p_ij for all j that can follow i, in ascending order.
	Row(i int) iter.Seq2[int, float64]
	// Step writes the distribution x P, one step after x, to dst. The two must not overlap.
	Step(dst, x []float64)
	// Expect writes P f, the mean of f one step after each state, to dst. The two must not overlap.
	Expect(dst, f []float64)
}

// Tolerance is how far from 1 the sum of a row may be. Rows within it are divided by their sum.
const Tolerance = 1e-9

// SumError reports a row whose probabilities do not sum to one.
type SumError struct {
	State int
	Name  string
	Sum   float64
}

func (e *SumError) Error() string {
	if e.Sum == 0 {
		return fmt.Sprintf("state %s has no transition out: its row sums to 0, not 1; give it a transition to itself if the chain stays there", wording.Brief(e.Name))
	}
	if math.IsInf(e.Sum, 1) {
		return fmt.Sprintf("the sum of the row of state %s is beyond the largest number, 1.8e308; divide the row's weights by a number large enough", wording.Brief(e.Name))
	}
	return fmt.Sprintf("the row of state %s sums to %.12g, not 1 (tolerance %g); correct it or normalise the rows", wording.Brief(e.Name), e.Sum, Tolerance)
}

// EntryError reports an entry that is no probability.
type EntryError struct {
	From, To int
	FromName string
	ToName   string
	Value    float64
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("the transition from state %s to state %s has probability %v; it must be a number in [0, 1]", wording.Brief(e.FromName), wording.Brief(e.ToName), e.Value)
}

// checkStates refuses numbers of states that no chain can have.
func checkStates(n int) error {
	switch {
	case n < 1:
		return fmt.Errorf("markov: a chain needs states; none was given")
	case n == 1:
		return fmt.Errorf("markov: the chain has one state and nowhere to move; a chain needs at least two")
	case n > math.MaxInt32:
		return fmt.Errorf("markov: %d states are too many; at most %d can be held", n, math.MaxInt32)
	}
	return nil
}

// labels are the names of states, nil for numbers.
type labels []string

func newLabels(names []string, n int) (labels, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if len(names) != n {
		return nil, fmt.Errorf("markov: %d names for %d states", len(names), n)
	}
	seen := make(map[string]bool, n)
	for _, s := range names {
		if seen[s] {
			return nil, fmt.Errorf("markov: two states are named %s", wording.Quote(s))
		}
		seen[s] = true
	}
	return append(labels(nil), names...), nil
}

// Name is the label of state i.
func (l labels) Name(i int) string {
	if l == nil {
		return strconv.Itoa(i + 1)
	}
	return l[i]
}

func (l labels) entry(i, j int, v float64) error {
	return &EntryError{From: i, To: j, FromName: l.Name(i), ToName: l.Name(j), Value: v}
}

// normalise divides a row by its sum. Without force, the sum must be 1 within Tolerance.
func (l labels) normalise(i int, row []float64, force bool) error {
	sum := 0.0
	for _, v := range row {
		sum += v
	}
	if sum == 0 || math.IsInf(sum, 1) || !force && math.Abs(sum-1) > Tolerance {
		return &SumError{State: i, Name: l.Name(i), Sum: sum}
	}
	if sum != 1 {
		for k := range row {
			row[k] /= sum
		}
	}
	return nil
}

// Find is the state of that name.
func Find(c Chain, name string) (int, error) {
	for i := range c.Len() {
		if c.Name(i) == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("markov: no state is named %s; the first is %s, the last %s", wording.Quote(name), wording.Quote(c.Name(0)), wording.Quote(c.Name(c.Len()-1)))
}

// checkDistribution says what keeps x from being a distribution over n states.
func checkDistribution(x []float64, n int) error {
	if len(x) != n {
		return fmt.Errorf("markov: the distribution has %d entries for %d states", len(x), n)
	}
	sum := 0.0
	for i, v := range x {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("markov: entry %d of the distribution is %v; it must be finite and not negative", i+1, v)
		}
		sum += v
	}
	if math.Abs(sum-1) > Tolerance {
		return fmt.Errorf("markov: the distribution sums to %.12g, not 1 (tolerance %g)", sum, Tolerance)
	}
	return nil
}

func checkState(i, n int) error {
	if i < 0 || i >= n {
		return fmt.Errorf("markov: there is no state %d; states are numbered 0 to %d", i, n-1)
	}
	return nil
}
