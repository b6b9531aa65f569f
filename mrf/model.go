package mrf

import (
	"fmt"
	"math"

	"github.com/ergodic-mcmc/ergodic/internal/vec"
)

// Factor is a table over the values of some variables.
type Factor struct {
	Scope []int     // variables, each once; empty for a constant
	Table []float64 // the value of the last variable of the scope changes fastest, as in UAI's files
}

// Model is variables and factors. Variable i has the values 0 to Cards[i]−1.
type Model struct {
	Cards   []int
	Factors []Factor

	Names  []string   // of variables; nil where they have none
	Values [][]string // names of the values of each variable; nil where they have none
}

// MaxTable is the most entries that a factor has.
const MaxTable = 1 << 28

// Check says what is wrong with a model.
func (m *Model) Check() error {
	for i, k := range m.Cards {
		if k < 1 {
			return fmt.Errorf("mrf: variable %d has %d values", i, k)
		}
	}
	for a, f := range m.Factors {
		if err := m.checkFactor(f); err != nil {
			return fmt.Errorf("mrf: factor %d: %w", a, err)
		}
	}
	return nil
}

func (m *Model) checkFactor(f Factor) error {
	n := 1
	seen := make(map[int]bool, len(f.Scope))
	for _, i := range f.Scope {
		if i < 0 || i >= len(m.Cards) {
			return fmt.Errorf("variable %d, and variables are 0 to %d", i, len(m.Cards)-1)
		}
		if seen[i] {
			return fmt.Errorf("variable %d twice", i)
		}
		if seen[i] = true; n > MaxTable/m.Cards[i] {
			return fmt.Errorf("its table would have more than %d entries", MaxTable)
		}
		n *= m.Cards[i]
	}
	if len(f.Table) != n {
		return fmt.Errorf("%d entries for %d combinations of values", len(f.Table), n)
	}
	positive := false
	for k, x := range f.Table {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("entry %d is %v", k, x)
		}
		positive = positive || x > 0
	}
	if !positive {
		return fmt.Errorf("all its entries are 0, so no state has positive probability")
	}
	return nil
}

// LogDensity is log Π_a f_a(x_a), −Inf where a factor is 0.
func (m *Model) LogDensity(x []int) float64 {
	sum := 0.0
	for _, f := range m.Factors {
		sum += vec.Log(f.Table[f.index(m.Cards, x)])
	}
	return sum
}

// index is the place in the table of the values that x gives to the scope.
func (f Factor) index(cards, x []int) int {
	k := 0
	for _, i := range f.Scope {
		k = k*cards[i] + x[i]
	}
	return k
}
