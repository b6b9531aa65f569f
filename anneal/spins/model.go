package spins

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Kind is what a model is a function of.
type Kind uint8

// Kinds of models.
const (
	Ising  Kind = iota // spins of −1 and 1
	QUBO               // variables of 0 and 1
	MaxCut             // the sides of the vertices of a graph, −1 and 1
)

// String is the name of the kind.
func (k Kind) String() string {
	switch k {
	case Ising:
		return "Ising"
	case QUBO:
		return "QUBO"
	case MaxCut:
		return "Max-Cut"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Coupling is the coefficient of the product of two variables, counted from 0: J_ij, b_ij or w_ij.
type Coupling struct {
	I, J  int
	Value float64
}

// Model is an energy. [New] makes one; the fields are to be read.
type Model struct {
	Kind      Kind
	Variables int
	Offset    float64    // c
	Linear    []float64  // h or a; none of MaxCut
	Couplings []Coupling // I < J, in order, each pair once
	Labels    []string   // what the variables are called in their file; nil: by their numbers, from 1 or, where FromZero is set, from 0
	FromZero  bool
}

// MaxVariables is how many variables a model may have.
const MaxVariables = 1 << 26

// New makes a model of so many variables. Linear is nil where all are zero, and for MaxCut. Couplings of the same pair are added. It is
// an error where a pair names a variable that is not there or one variable twice, or where a number is not finite.
func New(kind Kind, variables int, linear []float64, couplings []Coupling, offset float64) (*Model, error) {
	switch {
	case kind > MaxCut:
		return nil, fmt.Errorf("spins: %v is no kind of model; there are Ising, QUBO and MaxCut", kind)
	case variables < 0 || variables > MaxVariables:
		return nil, fmt.Errorf("spins: %d variables; a model has at most %d", variables, MaxVariables)
	case linear != nil && kind == MaxCut:
		return nil, fmt.Errorf("spins: a Max-Cut model has no linear terms; make them edges to one vertex more")
	case linear != nil && len(linear) != variables:
		return nil, fmt.Errorf("spins: %d linear terms of %s", len(linear), wording.Count(variables, "variable", "variables"))
	}
	if err := room(variables, len(couplings)); err != nil {
		return nil, err
	}
	m := &Model{Kind: kind, Variables: variables, Offset: offset, Linear: slices.Clone(linear), Couplings: make([]Coupling, 0, len(couplings))}
	for _, c := range couplings {
		if c.I == c.J || min(c.I, c.J) < 0 || max(c.I, c.J) >= variables {
			return nil, fmt.Errorf("spins: a coupling of variables %d and %d; they are two different ones from 0 to %d", c.I, c.J, variables-1)
		}
		m.Couplings = append(m.Couplings, Coupling{min(c.I, c.J), max(c.I, c.J), c.Value})
	}
	if m.Linear == nil && kind != MaxCut {
		m.Linear = make([]float64, variables)
	}
	m.order()
	return m, m.finite()
}

// order sorts the couplings and adds those of the same pair.
func (m *Model) order() {
	slices.SortStableFunc(m.Couplings, func(a, b Coupling) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	kept := m.Couplings[:0]
	for _, c := range m.Couplings {
		if n := len(kept); n > 0 && kept[n-1].I == c.I && kept[n-1].J == c.J {
			kept[n-1].Value += c.Value
			continue
		}
		kept = append(kept, c)
	}
	m.Couplings = kept
}

// finite checks that numbers, and what sums of all of them may come to, are.
func (m *Model) finite() error {
	sum := math.Abs(m.Offset)
	for i, v := range m.Linear {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("spins: the linear term of variable %s is %v", m.Label(i), v)
		}
		sum += math.Abs(v)
	}
	for _, c := range m.Couplings {
		if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
			return fmt.Errorf("spins: the coupling of variables %s and %s is %v", m.Label(c.I), m.Label(c.J), c.Value)
		}
		sum += math.Abs(c.Value)
	}
	if !(sum <= math.MaxFloat64/16) {
		return fmt.Errorf("spins: the coefficients are too large: their absolute values add up to %v", sum)
	}
	return nil
}

// Label is what variable i, counted from 0, is called.
func (m *Model) Label(i int) string {
	switch {
	case m.Labels != nil:
		return m.Labels[i]
	case m.FromZero:
		return strconv.Itoa(i)
	}
	return strconv.Itoa(i + 1)
}

// Energy is E of a state given as spins of −1 and 1, whatever the kind: for QUBO, x = (1 + s)/2. An error says why it is no state.
func (m *Model) Energy(spins []float64) (float64, error) {
	if err := m.check(spins); err != nil {
		return 0, err
	}
	e := m.Offset
	for i, v := range m.Linear {
		e += float64(v * m.value(spins[i]))
	}
	for _, c := range m.Couplings {
		if m.Kind == MaxCut {
			if spins[c.I] != spins[c.J] {
				e -= c.Value
			}
			continue
		}
		e += float64(c.Value * float64(m.value(spins[c.I])*m.value(spins[c.J])))
	}
	return e, nil
}

// check says why numbers are no state.
func (m *Model) check(spins []float64) error {
	if len(spins) != m.Variables {
		return fmt.Errorf("spins: a state of %s for a model of %d", wording.Count(len(spins), "spin", "spins"), m.Variables)
	}
	for i, s := range spins {
		if s != 1 && s != -1 {
			return fmt.Errorf("spins: variable %s is %v; spins are −1 or 1", m.Label(i), s)
		}
	}
	return nil
}

// value is what a variable is where its spin is s.
func (m *Model) value(s float64) float64 {
	if m.Kind == QUBO {
		return (1 + s) / 2
	}
	return s
}

// Objective is what users of the model call a state of an energy: for MaxCut the weight of the cut, otherwise the energy.
func (m *Model) Objective(energy float64) float64 {
	if m.Kind == MaxCut {
		return m.Offset - energy
	}
	return energy
}
