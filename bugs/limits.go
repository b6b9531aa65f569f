package bugs

import (
	"fmt"
	"strings"
)

// limits bound what compiling may cost, so that a slip such as a loop to 1e9
// is an error and not a machine without memory.
type limits struct {
	cells int // elements of all arrays
	steps int // of the loops of one relation
	items int // numbers in one expression
	work  int // elements of arrays in all expressions
	code  int // instructions and operands of all templates
	nest  int // expressions within one another, through definitions too
}

// defaultLimits leave room for a hundred million observations.
func defaultLimits() limits {
	return limits{cells: 1 << 27, steps: 1 << 27, items: 1 << 24, work: 1 << 28, code: 1 << 25, nest: 1 << 18}
}

// checkCells fails when an array of these dimensions does not fit.
func (c *compiler) checkCells(pos Pos, name string, dims []int) {
	total := 1
	for _, d := range dims {
		if d < 0 || d > 0 && total > c.limits.cells/d {
			c.fail(pos, "", "%s would have %s elements; at most %d fit", name, timesText(dims), c.limits.cells)
		}
		total *= d
	}
}

// spend counts elements of an array in an expression towards the whole.
func (c *compiler) spend(pos Pos, n int) {
	if n > c.limits.items {
		c.fail(pos, "Take it apart, or sum in steps.", "an expression of %d numbers is too large; at most %d fit%s", n, c.limits.items, c.where(c.env))
	}
	if c.work += n; c.work > c.limits.work {
		c.fail(pos, "Sums over growing ranges are quadratic: carry a running sum from one element to the next instead.",
			"the expressions of the model have more than %d terms%s", c.limits.work, c.where(c.env))
	}
}

// spendCode counts the program of a new template. Rows of one relation share
// one, unless their shapes differ.
func (c *compiler) spendCode(pos Pos, w *row) {
	if c.code += len(w.code) + len(w.args) + len(w.ins); c.code > c.limits.code {
		c.fail(pos, "Sums over growing ranges are quadratic: carry a running sum from one element to the next instead.",
			"the model has more than %d terms in relations of different shapes%s", c.limits.code, c.where(c.env))
	}
}

// timesText writes dimensions as 2×3.
func timesText(dims []int) string {
	dims = dimsOrOne(dims)
	parts := make([]string, len(dims))
	for i, d := range dims {
		parts[i] = fmt.Sprint(d)
	}
	return strings.Join(parts, "×")
}
