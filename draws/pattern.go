package draws

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ergodic-mcmc/ergodic/internal/wording"
)

// Pattern names elements of variables: a, b[1:3], Sigma[2,], beta[*], or *. In the name
// * stands for any letters. An index is a number, a range, or * or nothing for the whole
// dimension; without a bracket, and with [*], all elements are meant.
type Pattern struct {
	text, name string
	indices    []indexRange // nil: all elements
}

// ParsePattern reads one pattern; an error is a [*PatternError].
func ParsePattern(text string) (Pattern, error) {
	list, err := splitPatterns(text)
	if err != nil {
		return Pattern{}, err
	}
	if len(list) != 1 {
		return Pattern{}, &PatternError{wording.Quote(text) + " is more than one pattern"}
	}
	return parsePattern(list[0])
}

func parsePattern(text string) (Pattern, error) {
	name, indices, bracket := strings.Cut(text, "[")
	p := Pattern{text: text, name: strings.TrimSpace(name)}
	if !bracket {
		return p, nil
	}
	inner, ok := strings.CutSuffix(strings.TrimSpace(indices), "]")
	if !ok {
		return p, &PatternError{wording.Quote(text) + " does not end in a bracket"}
	}
	if strings.TrimSpace(inner) == "*" {
		return p, nil
	}
	var err error
	p.indices, err = readRanges(text, strings.Split(inner, ","))
	return p, err
}

// Matches tells whether the pattern names an element, written as b[2,3].
func (p Pattern) Matches(element string) bool {
	if element == p.text { // a variable may be called b[1]
		return true
	}
	name, rest, _ := strings.Cut(element, "[")
	if !p.names(name) || p.indices == nil {
		return p.names(name)
	}
	list := strings.Split(strings.TrimSuffix(rest, "]"), ",")
	if len(list) != len(p.indices) {
		return false
	}
	for k, r := range p.indices {
		i, err := strconv.Atoi(list[k])
		if err != nil || !r.all && (i < r.low || i > r.high) {
			return false
		}
	}
	return true
}

// names tells whether the pattern is of a variable of this name.
func (p Pattern) names(name string) bool {
	first, rest, wild := strings.Cut(p.name, "*")
	if !wild {
		return name == p.name
	}
	name, ok := strings.CutPrefix(name, first)
	for ok && strings.Contains(rest, "*") {
		var part string
		part, rest, _ = strings.Cut(rest, "*")
		_, name, ok = strings.Cut(name, part)
	}
	return ok && strings.HasSuffix(name, rest)
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

// span is a range of offsets in a dimension, from 0, the end not included.
type span struct{ from, to int }

// of are the spans of a variable that the pattern names; nil stands for all.
func (p Pattern) of(v Variable) ([]span, error) {
	if p.indices == nil {
		return nil, nil
	}
	if len(p.indices) != len(v.Dims) {
		return nil, fmt.Errorf("%s has %d indices; %s has %d dimensions", wording.Brief(p.text), len(p.indices), v.Name, len(v.Dims))
	}
	first := v.first()
	out := make([]span, len(p.indices))
	for k, r := range p.indices {
		if r.all {
			out[k] = span{0, v.Dims[k]}
			continue
		}
		if r.low < first[k] || r.high < r.low || r.high > first[k]+v.Dims[k]-1 {
			return nil, fmt.Errorf("%s is outside %s", wording.Brief(p.text), v)
		}
		out[k] = span{r.low - first[k], r.high - first[k] + 1}
	}
	return out, nil
}
