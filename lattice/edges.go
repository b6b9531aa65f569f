package lattice

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadEdges reads a graph from a text: a line for each bond, with its two sites and its coupling, or the one given for lines without; blanks,
// a comma or a semicolon between them. Lines that are empty or begin with # or % stand for nothing, and
// so does what follows a # or % after a bond.
//
// Sites have numbers or names, which [Graph.Label] tells. Those that the text mentions are the graph's, by number, or names as they
// first come. A first line with the numbers of sites and bonds, as those of the G-set have (Helmberg and Rendl 2000), is known by what follows:
// as many bonds, of sites up to that number; sites then begin with 1, or with 0 where that is among them, and those without a
// bond count too. A first line of column names is passed over.
//
// Errors name the file and the line. A bond given twice is one of them: half of all such files list each bond from both ends, where it
// would count double.
func ReadEdges(name string, text []byte, coupling float64) (*Graph, error) {
	if err := memory.Room(float64(bytes.Count(text, []byte("\n"))+1) * 160); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	e := &edgeReader{name: name, coupling: coupling}
	for _, step := range []func() error{func() error { return e.split(text) }, e.heading, e.number, e.twice} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	g, err := NewGraph(e.sites, func(yield func(Bond) bool) {
		for k := range e.rows {
			if r := &e.rows[k]; !yield(Bond{int(r.i), int(r.j), r.coupling}) {
				return
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	g.labels = e.labels
	return g, nil
}

// Label is what a site is called in the text that the graph was read from; else its number.
func (g *Graph) Label(i int) string {
	switch {
	case g.labels.names != nil:
		return g.labels.names[i]
	case g.labels.numbers != nil:
		i = int(g.labels.numbers[i])
	}
	return strconv.Itoa(g.labels.first + i)
}

// labels are what sites are called; the zero value is by their numbers.
type labels struct {
	names   []string
	numbers []int32
	first   int // of numbers that have no gap
}

// edgeReader is a text on its way to a graph.
type edgeReader struct {
	name     string
	coupling float64
	rows     []edgeRow
	named    bool // sites have names
	sites    int  // that a first line says; in the end all
	labels   labels
}

// edgeRow is a line.
type edgeRow struct {
	ends     [2][]byte
	third    []byte // nil: none
	line     int
	i, j     int32
	coupling float64
}

func (e *edgeReader) fail(line int, format string, args ...any) error {
	return errors.New(wording.At(e.name, line, 0, fmt.Sprintf(format, args...)))
}

// split finds the fields.
func (e *edgeReader) split(text []byte) error {
	line := 0
	for row := range bytes.Lines(text) {
		line++
		fields := bytes.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune(" \t,;\r\n\v\f\ufeff", r) })
		if len(fields) == 0 || fields[0][0] == '#' || fields[0][0] == '%' {
			continue
		}
		if i := slices.IndexFunc(fields, func(f []byte) bool { return f[0] == '#' || f[0] == '%' }); i >= 2 { // before that it is a name
			fields = fields[:i]
		}
		if len(fields) < 2 || len(fields) > 3 {
			return e.fail(line, "%s where a bond has two sites and perhaps a coupling: I J or I J COUPLING", wording.Count(len(fields), "field", "fields"))
		}
		r := edgeRow{ends: [2][]byte(fields[:2]), line: line, coupling: e.coupling}
		if len(fields) == 3 {
			r.third = fields[2]
		}
		e.rows = append(e.rows, r)
	}
	return nil
}

// heading takes off a first line that is not a bond, and finds out whether sites have names.
func (e *edgeReader) heading() error {
	switch {
	case len(e.rows) == 0:
		return fmt.Errorf("%s has no bonds: give a line for each, with its two sites and, if it differs, its coupling", e.name)
	case e.columns():
		e.rows = e.rows[1:]
	default:
		if err := e.counts(); err != nil {
			return err
		}
	}
	if len(e.rows) == 0 {
		return fmt.Errorf("%s has no bonds after its first line, which is taken for the names of columns", e.name)
	}
	e.named = !number(e.rows[0].ends[0]) || !number(e.rows[0].ends[1])
	return nil
}

// columns says whether the first line is names of columns: words before numbers, or words that are usual, or a word for the coupling.
func (e *edgeReader) columns() bool {
	r := &e.rows[0]
	if number(r.ends[0]) || number(r.ends[1]) {
		return false
	}
	if r.third != nil {
		return !number(r.third) && !strings.ContainsRune("+-.0123456789", rune(r.third[0]))
	}
	if len(e.rows) > 1 && number(e.rows[1].ends[0]) && number(e.rows[1].ends[1]) {
		return true
	}
	return slices.Contains([]string{"source target", "from to", "src dst"}, strings.ToLower(string(r.ends[0])+" "+string(r.ends[1])))
}

// number says whether a field can only be meant as one.
func number(field []byte) bool {
	_, err := strconv.ParseFloat(string(field), 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// counts takes off a first line with the numbers of sites and bonds.
func (e *edgeReader) counts() error {
	r, rest := &e.rows[0], e.rows[1:]
	n, err := strconv.Atoi(string(r.ends[0]))
	m, err2 := strconv.Atoi(string(r.ends[1]))
	if err != nil || err2 != nil || r.third != nil || len(rest) == 0 {
		return nil
	}
	weighted, most := true, 0
	for k := range rest {
		weighted = weighted && rest[k].third != nil
		for _, end := range rest[k].ends {
			i, err := strconv.Atoi(string(end))
			if err != nil {
				return nil
			}
			most = max(most, i)
		}
	}
	if m == len(rest) && most <= n && n > 1 && n <= MaxSites {
		e.sites, e.rows = n, rest
		return nil
	}
	if weighted && len(rest) > 2 {
		return e.fail(r.line, "two fields where all other lines have three: %d sites and %d bonds? There are %s, of sites up to %d. Correct the numbers, or give this bond a coupling too",
			n, m, wording.Count(len(rest), "other bond", "other bonds"), most)
	}
	return nil
}

// number gives sites their numbers in the graph, and bonds their couplings.
func (e *edgeReader) number() error {
	known := map[string]int32{}
	for k := range e.rows {
		r := &e.rows[k]
		if r.third != nil {
			c, err := strconv.ParseFloat(string(r.third), 64)
			if err != nil || math.IsNaN(c) || math.IsInf(c, 0) {
				return e.fail(r.line, "the coupling %s is not a finite number", wording.Quote(r.third))
			}
			r.coupling = c
		}
		if bytes.Equal(r.ends[0], r.ends[1]) {
			return e.fail(r.line, "a bond from site %s to itself", wording.Quote(r.ends[0]))
		}
		for side, to := range []*int32{&r.i, &r.j} {
			if err := e.site(r, r.ends[side], to, known); err != nil {
				return err
			}
		}
		if r.i == r.j {
			return e.fail(r.line, "a bond from site %d to itself", r.i)
		}
	}
	switch {
	case e.named:
		e.sites = len(e.labels.names)
		return nil
	case e.sites > 0:
		return e.upTo()
	}
	return e.mentioned()
}

// site finds the number of one.
func (e *edgeReader) site(r *edgeRow, field []byte, to *int32, known map[string]int32) error {
	if !e.named {
		i, err := strconv.Atoi(string(field))
		if err != nil || i < 0 || i >= MaxSites {
			return e.fail(r.line, "%s is not the number of a site, from 0 to %d", wording.Quote(field), MaxSites-1)
		}
		*to = int32(i)
		return nil
	}
	i, ok := known[string(field)]
	if !ok {
		i = int32(len(e.labels.names))
		e.labels.names = append(e.labels.names, string(field))
		known[e.labels.names[i]] = i
	}
	*to = i
	return nil
}

// upTo makes numbers begin with 0 where a first line says how many sites there are.
func (e *edgeReader) upTo() error {
	e.labels.first = 1
	for k := range e.rows {
		if e.rows[k].i == 0 || e.rows[k].j == 0 {
			e.labels.first = 0
		}
	}
	for k := range e.rows {
		r := &e.rows[k]
		r.i, r.j = r.i-int32(e.labels.first), r.j-int32(e.labels.first)
		if top := max(r.i, r.j); int(top) >= e.sites {
			return e.fail(r.line, "site %d of %d that the first line says, which begin with 0", top, e.sites)
		}
	}
	return nil
}

// mentioned makes numbers those of the sites that there are.
func (e *edgeReader) mentioned() error {
	numbers := make([]int32, 0, 2*len(e.rows))
	for k := range e.rows {
		numbers = append(numbers, e.rows[k].i, e.rows[k].j)
	}
	slices.Sort(numbers)
	numbers = slices.Clip(slices.Compact(numbers))
	e.sites = len(numbers)
	if e.labels.first = int(numbers[0]); int(numbers[e.sites-1])-e.labels.first == e.sites-1 {
		for k := range e.rows {
			r := &e.rows[k]
			r.i, r.j = r.i-numbers[0], r.j-numbers[0]
		}
		return nil
	}
	e.labels = labels{numbers: numbers}
	for k := range e.rows {
		for _, to := range []*int32{&e.rows[k].i, &e.rows[k].j} {
			at, _ := slices.BinarySearch(numbers, *to)
			*to = int32(at)
		}
	}
	return nil
}

// twice refuses bonds that come again.
func (e *edgeReader) twice() error {
	order := make([]uint64, len(e.rows))
	for k := range e.rows {
		r := &e.rows[k]
		order[k] = uint64(min(r.i, r.j))<<32 | uint64(max(r.i, r.j))
	}
	slices.Sort(order)
	for k := 1; k < len(order); k++ {
		if order[k] == order[k-1] {
			return e.again(int32(order[k]>>32), int32(uint32(order[k])))
		}
	}
	return nil
}

// again names the lines of a bond.
func (e *edgeReader) again(i, j int32) error {
	first := 0
	for k := range e.rows {
		r := &e.rows[k]
		if min(r.i, r.j) != i || max(r.i, r.j) != j {
			continue
		}
		if first > 0 {
			return e.fail(r.line, "the bond of line %d again: give each bond once, with the sum of its couplings", first)
		}
		first = r.line
	}
	panic("lattice: a bond that comes twice is nowhere")
}
