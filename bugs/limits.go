package bugs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
)

// limits bound what compiling may cost, so that a slip such as a loop to 1e9
// is an error and not a machine without memory, or minutes of silence.
type limits struct {
	cells int // elements of all arrays
	steps int // turns of all loops in one walk over the program
	items int // numbers in one expression
	work  int // elements and operations of all expressions, and turns of loops
	code  int // instructions and operands of all templates
	nest  int // expressions within one another, through definitions too
}

// limitsFor let a program of no data compile in some ten seconds and within
// about a GB, and one of many data as long as it takes: a hundred million
// observations fit.
func limitsFor(numbers int) limits {
	n := min(numbers, 1<<27)
	return limits{
		cells: min(1<<23+16*n, 1<<27),
		steps: 1<<22 + 32*n,
		items: min(1<<22+2*n, 1<<26),
		work:  max(min(1<<26+1<<13*n, 1<<28), 256*n), // sums over all earlier of 2·10⁴ data are done
		code:  min(1<<24+64*n, 1<<25),
		nest:  1 << 16,
	}
}

// enlarge tells what the limits depend on.
const enlarge = "What a model may ask for grows with the data that it is given in files."

// checkCells fails when an array of these dimensions does not fit.
func (c *compiler) checkCells(pos Pos, name string, dims []int) {
	total := 1
	for _, d := range dims {
		if d < 0 || d > 0 && total > c.limits.cells/d {
			c.fail(pos, enlarge, "%s would have %s elements; at most %d fit", name, timesText(dims), c.limits.cells)
		}
		total *= d
	}
}

// checkItems bounds the numbers of one expression.
func (c *compiler) checkItems(pos Pos, n int) {
	if n > c.limits.items {
		c.fail(pos, "Take it apart, or sum in steps.", "an expression of %d numbers is too large; at most %d fit%s", n, c.limits.items, c.where(c.env))
	}
}

// spend counts elements of an array in an expression towards the whole.
func (c *compiler) spend(pos Pos, n int) {
	c.checkItems(pos, n)
	c.count(pos, n)
}

// lookEvery is how much work is done between two looks at the memory that is
// left; it takes less than lookRoom.
const lookEvery, lookRoom = 1 << 18, 32 << 20

// count adds to the work of the whole.
func (c *compiler) count(pos Pos, n int) {
	if c.work += n; c.work < c.look {
		return
	}
	if c.work > c.limits.work {
		c.fail(pos, "Sums over growing ranges are quadratic: carry a running sum from one element to the next instead. So are random indices that reach as many elements as there are relations with one. "+enlarge,
			"compiling the model takes more than %d steps%s", c.limits.work, c.where(c.env))
	}
	c.look = min(c.work+lookEvery, c.limits.work+1)
	c.room(pos, lookRoom, "the model")
}

// room fails where there is no memory for so many bytes more.
func (c *compiler) room(pos Pos, bytes float64, what string) {
	var full *memory.Error
	if errors.As(memory.Room(bytes), &full) {
		e := c.prog.ErrorAt(pos, "Write fewer elements, or allow the program more memory.", "%s does not fit into memory: %v", what, full)
		e.cause = full
		panic(bail{e})
	}
}

// checkCode fails where the program of a row, on its way, is too large already.
func (c *compiler) checkCode(pos Pos, w *row) {
	if n := len(w.code) + len(w.args) + len(w.ins); n > c.limits.code {
		c.codeFull(pos)
	}
}

func (c *compiler) codeFull(pos Pos) {
	c.fail(pos, "Sums over growing ranges are quadratic: carry a running sum from one element to the next instead.",
		"the model has more than %d terms in relations of different shapes%s", c.limits.code, c.where(c.env))
}

// spendCode counts the program of a new template. Rows of one relation share
// one, unless their shapes differ.
func (c *compiler) spendCode(pos Pos, w *row) {
	if c.code += len(w.code) + len(w.args) + len(w.ins); c.code > c.limits.code {
		c.codeFull(pos)
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
