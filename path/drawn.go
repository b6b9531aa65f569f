package path

// drawn is the layout of a chain's row: for each temperature its draws' derivatives and their log ratios to
// the next and the previous temperature, in the order in which they were made.
type drawn struct{ temperatures, draws int }

// span are the draws from … to−1 of a temperature.
type span struct{ from, to int }

func (d drawn) first() span  { return span{0, d.draws / 2} }
func (d drawn) second() span { return span{d.draws / 2, d.draws} }

const (
	slopes = iota
	ups
	downs
	kinds
)

func (d drawn) width() int { return kinds * d.temperatures * d.draws }

func (d drawn) of(row []float64, which, k int) []float64 {
	at := (which*d.temperatures + k) * d.draws
	return row[at : at+d.draws]
}

// chained are the rows of independent chains.
type chained struct {
	drawn
	base    float64
	ladder  Schedule
	weights []float64 // of the temperatures' means in the integral
	rows    [][]float64
	origin  []int // of each row: chains of another origin may be off by something else
}

func newChained(d drawn, base float64, ladder Schedule, o *outcome, origin func(run int) int) *chained {
	c := &chained{drawn: d, base: base, ladder: ladder, weights: quadrature(ladder), rows: o.rows}
	for _, run := range o.run {
		c.origin = append(c.origin, origin(run))
	}
	return c
}

// gather are the draws of all chains at a temperature.
func (c *chained) gather(which, k int) []float64 {
	all := make([]float64, 0, len(c.rows)*c.draws)
	for _, row := range c.rows {
		all = append(all, c.of(row, which, k)...)
	}
	return all
}

func (c *chained) chains(which, k int) [][]float64 {
	out := make([][]float64, len(c.rows))
	for i, row := range c.rows {
		out[i] = c.of(row, which, k)
	}
	return out
}
