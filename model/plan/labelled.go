package plan

import (
	"slices"
	"strings"
)

// Labelled are the arrays of allocations to the components of mixtures and of their parameters, whose order the model may not tell; none where no kernel exchanges them.
func (p *Plan) Labelled() (arrays []string) {
	for _, it := range p.Items {
		if it.Kernel != splitMergeName && it.Kernel != labelsName {
			continue
		}
		for _, r := range it.Rows {
			if name, _, _ := strings.Cut(p.name(r), "["); !slices.Contains(arrays, name) {
				arrays = append(arrays, name)
			}
		}
	}
	slices.Sort(arrays)
	return arrays
}
