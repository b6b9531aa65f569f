package markov

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// Dense is a chain that holds all n² probabilities.
type Dense struct {
	labels
	n int
	p []float64 // by rows
}

// NewDense is the chain with rows p_i1 … p_in. Names are optional, one a state. Rows must sum to 1 within
// [Tolerance]; the error names the row ([*SumError]) or the entry ([*EntryError]) at fault.
func NewDense(rows [][]float64, names ...string) (*Dense, error) {
	return newDense(rows, names, false)
}

// NewDenseNormalised is NewDense of rows that are first divided by their sums, as counts are.
func NewDenseNormalised(rows [][]float64, names ...string) (*Dense, error) {
	return newDense(rows, names, true)
}

func newDense(rows [][]float64, names []string, force bool) (*Dense, error) {
	n := len(rows)
	if err := checkStates(n); err != nil {
		return nil, err
	}
	l, err := newLabels(names, n)
	if err != nil {
		return nil, err
	}
	d := &Dense{labels: l, n: n, p: make([]float64, n*n)}
	for i, row := range rows {
		if len(row) != n {
			return nil, fmt.Errorf("markov: the row of state %s has %d entries; a chain of %d states needs %d", l.Name(i), len(row), n, n)
		}
		copy(d.row(i), row)
	}
	return d, d.finish(force)
}

// finish checks and normalises the rows.
func (d *Dense) finish(force bool) error {
	for i := range d.n {
		row := d.row(i)
		for j, v := range row {
			if !(v >= 0) || math.IsInf(v, 1) {
				return d.entry(i, j, v)
			}
		}
		if err := d.normalise(i, row, force); err != nil {
			return err
		}
	}
	return nil
}

func (d *Dense) row(i int) []float64 { return d.p[i*d.n : (i+1)*d.n : (i+1)*d.n] }

// Len is the number of states.
func (d *Dense) Len() int { return d.n }

// At is p_ij.
func (d *Dense) At(i, j int) float64 { return d.p[i*d.n+j] }

// Row yields j and p_ij > 0 in ascending order of j.
func (d *Dense) Row(i int) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for j, v := range d.row(i) {
			if v > 0 && !yield(j, v) {
				return
			}
		}
	}
}

// Step writes x P to dst.
func (d *Dense) Step(dst, x []float64) {
	clear(dst[:d.n])
	for i, w := range x[:d.n] {
		if w == 0 {
			continue
		}
		row := d.row(i)
		out := dst[:len(row)]
		for j, v := range row {
			out[j] += float64(w * v)
		}
	}
}

// Expect writes P f to dst.
func (d *Dense) Expect(dst, f []float64) {
	for i := range d.n {
		sum := 0.0
		for j, v := range d.row(i) {
			sum += float64(v * f[j])
		}
		dst[i] = sum
	}
}

// toDense copies a chain; the states it keeps are the given ones, and the probabilities of leaving them are lost.
func toDense(c Chain, states []int32) (p []float64) {
	m := len(states)
	if d, ok := c.(*Dense); ok && m == d.n && slices.IsSorted(states) {
		return slices.Clone(d.p)
	}
	at := make([]int32, c.Len())
	for k := range at {
		at[k] = -1
	}
	for k, i := range states {
		at[i] = int32(k)
	}
	p = make([]float64, m*m)
	for k, i := range states {
		row := p[k*m : (k+1)*m]
		for j, v := range c.Row(int(i)) {
			if t := at[j]; t >= 0 {
				row[t] = v
			}
		}
	}
	return p
}

// AsDense is the chain with all n² entries stored, in 8 n² bytes: c itself when it is [Dense]. More than 2 GiB are
// refused ([*SizeError]).
func AsDense(c Chain) (*Dense, error) {
	if d, ok := c.(*Dense); ok {
		return d, nil
	}
	if err := fits("the matrix", c.Len(), "AsSparse stores what is not zero"); err != nil {
		return nil, err
	}
	return asDense(c), nil
}

func asDense(c Chain) *Dense {
	if d, ok := c.(*Dense); ok {
		return d
	}
	n := c.Len()
	d := &Dense{labels: labelsOf(c), n: n, p: make([]float64, n*n)}
	for i := range n {
		row := d.row(i)
		for j, v := range c.Row(i) {
			row[j] = v
		}
	}
	return d
}

func labelsOf(c Chain) labels {
	switch t := c.(type) {
	case *Dense:
		return t.labels
	case *Sparse:
		return t.labels
	}
	l := make(labels, c.Len())
	for i := range l {
		l[i] = c.Name(i)
	}
	return l
}

// connected reports, in time that is nearly linear in the states of a full matrix, whether by transitions of at least
// limit state 0 leads everywhere and everywhere leads to it.
func (d *Dense) connected(limit float64) bool {
	return d.spans(func(i, j int) bool { return d.p[i*d.n+j] >= limit }) && d.spans(func(i, j int) bool { return d.p[j*d.n+i] >= limit })
}

// spans reports whether a search from state 0 finds all others.
func (d *Dense) spans(leads func(i, j int) bool) bool {
	unseen := allStates(d.n)[1:]
	queue := []int32{0}
	for len(queue) > 0 && len(unseen) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		kept := unseen[:0]
		for _, j := range unseen {
			if leads(int(i), int(j)) {
				queue = append(queue, j)
			} else {
				kept = append(kept, j)
			}
		}
		unseen = kept
	}
	return len(unseen) == 0
}

// stays reports whether some state can follow itself.
func (d *Dense) stays() bool {
	for i := range d.n {
		if d.p[i*d.n+i] > 0 {
			return true
		}
	}
	return false
}
