package draws

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Select finds the parts of variables that patterns name, separated by
// commas: a, b[1:3], Sigma[2,], beta[*], or * for all. An index is a number,
// a range, or * or nothing for the whole dimension, and counts as the
// variable does. It returns the parts in the order of the patterns and, for
// each element of them, its position among the elements of vars. Where several
// patterns name parts of one variable, or a part lacks elements, each element
// that is there becomes a scalar with the element's name, listed once.
func Select(vars []Variable, patterns string) (parts []Variable, elements []int, err error) {
	starts := make(map[string]int, len(vars))
	byName := make(map[string]Variable, len(vars))
	n := 0
	for _, v := range vars {
		starts[v.Name], byName[v.Name] = n, v
		n += v.Size()
	}
	var chosen []choice
	times := map[string]int{}
	var full error // no room for what is chosen
	add := func(v Variable, indices []span) {
		if full == nil {
			full = memory.Room(elementBytes * v.among(indices))
		}
		if full != nil {
			return
		}
		part, positions := v.part(indices)
		chosen = append(chosen, choice{part, positions})
		times[v.Name]++
	}
	list, err := splitPatterns(patterns)
	if err != nil {
		return nil, nil, err
	}
	for _, pattern := range list {
		if pattern == "*" {
			for _, v := range vars {
				add(v, nil)
			}
			continue
		}
		if v, ok := byName[pattern]; ok { // a scalar may be called b[1]
			add(v, nil)
			continue
		}
		name, indices, _ := strings.Cut(pattern, "[")
		name = strings.TrimSpace(name)
		v, ok := byName[name]
		if !ok {
			return nil, nil, fmt.Errorf("there is no variable %s%s", wording.Brief(name), suggest(name, vars))
		}
		spans, err := v.spans(pattern, indices)
		if err != nil {
			return nil, nil, err
		}
		add(v, spans)
	}
	if full != nil {
		return nil, nil, full
	}
	seen := map[string]bool{}
	for _, c := range chosen {
		start, whole := starts[c.part.Name], byName[c.part.Name]
		if times[c.part.Name] == 1 && !slices.ContainsFunc(c.positions, whole.absent) {
			parts = append(parts, c.part)
			for _, p := range c.positions {
				elements = append(elements, start+p)
			}
			continue
		}
		for i, name := range c.part.ElementNames() {
			if seen[name] || whole.absent(c.positions[i]) {
				continue
			}
			seen[name] = true
			parts = append(parts, Variable{Name: name})
			elements = append(elements, start+c.positions[i])
		}
	}
	return parts, elements, nil
}

// PatternError is a pattern that cannot be read, whatever the variables are.
type PatternError struct{ Msg string }

func (e *PatternError) Error() string { return e.Msg }

// elementBytes is what an element takes that is chosen, with its name and what
// is found out about it.
const elementBytes = 200

// Fits tells whether there is memory to select all elements of the variables, as a summary
// does; a run asks before its first draw.
func Fits(vars []Variable) error {
	n := 0.0
	for _, v := range vars {
		n += v.among(nil)
	}
	return memory.Room(elementBytes * n)
}

// among is how many elements the spans hold; nil spans hold all.
func (v Variable) among(spans []span) float64 {
	if spans == nil {
		return float64(v.Size())
	}
	n := 1.0
	for _, s := range spans {
		n *= float64(s.to - s.from)
	}
	return n
}

// choice is a part of a variable and where its elements are in the whole.
type choice struct {
	part      Variable
	positions []int
}

// splitPatterns splits at commas outside brackets.
func splitPatterns(s string) ([]string, error) {
	var list []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ',' && depth == 0 {
			p := strings.TrimSpace(s[from:i])
			if p == "" {
				return nil, &PatternError{"a pattern is empty in " + wording.Quote(s)}
			}
			if p[0] == '[' {
				return nil, &PatternError{wording.Quote(p) + " names no variable"}
			}
			list = append(list, p)
			from = i + 1
			continue
		}
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 || depth > 1 {
			return nil, &PatternError{"brackets do not match in " + wording.Quote(s)}
		}
	}
	if depth != 0 {
		return nil, &PatternError{"brackets do not match in " + wording.Quote(s)}
	}
	return list, nil
}

// Part returns what one pattern names of a variable, b[1:3] or Sigma[2,], and
// the positions of its elements in the whole.
func (v Variable) Part(pattern string) (part Variable, positions []int, err error) {
	list, err := splitPatterns(pattern)
	if err != nil {
		return Variable{}, nil, err
	}
	if len(list) != 1 {
		return Variable{}, nil, &PatternError{wording.Quote(pattern) + " is more than one pattern"}
	}
	_, indices, _ := strings.Cut(list[0], "[")
	spans, err := v.spans(list[0], indices)
	if err != nil {
		return Variable{}, nil, err
	}
	part, positions = v.part(spans)
	return part, positions, nil
}

// span is a range of offsets in a dimension, from 0, the end not included.
type span struct{ from, to int }

// spans reads what stands after the opening bracket of a pattern.
func (v Variable) spans(pattern, indices string) ([]span, error) {
	if !strings.Contains(pattern, "[") {
		return nil, nil
	}
	inner, ok := strings.CutSuffix(strings.TrimSpace(indices), "]")
	if !ok {
		return nil, &PatternError{wording.Quote(pattern) + " does not end in a bracket"}
	}
	if strings.TrimSpace(inner) == "*" {
		return nil, nil
	}
	list, err := readRanges(pattern, strings.Split(inner, ","))
	if err != nil {
		return nil, err
	}
	if len(list) != len(v.Dims) {
		return nil, fmt.Errorf("%s has %d indices; %s has %d dimensions", wording.Brief(pattern), len(list), v.Name, len(v.Dims))
	}
	first := v.first()
	out := make([]span, len(list))
	for k, r := range list {
		if r.all {
			out[k] = span{0, v.Dims[k]}
			continue
		}
		if r.low < first[k] || r.high < r.low || r.high > first[k]+v.Dims[k]-1 {
			return nil, fmt.Errorf("%s is outside %s", wording.Brief(pattern), v)
		}
		out[k] = span{r.low - first[k], r.high - first[k] + 1}
	}
	return out, nil
}

// indexRange is an index of a pattern: from low to high, or all there are.
type indexRange struct {
	low, high int
	all       bool
}

func readRanges(pattern string, list []string) ([]indexRange, error) {
	out := make([]indexRange, len(list))
	for k, text := range list {
		text = strings.TrimSpace(text)
		if text == "" || text == "*" {
			out[k].all = true
			continue
		}
		low, high, isRange := strings.Cut(text, ":")
		if !isRange {
			high = low
		}
		a, errA := strconv.Atoi(strings.TrimSpace(low))
		b, errB := strconv.Atoi(strings.TrimSpace(high))
		if errA != nil || errB != nil {
			return nil, &PatternError{fmt.Sprintf("%s in %s is neither a number, a range nor *", wording.Quote(text), wording.Brief(pattern))}
		}
		out[k] = indexRange{low: a, high: b}
	}
	return out, nil
}

// part returns the variable cut to the spans, and the positions of its
// elements in v. No spans take all.
func (v Variable) part(spans []span) (Variable, []int) {
	if spans == nil {
		spans = make([]span, len(v.Dims))
		for k, d := range v.Dims {
			spans[k] = span{0, d}
		}
	}
	p := Variable{Name: v.Name}
	lower := v.first()
	shifted := false
	for k, s := range spans {
		p.Dims = append(p.Dims, s.to-s.from)
		lower[k] += s.from
		shifted = shifted || lower[k] != 1
	}
	if shifted {
		p.Lower = lower
	}
	positions := make([]int, 0, p.Size())
	index := make([]int, len(spans))
	for range p.Size() {
		at, stride := 0, 1
		for k, s := range spans {
			at += (s.from + index[k]) * stride
			stride *= v.Dims[k]
		}
		positions = append(positions, at)
		for k := range index {
			if index[k]++; index[k] < p.Dims[k] {
				break
			}
			index[k] = 0
		}
	}
	return p, positions
}

// suggest names the variable that was meant, or else what there is.
func suggest(name string, vars []Variable) string {
	const most = 12
	names := make([]string, len(vars))
	for i, v := range vars {
		names[i] = v.Name
	}
	if near := wording.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	if len(names) == 0 {
		return ""
	}
	return "; there are " + wording.Few(names, most)
}

// Select returns the part of the set that patterns name, as the function
// Select does. The columns are shared with s.
func (s *Set) Select(patterns string) (*Set, error) {
	parts, elements, err := Select(s.vars, patterns)
	if err != nil {
		return nil, err
	}
	out, err := NewSet(parts, s.chains)
	if err != nil {
		return nil, err
	}
	for i, e := range elements {
		out.cols[i] = s.cols[e]
	}
	return out, nil
}
