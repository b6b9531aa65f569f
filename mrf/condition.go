package mrf

import (
	"fmt"
	"slices"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Conditional is a model given evidence, as a model of the variables that are still free: p(x_free, x_observed) as a function of x_free. Its Z is the
// probability of the evidence times the Z of the whole model.
type Conditional struct {
	*Model        // of the free variables, with numbers of their own
	Whole  *Model // that the evidence is of
	Free   []int  // the number that each free variable has in the whole model, ascending
	Fixed  []int  // the value of each variable of the whole model, −1 where it is free
}

// ImpossibleError says that evidence has probability 0.
type ImpossibleError struct{ Msg string }

func (e *ImpossibleError) Error() string { return "mrf: " + e.Msg }

// Given conditions a model on evidence. Variables with one value are observed to have it. Where a factor is 0 at the observed values whatever the others
// are, the error is of type [*ImpossibleError]; that every factor alone is positive somewhere does not tell that their product is.
func (m *Model) Given(e Evidence) (*Conditional, error) {
	if err := e.Check(m); err != nil {
		return nil, err
	}
	c := &Conditional{Model: &Model{}, Whole: m, Fixed: make([]int, len(m.Cards))}
	number := make([]int, len(m.Cards)) // of the free
	for i := range c.Fixed {
		c.Fixed[i] = -1
	}
	for _, o := range e {
		c.Fixed[o.Variable] = o.Value
	}
	for i, k := range m.Cards {
		if k == 1 {
			c.Fixed[i] = 0
		}
		if c.Fixed[i] < 0 {
			number[i] = len(c.Free)
			c.Free = append(c.Free, i)
			c.Cards = append(c.Cards, k)
			c.Names = append(c.Names, m.VariableName(i)) // the number, too: messages tell of the whole model
			if m.Values != nil {
				c.Values = append(c.Values, m.Values[i])
			}
		}
	}
	for a, f := range m.Factors {
		g := f.slice(m.Cards, c.Fixed)
		if !slices.ContainsFunc(g.Table, func(x float64) bool { return x > 0 }) {
			return nil, &ImpossibleError{fmt.Sprintf("the evidence has probability 0: factor %d is 0 for %s", a, c.observedIn(f))}
		}
		for k, i := range g.Scope {
			g.Scope[k] = number[i]
		}
		c.Factors = append(c.Factors, g)
	}
	return c, nil
}

// slice is the part of a factor at fixed values.
func (f Factor) slice(cards, fixed []int) Factor {
	strides := make([]int, len(f.Scope))
	for k, n := len(f.Scope)-1, 1; k >= 0; k-- {
		strides[k] = n
		n *= cards[f.Scope[k]]
	}
	var g Factor
	var step, size []int
	at, n := 0, 1
	for k, i := range f.Scope {
		if v := fixed[i]; v >= 0 {
			at += v * strides[k]
			continue
		}
		g.Scope, step, size, n = append(g.Scope, i), append(step, strides[k]), append(size, cards[i]), n*cards[i]
	}
	if n == len(f.Table) {
		g.Table = f.Table
		return g
	}
	g.Table = make([]float64, n)
	x := make([]int, len(step))
	for k := range g.Table {
		g.Table[k] = f.Table[at]
		for d := len(x) - 1; d >= 0; d-- { // the next combination
			at += step[d]
			if x[d]++; x[d] < size[d] {
				break
			}
			at -= step[d] * size[d]
			x[d] = 0
		}
	}
	return g
}

// observedIn names the observed values in a factor.
func (c *Conditional) observedIn(f Factor) string {
	var names []string
	for _, i := range f.Scope {
		if v := c.Fixed[i]; v >= 0 {
			names = append(names, c.Whole.VariableName(i)+" = "+c.Whole.ValueName(i, v))
		}
	}
	return wording.Few(names, 8)
}

// State is a state of the whole model from one of the free variables.
func (c *Conditional) State(free []int) []int {
	x := slices.Clone(c.Fixed)
	for k, i := range c.Free {
		x[i] = free[k]
	}
	return x
}

// Marginals are those of the whole model from those of the free variables: an observed variable has its value with probability 1.
func (c *Conditional) Marginals(free [][]float64) [][]float64 {
	all := make([][]float64, len(c.Fixed))
	for i, v := range c.Fixed {
		if v >= 0 {
			all[i] = make([]float64, c.Whole.Cards[i])
			all[i][v] = 1
		}
	}
	for k, i := range c.Free {
		all[i] = free[k]
	}
	return all
}
