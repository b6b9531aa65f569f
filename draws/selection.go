package draws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/memory"
	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Select finds the parts of variables that patterns name (see [Pattern]),
// separated by commas; an index counts as the variable does. It returns the parts in the order of the patterns and, for
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
		if v, ok := byName[pattern]; ok { // a scalar may be called b[1]
			add(v, nil)
			continue
		}
		p, err := parsePattern(pattern)
		if err != nil {
			return nil, nil, err
		}
		found := false
		for _, v := range vars {
			if !p.names(v.Name) {
				continue
			}
			found = true
			spans, err := p.of(v)
			if err != nil {
				return nil, nil, err
			}
			add(v, spans)
		}
		if !found && p.name != "*" {
			return nil, nil, fmt.Errorf("there is no variable %s%s", wording.Brief(p.name), suggest(p.name, vars))
		}
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
	p, err := ParsePattern(pattern)
	if err != nil {
		return Variable{}, nil, err
	}
	spans, err := p.of(v)
	if err != nil {
		return Variable{}, nil, err
	}
	part, positions = v.part(spans)
	return part, positions, nil
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
