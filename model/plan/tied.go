package plan

import (
	"slices"
	"strings"
)

// leastTied is the number of nodes from which on their sums move slowly: one step of one node changes a sum by about its hundredth part.
const leastTied = 100

// Tied are discrete nodes that depend on one another and that kernels move one at a time: their arrays, and how many there are; none where they are fewer
// than a hundred. What they add up to, and what depends on it, moves slowly.
func (p *Plan) Tied() (arrays []string, count int) {
	var rows []int32
	for _, it := range p.Items {
		if len(it.Rows) != 1 || it.drawn > 0 {
			continue
		}
		if t, _ := p.Model.TemplateOf(it.Rows[0]); t.Stoch.Scalar != nil && t.Stoch.Scalar.Discrete {
			rows = append(rows, it.Rows[0])
		}
	}
	groups, _ := connected(p.Model, rows)
	for _, g := range groups {
		if len(g) == 1 {
			continue
		}
		count += len(g)
		for _, r := range g {
			if name, _, _ := strings.Cut(p.name(r), "["); !slices.Contains(arrays, name) {
				arrays = append(arrays, name)
			}
		}
	}
	if count < leastTied {
		return nil, 0
	}
	slices.Sort(arrays)
	return arrays, count
}
