package markov

import (
	"fmt"
	"slices"
)

func sortStates(s []int32) { slices.Sort(s) }

// Rule says with which probability α(i, j) a proposed move from i to j is made, so that π_i q_ij α(i, j) is symmetric.
type Rule int

// The rules, by falling acceptance.
const (
	// MetropolisHastings is min(1, π_j q_ji / (π_i q_ij)) (Metropolis et al., 1953; Hastings, 1970).
	MetropolisHastings Rule = iota
	// Barker is π_j q_ji / (π_i q_ij + π_j q_ji) (Barker, 1965).
	Barker
	// Plain is π_j q_ji for a normalised π; it accepts seldom.
	Plain
)

func (r Rule) String() string {
	switch r {
	case MetropolisHastings:
		return "Metropolis-Hastings"
	case Barker:
		return "Barker"
	case Plain:
		return "plain"
	}
	return fmt.Sprintf("Rule(%d)", int(r))
}

// accept is α for flows π_i q_ij and π_j q_ji, the first of them positive.
func (r Rule) accept(there, back, qji, pij float64) float64 {
	switch r {
	case Barker:
		return back / (there + back)
	case Plain:
		return pij * qji
	}
	if back >= there {
		return 1
	}
	return back / there
}

// Reversible is the chain that proposes moves by q and makes them by the rule, otherwise stays: reversible under the
// distribution target, which must be normalised for Plain. A state of probability zero is an
// error, because the chain could start there.
func Reversible(q Chain, target []float64, rule Rule) (Chain, error) {
	if rule < MetropolisHastings || rule > Plain {
		return nil, fmt.Errorf("markov: there is no rule %d", int(rule))
	}
	if err := positive(q, target); err != nil {
		return nil, err
	}
	s := AsSparse(q)
	return combine(q, func(add func(j int, p float64), i int) {
		to, p := s.row(i)
		for k, j := range to {
			if int(j) == i {
				add(i, p[k])
				continue
			}
			qji := s.at(int(j), int32(i))
			a := rule.accept(float64(target[i]*p[k]), float64(target[j]*qji), qji, target[j])
			add(int(j), float64(p[k]*a))
			add(i, float64(p[k]*(1-a)))
		}
	})
}

// Order says how two chains with the same stationary distribution compare in Peskun's (1973) order.
type Order int

// The outcomes of Peskun.
const (
	Incomparable Order = iota
	Equal
	First  // the first moves at least as often between any two states
	Second // the second does
)

func (o Order) String() string {
	return [...]string{"incomparable", "equal", "first", "second"}[o]
}

// Peskun compares the entries off the diagonal: a chain that is nowhere smaller there has asymptotic variances, of the
// mean of any function, that are nowhere larger, if both chains are reversible under the same distribution.
// Differences below tolerance do not count.
func Peskun(a, b Chain, tolerance float64) (Order, error) {
	if a.Len() != b.Len() {
		return Incomparable, fmt.Errorf("markov: chains of %d and %d states cannot be compared", a.Len(), b.Len())
	}
	s, t := AsSparse(a), AsSparse(b)
	more, less := exceeds(s, t, tolerance), exceeds(t, s, tolerance)
	switch {
	case more && less:
		return Incomparable, nil
	case more:
		return First, nil
	case less:
		return Second, nil
	}
	return Equal, nil
}

// exceeds reports whether an entry of s off the diagonal is larger than that of t.
func exceeds(s, t *Sparse, tolerance float64) bool {
	for i := range s.Len() {
		to, p := s.row(i)
		for k, j := range to {
			if int(j) != i && p[k] > t.at(i, j)+tolerance {
				return true
			}
		}
	}
	return false
}
