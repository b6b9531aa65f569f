package mrf

import (
	"bytes"
	"math"
	"strconv"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// ReadBIF reads a Bayesian network in the Interchange Format (Cozman 1996, version 0.15): blocks network, variable and probability; probabilities as
// table (the values of the child change slowest, those of the last parent fastest), as rows for given values of the parents, and as default for
// the rows that are not given. Properties are skipped. Each variable's factor has its parents first and the variable last. Rows are rounded in
// files: one whose sum is within 0.01 of 1 is divided by it, any other is an error. The name is for errors, which are of type [*Error].
func ReadBIF(name string, text []byte) (*Model, error) {
	b := &bif{source: source{name, text}, model: &Model{Names: []string{}, Values: [][]string{}}, variables: map[string]int{}, given: map[int]int{}}
	for {
		word, at, err := b.next()
		if err != nil {
			return nil, err
		}
		switch string(word) {
		case "":
			return b.finish()
		case "network":
			err = b.network()
		case "variable":
			err = b.variable()
		case "probability":
			err = b.probability()
		default:
			err = b.fault(at, "%s where a block network, variable or probability should begin", wording.Quote(word))
		}
		if err != nil {
			return nil, err
		}
	}
}

// bif is a file on the way.
type bif struct {
	source
	at        int
	model     *Model
	variables map[string]int
	given     map[int]int // factors by variable
}

// next is the next word, or one of { } ( ) [ ] ; and where it begins; empty at the end. Commas and bars are white space, as the format has it.
func (b *bif) next() (word []byte, at int, err error) {
	if err := b.skip(); err != nil {
		return nil, b.at, err
	}
	at = b.at
	switch {
	case at == len(b.text):
		return nil, at, nil
	case b.text[at] == '"':
		end := bytes.IndexByte(b.text[at+1:], '"')
		if end < 0 {
			return nil, at, b.fault(at, "the quotation that begins here does not end")
		}
		b.at += end + 2
		return b.text[at+1 : b.at-1], at, nil
	case bytes.IndexByte([]byte("{}()[];"), b.text[at]) >= 0:
		b.at++
		return b.text[at:b.at], at, nil
	}
	for b.at < len(b.text) && !space(b.text[b.at]) && bytes.IndexByte([]byte(`{}()[];,|"`), b.text[b.at]) < 0 {
		b.at++
	}
	return b.text[at:b.at], at, nil
}

// skip passes over white space and comments.
func (b *bif) skip() error {
	for b.at < len(b.text) {
		rest := b.text[b.at:]
		switch {
		case space(rest[0]) || rest[0] == ',' || rest[0] == '|':
			b.at++
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest) - 1
			}
			b.at += end + 1
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest, []byte("*/"))
			if end < 0 {
				return b.fault(b.at, "the comment that begins here does not end")
			}
			b.at += end + 2
		case b.at == 0 && bytes.HasPrefix(rest, []byte("\ufeff")):
			b.at = len("\ufeff")
		default:
			return nil
		}
	}
	return nil
}

// expect reads what must follow.
func (b *bif) expect(want string) error {
	word, at, err := b.next()
	if err == nil && string(word) != want {
		return b.unexpected(word, at, `"`+want+`"`)
	}
	return err
}

func (b *bif) unexpected(word []byte, at int, want string) error {
	if len(word) == 0 && at == len(b.text) {
		return b.fault(at, "the file ends where %s should be; it is cut short, or a bracket is missing", want)
	}
	return b.fault(at, "%s where %s should be", wording.Quote(word), want)
}

// name reads a word that names something.
func (b *bif) name(what string) (string, int, error) {
	word, at, err := b.next()
	if err == nil && (len(word) == 0 || b.text[at] != '"' && punctuation(word)) {
		err = b.unexpected(word, at, what)
	}
	return string(word), at, err
}

func punctuation(word []byte) bool {
	return len(word) == 1 && bytes.IndexByte([]byte("{}()[];"), word[0]) >= 0
}

// property skips the rest of a property.
func (b *bif) property() error {
	for {
		word, at, err := b.next()
		if err != nil {
			return err
		}
		if len(word) == 0 && at == len(b.text) {
			return b.unexpected(word, at, `the ";" after a property`)
		}
		if string(word) == ";" {
			return nil
		}
	}
}

// network skips a block that has a name and properties.
func (b *bif) network() error {
	word, at, err := b.next()
	if err == nil && string(word) != "{" {
		if len(word) == 0 && at == len(b.text) {
			return b.unexpected(word, at, "the network's name")
		}
		err = b.expect("{")
	}
	for err == nil {
		if word, at, err = b.next(); err != nil {
			break
		}
		switch string(word) {
		case "}":
			return nil
		case "property":
			err = b.property()
		default:
			err = b.unexpected(word, at, `a property, or "}"`)
		}
	}
	return err
}

// variable reads a block with the names of a variable and of its values.
func (b *bif) variable() error {
	name, place, err := b.name("a variable's name")
	if err != nil {
		return err
	}
	if _, ok := b.variables[name]; ok {
		return b.fault(place, "the variable %s is there twice", wording.Quote(name))
	}
	if err := b.expect("{"); err != nil {
		return err
	}
	var values []string
	for {
		word, at, err := b.next()
		if err != nil {
			return err
		}
		switch string(word) {
		case "property":
			err = b.property()
		case "type":
			if values != nil {
				return b.fault(at, "the type of %s is there twice", wording.Quote(name))
			}
			values, err = b.discrete(name)
		case "}":
			if values == nil {
				return b.fault(at, `the variable %s has no "type discrete"`, wording.Quote(name))
			}
			b.variables[name] = len(b.model.Names)
			b.model.Names, b.model.Values = append(b.model.Names, name), append(b.model.Values, values)
			b.model.Cards = append(b.model.Cards, len(values))
			return nil
		default:
			err = b.unexpected(word, at, `a type, a property, or "}"`)
		}
		if err != nil {
			return err
		}
	}
}

// discrete reads a list of values: discrete [ 2 ] { yes, no };
func (b *bif) discrete(variable string) (values []string, err error) {
	word, at, err := b.next()
	if err == nil && string(word) != "discrete" {
		err = b.fault(at, "the variable %s is of type %s; only discrete variables can be read", wording.Quote(variable), wording.Quote(word))
	}
	if err == nil {
		err = b.expect("[")
	}
	if err != nil {
		return nil, err
	}
	word, at, err = b.next()
	n, bad := strconv.Atoi(string(word))
	if err != nil {
		return nil, err
	}
	if bad != nil || n < 1 {
		return nil, b.fault(at, "the number of values of %s is %s, and it must be at least 1", wording.Quote(variable), wording.Quote(word))
	}
	if err := b.expect("]"); err != nil {
		return nil, err
	}
	if err := b.expect("{"); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for {
		word, at, err := b.next()
		switch {
		case err != nil:
			return nil, err
		case string(word) == "}" && b.text[at] == '}':
			if len(values) != n {
				return nil, b.fault(at, "the variable %s has %s in brackets and is said to have %d", wording.Quote(variable), wording.Count(len(values), "value", "values"), n)
			}
			return values, b.expect(";")
		case len(word) == 0 && at == len(b.text) || b.text[at] != '"' && punctuation(word):
			return nil, b.unexpected(word, at, `a value, or "}"`)
		case seen[string(word)]:
			return nil, b.fault(at, "the variable %s has the value %s twice", wording.Quote(variable), wording.Quote(word))
		}
		seen[string(word)] = true
		values = append(values, string(word))
	}
}

// finish checks the network as a whole.
func (b *bif) finish() (*Model, error) {
	m := b.model
	if len(m.Names) == 0 {
		return nil, &Error{File: b.source.name, Msg: "there are no variables in this file"}
	}
	for i, name := range m.Names {
		if _, ok := b.given[i]; !ok {
			return nil, &Error{File: b.source.name, Msg: "the variable " + wording.Quote(name) + " has no probability block"}
		}
	}
	if on := b.cycle(); on >= 0 {
		return nil, &Error{File: b.source.name, Msg: "the variable " + wording.Quote(m.Names[on]) + " is its own ancestor, so this is no Bayesian network"}
	}
	return m, nil
}

// cycle is a variable on a directed cycle, −1 where there is none.
func (b *bif) cycle() int {
	n := len(b.model.Names)
	children, waits := make([][]int, n), make([]int, n)
	for i := range n {
		parents := b.model.Factors[b.given[i]].Scope
		for _, p := range parents[:len(parents)-1] {
			children[p] = append(children[p], i)
			waits[i]++
		}
	}
	var ready []int
	for i, w := range waits {
		if w == 0 {
			ready = append(ready, i)
		}
	}
	for k := 0; k < len(ready); k++ {
		for _, c := range children[ready[k]] {
			if waits[c]--; waits[c] == 0 {
				ready = append(ready, c)
			}
		}
	}
	if len(ready) == n {
		return -1
	}
	at := 0 // a variable that waits has a parent that waits: going up ends on a cycle
	for waits[at] == 0 {
		at++
	}
	for range n {
		for _, p := range b.model.Factors[b.given[at]].Scope {
			if p != at && waits[p] > 0 {
				at = p
				break
			}
		}
	}
	return at
}

// probability reads a block of the probabilities of a variable given its parents.
func (b *bif) probability() error {
	at := b.at
	if err := b.expect("("); err != nil {
		return err
	}
	child, parents, err := b.family()
	if err != nil {
		return err
	}
	m := b.model
	if _, ok := b.given[child]; ok {
		return b.fault(at, "the probabilities of %s are there twice", wording.Quote(m.Names[child]))
	}
	if err := b.expect("{"); err != nil {
		return err
	}
	entries := m.entries(parents) * float64(m.Cards[child])
	if entries > MaxTable {
		return b.fault(at, "the table of %s has %s entries, and at most %d can be held", wording.Quote(m.Names[child]), approximately(entries), MaxTable)
	}
	if err := memory.Room(17 * entries); err != nil {
		return &Error{File: b.source.name, Msg: "the table of " + wording.Quote(m.Names[child]) + ": " + err.Error(), Err: err}
	}
	t := &bifTable{bif: b, child: child, parents: parents, rows: make([]float64, int(entries)), there: make([]bool, int(entries)/m.Cards[child])}
	if err := t.read(); err != nil {
		return err
	}
	b.given[child] = len(m.Factors)
	m.Factors = append(m.Factors, Factor{Scope: append(parents, child), Table: t.rows})
	return nil
}

// family reads a child and its parents up to the bracket.
func (b *bif) family() (child int, parents []int, err error) {
	var all []int
	seen := map[int]bool{}
	for {
		word, at, err := b.next()
		if err != nil {
			return 0, nil, err
		}
		if string(word) == ")" && b.text[at] == ')' {
			if len(all) == 0 {
				return 0, nil, b.fault(at, "a variable should be named here")
			}
			return all[0], all[1:], nil
		}
		if len(word) == 0 && at == len(b.text) {
			return 0, nil, b.unexpected(word, at, `")"`)
		}
		i, ok := b.variables[string(word)]
		if !ok {
			return 0, nil, b.fault(at, "there is no variable %s before this line%s", wording.Quote(word), b.meant(string(word), b.model.Names))
		}
		if seen[i] {
			return 0, nil, b.fault(at, "%s is there twice", wording.Quote(word))
		}
		seen[i] = true
		all = append(all, i)
	}
}

// meant suggests a name that is near.
func (b *bif) meant(name string, known []string) string {
	if near := wording.Nearest(name, known); near != "" {
		return "; did you mean " + wording.Quote(near) + "?"
	}
	return ""
}

// bifTable is a conditional distribution on the way: a row of the child's values for each combination of the parents' values.
type bifTable struct {
	*bif
	child    int
	parents  []int
	rows     []float64
	there    []bool
	fallback []float64
}

func (t *bifTable) read() error {
	for {
		word, at, err := t.next()
		if err != nil {
			return err
		}
		switch string(word) {
		case "property":
			err = t.property()
		case "table":
			err = t.table(at)
		case "default":
			if t.fallback != nil {
				return t.fault(at, "there are two defaults")
			}
			t.fallback, err = t.numbers(t.model.Cards[t.child])
			if err == nil {
				err = t.normalise(t.fallback, at)
			}
		case "(":
			err = t.row(at)
		case "}":
			return t.complete(at)
		default:
			err = t.unexpected(word, at, `a row, a table, a default, a property, or "}"`)
		}
		if err != nil {
			return err
		}
	}
}

// table reads all rows, the child's values slowest.
func (t *bifTable) table(at int) error {
	all, err := t.numbers(len(t.rows))
	if err != nil {
		return err
	}
	k := t.model.Cards[t.child]
	n := len(t.there)
	for r := range t.there {
		if t.there[r] {
			return t.fault(at, "a table after rows, or two tables")
		}
		row := t.rows[r*k : (r+1)*k]
		for v := range row {
			row[v] = all[v*n+r]
		}
		if err := t.normalise(row, at); err != nil {
			return err
		}
		t.there[r] = true
	}
	return nil
}

// row reads the probabilities for given values of the parents.
func (t *bifTable) row(at int) error {
	r := 0
	for _, p := range t.parents {
		value, place, err := t.name("a value of " + wording.Quote(t.model.Names[p]))
		if err != nil {
			return err
		}
		v := t.model.Value(p, value)
		if v < 0 {
			return t.fault(place, "%s is no value of %s%s", wording.Quote(value), wording.Quote(t.model.Names[p]), t.meant(value, t.model.Values[p]))
		}
		r = r*t.model.Cards[p] + v
	}
	if err := t.expect(")"); err != nil {
		return err
	}
	if t.there[r] {
		return t.fault(at, "the probabilities for these values are there twice")
	}
	k := t.model.Cards[t.child]
	row, err := t.numbers(k)
	if err != nil {
		return err
	}
	t.there[r] = true
	copy(t.rows[r*k:], row)
	return t.normalise(t.rows[r*k:(r+1)*k], at)
}

// numbers reads n probabilities and the semicolon.
func (t *bifTable) numbers(n int) ([]float64, error) {
	all := make([]float64, 0, min(n, (len(t.text)-t.at+1)/2))
	for {
		word, at, err := t.next()
		switch {
		case err != nil:
			return nil, err
		case string(word) == ";":
			if len(all) != n {
				return nil, t.fault(at, "there %s, and %d are needed", wording.Word(len(all), "is 1 number", "are "+strconv.Itoa(len(all))+" numbers"), n)
			}
			return all, nil
		case len(word) == 0 || punctuation(word):
			return nil, t.unexpected(word, at, `a number, or ";"`)
		case len(all) == n:
			return nil, t.fault(at, "%s is more than the %s that are needed", wording.Quote(word), wording.Count(n, "number", "numbers"))
		}
		x, fault := factorEntry(word)
		if fault != "" {
			return nil, t.fault(at, "a probability is %s", fault)
		}
		all = append(all, x)
	}
}

const rounding = 0.01 // that the sum of a row may be away from 1

func (t *bifTable) normalise(row []float64, at int) error {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	if !(math.Abs(sum-1) <= rounding) {
		return t.fault(at, "probabilities of %s sum to %.6g, not to 1", wording.Quote(t.model.Names[t.child]), sum)
	}
	for v := range row {
		row[v] /= sum
	}
	return nil
}

// complete fills the rows that were not given.
func (t *bifTable) complete(at int) error {
	k := t.model.Cards[t.child]
	for r, there := range t.there {
		switch {
		case there:
		case t.fallback == nil:
			return t.fault(at, "there are no probabilities of %s%s", wording.Quote(t.model.Names[t.child]), t.forValues(r))
		default:
			copy(t.rows[r*k:], t.fallback)
		}
	}
	return nil
}

// forValues names the parents' values of a row, for messages.
func (t *bifTable) forValues(r int) string {
	names := make([]string, len(t.parents))
	for j := len(t.parents) - 1; j >= 0; j-- {
		p := t.parents[j]
		names[j] = t.model.Names[p] + " = " + t.model.Values[p][r%t.model.Cards[p]]
		r /= t.model.Cards[p]
	}
	if len(names) == 0 {
		return ""
	}
	return " for " + wording.Few(names, 8)
}
