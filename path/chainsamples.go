package path

import "slices"

// rowLayout is the layout of a chain's row: for each temperature, the derivatives d log f/dβ at its draws and their log density
// ratios to the next and to the previous temperature, in the order of the draws.
type rowLayout struct{ temperatures, draws int }

// span is the draws from, …, to−1 of a temperature.
type span struct{ from, to int }

func (l rowLayout) firstHalf() span  { return span{0, l.draws / 2} }
func (l rowLayout) secondHalf() span { return span{l.draws / 2, l.draws} }

const (
	slopes = iota
	ups
	downs
	kinds
)

func (l rowLayout) width() int { return kinds * l.temperatures * l.draws }

func (l rowLayout) values(row []float64, which, k int) []float64 {
	at := (which*l.temperatures + k) * l.draws
	return row[at : at+l.draws]
}

// chainSamples is the rows of independent chains over a ladder.
type chainSamples struct {
	rowLayout
	base    float64
	ladder  Schedule
	weights []float64 // quadrature weights of the temperatures
	rows    [][]float64
	origin  []int // of each row: 1 for chains that started from above, whose bias may differ
}

// pooled is the values of all chains at a temperature.
func (c *chainSamples) pooled(which, k int) []float64 {
	return slices.Concat(c.chains(which, k)...)
}

func (c *chainSamples) chains(which, k int) [][]float64 {
	out := make([][]float64, len(c.rows))
	for i, row := range c.rows {
		out[i] = c.values(row, which, k)
	}
	return out
}
