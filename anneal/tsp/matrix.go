package tsp

import (
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// triangle says how a format lists a symmetric matrix. Columns of one triangle are rows of the other.
type triangle struct{ full, upper, diagonal bool }

var formats = map[string]triangle{
	"FULL_MATRIX": {full: true},
	"UPPER_ROW":   {upper: true}, "LOWER_COL": {upper: true},
	"LOWER_ROW": {}, "UPPER_COL": {},
	"UPPER_DIAG_ROW": {upper: true, diagonal: true}, "LOWER_DIAG_COL": {upper: true, diagonal: true},
	"LOWER_DIAG_ROW": {diagonal: true}, "UPPER_DIAG_COL": {diagonal: true},
}

// row is the columns that a format has of a row.
func (t triangle) row(i, n int) (from, to int) {
	switch own := map[bool]int{true: 1}[t.diagonal]; {
	case t.full:
		return 0, n
	case t.upper:
		return i + 1 - own, n
	default:
		return 0, i + own
	}
}

// matrix reads the weights.
func (f *reader) matrix(line int) error {
	p := f.p
	if p.Type != "EXPLICIT" {
		return f.fail(line, "EDGE_WEIGHT_TYPE is %s, and there is an EDGE_WEIGHT_SECTION", p.Type)
	}
	name := f.spec["EDGE_WEIGHT_FORMAT"]
	t, ok := formats[strings.ToUpper(name.value)]
	if !ok {
		if name.line == 0 {
			return f.fail(line, "EDGE_WEIGHT_TYPE is EXPLICIT, and there is no EDGE_WEIGHT_FORMAT")
		}
		return f.fail(name.line, "EDGE_WEIGHT_FORMAT is %s, and those supported are FULL_MATRIX and {UPPER,LOWER}[_DIAG]_{ROW,COL}", wording.Quote(name.value))
	}
	entries := float64(memory.Product(p.n, p.n-1) / 2)
	want := entries
	switch {
	case t.full:
		want = memory.Product(p.n, p.n)
	case t.diagonal:
		want += float64(p.n)
	}
	if err := f.enough(want, strconv.FormatFloat(want, 'f', 0, 64)+" weights of EDGE_WEIGHT_SECTION"); err != nil {
		return err
	}
	if err := memory.Room(4 * entries); err != nil {
		return f.fail(line, "DIMENSION is %d: %v", p.n, err)
	}
	p.weights = make([]int32, int(entries))
	for i := range p.n {
		if err := f.row(t, i); err != nil {
			return err
		}
	}
	return nil
}

// row reads a line of the matrix, which may be several of the file.
func (f *reader) row(t triangle, i int) error {
	p := f.p
	from, to := t.row(i, p.n)
	for j := from; j < to; j++ {
		what := "the weight of cities " + strconv.Itoa(i+1) + " and " + strconv.Itoa(j+1)
		if !f.numeral() {
			word, line := f.word()
			return f.fail(line, "EDGE_WEIGHT_SECTION ends with %s before %s, and DIMENSION is %d", wording.Quote(word), what, p.n)
		}
		v, err := f.whole(what, -farthest, farthest)
		if err != nil {
			return err
		}
		if i == j {
			continue
		}
		k := below(max(i, j)) + min(i, j)
		if t.full && j < i && p.weights[k] != int32(v) {
			return f.fail(f.at, "the weight from city %d to %d is %d and back %d, where TYPE: TSP says that the matrix is symmetric", i+1, j+1, v, p.weights[k])
		}
		p.weights[k] = int32(v)
	}
	return nil
}
