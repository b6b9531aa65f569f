package bugs

import (
	"fmt"
	"math"
	"strings"

	"github.com/ergodic-mcmc/ergodic/model"
)

// checkIndices fails where an index may leave its array, or a size be no whole
// number, with positive probability: a sampler would take that for impossible
// and sample from another posterior.
func (c *compiler) checkIndices(m *model.Model) {
	f := m.IndexFaults()
	if f == nil {
		return
	}
	t, i := m.TemplateOf(f.Row)
	node := m.CellName(namedBelow(m, t.Cells(i)[0]))
	if f.Gather == nil {
		d := t.Stoch
		var params []string
		if d.Scalar != nil {
			params = d.Scalar.Params
		} else {
			params = d.Multi.Params
		}
		c.fail(Pos{t.Place.Line, t.Place.Col}, wholeHint(m, f)+c.indexNodes(m, f),
			"%s of %s ~ %s counts, but %s need not be a whole number", params[f.Dim], node, d.Name, shorten(m.CellName(f.Cell)))
	}
	g := f.Gather
	pos, sub, array := Pos{g.Place.Line, g.Place.Col}, shorten(g.Subs[f.Dim]), shorten(g.Place.Text)
	switch {
	case f.Undefined >= 0:
		c.fail(pos, "Define the element, or keep the index away from it."+c.indexNodes(m, f),
			"%s, which %s needs, may be %s, which is not defined", array, node, m.CellName(f.Undefined))
	case f.Value != math.Trunc(f.Value) || !f.Values.Whole && f.Values.List == nil:
		c.fail(pos, wholeHint(m, f)+c.indexNodes(m, f), "the index %s of %s, which %s needs, need not be a whole number", sub, array, node)
	}
	c.fail(pos, "Shift or bound the index so that it stays within the array, or give what leaves it probability zero in the data."+c.indexNodes(m, f),
		"the index %s of %s, which %s needs, may be %g: outside 1:%d", sub, array, node, f.Value, g.Extent[f.Dim])
}

// namedBelow goes from an intermediate value to an element of an array that
// needs it.
func namedBelow(m *model.Model, cell int32) int32 {
	for !m.Named(cell) {
		kids := m.Children(cell)
		if len(kids) == 0 {
			break
		}
		cell = m.Templates[kids[0].T].Cells(int(kids[0].Lo))[0]
	}
	return cell
}

// indexNodes tells which nodes a fault comes from and what they may be.
func (c *compiler) indexNodes(m *model.Model, f *model.IndexFault) string {
	var parts []string
	for k, cell := range f.Nodes {
		t, _ := m.TemplateOf(m.DefRow(cell))
		parts = append(parts, fmt.Sprintf("%s ~ %s takes %v.", m.CellName(cell), t.Stoch.Name, f.Takes[k]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n  " + strings.Join(parts, " ")
}

func wholeHint(m *model.Model, f *model.IndexFault) string {
	if t, _ := m.TemplateOf(f.Row); f.Gather == nil && t.Stoch.Name == "dbin" {
		return "The order is dbin(p, n). " + anotherHint(m, f)
	}
	return anotherHint(m, f)
}

func anotherHint(m *model.Model, f *model.IndexFault) string {
	for _, cell := range f.Nodes {
		if t, _ := m.TemplateOf(m.DefRow(cell)); t.Stoch.Scalar == nil || !t.Stoch.Scalar.Discrete {
			return "Give the node a distribution over whole numbers (dcat, dbin, dpois), or take round() or trunc() of it."
		}
	}
	return "Take round() or trunc() of it."
}
